"""Largest and smallest with their index, variance and deviation: composites of reductions."""

import math

from .. import ops
from ..engine.tensor import Tensor
from .axes import normal_axes, reduced_shape
from .composite import composite


@composite("max")
def largest(input, axis=None, keepdims=False):
    """The largest elements along an axis, and their indices; without axis: of all, and 0.

    >>> ops.max(Tensor([1.0, 3.0]), 0)
    (Tensor(shape=[], dtype=Float32, value= 3), Tensor(shape=[], dtype=Int64, value= 1))
    """
    if axis is None:
        return ops.amax(input), Tensor(0)
    return _value_first(ops.ArgMaxWithValue, input, axis, keepdims)


@composite("min")
def smallest(input, axis=None, keepdims=False):
    """The smallest elements along an axis, and their indices; without axis: of all, and 0.

    >>> ops.min(Tensor([1.0, 3.0]), 0)
    (Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Int64, value= 0))
    """
    if axis is None:
        return ops.amin(input), Tensor(0)
    return _value_first(ops.ArgMinWithValue, input, axis, keepdims)


@composite("Tensor.max")
def largest_of(self, dim=None, keepdim=False, *, axis=None, keepdims=False, return_indices=False):
    """The largest element; along a dim with their indices, along an axis if they are asked for.

    >>> Tensor([1.0, 3.0]).max()
    Tensor(shape=[], dtype=Float32, value= 3)
    """
    if keepdims or return_indices:  # words of the form with an axis
        axis, dim = dim if axis is None else axis, None
    if dim is not None:
        return _value_first(ops.ArgMaxWithValue, self, dim, keepdim)
    if axis is None:
        return ops.amax(self)
    found = _value_first(ops.ArgMaxWithValue, self, axis, keepdims)
    return found if return_indices else found[0]


@composite("Tensor.min")
def smallest_of(self, dim=None, keepdim=False, *, axis=None, keepdims=False, return_indices=False):
    """The smallest element; along a dim with their indices, along an axis if they are asked for.

    >>> Tensor([1.0, 3.0]).min()
    Tensor(shape=[], dtype=Float32, value= 1)
    """
    if keepdims or return_indices:  # words of the form with an axis
        axis, dim = dim if axis is None else axis, None
    if dim is not None:
        return _value_first(ops.ArgMinWithValue, self, dim, keepdim)
    if axis is None:
        return ops.amin(self)
    found = _value_first(ops.ArgMinWithValue, self, axis, keepdims)
    return found if return_indices else found[0]


@composite("mint.max")
def largest_in(input, dim=None, keepdim=False):
    """The largest element; with a dim, the largest along it and their indices; or of two tensors.

    >>> mint.max(Tensor([1.0, 3.0]))
    Tensor(shape=[], dtype=Float32, value= 3)
    """
    if hasattr(dim, "shape"):
        return ops.maximum(input, dim)
    return largest_of(input, dim, keepdim)


@composite("mint.min")
def smallest_in(input, dim=None, keepdim=False):
    """The smallest element; with a dim, the smallest along it and their indices; or of two tensors.

    >>> mint.min(Tensor([1.0, 3.0]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """
    if hasattr(dim, "shape"):
        return ops.minimum(input, dim)
    return smallest_of(input, dim, keepdim)


def _value_first(op, x, axis, keepdims):
    index, value = op(x, axis=axis, keep_dims=keepdims)
    return value, index


@composite("argmin", "Tensor.argmin")
def argmin(input, axis=None, keepdims=False):
    """Where the smallest element is, along an axis or in the flattened tensor; an Int32.

    >>> ops.argmin(Tensor([3.0, 1.0]))
    Tensor(shape=[], dtype=Int32, value= 1)
    """
    return ops.cast(ops.ArgMinExt(input, axis=axis, keep_dims=keepdims), "int32")


@composite("var", "Tensor.var")
def var(input, axis=None, ddof=0, keepdims=False):
    """The mean squared distance from the mean; the divisor is the count less ``ddof``.

    >>> ops.var(Tensor([1.0, 3.0]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """
    mean = ops.mean(input, axis, True)
    total = ops.ReduceSum(ops.square(input - mean), axis=axis, keep_dims=True)
    count = math.prod(input.shape[i] for i in normal_axes(axis, input.ndim))
    return ops.reshape(total / (count - int(ddof)), reduced_shape(input.shape, axis, keepdims))


@composite("std", "Tensor.std")
def std(input, axis=None, ddof=0, keepdims=False):
    """The square root of the variance.

    >>> ops.std(Tensor([1.0, 3.0]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """
    return ops.sqrt(var(input, axis, ddof, keepdims))


@composite("logsumexp", "Tensor.logsumexp")
def logsumexp(input, dim, keepdim=False):
    """log(sum(exp(x))), without leaving the range of floats.

    >>> ops.logsumexp(Tensor([100.0, 0.0]), 0)
    Tensor(shape=[], dtype=Float32, value= 100)
    """
    peak = ops.stop_gradient(ops.amax(input, dim, True))
    total = ops.ReduceSum(ops.exp(input - peak), axis=dim, keep_dims=True)
    return ops.reshape(ops.log(total) + peak, reduced_shape(input.shape, dim, keepdim))
