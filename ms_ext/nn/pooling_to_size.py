"""Pooling to a size, by roots of powers, and back from the largest, as Cells.

>>> from ms_ext import ops
>>> AdaptiveAvgPool2d((1, None))(ops.ones((1, 2, 5, 7))).shape
(1, 2, 1, 7)
"""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .arguments import check_int, check_type
from .cell import Cell


def _check_size(layer, size):
    check_int(layer, "output_size", size)
    if size < 1:
        raise errors.InvalidValue(
            f"For '{layer}', the 'output_size' must be int and must >= 1, but got '{size}' with "
            "type 'int'."
        )
    return size


def _check_line(layer, x, size):
    """MindSpore cuts a line into equal parts only, of Float16 or Float32."""
    if x.ndim != 3:
        raise errors.InvalidValue(f"For {layer}, the input must has 3 dim, but got {x.ndim}.")
    if x.shape[2] < size or x.shape[2] % size:
        raise errors.InvalidValue(
            f"For {layer}, the input's last dimension must be divisible by output size {size}, "
            f"but got {x.shape[2]}."
        )
    if x.dtype not in (dtypes.float16, dtypes.float32):
        raise errors.InvalidType(
            f"For {layer}, the x_dtype must be float16 or float32, but got {x.dtype}."
        )


class AdaptiveAvgPool1d(Cell):
    """The mean of each of ``output_size`` equal parts of x (N, C, L).

    >>> from ms_ext import Tensor
    >>> AdaptiveAvgPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])).asnumpy().tolist()
    [[[2.0, 6.0]]]
    """

    def __init__(self, output_size):
        super().__init__()
        self.output_size = _check_size("AdaptiveAvgPool1d", output_size)

    def construct(self, input):
        """The means."""
        _check_line("AdaptiveAvgPool1d", input, self.output_size)
        return ops.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(Cell):
    """The mean of each of (h, w) parts of x (N, C, H, W); None keeps a size.

    >>> from ms_ext import ops
    >>> AdaptiveAvgPool2d(2)(ops.ones((1, 3, 5, 5))).shape
    (1, 3, 2, 2)
    """

    def __init__(self, output_size):
        super().__init__()
        self.output_size = _several("AdaptiveAvgPool2d", output_size, 2)

    def construct(self, input):
        """The means."""
        return ops.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(Cell):
    """The mean of each of (d, h, w) parts of x (N, C, D, H, W); None keeps a size.

    >>> from ms_ext import ops
    >>> AdaptiveAvgPool3d((1, 2, None))(ops.ones((1, 3, 5, 5, 5))).shape
    (1, 3, 1, 2, 5)
    """

    def __init__(self, output_size):
        super().__init__()
        self.output_size = _several("AdaptiveAvgPool3d", output_size, 3)

    def construct(self, input):
        """The means."""
        return ops.adaptive_avg_pool3d(input, self.output_size)


def _several(layer, size, axes):
    check_type(layer, "output_size", size, int, tuple)
    if isinstance(size, tuple) and len(size) != axes:
        raise errors.InvalidValue(
            f"For '{layer}', the 'length of output_size' must be int and must = {axes}, but got "
            f"'{len(size)}' with type 'int'."
        )
    return size


class AdaptiveMaxPool1d(Cell):
    """The largest of each of ``output_size`` equal parts of x (N, C, L).

    >>> from ms_ext import Tensor
    >>> AdaptiveMaxPool1d(2)(Tensor([[[1.0, 3.0, 5.0, 7.0]]])).asnumpy().tolist()
    [[[3.0, 7.0]]]
    """

    def __init__(self, output_size):
        super().__init__()
        self.output_size = _check_size("AdaptiveMaxPool1d", output_size)

    def construct(self, x):
        """The largest."""
        _check_line("AdaptiveMaxPool1d", x, self.output_size)
        return ops.adaptive_max_pool1d(x, self.output_size)


class AdaptiveMaxPool2d(Cell):
    """The largest of each of (h, w) parts of x (N, C, H, W), and where it is if asked.

    >>> from ms_ext import ops
    >>> AdaptiveMaxPool2d((2, None))(ops.ones((1, 3, 5, 5))).shape
    (1, 3, 2, 5)
    """

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def construct(self, input):
        """The largest."""
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(Cell):
    """The largest of each of (d, h, w) parts of x (N, C, D, H, W), and where it is if asked.

    >>> from ms_ext import ops
    >>> AdaptiveMaxPool3d(2)(ops.ones((1, 3, 5, 5, 5))).shape
    (1, 3, 2, 2, 2)
    """

    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices

    def construct(self, input):
        """The largest."""
        return ops.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class LPPool1d(Cell):
    """The root of each window's sum of powers, of x (N, C, L).

    >>> from ms_ext import Tensor
    >>> LPPool1d(2, 2)(Tensor([[[3.0, 4.0]]])).asnumpy().tolist()
    [[[5.0]]]
    """

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size = norm_type, kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode

    def construct(self, x):
        """The roots."""
        return ops.lp_pool1d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(Cell):
    """The root of each window's sum of powers, of x (N, C, H, W).

    >>> from ms_ext import Tensor
    >>> LPPool2d(2, (1, 2))(Tensor([[[[3.0, 4.0]]]])).asnumpy().tolist()
    [[[[5.0]]]]
    """

    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type, self.kernel_size = norm_type, kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode

    def construct(self, x):
        """The roots."""
        return ops.lp_pool2d(x, self.norm_type, self.kernel_size, self.stride, self.ceil_mode)


class Unpool(Cell):
    """What the layers that undo a MaxPool have in common."""

    function = "max_unpool2d"

    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride

    def construct(self, x, indices, output_size=None):
        """x where the largest had been, zeros elsewhere."""
        if output_size is not None and not (isinstance(output_size, tuple) and output_size):
            raise errors.InvalidValue(
                f"For {self.cls_name}, output_size must be a tuple of sizes, "
                f"but got {output_size!r}."
            )
        how = (self.kernel_size, self.stride, self.padding, output_size)
        return getattr(ops, self.function)(x, indices, *how)


class MaxUnpool1d(Unpool):
    """The elements of x put where ``indices`` says: MaxPool1d backwards.

    >>> from ms_ext import Tensor
    >>> MaxUnpool1d(2)(Tensor([[[3.0, 5.0]]]), Tensor([[[1, 2]]])).asnumpy().tolist()
    [[[0.0, 3.0, 5.0, 0.0]]]
    """

    function = "max_unpool1d"


class MaxUnpool2d(Unpool):
    """The elements of x put where ``indices`` says: MaxPool2d backwards.

    >>> from ms_ext import Tensor
    >>> MaxUnpool2d((1, 2))(Tensor([[[[3.0]]]]), Tensor([[[[1]]]])).asnumpy().tolist()
    [[[[0.0, 3.0]]]]
    """


class MaxUnpool3d(Unpool):
    """The elements of x put where ``indices`` says: MaxPool3d backwards.

    >>> from ms_ext import ops
    >>> MaxUnpool3d(2)(ops.ones((1, 1, 1, 1, 1)), ops.zeros((1, 1, 1, 1, 1), "int64")).shape
    (1, 1, 2, 2, 2)
    """

    function = "max_unpool3d"
