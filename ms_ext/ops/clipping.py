"""Clipping by length: tensors that are too long together are made shorter, all by one factor."""

import math

from .. import ops
from ..engine import errors
from .composite import composite
from .losses import need_tensors


def _list_of(x):
    return list(x) if isinstance(x, tuple | list) else [x]


def _like_given(found, x):
    return tuple(found) if isinstance(x, tuple | list) else found[0]


def _wide(x):
    return ops.cast(x, "float32") if x.dtype.name in ("Float16", "BFloat16") else x


def _length(tensors, p):
    """The p-norm of all elements together, Float32 at least."""
    wide = [ops.abs(_wide(x)) for x in tensors]
    if p in (math.inf, -math.inf):
        pick = ops.amax if p > 0 else ops.amin
        ends = [pick(x) for x in wide]
        return pick(ops.stack(ends))
    if p == 2:
        return ops.sqrt(_total([ops.ReduceSum(ops.square(x)) for x in wide]))
    return ops.pow(_total([ops.ReduceSum(ops.pow(x, p)) for x in wide]), 1 / p)


def _total(numbers):
    total = numbers[0]
    for each in numbers[1:]:
        total = total + each
    return total


@composite("clip_by_norm")
def clip_by_norm(x, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """A tensor, or several, made shorter if their common norm is above ``max_norm``.

    Returns a tensor, or a tuple. ``error_if_nonfinite``: RuntimeError for a norm that is no number
    (eagerly; a compiled function does not look at values).

    >>> ops.clip_by_norm((Tensor([3.0]), Tensor([4.0])), 10.0)[0]
    Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00])
    """
    given = _list_of(x)
    need_tensors("clip_by_norm", **{f"x[{i}]": each for i, each in enumerate(given)})
    for name, value in (("max_norm", max_norm), ("norm_type", norm_type)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise errors.InvalidType(f"{name} must be a number.", given=repr(value))
    norm = _length(given, norm_type)
    if error_if_nonfinite and hasattr(norm, "asnumpy") and not math.isfinite(float(norm)):
        raise errors.NotRunnable(
            f"the total norm of order {norm_type} from input is non-finite.", given=str(norm)
        )
    factor = ops.minimum(max_norm / (norm + 1e-6), 1.0)
    return _like_given([each * ops.cast(factor, each.dtype) for each in given], x)


@composite("clip_by_global_norm")
def clip_by_global_norm(x, clip_norm=1.0, use_norm=None):
    """Tensors made shorter if the norm of all their elements together is above ``clip_norm``.

    >>> [float(y) for y in ops.clip_by_global_norm((Tensor([3.0]), Tensor([0.0])), 1.5)]
    [1.5, 0.0]
    """
    if use_norm is not None:
        raise errors.InvalidValue("use_norm can only be None.", given=repr(use_norm))
    if isinstance(clip_norm, bool) or not isinstance(clip_norm, int | float):
        raise errors.InvalidType("clip_norm must be a number.", given=repr(clip_norm))
    if clip_norm <= 0:
        raise errors.InvalidValue(
            f"For 'clip_by_global_norm', the argument 'clip_norm' must > 0.0, but got {clip_norm}."
        )
    given = _list_of(x)
    need_tensors("clip_by_global_norm", **{f"x[{i}]": each for i, each in enumerate(given)})
    factor = clip_norm / ops.maximum(_length(given, 2), clip_norm)
    return _like_given([ops.cast(_wide(each) * factor, each.dtype) for each in given], x)


def clipped_along(x, clip_norm, axis):
    """x times clip_norm / (its norm along the axes) where the norm is larger, in the dtype of x."""
    need_tensors("ClipByNorm", x=x, clip_norm=clip_norm)
    if x.dtype.kind != "float":
        raise errors.InvalidType("For 'ClipByNorm', x must be floating.", given=str(x.dtype))
    wide, most = _wide(x), _wide(clip_norm)
    square = ops.ReduceSum(ops.square(wide), axis=axis, keep_dims=True)
    norm = ops.sqrt(ops.where(square > 0, square, 1))
    return ops.cast(wide * most / ops.maximum(norm, most), x.dtype)
