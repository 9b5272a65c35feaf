"""The element in the middle, the k-th smallest, and whether a target is among the largest k."""

from .. import ops
from ..engine import errors
from .axes import normal_axis
from .composite import composite
from .sorting import needs_tensor


def _at(input, k, axis, keepdims):
    """The k-th (from 0) of the elements in order, and its index (Int64)."""
    if not input.ndim:
        return input, ops.zeros((), "int64")
    found = ops.SortExt(input, dim=axis, stable=True)
    place = normal_axis(axis, input.ndim)
    index = (*[slice(None)] * place, slice(k, k + 1) if keepdims else k)
    return found[0][index], found[1][index]


@composite("mint.kthvalue", "Tensor.kthvalue")
def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest element along a dimension, counted from 1, and its index (Int64).

    >>> mint.kthvalue(Tensor([3.0, 1.0, 2.0]), 2)
    (Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Int64, value= 2))
    """
    size = input.shape[normal_axis(dim, input.ndim)] if input.ndim else 1
    if not 1 <= k <= size:
        raise errors.InvalidValue(f"k must be from 1 to {size}.", given=f"k {k}")
    return _at(input, k - 1, dim, keepdim)


@composite("median", "Tensor.median")
def median(input, axis=-1, keepdims=False):
    """The element in the middle along an axis (of two, the smaller), and its index (Int64).

    Where there is a NaN, it is the median.

    >>> ops.median(Tensor([4.0, 1.0, 3.0, 2.0]))
    (Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Int64, value= 3))
    """
    return _middle(needs_tensor(input), axis, keepdims)


def _middle(input, axis, keepdims, ignore_nan=False):
    size = _size(input, axis)
    if not input.ndim or input.dtype.kind != "float":
        return _at(input, (size - 1) // 2, axis, keepdims)
    nan = ops.isnan(input)
    count = ops.ReduceSum(ops.cast(nan, "int64"), axis=axis, keep_dims=True)
    middle = (size - 1) // 2
    if ignore_nan:
        middle = ops.maximum((size - count - 1) // 2, 0)
    else:  # NaN comes last: its first one stands behind all numbers
        middle = ops.where(count > 0, size - count, middle)
    values, index = ops.SortExt(input, dim=axis, stable=True)
    found = ops.GatherD(values, middle, dim=axis), ops.GatherD(index, middle, dim=axis)
    return found if keepdims else tuple([ops.squeeze(each, axis) for each in found])


def _size(input, axis):
    size = input.shape[normal_axis(axis, input.ndim)] if input.ndim else 1
    if size == 0:
        raise errors.InvalidValue("there is no middle of no elements.", given=str(input.shape))
    return size


@composite("nanmedian", "Tensor.nanmedian")
def nanmedian(input, axis=-1, keepdims=False):
    """The element in the middle along an axis, of those that are not NaN, and its index (Int64).

    >>> ops.nanmedian(Tensor([float("nan"), 1.0, 3.0]))[0]
    Tensor(shape=[], dtype=Float32, value= 1)
    """
    return _middle(needs_tensor(input), axis, keepdims, ignore_nan=True)


@composite("mint.median")
def median_ext(input, dim=None, keepdim=False):
    """The element in the middle of all; along a dimension, with its index (Int64).

    >>> mint.median(Tensor([4.0, 1.0, 3.0, 2.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    if dim is None:
        return _shared(ops.reshape(input, (-1,)))
    return _middle(input, dim, keepdim)


def _shared(line):
    """The median, whose gradient the elements that equal it share."""
    found = ops.stop_gradient(_middle(line, 0, False)[0])
    if line.dtype.kind != "float":
        return found
    equal = ops.cast((line == found) | (ops.isnan(line) & ops.isnan(found)), line.dtype)
    share = equal / ops.ReduceSum(equal, axis=0, keep_dims=True)
    return found + ops.ReduceSum(share * (line - ops.stop_gradient(line)), axis=0)


@composite("Median")
class Median:
    """The primitive of ``ops.median``: the middle along an axis, or of all, and its index.

    >>> ops.Median(axis=0)(Tensor([1.0, 3.0, 2.0]))[0]
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def __init__(self, global_median=False, axis=0, keep_dims=False, ignore_nan=False):
        self.all, self.axis = global_median, axis
        self.keep_dims, self.ignore_nan = keep_dims, ignore_nan

    def graph_function(self):
        """What graph mode runs on symbols where the object is called."""
        return lambda x: _median_of(self, x)

    def __call__(self, x):
        return _median_of(self, x)


def _median_of(how, x):
    if how.all:
        return _middle(ops.reshape(x, (-1,)), 0, False, how.ignore_nan)
    return _middle(x, how.axis, how.keep_dims, how.ignore_nan)


@composite("aminmax", "Tensor.aminmax")
def aminmax(input, *, axis=0, keepdims=False):
    """The smallest and the largest elements along an axis.

    >>> ops.aminmax(Tensor([1, 3]))
    (Tensor(shape=[], dtype=Int64, value= 1), Tensor(shape=[], dtype=Int64, value= 3))
    """
    how = {"axis": axis, "keep_dims": keepdims}
    return ops.ArgMinWithValue(input, **how)[1], ops.ArgMaxWithValue(input, **how)[1]


@composite("intopk")
def intopk(x1, x2, k):
    """For each row of ``x1``: whether the element that ``x2`` names is among the largest k.

    An element that ties with the k-th is among them.

    >>> ops.intopk(Tensor([[1.0, 3.0, 2.0]]), Tensor([2], ms.int32), 2)
    Tensor(shape=[1], dtype=Bool, value= [True])
    """
    target = ops.GatherD(x1, ops.expand_dims(x2, 1), dim=1)
    return ops.ReduceSum(ops.cast(x1 > target, "int64"), axis=1) < k


@composite("InTopK")
class InTopK:
    """The primitive of ``ops.intopk``.

    >>> ops.InTopK(1)(Tensor([[1.0, 3.0]]), Tensor([0], ms.int32))
    Tensor(shape=[1], dtype=Bool, value= [False])
    """

    def __new__(cls, k):
        return ops.partial(_among, k)


def _among(k, x1, x2):
    return intopk(x1, x2, k)
