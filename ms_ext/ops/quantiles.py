"""Statistics of what is there: sums and means without NaN, quantiles, covariances."""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .axes import normal_axis, reduced_shape
from .composite import composite


@composite("nansum", "Tensor.nansum")
def nansum(input, axis=None, keepdims=False, *, dtype=None):
    """The sum of the elements that are not NaN.

    >>> ops.nansum(Tensor([1.0, float("nan"), 2.0]))
    Tensor(shape=[], dtype=Float32, value= 3)
    """
    x = ops.cast(input, dtypes.int64) if input.dtype.kind == "bool" else input
    x = x if dtype is None else ops.cast(x, dtype)
    return ops.ReduceSum(_without_nan(x), axis=axis, keep_dims=keepdims)


@composite("mint.nansum")
def nansum_in(input, dim=None, keepdim=False, *, dtype=None):
    """The sum of the elements that are not NaN.

    >>> mint.nansum(Tensor([1.0, float("nan"), 2.0]))
    Tensor(shape=[], dtype=Float32, value= 3)
    """
    return nansum(input, dim, keepdim, dtype=dtype)


@composite("nanmean", "Tensor.nanmean")
def nanmean(input, axis=None, keepdims=False, *, dtype=None):
    """The mean of the elements that are not NaN.

    >>> ops.nanmean(Tensor([1.0, float("nan"), 2.0]))
    Tensor(shape=[], dtype=Float32, value= 1.5)
    """
    x = input if dtype is None else ops.cast(input, dtype)
    if x.dtype.kind != "float":
        raise errors.InvalidType("the operand must be of floats.", given=str(x.dtype))
    there = ops.cast(ops.logical_not(ops.isnan(x)), x.dtype)
    count = ops.ReduceSum(there, axis=axis, keep_dims=keepdims)
    return nansum(x, axis, keepdims) / count


def _without_nan(x):
    return ops.where(ops.isnan(x), 0, x) if x.dtype.kind == "float" else x


@composite("quantile", "Tensor.quantile")
def quantile(input, q, axis=None, keepdims=False):
    """What a share ``q`` of the elements is below, by a straight line between two; NaN by NaN.

    >>> ops.quantile(Tensor([1.0, 2.0, 4.0]), 0.75)
    Tensor(shape=[], dtype=Float32, value= 3)
    """
    return _quantile(input, q, axis, keepdims, True)


@composite("nanquantile", "Tensor.nanquantile")
def nanquantile(input, q, axis=None, keepdims=False):
    """``quantile`` of the elements that are not NaN.

    >>> ops.nanquantile(Tensor([1.0, float("nan"), 2.0]), 0.5)
    Tensor(shape=[], dtype=Float32, value= 1.5)
    """
    return _quantile(input, q, axis, keepdims, False)


def _quantile(x, q, axis, keepdims, whole):
    """Sorted rows, NaN at their end; in each the places that q means, and what is between two."""
    if x.dtype not in (dtypes.float32, dtypes.float64):
        raise errors.InvalidType("the operand must be Float32 or Float64.", given=str(x.dtype))
    shares = _shares(q, x.dtype)
    place = None if axis is None else normal_axis(axis, x.ndim)
    rows = ops.reshape(x, (-1,)) if place is None else _last(x, place)
    there = ops.logical_not(ops.isnan(rows))
    count = ops.ReduceSum(ops.cast(there, x.dtype), axis=-1, keep_dims=True)
    values = ops.sort(ops.where(there, rows, float("inf")), -1)[0]
    at = ops.maximum(count - 1, 0) * ops.reshape(shares, (-1,))
    low = ops.floor(at)
    lower, upper = (_picked(values, i) for i in (low, ops.ceil(at)))
    # two steps: inf - inf, between two infinite elements, is NaN
    between = ops.where(lower == upper, lower, lower + (upper - lower) * (at - low))
    missing = count < rows.shape[-1] if whole else count == 0
    found = ops.where(missing, float("nan"), between)
    shape = reduced_shape(x.shape, axis, keepdims)
    if shares.ndim == 0:
        return ops.reshape(found, shape)
    order = (found.ndim - 1, *range(found.ndim - 1))
    return ops.reshape(ops.transpose(found, order), (shares.shape[0], *shape))


def _shares(q, dtype):
    if not hasattr(q, "shape"):
        several = q if isinstance(q, tuple | list) else (q,)
        if not all(0 <= share <= 1 for share in several):
            raise errors.InvalidValue("q must be from 0 to 1.", given=repr(q))
        filled = [ops.full((1,), float(share), dtype) for share in several]
        return ops.concat(filled) if isinstance(q, tuple | list) else ops.reshape(filled[0], ())
    if q.ndim > 1:
        raise errors.InvalidValue("q must be a number or a vector.", given=f"{list(q.shape)}")
    return ops.cast(q, dtype)


def _last(x, axis):
    order = [i for i in range(x.ndim) if i != axis]
    return ops.transpose(x, (*order, axis))


def _picked(values, places):
    index = ops.cast(places, dtypes.int64)
    return ops.GatherD(values, index, dim=-1)


@composite("cov", "Tensor.cov")
def cov(input, *, correction=1, fweights=None, aweights=None):
    """How the rows vary together: their covariances. ``fweights``: how often each column counts.

    >>> ops.cov(Tensor([[1.0, 3.0], [2.0, 6.0]]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 2.00000000e+00,  4.00000000e+00],
     [ 4.00000000e+00,  8.00000000e+00]])
    """
    if input.ndim > 2:
        raise errors.InvalidValue("x must be a vector or rows.", given=f"{list(input.shape)}")
    x = input if input.dtype.kind == "float" else ops.cast(input, dtypes.float32)
    rows = ops.reshape(x, (-1, x.shape[-1] if x.ndim else 1))
    weights = _column_weights(rows, fweights, aweights)
    total = ops.ReduceSum(weights)
    centred = rows - ops.ReduceSum(rows * weights, axis=1, keep_dims=True) / total
    left = total - correction
    if aweights is not None:
        square = ops.cast(aweights, x.dtype)
        left = total - ops.ReduceSum(weights * square) / total * correction
    found = ops.MatMul(centred * weights, centred, transpose_b=True) / ops.maximum(left, 0)
    return found if x.ndim == 2 else ops.reshape(found, ())


def _column_weights(rows, fweights, aweights):
    weights = ops.ones((rows.shape[1],), rows.dtype)
    for given in (fweights, aweights):
        if given is not None:
            if tuple(given.shape) != (rows.shape[1],):
                raise errors.InvalidValue(
                    "there must be one weight for each column.", given=f"{list(given.shape)}"
                )
            weights = weights * ops.cast(given, rows.dtype)
    return weights
