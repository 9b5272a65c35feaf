"""Mean, variance and deviation as mint's primitives, and the pairs of them."""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axes, reduced_shape
from .composite import composite
from .precision import like, widened
from .reductions import as_many, reduction_samples, restored, wide
from .shapes import as_dtype, float_dtype, needs_number, settled


@op(names=("mint.mean",))
class MeanExt:
    """The mean along axes, of x in another dtype if one is asked for.

    >>> mint.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    Tensor(shape=[2], dtype=Float32, value= [ 1.50000000e+00,  3.50000000e+00])
    """

    samples = reduction_samples
    cost = as_many

    def infer(x, *, axis, keep_dims, dtype):
        needs_number(x)
        kind = settled(x.dtype, x.weak) if dtype is None else as_dtype(dtype)
        return AbstractTensor(kind, reduced_shape(x.shape, axis, keep_dims))

    def compute(x, *, axis=None, keep_dims=False, dtype=None):
        needs_number(x)
        x = x if dtype is None else x.astype(as_dtype(dtype).numpy)
        axes, large = normal_axes(axis, x.ndim), widened(x)
        total = np.sum(large, axes, keepdims=keep_dims, dtype=large.dtype)
        return like(np.asarray(total / _count(x, axes)), x)

    def bprop(x_, _out, dout, *, axis):
        count = _count(x_, normal_axes(axis, len(x_.shape)))
        share = ops.cast(wide(restored(dout, x_, axis)) / count, x_.dtype)
        return (ops.broadcast_to(share, x_.shape),)


def _count(x, axes):
    return math.prod(x.shape[i] for i in axes)


def _spread_type(x, *, axis, correction, keep_dims):
    return AbstractTensor(float_dtype(x.dtype), reduced_shape(x.shape, axis, keep_dims))


def _pair_type(x, *, axis, correction, keep_dims):
    one = _spread_type(x, axis=axis, correction=correction, keep_dims=keep_dims)
    return one, one


def _moments(x, axis, correction, keep_dims):
    """Variance and mean, in float32 at least."""
    axes, large = normal_axes(axis, x.ndim), widened(x)
    count = _count(x, axes)
    mean = np.sum(large, axes, keepdims=True, dtype=large.dtype) / count
    total = np.sum(np.square(large - mean), axes, keepdims=keep_dims, dtype=large.dtype)
    left = max(count - correction, 0)
    return total / large.dtype.type(left), np.reshape(mean, np.shape(total))


def _samples(rng):
    yield (rng.uniform(0.5, 2, (2, 3)),)
    yield rng.uniform(-2, 2, (2, 3, 4)), {"axis": (0, -1), "correction": 0}
    yield rng.uniform(-2, 2, (4, 3)).T, {"axis": 1, "keep_dims": True}
    yield rng.uniform(-2, 2, (3, 2)), {"axis": 0, "correction": 2}


def _to_variance(x, dout, axis, correction):
    """How far each element is from the mean, times what arrives."""
    axes = normal_axes(axis, len(x.shape))
    mean = ops.MeanExt(x, axis=axis, keep_dims=True)
    return restored(dout, x, axis) * (x - mean) * (2 / max(_count(x, axes) - correction, 1))


def _to_deviation(x, deviation, dout, axis, correction):
    """Through the root; where nothing deviates the slope is taken to be 0."""
    safe = ops.where(deviation == 0, 1, deviation)
    share = ops.where(deviation == 0, 0, dout / (2 * safe))
    return _to_variance(x, share, axis, correction)


def _to_mean(x, dout, axis):
    count = _count(x, normal_axes(axis, len(x.shape)))
    return ops.broadcast_to(restored(dout, x, axis) / count, x.shape)


@op(names=("mint.var",), operands="float")
class Var:
    """The variance along axes, divided by the count less ``correction``.

    >>> mint.var(Tensor([1.0, 3.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    infer, samples, cost = _spread_type, _samples, as_many

    def compute(x, *, axis=None, correction=1, keep_dims=False):
        return like(_moments(x, axis, correction, keep_dims)[0], x)

    def bprop(x, _out, dout, *, axis, correction):
        x = ops.cast(x, dout.dtype)
        return (_to_variance(x, dout, axis, correction),)


@op(names=("mint.std",), operands="float")
class Std:
    """The square root of the variance.

    >>> mint.std(Tensor([1.0, 3.0]), correction=0)
    Tensor(shape=[], dtype=Float32, value= 1)
    """

    infer, samples, cost = _spread_type, _samples, as_many

    def compute(x, *, axis=None, correction=1, keep_dims=False):
        return like(np.sqrt(_moments(x, axis, correction, keep_dims)[0]), x)

    def bprop(x, out, dout, *, axis, correction):
        x = ops.cast(x, dout.dtype)
        return (_to_deviation(x, out, dout, axis, correction),)


@op(names=("mint.var_mean",), operands="float")
class VarMean:
    """The variance and the mean.

    >>> mint.var_mean(Tensor([1.0, 3.0]))
    (Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Float32, value= 2))
    """

    infer, samples, cost = _pair_type, _samples, as_many
    outputs = 2

    def compute(x, *, axis=None, correction=1, keep_dims=False):
        variance, mean = _moments(x, axis, correction, keep_dims)
        return like(variance, x), like(mean, x)

    def bprop(x, _out, dout, *, axis, correction):
        x = ops.cast(x, dout[0].dtype)
        return (_to_variance(x, dout[0], axis, correction) + _to_mean(x, dout[1], axis),)


@op(names=("mint.std_mean",), operands="float")
class StdMean:
    """The deviation and the mean.

    >>> mint.std_mean(Tensor([1.0, 3.0]), correction=0)
    (Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Float32, value= 2))
    """

    infer, samples, cost = _pair_type, _samples, as_many
    outputs = 2

    def compute(x, *, axis=None, correction=1, keep_dims=False):
        variance, mean = _moments(x, axis, correction, keep_dims)
        return like(np.sqrt(variance), x), like(mean, x)

    def bprop(x, out, dout, *, axis, correction):
        x = ops.cast(x, dout[0].dtype)
        spread = _to_deviation(x, out[0], dout[0], axis, correction)
        return (spread + _to_mean(x, dout[1], axis),)


@op(names=("mint.logsumexp",), operands="float")
class LogSumExp:
    """log(sum(exp(x))), without leaving the range of floats.

    >>> mint.logsumexp(Tensor([100.0, 0.0]), 0)
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    cost = as_many

    def infer(x, *, axis, keep_dims):
        return AbstractTensor(float_dtype(x.dtype), reduced_shape(x.shape, axis, keep_dims))

    def compute(x, *, axis, keep_dims=False):
        large, axes = widened(x), normal_axes(axis, x.ndim)
        peak = np.max(large, axes, keepdims=True, initial=-np.inf)
        peak = np.where(np.isfinite(peak), peak, large.dtype.type(0))
        total = np.sum(np.exp(large - peak), axes, keepdims=keep_dims, dtype=large.dtype)
        return like(np.log(total) + np.reshape(peak, np.shape(total)), x)

    def bprop(x, out, dout, *, axis):
        return (restored(dout, x, axis) * ops.exp(x - restored(out, x, axis)),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"axis": 1}
        yield rng.uniform(-2, 2, (2, 3, 4)), {"axis": (0, -1), "keep_dims": True}
        yield rng.uniform(-2, 2, (4, 3)).T, {"axis": 0}
        yield rng.uniform(-2, 2, (3, 0)), {"axis": 0}


@composite("var_mean")
def var_mean(input, axis=None, ddof=0, keepdims=False):
    """The variance and the mean.

    >>> ops.var_mean(Tensor([1.0, 3.0]))
    (Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Float32, value= 2))
    """
    return ops.var(input, axis, ddof, keepdims), ops.mean(_floating(input), axis, keepdims)


@composite("std_mean")
def std_mean(input, axis=None, ddof=0, keepdims=False):
    """The deviation and the mean.

    >>> ops.std_mean(Tensor([1.0, 3.0]))
    (Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Float32, value= 2))
    """
    return ops.std(input, axis, ddof, keepdims), ops.mean(_floating(input), axis, keepdims)


def _floating(x):
    return x if x.dtype.kind == "float" else ops.cast(x, dtypes.float32)
