"""Many elements become one: sums, means, products, largest and smallest along axes.

``axis``: None or () (all), an integer, or several. ``keep_dims``: keep reduced axes with size 1.
"""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axes, reduced_shape
from .precision import is_half, like, widened
from .shapes import as_dtype, needs_number, numeric, predicate, settled, shaped


def reduced(x, *, axis=None, keep_dims=False, **_attributes):
    """The type of a reduction that keeps the dtype."""
    return shaped(x, reduced_shape(x.shape, axis, keep_dims))


def accumulated(x, *, axis, keep_dims, dtype):
    """The type of a sum or product."""
    kind = _accumulated_dtype(settled(x.dtype, x.weak), dtype)
    return AbstractTensor(kind, reduced_shape(x.shape, axis, keep_dims))


def accumulate(function, x, axis, keep_dims, dtype):
    """A sum or product: ``function`` in the result's dtype, but of half floats in float32."""
    out = _accumulated_dtype(dtypes.from_numpy(x.dtype), dtype).numpy
    wide = np.dtype(np.float32) if is_half(out) else out
    axes = normal_axes(axis, x.ndim)
    total = function(x.astype(wide, copy=False), axes, keepdims=keep_dims, dtype=wide)
    return np.asarray(total).astype(out, copy=False)


def _accumulated_dtype(given, wanted):
    """Integers and bools are added up as Int64 unless a dtype is asked for."""
    if wanted is not None:
        return as_dtype(wanted)
    return given if given.kind == "float" else dtypes.int64


def _largest(x, *, axis, keep_dims):
    out = reduced(x, axis=axis, keep_dims=keep_dims)
    largest_exists(x, axis, out.shape)
    return out


def largest_exists(x, axis, shape):
    """Refuse the largest or smallest of nothing: an empty axis that would leave ``shape``."""
    if x.size == 0 and math.prod(shape) > 0:
        raise errors.InvalidValue(
            "there is no largest or smallest of no elements.",
            given=f"{x}, axis {axis}",
            hint="Reduce along an axis whose size is not 0.",
        )


def restored(y, x, axis):
    """``y``, a reduction of ``x``, shaped to broadcast against ``x`` again."""
    return ops.reshape(y, reduced_shape(x.shape, axis, True))


def _reduce(function, x, axis, keep_dims):
    return like(function(widened(x), normal_axes(axis, x.ndim), keepdims=keep_dims), x)


def reduction_samples(rng):
    """Operands and axes that every reduction is tried on."""
    yield (rng.uniform(0.5, 2, (2, 3)),)
    yield rng.uniform(-2, 2, (2, 3, 4)), {"axis": (0, -1)}
    yield rng.uniform(-2, 2, (4, 3)).T, {"axis": 1, "keep_dims": True}
    yield (rng.uniform(-2, 2, ()),)
    yield rng.uniform(-2, 2, (0, 3)), {"axis": 1}


def as_many(_out, x, **_attributes):
    """About one FLOP for each element read."""
    return x.size


@op(names=("sum", "Tensor.sum", "mint.sum"))
class SumExt:
    """The sum along axes; integers and bools add up to Int64.

    >>> ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), 0)
    Tensor(shape=[2], dtype=Float32, value= [ 4.00000000e+00,  6.00000000e+00])
    """

    infer = accumulated
    samples = reduction_samples
    cost = as_many

    def compute(x, *, axis=None, keep_dims=False, dtype=None):
        return accumulate(np.sum, x, axis, keep_dims, dtype)

    def bprop(x_, _out, dout, *, axis):
        return (ops.broadcast_to(restored(dout, x_, axis), x_.shape),)


@op()
class ReduceSum:
    """The sum along axes in the dtype of x: the primitive with ``keep_dims``.

    >>> ops.ReduceSum(keep_dims=True)(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    Tensor(shape=[2, 1], dtype=Float32, value=
    [[ 3.00000000e+00],
     [ 7.00000000e+00]])
    """

    infer = reduced
    samples = reduction_samples
    cost = as_many
    constructor = ("keep_dims",)

    def compute(x, *, axis=(), keep_dims=False):
        total = np.sum(
            widened(x), normal_axes(axis, x.ndim), keepdims=keep_dims, dtype=widened(x).dtype
        )
        return like(total, x)

    def bprop(x_, _out, dout, *, axis):
        return (ops.broadcast_to(restored(dout, x_, axis), x_.shape),)


@op()
class SumTo:
    """The sum over the axes that broadcasting from ``shape`` had stretched.

    >>> ops.SumTo(Tensor([[1.0, 2.0], [3.0, 4.0]]), (2,))
    Tensor(shape=[2], dtype=Float32, value= [ 4.00000000e+00,  6.00000000e+00])
    """

    cost = as_many

    def infer(x, *, shape):
        return shaped(x, tuple(shape))

    def compute(x, *, shape):
        lead = x.ndim - len(shape)
        stretched = (i for i, n in enumerate(shape, lead) if n == 1 != x.shape[i])
        wide = widened(x)
        total = np.sum(wide, (*range(lead), *stretched), keepdims=True, dtype=wide.dtype)
        return like(total.reshape(shape), x)

    def bprop(x_, _out, dout):
        return (ops.broadcast_to(dout, x_.shape),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"shape": (3,)}
        yield rng.uniform(-2, 2, (4, 2, 3)), {"shape": (2, 1)}
        yield rng.uniform(-2, 2, (2, 3)), {"shape": ()}
        yield rng.uniform(-2, 2, (0, 3)), {"shape": (1, 3)}


@op(names=("mean", "Tensor.mean"))
class ReduceMean:
    """The mean along axes, in the dtype of x (integers are divided towards zero).

    >>> ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    Tensor(shape=[2], dtype=Float32, value= [ 1.50000000e+00,  3.50000000e+00])
    """

    infer = numeric(reduced)
    samples = reduction_samples
    cost = as_many
    constructor = ("keep_dims",)

    def compute(x, *, axis=None, keep_dims=False):
        needs_number(x)
        wide, axes = widened(x), normal_axes(axis, x.ndim)
        total = np.sum(wide, axes, keepdims=keep_dims, dtype=wide.dtype)
        return like(np.asarray(total / _count(x, axes)), x)

    def bprop(x_, _out, dout, *, axis):
        count = _count(x_, normal_axes(axis, len(x_.shape)))
        share = wide(restored(dout, x_, axis)) / count
        share = share if share.dtype is dout.dtype else ops.cast(share, dout.dtype)
        return (ops.broadcast_to(share, x_.shape),)


def wide(y):
    """A half float as Float32: 70,000 elements are too many to be counted in Float16.

    >>> wide(Tensor([1.0], ms.float16)).dtype, wide(Tensor([1])).dtype
    (mindspore.float32, mindspore.int64)
    """
    return ops.cast(y, dtypes.float32) if is_half(y.dtype.numpy) else y


def _count(x, axes):
    """How many elements become one; at least 1.0, the mean of nothing is NaN all the same."""
    return math.prod(x.shape[i] for i in axes)


@op(names=("amax", "Tensor.amax", "mint.amax"))
class ReduceMax:
    """The largest along axes. Elements that tie for it share the gradient.

    >>> ops.amax(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  4.00000000e+00])
    """

    infer = _largest
    samples = reduction_samples
    cost = as_many
    constructor = ("keep_dims",)

    def compute(x, *, axis=None, keep_dims=False):
        return _reduce(np.max, x, axis, keep_dims)

    def bprop(x, out, dout, *, axis):
        return (_to_winners(x, out, dout, axis),)


@op(names=("amin", "Tensor.amin", "mint.amin"))
class ReduceMin:
    """The smallest along axes. Elements that tie for it share the gradient.

    >>> ops.amin(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00])
    """

    infer = _largest
    samples = reduction_samples
    cost = as_many
    constructor = ("keep_dims",)

    def compute(x, *, axis=None, keep_dims=False):
        return _reduce(np.min, x, axis, keep_dims)

    def bprop(x, out, dout, *, axis):
        return (_to_winners(x, out, dout, axis),)


def _to_winners(x, out, dout, axis):
    """``dout``, in equal parts, to the elements that equal ``out``."""
    back = wide(restored(dout, x, axis))
    won = ops.cast(x == restored(out, x, axis), back.dtype)
    return won * (back / ops.ReduceSum(won, axis=axis, keep_dims=True))


@op(names=("all", "Tensor.all", "mint.all"))
class ReduceAll:
    """Whether all elements along axes are true (not zero).

    >>> ops.ReduceAll()(Tensor([True, False]))
    Tensor(shape=[], dtype=Bool, value= False)
    """

    infer = predicate(reduced)
    samples = reduction_samples
    constructor = ("keep_dims",)

    def compute(x, *, axis=(), keep_dims=False):
        return np.all(x, normal_axes(axis, x.ndim), keepdims=keep_dims)


@op(names=("any", "Tensor.any", "mint.any"))
class ReduceAny:
    """Whether at least one element along axes is true (not zero).

    >>> ops.ReduceAny()(Tensor([True, False]))
    Tensor(shape=[], dtype=Bool, value= True)
    """

    infer = predicate(reduced)
    samples = reduction_samples
    constructor = ("keep_dims",)

    def compute(x, *, axis=(), keep_dims=False):
        return np.any(x, normal_axes(axis, x.ndim), keepdims=keep_dims)
