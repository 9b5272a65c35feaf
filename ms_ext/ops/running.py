"""Results so far along an axis: running largest, smallest, product, logarithm of a sum."""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis
from .composite import composite
from .precision import like, widened
from .shapes import as_dtype, needs_float, needs_number, only_floating, shaped


@op()
class LinearScan:
    """s where s[i] = y[i] + x[i] * s[i - 1] along an axis, from 0 on; ``reverse``: from the end.

    Running products and sums of exponentials have gradients of this form, and so has it itself.

    >>> ops.LinearScan(Tensor([9.0, 2.0]), Tensor([1.0, 10.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  1.20000000e+01])
    """

    def infer(x, y, *, axis, reverse):
        normal_axis(axis, y.ndim)
        return y

    def compute(x, y, *, axis=-1, reverse=False):
        factor, out = np.moveaxis(widened(x), axis, 0), np.array(widened(y))
        line = np.moveaxis(out, axis, 0)
        step, places = (1, range(len(line) - 2, -1, -1)) if reverse else (-1, range(1, len(line)))
        for i in places:
            line[i] += factor[i] * line[i + step]
        return like(out, y)

    def bprop(x, _y, out, dout, *, axis, reverse):
        back = ops.LinearScan(moved_on(x, axis, not reverse), dout, axis=axis, reverse=not reverse)
        return back * moved_on(out, axis, reverse), back

    def samples(rng):
        yield rng.uniform(-2, 2, (4,)), rng.uniform(-2, 2, (4,))
        yield rng.uniform(-2, 2, (2, 3)).T, rng.uniform(-2, 2, (3, 2)), {"axis": 0, "reverse": True}


def moved_on(x, axis, reverse):
    """Each element one place further along an axis (``reverse``: back), and 0 where there is none.

    >>> moved_on(Tensor([1, 2, 3]), 0, False)
    Tensor(shape=[3], dtype=Int64, value= [0, 1, 2])
    """
    place = normal_axis(axis, len(x.shape))
    size, before = x.shape[place], (slice(None),) * place
    if size == 0:
        return x
    zero = ops.zeros_like(x[(*before, slice(0, 1))])
    if reverse:
        return ops.concat((x[(*before, slice(1, size))], zero), place)
    return ops.concat((zero, x[(*before, slice(0, size - 1))]), place)


def _extreme(kind):
    def infer(x, *, axis):
        normal_axis(axis, x.ndim)
        return shaped(x, x.shape), AbstractTensor(kind, x.shape)

    return infer


def _running(function, x, axis, kind):
    if x.ndim == 0:
        return x.copy(), np.zeros((), kind)
    wide = widened(x)
    value = function.accumulate(wide, axis)
    line = np.arange(x.shape[axis]).reshape(-1, *[1] * (x.ndim - 1 - normal_axis(axis, x.ndim)))
    index = np.where((wide == value) | (wide != wide), line, 0)
    return like(value, x), np.maximum.accumulate(index, axis).astype(kind)


def _to_found(x, out, dout, axis):
    if not x.shape:
        return dout[0]
    return ops.GatherDGrad(dout[0], out[1], shape=x.shape, dim=axis)


def _lines(rng):
    yield rng.uniform(-2, 2, (4,)), {"axis": 0}
    yield rng.uniform(-2, 2, (3, 2)).T, {"axis": 1}
    yield rng.uniform(-2, 2, (0, 3)), {"axis": 0}


@op(names=("mint.cummax", "cummax", "Tensor.cummax"))
class Cummax:
    """The largest element so far along an axis, and its index (Int64; of equal ones the latest).

    >>> ops.cummax(Tensor([1.0, 3.0, 2.0]), 0)[0]
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00,  3.00000000e+00])
    """

    infer = _extreme(dtypes.int64)
    outputs = 2
    samples = _lines

    def compute(x, *, axis):
        return _running(np.maximum, x, axis, np.int64)

    def bprop(x_, out, dout, *, axis):
        return (_to_found(x_, out, dout, axis),)


@op(names=("cummin", "Tensor.cummin"))
class Cummin:
    """The smallest element so far along an axis, and its index (Int32; of equal ones the latest).

    >>> ops.cummin(Tensor([3.0, 1.0, 2.0]), 0)[1]
    Tensor(shape=[3], dtype=Int32, value= [0, 1, 1])
    """

    infer = _extreme(dtypes.int32)
    outputs = 2
    samples = _lines

    def compute(x, *, axis):
        return _running(np.minimum, x, axis, np.int32)

    def bprop(x_, out, dout, *, axis):
        return (_to_found(x_, out, dout, axis),)


@composite("mint.cummin")
def cummin_ext(input, dim):
    """The smallest element so far along a dimension, and its index (Int64).

    >>> mint.cummin(Tensor([3.0, 1.0, 2.0]), 0)[1]
    Tensor(shape=[3], dtype=Int64, value= [0, 1, 1])
    """
    values, index = ops.Cummin(input, axis=dim)
    return values, ops.cast(index, "int64")


def _products(x, *, axis, exclusive, reverse):
    needs_number(x)
    normal_axis(axis, x.ndim)
    return shaped(x, x.shape)


@op()
class CumProd:
    """Running products. ``exclusive``: without the element; ``reverse``: from the end.

    >>> ops.CumProd(reverse=True)(Tensor([1.0, 2.0, 3.0]), 0)
    Tensor(shape=[3], dtype=Float32, value= [ 6.00000000e+00,  6.00000000e+00,  3.00000000e+00])
    """

    infer = _products
    constructor = ("exclusive", "reverse")

    def compute(x, *, axis, exclusive=False, reverse=False):
        needs_number(x)
        wide = widened(x)
        if x.ndim == 0:
            return np.ones_like(x) if exclusive else x.copy()
        line = np.flip(wide, axis) if reverse else wide
        if exclusive:
            line = np.roll(line, 1, axis)
            np.moveaxis(line, axis, 0)[:1] = 1
        total = np.cumprod(line, axis, dtype=wide.dtype)
        return like(np.flip(total, axis) if reverse else total, x)

    def bprop(x, _out, dout, *, axis, exclusive, reverse):
        if not x.shape:
            return (ops.zeros_like(x) if exclusive else dout,)
        if exclusive:
            dout = moved_on(dout, axis, not reverse)
        later = moved_on(x, axis, not reverse)
        sums = ops.LinearScan(later, dout, axis=axis, reverse=not reverse)
        return (sums * ops.CumProd(x, axis=axis, exclusive=True, reverse=reverse),)

    def samples(rng):
        yield rng.uniform(-2, 2, (4,)), {"axis": 0}
        yield rng.uniform(-2, 2, (3, 2)).T, {"axis": 1, "exclusive": True}
        yield rng.uniform(-2, 2, (2, 3)), {"axis": -1, "reverse": True}
        yield rng.uniform(-2, 2, (2, 3)), {"axis": 0, "reverse": True, "exclusive": True}
        yield np.array([2.0, 0.0, 3.0, 0.0]), {"axis": 0}


@composite("cumprod", "Tensor.cumprod", "mint.cumprod")
def cumprod(input, dim, dtype=None):
    """Running products along an axis; integers become Int64.

    >>> ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0)
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00,  6.00000000e+00])
    """
    return ops.CumProd(_as_total(input, dtype), axis=dim)


def _as_total(x, dtype):
    """x in the dtype of a running total that is not told its own."""
    if dtype is not None:
        return ops.cast(x, as_dtype(dtype))
    return x if x.dtype.kind == "float" else ops.cast(x, "int64")


@op()
class CumsumExt:
    """Running sums along a dimension; integers and Bool add up as Int64 unless a dtype is given.

    >>> mint.cumsum(Tensor([1, 2, 3], ms.int32), 0)
    Tensor(shape=[3], dtype=Int64, value= [1, 3, 6])
    """

    def infer(x, *, dim, dtype):
        normal_axis(dim, x.ndim)
        return AbstractTensor(_total_dtype(x.dtype, dtype), x.shape)

    def compute(x, *, dim, dtype=None):
        kind = _total_dtype(dtypes.from_numpy(x.dtype), dtype).numpy
        wide = widened(x.astype(kind, copy=False))
        return np.asarray(np.cumsum(wide, dim, dtype=wide.dtype) if x.ndim else wide).astype(kind)

    def bprop(x_, _out, dout, *, dim):
        total = ops.CumSum(dout, axis=dim, reverse=True) if x_.shape else dout
        return (None if x_.dtype.kind == "bool" else ops.cast(total, x_.dtype),)

    def samples(rng):
        yield rng.uniform(-2, 2, (4,)), {"dim": 0}
        yield rng.uniform(-2, 2, (3, 2)).T, {"dim": -1}
        yield rng.uniform(-2, 2, (0, 3)), {"dim": 0}


def _total_dtype(given, wanted):
    if wanted is not None:
        return as_dtype(wanted)
    return given if given.kind == "float" else dtypes.int64


@composite("mint.cumsum")
def cumsum_ext(input, dim, dtype=None):
    """Running sums along a dimension; integers and Bool add up as Int64 unless a dtype is given.

    >>> mint.cumsum(Tensor([1.0, 2.0]), 0)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00])
    """
    return ops.CumsumExt(input, dim=dim, dtype=dtype)


@composite("cumsum", "Tensor.cumsum")
def cumsum(x, axis, dtype=None):
    """Running sums along an axis, in the dtype of x or the one that is given.

    >>> ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0)
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00,  6.00000000e+00])
    """
    return ops.CumSum(x if dtype is None else ops.cast(x, as_dtype(dtype)), axis=axis)


def _of_axis(x, *, axis):
    normal_axis(axis, x.ndim)
    return shaped(x, x.shape)


@op(names=("logcumsumexp", "Tensor.logcumsumexp"))
class LogCumsumExp:
    """log of the running sum of exp(x) along an axis, safe for large x.

    >>> ops.logcumsumexp(Tensor([500.0, 500.0]), 0)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e+02,  5.00693146e+02])
    """

    infer = only_floating(_of_axis)
    samples = _lines

    def compute(x, *, axis):
        needs_float(x)
        wide = widened(x)
        return like(np.logaddexp.accumulate(wide, axis) if x.ndim else wide, x)

    def bprop(x, out, dout, *, axis):
        if not x.shape:
            return (dout,)
        before = (slice(None),) * normal_axis(axis, len(x.shape))
        later = ops.concat((out[(*before, slice(1, None))], out[(*before, slice(-1, None))]), axis)
        sums = ops.LinearScan(ops.exp(out - later), dout, axis=axis, reverse=True)
        return (sums * ops.exp(x - out),)
