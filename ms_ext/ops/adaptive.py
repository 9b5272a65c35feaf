"""Pooling to a size: an axis is cut into parts as even as can be, overlapping if they must.

The mean of parts is a product with a small matrix along each axis, and so is its gradient.

>>> ops.adaptive_avg_pool1d(Tensor([[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]]), 2).asnumpy().tolist()
[[[2.0, 5.0]]]
"""

from .. import ops
from ..engine import errors
from .composite import composite
from .pooling import lifted
from .pooling_places import wanted_size
from .resizing_matrices import along_axes, averaging
from .windows import needs_float


def _mean(x, output_size, axes):
    _checked(x, axes)
    sizes = wanted_size(x.shape, output_size, axes)
    pairs = zip(x.shape[-axes:], sizes, strict=True)
    return along_axes(x, [None if n == m else averaging(n, m) for n, m in pairs])


def _checked(x, axes):
    needs_float(x)
    if x.ndim not in (axes + 1, axes + 2):
        raise errors.InvalidValue(
            f"the input must have {axes + 1} or {axes + 2} axes.", given=f"shape {list(x.shape)}"
        )


@composite("adaptive_avg_pool1d", "mint.nn.functional.adaptive_avg_pool1d")
def adaptive_avg_pool1d(input, output_size):
    """The mean of each of ``output_size`` parts of the last axis.

    >>> ops.adaptive_avg_pool1d(Tensor([[[1.0, 3.0, 5.0]]]), 2).asnumpy().tolist()
    [[[2.0, 4.0]]]
    """
    return _mean(input, output_size, 1)


@composite("adaptive_avg_pool2d", "mint.nn.functional.adaptive_avg_pool2d")
def adaptive_avg_pool2d(input, output_size):
    """The mean of each of (h, w) parts of the last two axes; None keeps a size.

    >>> ops.adaptive_avg_pool2d(ops.ones((1, 2, 5, 7)), (None, 3)).shape
    (1, 2, 5, 3)
    """
    return _mean(input, output_size, 2)


@composite("adaptive_avg_pool3d", "mint.nn.functional.adaptive_avg_pool3d")
def adaptive_avg_pool3d(input, output_size):
    """The mean of each of (d, h, w) parts of the last three axes; None keeps a size.

    >>> ops.adaptive_avg_pool3d(ops.ones((1, 2, 5, 7, 3)), 2).shape
    (1, 2, 2, 2, 2)
    """
    return _mean(input, output_size, 3)


def _largest(x, output_size, axes, return_indices):
    _checked(x, axes)
    sizes = wanted_size(x.shape, output_size, axes)
    primitive = ops.AdaptiveMaxPool3D if axes == 3 else ops.AdaptiveMaxPool2D
    sizes = (1, *sizes) if axes == 1 else sizes
    found = lifted(lambda x: primitive(x, output_size=sizes), x, axes, max(axes, 2))
    return found if return_indices else found[0]


@composite("adaptive_max_pool1d")
def adaptive_max_pool1d(input, output_size):
    """The largest of each of ``output_size`` parts of the last axis.

    >>> ops.adaptive_max_pool1d(Tensor([[[1.0, 3.0, 5.0, 2.0]]]), 2).asnumpy().tolist()
    [[[3.0, 5.0]]]
    """
    return _largest(input, output_size, 1, False)


@composite("mint.nn.functional.adaptive_max_pool1d")
def adaptive_max_pool1d_ext(input, output_size, return_indices=False):
    """The largest of each of ``output_size`` parts of the last axis, and where it is if asked.

    >>> y, where = mint.nn.functional.adaptive_max_pool1d(Tensor([[[1.0, 3.0, 5.0]]]), 1, True)
    >>> y.asnumpy().tolist(), where.asnumpy().tolist()
    ([[[5.0]]], [[[2]]])
    """
    return _largest(input, output_size, 1, return_indices)


@composite("adaptive_max_pool2d", "mint.nn.functional.adaptive_max_pool2d")
def adaptive_max_pool2d(input, output_size, return_indices=False):
    """The largest of each of (h, w) parts of the last two axes, and where it is if asked.

    >>> ops.adaptive_max_pool2d(ops.ones((1, 2, 5, 7)), (2, None)).shape
    (1, 2, 2, 7)
    """
    return _largest(input, output_size, 2, return_indices)


@composite("adaptive_max_pool3d")
def adaptive_max_pool3d(input, output_size, return_indices=False):
    """The largest of each of (d, h, w) parts of the last three axes, and where it is if asked.

    >>> ops.adaptive_max_pool3d(ops.ones((1, 2, 5, 7, 3)), 2).shape
    (1, 2, 2, 2, 2)
    """
    return _largest(input, output_size, 3, return_indices)
