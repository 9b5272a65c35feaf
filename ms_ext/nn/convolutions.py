"""Convolutions as Cells: windows of x times a weight, plus a bias if asked.

>>> from ms_ext import ops
>>> layer = Conv2d(1, 6, 5, pad_mode="valid")
>>> layer(ops.ones((32, 1, 28, 28))).shape, layer.weight.shape
((32, 6, 24, 24), (6, 1, 5, 5))
"""

import math

from .. import dtype as dtypes
from .. import ops
from ..common.initializer import HeUniform, Uniform, initializer
from ..common.parameter import Parameter
from ..engine import errors
from ..engine.tensor import Tensor
from .arguments import check_flag, check_from_zero, check_positive, check_type, check_word
from .cell import Cell

_MODES = ("valid", "same", "pad")


class Convolution(Cell):
    """What all six have in common: the checks, the Parameters, the text."""

    transposed = False

    def set_up(
        self, channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, inits,
        data_format, dtype,
    ):  # fmt: skip
        """Check the arguments, keep them, and make the Parameters."""
        name = self.cls_name
        check_positive(name, "group", group)
        self.in_channels = check_positive(name, "in_channels", channels[0])
        self.out_channels = check_positive(name, "out_channels", channels[1])
        self.group, self.has_bias = group, check_flag(name, "has_bias", has_bias)
        self._check_groups()
        self.kernel_size = _several(name, "kernel_size", kernel_size)
        self.stride = _several(name, "stride", stride)
        self.dilation = _several(name, "dilation", dilation)
        self.padding, self.pad_mode = padding, check_word(name, "pad_mode", pad_mode, _MODES)
        self._check_padding()
        self.data_format = check_format(name, data_format, ("NCHW", "NCDHW")[len(self.stride) - 2])
        self._make_parameters(*inits, dtype)

    def _check_groups(self):
        if self.in_channels % self.group or self.out_channels % self.group:
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the argument 'group' should be divisible by 'in_channels' "
                f"and 'out_channels', but got group:{self.group}, in_channels:{self.in_channels}, "
                f"out_channels:{self.out_channels}."
            )

    def _check_padding(self):
        several = self.padding if isinstance(self.padding, tuple) else (self.padding,)
        if isinstance(self.padding, str | float | list | None):
            raise errors.InvalidType(
                f"For '{self.cls_name}', the type of 'padding' must be int or tuple(int), "
                f"but got {type(self.padding).__name__}."
            )
        for each in several:
            check_from_zero(self.cls_name, "padding", each)
        if isinstance(self.padding, tuple) and len(several) != 2 * len(self.kernel_size):
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'padding' must be an int or "
                f"{2 * len(self.kernel_size)} of them, but got {self.padding}."
            )
        if self.pad_mode != "pad" and any(several):
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'padding' must be zero when 'pad_mode' is not 'pad', "
                f"but got 'padding': {self.padding} and 'pad_mode': {self.pad_mode}."
            )

    def _make_parameters(self, weight_init, bias_init, dtype):
        sizes = (self.in_channels, self.out_channels)
        rows, columns = sizes if self.transposed else sizes[::-1]
        shape = (rows, columns // self.group, *self.kernel_size)
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(self.weight_init, shape, dtype), name="weight")
        self.bias_init, self.bias = bias_init, None
        if self.has_bias:
            if bias_init is None:
                self.bias_init = Uniform(1 / math.sqrt(math.prod(shape[1:])))
            bias = initializer(self.bias_init, (self.out_channels,), dtype)
            self.bias = Parameter(bias, name="bias")

    def how(self):
        """The attributes of the primitives."""
        return {
            "out_channel": self.weight.shape[0], "kernel_size": self.kernel_size,
            "pad_mode": self.pad_mode, "pad": self.padding, "stride": self.stride,
            "dilation": self.dilation, "group": self.group,
        }  # fmt: skip

    def biased(self, y):
        """y with the bias, if there is one."""
        return y if self.bias is None else ops.bias_add(y, self.bias)

    def extend_repr(self):
        """Every argument."""
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
            f"padding={self.padding}, dilation={self.dilation}, group={self.group}, "
            f"has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


def check_format(layer, data_format, known="NCHW"):
    """The only layout there is on CPU.

    >>> check_format("Conv2d", "NCHW")
    'NCHW'
    """
    if data_format != known:
        raise errors.InvalidValue(
            f"For '{layer}', the format must be '{known}' on CPU, but got '{data_format}'.",
            hint="Transpose x first: x.transpose(0, 3, 1, 2) makes NCHW of NHWC.",
        )
    return data_format


def _several(layer, name, values):
    for each in values:
        check_positive(layer, f"{name} item", each)
    return values


def twice(value):
    """Two of an int, or the two that were given."""
    if type(value) is int:
        return (value, value)
    if not isinstance(value, tuple) or len(value) != 2:
        raise errors.InvalidType(
            f"Where an int stands for two, there must be an int or a tuple of two, but got {value}."
        )
    return value


def thrice(layer, name, value):
    """Three of an int, or the three that were given."""
    check_type(layer, name, value, int, tuple)
    values = (value,) * 3 if type(value) is int else value
    if len(values) != 3:
        raise errors.InvalidValue(
            f"For '{layer}', the '{name}' must be an int or a tuple of 3 ints, but got {value}."
        )
    return values


class Conv2d(Convolution):
    """Windows of x (N, in, H, W) times ``weight`` (out, in / group, kH, kW).

    ``pad_mode`` "same" keeps H and W (divided by the stride), "valid" takes windows inside x only,
    "pad" adds ``padding``, an int or (top, bottom, left, right). No bias unless ``has_bias``.

    >>> from ms_ext import ops
    >>> x = ops.arange(16.0).reshape(1, 1, 4, 4)
    >>> Conv2d(1, 1, 3, stride=2, weight_init="ones")(x).asnumpy().tolist()
    [[[[45.0, 39.0], [66.0, 50.0]]]]
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0,
        dilation=1, group=1, has_bias=False, weight_init=None, bias_init=None, data_format="NCHW",
        dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        self.set_up(
            (in_channels, out_channels), twice(kernel_size), twice(stride), pad_mode, padding,
            twice(dilation), group, has_bias, (weight_init, bias_init), data_format, dtype,
        )  # fmt: skip

    def construct(self, x):
        """The outputs for each window."""
        return self.biased(ops.Conv2D(x, self.weight, **self.how()))


class Conv3d(Convolution):
    """Windows of x (N, in, D, H, W) times ``weight`` (out, in / group, kD, kH, kW).

    >>> from ms_ext import ops
    >>> Conv3d(2, 4, 3)(ops.ones((1, 2, 5, 5, 5))).shape
    (1, 4, 5, 5, 5)
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0,
        dilation=1, group=1, has_bias=False, weight_init=None, bias_init=None, data_format="NCDHW",
        dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        self.set_up(
            (in_channels, out_channels), thrice("Conv3d", "kernel_size", kernel_size),
            thrice("Conv3d", "stride", stride), pad_mode, padding,
            thrice("Conv3d", "dilation", dilation), group, has_bias, (weight_init, bias_init),
            data_format, dtype,
        )  # fmt: skip

    def construct(self, x):
        """The outputs for each window."""
        return self.biased(ops.Conv3D(x, self.weight, **self.how()))


class LineConvolution(Convolution):
    """A convolution of lines: of images of height 1. The weight is (out, in / group, 1, k)."""

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0,
        dilation=1, group=1, has_bias=False, weight_init=None, bias_init=None, dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        check_positive(self.cls_name, "kernel_size", kernel_size)
        check_positive(self.cls_name, "stride", stride)
        check_positive(self.cls_name, "dilation", dilation)
        check_from_zero(self.cls_name, "padding", padding)
        self.set_up(
            (in_channels, out_channels), (1, kernel_size), (1, stride), pad_mode,
            (0, 0, padding, padding), (1, dilation), group, has_bias,
            (self._with_height(weight_init), bias_init), "NCHW", dtype,
        )  # fmt: skip

    def _with_height(self, weight_init):
        if not isinstance(weight_init, Tensor):
            return weight_init
        if weight_init.ndim != 3:
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the weight_init must have 3 axes, "
                f"but got {weight_init.ndim}."
            )
        return ops.expand_dims(weight_init, 2)

    def image(self, x):
        """The lines as images of height 1."""
        if x.ndim != 3:
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the dimension of input must be 3d, but got {x.ndim}."
            )
        return ops.expand_dims(x, 2)


class Conv1d(LineConvolution):
    """Windows of x (N, in, L) times ``weight`` (out, in / group, 1, k).

    >>> from ms_ext import ops
    >>> Conv1d(2, 4, 3, stride=2)(ops.ones((1, 2, 7))).shape
    (1, 4, 4)
    """

    def construct(self, x):
        """The outputs for each window."""
        y = ops.Conv2D(self.image(x), self.weight, **self.how())
        return ops.squeeze(self.biased(y), 2)
