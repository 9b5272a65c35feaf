"""Convolutions with PyTorch's options, as Cells: padding by numbers, and a bias unless refused.

>>> from ms_ext import ops
>>> layer = Conv2d(1, 6, 5, padding=2)
>>> layer(ops.ones((32, 1, 28, 28))).shape, [p.name for p in layer.get_parameters()]
((32, 6, 28, 28), ['weight', 'bias'])
"""

import math

from ... import dtype as dtypes
from ... import nn
from ...common.initializer import HeUniform, Uniform, initializer
from ...common.parameter import Parameter
from ...engine import errors
from ...nn.arguments import check_flag, check_positive
from ...ops.windows import per_axis
from . import functional

_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class Convolution(nn.Cell):
    """What the layers have in common: the checks, the Parameters, the text."""

    axes, transposed = 2, False

    def set_up(self, channels, kernel_size, stride, padding, dilation, groups, bias, mode, dtype):
        """Check the arguments, keep them, and make the Parameters."""
        self.in_channels, self.out_channels = channels
        self.groups = check_positive(self.cls_name, "groups", groups)
        if self.in_channels % groups or self.out_channels % groups:
            raise errors.InvalidValue(
                f"For '{self.cls_name}', in_channels and out_channels must be divisible by groups.",
                given=f"{channels}, groups {groups}",
            )
        self.kernel_size = per_axis("kernel_size", kernel_size, self.axes)
        self.stride = per_axis("stride", stride, self.axes)
        self.dilation = per_axis("dilation", dilation, self.axes)
        self.padding, self.padding_mode = self._checked_padding(padding), mode
        if mode not in _PADDING_MODES:
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'padding_mode' must be one of {_PADDING_MODES}.",
                given=repr(mode),
            )
        self.around = self._around()
        self._make_parameters(check_flag(self.cls_name, "bias", bias), dtype or dtypes.float32)

    def _checked_padding(self, padding):
        if not isinstance(padding, str):
            return per_axis("padding", padding, self.axes, 0)
        if padding not in ("same", "valid") or (padding == "same" and set(self.stride) != {1}):
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'padding' must be ints, 'valid', or, with stride 1, "
                "'same'.",
                given=f"{padding!r}, stride {self.stride}",
            )
        return padding

    def _make_parameters(self, bias, dtype):
        sizes = (self.in_channels, self.out_channels)
        rows, columns = sizes if self.transposed else sizes[::-1]
        shape = (rows, columns // self.groups, *self.kernel_size)
        weight = initializer(HeUniform(math.sqrt(5)), shape, dtype)
        self.weight, self.bias = Parameter(weight, name="weight"), None
        if bias:
            spread = Uniform(1 / math.sqrt(math.prod(shape[1:])))
            first = initializer(spread, (self.out_channels,), dtype)
            self.bias = Parameter(first, name="bias")

    def _around(self):
        """The padding as ``functional.pad`` takes it: from the last axis on."""
        if self.padding == "valid":
            return (0, 0) * self.axes
        if self.padding == "same":
            totals = [d * (k - 1) for k, d in zip(self.kernel_size, self.dilation, strict=True)]
            ends = [(t // 2, t - t // 2) for t in totals]
        else:
            ends = [(p, p) for p in self.padding]
        return tuple(n for pair in reversed(ends) for n in pair)

    def construct(self, input):
        """The outputs for each window."""
        padding = self.padding
        if self.padding_mode != "zeros":
            input = functional.pad(input, self.around, mode=self.padding_mode)
            padding = 0
        return getattr(functional, f"conv{self.axes}d")(
            input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups
        )

    def extend_repr(self):
        """Every argument."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, groups={self.groups}, bias={self.bias is not None}"
        )


class Conv2d(Convolution):
    """Windows of x (N, in, H, W) or (in, H, W) times ``weight``, plus ``bias``.

    ``padding`` is ints, "valid", or "same" (stride 1); ``padding_mode`` says what is added.

    >>> from ms_ext import ops
    >>> Conv2d(2, 4, 3, stride=2, padding=1, padding_mode="reflect")(ops.ones((1, 2, 5, 5))).shape
    (1, 4, 3, 3)
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1,
        bias=True, padding_mode="zeros", dtype=None,
    ):  # fmt: skip
        super().__init__()
        channels = (in_channels, out_channels)
        how = (kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype)
        self.set_up(channels, *how)


class Conv1d(Conv2d):
    """Windows of x (N, in, L) or (in, L) times ``weight``, plus ``bias``.

    >>> from ms_ext import ops
    >>> Conv1d(2, 4, 3, padding="same")(ops.ones((1, 2, 5))).shape
    (1, 4, 5)
    """

    axes = 1


class Conv3d(Conv2d):
    """Windows of x (N, in, D, H, W) or (in, D, H, W) times ``weight``, plus ``bias``.

    >>> from ms_ext import ops
    >>> Conv3d(2, 4, 3)(ops.ones((1, 2, 5, 5, 5))).shape
    (1, 4, 3, 3, 3)
    """

    axes = 3


class ConvTranspose2d(Convolution):
    """Each element of x (N, in, H, W) times ``weight``, added up where it lies, plus ``bias``.

    >>> from ms_ext import ops
    >>> layer = ConvTranspose2d(2, 4, 3, stride=2, padding=1, output_padding=1)
    >>> layer(ops.ones((1, 2, 5, 5))).shape
    (1, 4, 10, 10)
    """

    transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0,
        groups=1, bias=True, dilation=1, padding_mode="zeros", dtype=None,
    ):  # fmt: skip
        super().__init__()
        if padding_mode != "zeros" or isinstance(padding, str):
            raise errors.InvalidValue(
                "For 'ConvTranspose2d', the padding is of zeros, by numbers.",
                given=f"padding {padding!r}, padding_mode {padding_mode!r}",
            )
        self.output_padding = per_axis("output_padding", output_padding, 2, 0)
        channels = (in_channels, out_channels)
        how = (kernel_size, stride, padding, dilation, groups, bias, padding_mode, dtype)
        self.set_up(channels, *how)

    def construct(self, input):
        """The sums."""
        return functional.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, self.output_padding,
            self.groups, self.dilation,
        )  # fmt: skip
