"""Transposed convolutions as Cells: each element of x spread over a window, and all added up.

>>> from ms_ext import ops
>>> Conv2dTranspose(3, 8, 3, stride=2)(ops.ones((1, 3, 5, 5))).shape
(1, 8, 10, 10)
"""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..ops.convolving import transposed
from .arguments import check_type
from .convolutions import Convolution, LineConvolution, thrice, twice


def _grown(cell, sizes):
    """The sizes that come out, along each axis."""
    pads = cell.padding if isinstance(cell.padding, tuple) else ()
    pads = pads or (cell.padding,) * 2 * len(sizes)
    ends = [a + b for a, b in zip(pads[::2], pads[1::2], strict=True)]
    lines = zip(sizes, cell.kernel_size, cell.stride, cell.dilation, ends, strict=True)
    return tuple(_grown_axis(cell.pad_mode, *line) for line in lines)


def _grown_axis(mode, size, kernel, stride, dilation, padding):
    span = (kernel - 1) * dilation + 1
    if mode == "same":
        return size * stride
    beyond = span - stride
    return size * stride + (max(beyond, 0) if mode == "valid" else beyond - padding)


class Conv2dTranspose(Convolution):
    """Each element of x (N, in, H, W) times ``weight`` (in, out / group, kH, kW), added up.

    "same" gives H * stride; "pad" cuts ``padding`` off, and ``output_padding`` adds zeros.

    >>> from ms_ext import Tensor
    >>> layer = Conv2dTranspose(1, 1, (1, 2), pad_mode="valid", weight_init="ones")
    >>> layer(Tensor([[[[1.0, 2.0]]]])).asnumpy().tolist()
    [[[[1.0, 3.0, 2.0]]]]
    """

    transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0,
        output_padding=0, dilation=1, group=1, has_bias=False, weight_init=None, bias_init=None,
        dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        check_type("Conv2dTranspose", "padding", padding, int, tuple)
        check_type("Conv2dTranspose", "output_padding", output_padding, int, tuple)
        self.output_padding = output_padding
        self.set_up(
            (in_channels, out_channels), twice(kernel_size), twice(stride), pad_mode, padding,
            twice(dilation), group, has_bias, (weight_init, bias_init), "NCHW", dtype,
        )  # fmt: skip

    def construct(self, x):
        """The sums."""
        more = twice(self.output_padding)
        for each, stride, dilation in zip(more, self.stride, self.dilation, strict=True):
            if not 0 <= each < max(stride, dilation):
                raise errors.InvalidValue(
                    "For 'Conv2dTranspose', the output_padding must be from 0 to less than the "
                    f"stride or the dilation, but got {self.output_padding}."
                )
        if self.pad_mode != "pad" and any(more):
            raise errors.InvalidValue(
                "For 'Conv2dTranspose', when output_padding is not zero, pad_mode must be 'pad'."
            )
        size = (x.shape[0], self.out_channels, *_grown(self, x.shape[2:]))
        y = self.biased(ops.Conv2DTranspose(x, self.weight, input_size=size, **self.how()))
        return ops.pad(y, (0, more[1], 0, more[0])) if any(more) else y


class Conv1dTranspose(LineConvolution):
    """Each element of x (N, in, L) times ``weight`` (in, out / group, 1, k), added up.

    >>> from ms_ext import ops
    >>> Conv1dTranspose(2, 4, 3, stride=2)(ops.ones((1, 2, 5))).shape
    (1, 4, 10)
    """

    transposed = True

    def construct(self, x):
        """The sums."""
        x = self.image(x)
        size = (x.shape[0], self.out_channels, *_grown(self, x.shape[2:]))
        y = ops.Conv2DBackpropInput(x, self.weight, input_size=size, **self.how())
        return ops.squeeze(self.biased(y), 2)


class Conv3dTranspose(Convolution):
    """Each element of x (N, in, D, H, W) times ``weight`` (in, out / group, *kernel), added up.

    "same" gives D * stride; "pad" cuts ``padding`` off, less of it at the end by
    ``output_padding``.

    >>> from ms_ext import ops
    >>> Conv3dTranspose(2, 4, 3, stride=2)(ops.ones((1, 2, 3, 3, 3))).shape
    (1, 4, 6, 6, 6)
    """

    transposed = True

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0,
        dilation=1, group=1, output_padding=0, has_bias=False, weight_init=None, bias_init=None,
        data_format="NCDHW", dtype=dtypes.float32,
    ):  # fmt: skip
        super().__init__()
        name = "Conv3dTranspose"
        check_type(name, "padding", padding, int, tuple)
        self.output_padding = thrice(name, "output_padding", output_padding)
        self.set_up(
            (in_channels, out_channels), thrice(name, "kernel_size", kernel_size),
            thrice(name, "stride", stride), pad_mode, padding, thrice(name, "dilation", dilation),
            group, has_bias, (weight_init, bias_init), data_format, dtype,
        )  # fmt: skip
        if pad_mode != "pad" and any(self.output_padding):
            raise errors.InvalidValue(
                f"For '{name}', when output_padding is not zero, pad_mode must be 'pad'."
            )

    def construct(self, x):
        """The sums."""
        if self.pad_mode == "pad":
            y = transposed(
                ops.Conv3DBackpropInput, x, self.weight, self.stride, self.padding,
                self.output_padding, self.group, self.dilation,
            )  # fmt: skip
            return self.biased(y)
        size = (x.shape[0], self.out_channels, *_grown(self, x.shape[2:]))
        return self.biased(ops.Conv3DBackpropInput(x, self.weight, input_size=size, **self.how()))
