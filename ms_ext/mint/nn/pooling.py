"""Pooling with PyTorch's options, as Cells: windows are as far apart as they are wide.

>>> from ms_ext import ops
>>> MaxPool2d(2)(ops.ones((1, 1, 4, 4))).shape, AvgPool2d(2)(ops.ones((1, 1, 4, 4))).shape
((1, 1, 2, 2), (1, 1, 2, 2))
"""

from ... import nn
from . import functional


class MaxPool2d(nn.Cell):
    """The largest of each window of x (N, C, H, W) or (C, H, W), and where it is if asked.

    >>> from ms_ext import ops
    >>> MaxPool2d(3, 2, 1)(ops.ones((1, 1, 5, 5))).shape
    (1, 1, 3, 3)
    """

    def __init__(
        self, kernel_size=1, stride=None, padding=0, dilation=1, return_indices=False,
        ceil_mode=False,
    ):  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def construct(self, input):
        """The largest of each window."""
        return functional.max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
            self.return_indices,
        )  # fmt: skip


class AvgPool(nn.Cell):
    """What AvgPool1d, 2d and 3d have in common."""

    axes = 2

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
        divisor_override=None,
    ):  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad
        self.divisor_override = divisor_override

    def construct(self, input):
        """The mean of each window."""
        how = (self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        return getattr(functional, f"avg_pool{self.axes}d")(input, *how, self.divisor_override)


class AvgPool2d(AvgPool):
    """The mean of each window of x (N, C, H, W) or (C, H, W).

    >>> from ms_ext import ops
    >>> AvgPool2d(2)(ops.ones((1, 1, 4, 4))).shape
    (1, 1, 2, 2)
    """


class AvgPool3d(AvgPool):
    """The mean of each window of x (N, C, D, H, W) or (C, D, H, W).

    >>> from ms_ext import ops
    >>> AvgPool3d(2)(ops.ones((1, 1, 4, 4, 4))).shape
    (1, 1, 2, 2, 2)
    """

    axes = 3


class AvgPool1d(AvgPool):
    """The mean of each window of x (N, C, L) or (C, L).

    >>> from ms_ext import ops
    >>> AvgPool1d(2)(ops.ones((1, 1, 4))).shape
    (1, 1, 2)
    """

    axes = 1

    def __init__(
        self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
    ):
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)

    def construct(self, input):
        """The mean of each window."""
        how = (self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)
        return functional.avg_pool1d(input, *how)


class AdaptivePool(nn.Cell):
    """What the layers that pool to a size have in common."""

    function = "adaptive_avg_pool2d"

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def construct(self, input):
        """One number per part."""
        return getattr(functional, self.function)(input, self.output_size)


class AdaptiveAvgPool1d(AdaptivePool):
    """The mean of each of ``output_size`` parts of the last axis.

    >>> from ms_ext import ops
    >>> AdaptiveAvgPool1d(2)(ops.ones((1, 3, 5))).shape
    (1, 3, 2)
    """

    function = "adaptive_avg_pool1d"


class AdaptiveAvgPool2d(AdaptivePool):
    """The mean of each of (h, w) parts of the last two axes; None keeps a size.

    >>> from ms_ext import ops
    >>> AdaptiveAvgPool2d((1, None))(ops.ones((1, 3, 5, 5))).shape
    (1, 3, 1, 5)
    """


class AdaptiveAvgPool3d(AdaptivePool):
    """The mean of each of (d, h, w) parts of the last three axes; None keeps a size.

    >>> from ms_ext import ops
    >>> AdaptiveAvgPool3d(2)(ops.ones((1, 3, 5, 5, 5))).shape
    (1, 3, 2, 2, 2)
    """

    function = "adaptive_avg_pool3d"


class AdaptiveMaxPool(nn.Cell):
    """What AdaptiveMaxPool1d and 2d have in common."""

    function = "adaptive_max_pool2d"

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def construct(self, input):
        """The largest of each part, and where it is if asked."""
        return getattr(functional, self.function)(input, self.output_size, self.return_indices)


class AdaptiveMaxPool1d(AdaptiveMaxPool):
    """The largest of each of ``output_size`` parts of the last axis.

    >>> from ms_ext import ops
    >>> AdaptiveMaxPool1d(2)(ops.ones((1, 3, 5))).shape
    (1, 3, 2)
    """

    function = "adaptive_max_pool1d"


class AdaptiveMaxPool2d(AdaptiveMaxPool):
    """The largest of each of (h, w) parts of the last two axes.

    >>> from ms_ext import ops
    >>> AdaptiveMaxPool2d(2)(ops.ones((1, 3, 5, 5))).shape
    (1, 3, 2, 2)
    """
