"""Where would a value go, and how many fall into each bin: searchsorted, bincount, histc."""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from ..engine.tensor import Tensor
from .axes import normal_axes
from .composite import composite
from .shapes import as_dtype


@op()
class SearchSorted:
    """Where each value goes in rows that are in order: before equal ones, or (right) after them.

    >>> ops.SearchSorted(right=True)(Tensor([1.0, 2.0, 2.0]), Tensor([2.0]))
    Tensor(shape=[1], dtype=Int64, value= [3])
    """

    constructor = ("dtype", "right")

    def infer(x, values, *, dtype, right):
        if x.ndim != 1 and x.shape[:-1] != values.shape[:-1]:
            raise errors.InvalidValue(
                "the ordered numbers must be one line, or a line per line of values.",
                given=f"{list(x.shape)} and {list(values.shape)}",
            )
        return AbstractTensor(as_dtype(dtype), values.shape)

    def compute(x, values, *, dtype=dtypes.int64, right=False):
        kind, side = as_dtype(dtype).numpy, "right" if right else "left"
        if x.ndim == 1:
            return np.asarray(np.searchsorted(x, values, side)).astype(kind)
        rows = x.reshape(-1, x.shape[-1]), values.reshape(-1, values.shape[-1])
        found = [np.searchsorted(row, wanted, side) for row, wanted in zip(*rows, strict=True)]
        return np.reshape(np.array(found, kind), values.shape)

    def samples(rng):
        line = np.sort(rng.uniform(-2, 2, (5,)))
        yield line, rng.uniform(-2, 2, (2, 3))
        yield line, line[1:3].copy(), {"right": True, "dtype": dtypes.int32}
        yield np.sort(rng.uniform(-2, 2, (2, 4))), rng.uniform(-2, 2, (2, 3))


def _is_right(right, side):
    if side not in (None, "left", "right"):
        raise errors.InvalidValue("the side must be 'left' or 'right'.", given=repr(side))
    if side == "left" and right:
        raise errors.InvalidValue("side and right are opposites.", given="side='left', right=True")
    return right or side == "right"


@composite("searchsorted", "mint.searchsorted")
def searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None):
    """Where each value goes in rows that are in order: before equal ones, or (right) after them.

    >>> ops.searchsorted(Tensor([0.0, 1.0, 3.0]), Tensor([1.0, 9.0]))
    Tensor(shape=[2], dtype=Int64, value= [1, 3])
    """
    if sorter is not None:
        sorted_sequence = ops.GatherD(sorted_sequence, sorter, dim=-1)
    values = values if hasattr(values, "dtype") else Tensor(values)
    dtype = dtypes.int32 if out_int32 else dtypes.int64
    return ops.SearchSorted(sorted_sequence, values, dtype=dtype, right=_is_right(right, side))


@composite("Tensor.searchsorted")
def searched(self, v, side="left", sorter=None):
    """Where each value goes in this line, which is in order (Int64).

    >>> Tensor([0.0, 1.0, 3.0]).searchsorted(Tensor([2.0]))
    Tensor(shape=[1], dtype=Int64, value= [2])
    """
    return searchsorted(self, v, side=side, sorter=sorter)


@composite("bucketize")
def bucketize(input, boundaries, *, right=False):
    """Between which boundaries each element lies (Int32): 0 before the first.

    >>> ops.bucketize(Tensor([-1.0, 1.0, 3.0]), [0.0, 1.0, 2.0])
    Tensor(shape=[3], dtype=Int32, value= [0, 1, 3])
    """
    if not isinstance(boundaries, list | tuple):
        raise errors.InvalidType("the boundaries must be a list.", given=repr(boundaries))
    line = Tensor(np.array(boundaries, np.float32))
    return ops.SearchSorted(line, input, dtype=dtypes.int32, right=right)


@composite("bincount", "Tensor.bincount")
def bincount(input, weights=None, minlength=0):
    """How often each number from 0 to the largest occurs, or the weights of those (Float32).

    >>> ops.bincount(Tensor([0, 2, 2]))
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  0.00000000e+00,  2.00000000e+00])
    """
    return ops.cast(_counted(input, weights, minlength), "float32")


@composite("mint.bincount")
def bincount_ext(input, weights=None, minlength=0):
    """How often each number from 0 to the largest occurs (Int64), or the weights of those.

    >>> mint.bincount(Tensor([0, 2, 2]))
    Tensor(shape=[3], dtype=Int64, value= [1, 0, 2])
    """
    counts = _counted(input, weights, minlength)
    exact = weights is None or weights.dtype.short == "f32"
    return counts if exact else ops.cast(counts, "float64")


def _counted(input, weights, minlength):
    if input.ndim != 1:
        raise errors.InvalidValue("the input must have one axis.", given=str(input.shape))
    if weights is not None and weights.shape != input.shape:
        raise errors.InvalidValue(
            "the weights must have the shape of the input.",
            given=f"{list(weights.shape)} and {list(input.shape)}",
        )
    numbers = input.asnumpy().astype(np.int64)
    if numbers.size and numbers.min() < 0:
        raise errors.InvalidValue("a number is negative.", given=str(numbers.min()))
    if weights is None:
        return Tensor(np.bincount(numbers, minlength=minlength).astype(np.int64))
    size = max(int(numbers.max(initial=-1)) + 1, minlength)
    return ops.UnsortedSegmentSum(weights, Tensor(numbers), num_segments=size)


for _function in (bincount, bincount_ext):
    _function.of_elements = lambda args, kwargs: True


@op()
class Histogram:
    """How many elements fall into each of equal bins from ``min`` to ``max``.

    If both are 0, the bins span the elements. The largest belongs to the last bin.

    >>> ops.Histogram(2)(Tensor([1.0, 2.0, 3.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """

    def infer(x, *, bins, min, max):
        if bins <= 0:
            raise errors.InvalidValue("there must be one bin at least.", given=f"bins {bins}")
        if min > max:
            raise errors.InvalidValue("min is above max.", given=f"min {min}, max {max}")
        kind = dtypes.float32 if x.dtype.kind == "float" and x.dtype.size < 4 else x.dtype
        return AbstractTensor(kind, (bins,))

    def compute(x, *, bins=100, min=0.0, max=0.0):
        wide = x.astype(np.float64).ravel()
        if min == max == 0 and wide.size:
            min, max = wide.min(), wide.max()
        if min == max:
            min, max = min - 1, max + 1
        counts = np.histogram(wide, bins, (min, max))[0]
        small = x.dtype.kind in "fV" and x.dtype.itemsize < 4
        return counts.astype(np.float32 if small else x.dtype)

    def samples(rng):
        yield rng.uniform(-2, 2, (3, 4)), {"bins": 4}
        yield rng.integers(0, 5, (7,)), {"bins": 3, "min": 1.0, "max": 4.0}


@composite("histc", "Tensor.histc", "mint.histc")
def histc(input, bins=100, min=0.0, max=0.0):
    """How many elements fall into each of equal bins from ``min`` to ``max``.

    >>> ops.histc(Tensor([1.0, 2.0, 3.0]), 2)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    return ops.Histogram(input, bins=bins, min=float(min), max=float(max))


@composite("count_nonzero")
def count_nonzero(x, axis=(), keep_dims=False, dtype=dtypes.int32):
    """How many elements along axes are not 0; () means all axes.

    >>> ops.count_nonzero(Tensor([0.0, 2.0, 3.0]))
    Tensor(shape=[], dtype=Int32, value= 2)
    """
    axes = normal_axes(axis, x.ndim)
    return ops.cast(ops.ReduceSum(_is_some(x), axis=axes, keep_dims=keep_dims), dtype)


def _is_some(x):
    return ops.cast(x if x.dtype.kind == "bool" else x != 0, "int64")


@composite("mint.count_nonzero", "Tensor.count_nonzero")
def count_nonzero_ext(input, dim=None):
    """How many elements along dimensions are not 0 (Int64); without ``dim``, of all.

    >>> mint.count_nonzero(Tensor([[0.0, 2.0], [1.0, 3.0]]), 1)
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return ops.ReduceSum(_is_some(input), axis=normal_axes(dim, input.ndim))


@composite("CountNonZero")
class CountNonZero:
    """How many elements along axes are not 0 (Int64).

    >>> ops.CountNonZero()(Tensor([0.0, 2.0, 3.0]))
    Tensor(shape=[], dtype=Int64, value= 2)
    """

    def __new__(cls, dims=None):
        return ops.partial(_count_along, dims)


def _count_along(dims, x):
    return count_nonzero_ext(x, dims)
