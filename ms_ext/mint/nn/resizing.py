"""Zeros around, columns of windows, and images of another size, with PyTorch's options, as Cells.

>>> from ms_ext import ops
>>> Upsample(scale_factor=2.0)(ops.ones((1, 2, 3, 3))).shape
(1, 2, 6, 6)
"""

from ... import nn
from . import functional


class ZeroPad1d(nn.ConstantPad1d):
    """Zeros before and after the last axis.

    >>> from ms_ext import ops
    >>> ZeroPad1d((1, 2))(ops.ones((1, 1, 3))).shape
    (1, 1, 6)
    """

    def __init__(self, padding):
        super().__init__(padding, 0)


class ZeroPad3d(nn.ConstantPad3d):
    """Zeros around the last three axes.

    >>> from ms_ext import ops
    >>> ZeroPad3d(1)(ops.ones((1, 1, 3, 3, 3))).shape
    (1, 1, 5, 5, 5)
    """

    def __init__(self, padding):
        super().__init__(padding, 0)


class Unfold(nn.Cell):
    """Each window of x (N, C, H, W) as a column: (N, C * k * k, windows).

    >>> from ms_ext import ops
    >>> Unfold(2)(ops.ones((1, 3, 4, 5))).shape
    (1, 12, 12)
    """

    def __init__(self, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.how = (kernel_size, dilation, padding, stride)

    def construct(self, input):
        """The columns."""
        return functional.unfold(input, *self.how)


class Fold(nn.Cell):
    """Columns (N, C * k * k, windows) added up where their windows lie, in ``output_size``.

    >>> from ms_ext import ops
    >>> Fold((4, 5), 2)(ops.ones((1, 12, 12))).shape
    (1, 3, 4, 5)
    """

    def __init__(self, output_size, kernel_size, dilation=1, padding=0, stride=1):
        super().__init__()
        self.how = (output_size, kernel_size, dilation, padding, stride)

    def construct(self, input):
        """The images."""
        return functional.fold(input, *self.how)


class Upsample(nn.Upsample):
    """x at another ``size``, or ``scale_factor`` times as large; see ``functional.interpolate``.

    >>> from ms_ext import ops
    >>> Upsample((5, 5), mode="bilinear")(ops.ones((1, 2, 3, 3))).shape
    (1, 2, 5, 5)
    """

    def construct(self, input):
        """The resized x."""
        return functional.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            self.recompute_scale_factor,
        )  # fmt: skip


class UpsamplingNearest2d(Upsample):
    """Elements repeated up to another size.

    >>> from ms_ext import ops
    >>> UpsamplingNearest2d(scale_factor=2.0)(ops.ones((1, 2, 3, 3))).shape
    (1, 2, 6, 6)
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor)


class UpsamplingBilinear2d(Upsample):
    """Between the elements, with the corners in their places.

    >>> from ms_ext import Tensor
    >>> UpsamplingBilinear2d((1, 3))(Tensor([[[[1.0, 3.0]]]])).asnumpy().tolist()
    [[[[1.0, 2.0, 3.0]]]]
    """

    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, "bilinear", True)
