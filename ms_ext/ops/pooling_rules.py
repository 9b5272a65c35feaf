"""How are windows pooled? Axis after axis: the largest, or the sum, of all taps.

A window's largest element is the largest of its rows' largest elements, so a kernel of k x k taps
costs 2 k passes instead of k * k.

>>> axes = laid((4,), 2, 2)
>>> along(np.maximum, np.array([[[1.0, 5.0, 3.0, 2.0]]]), axes, -np.inf).tolist()
[[[5.0, 3.0]]]
"""

import math

import numpy as np

from .window_views import counts, padded, padded_shape, taps, unpadded
from .windows import laid, needs_float, needs_layout, needs_rank


def plan(layouts, x, shape, kernel, strides, dilation=1, mode="pad", pad=0, ceil=False):
    """The windows of a pooling of ``shape``. ``layouts``: the one given, and the one that is."""
    needs_float(x)
    needs_layout(*layouts)
    needs_rank(x, len(layouts[1]))
    kernel, strides, dilation, pad = map(_fixed, (kernel, strides, dilation, pad))
    strides = kernel if strides is None else strides
    return laid(tuple(shape[2:]), kernel, strides, dilation, mode, pad, bool(ceil))


def _fixed(value):
    return tuple(value) if isinstance(value, list) else value


def pooled_shape(x, axes):
    """The shape of the result."""
    return (*x.shape[: x.ndim - len(axes)], *(a.out for a in axes))


def along(combine, x, axes, fill):
    """``combine`` all taps of each window, one axis after the other."""
    y = padded(x, axes, fill)
    for number, axis in enumerate(axes):
        if _alone(axis):
            continue
        place = y.ndim - len(axes) + number
        parts = [y[index] for index in _along(axis, place)]
        total = parts[0].copy()
        for part in parts[1:]:
            combine(total, part, out=total)
        y = total
    return np.ascontiguousarray(y)


def spread(dy, shape, axes):
    """Each number of dy added to all taps of its window: the gradient of a sum."""
    sizes = padded_shape(shape, axes)
    for number, axis in reversed(list(enumerate(axes))):
        if _alone(axis):
            continue
        place = len(shape) - len(axes) + number
        whole = np.zeros((*dy.shape[:place], sizes[place], *dy.shape[place + 1 :]), dy.dtype)
        for index in _along(axis, place):
            whole[index] += dy
        dy = whole
    return np.ascontiguousarray(unpadded(dy, axes))


def _alone(axis):
    """Whether each element is a window of its own."""
    return axis.kernel == axis.stride == 1 and axis.out == axis.before + axis.size + axis.end


def _along(axis, place):
    """The index of each tap along one axis."""
    lead = (slice(None),) * place
    for tap in range(axis.kernel):
        start = tap * axis.dilation
        yield (*lead, slice(start, start + (axis.out - 1) * axis.stride + 1, axis.stride))


# the largest --------------------------------------------------------------------------------------


def _hits(x, axes):
    """For each tap, where it is the first that equals the window's largest."""
    y = along(np.maximum, x, axes, -np.inf)
    whole, left = padded(x, axes, -np.inf), np.ones(y.shape, np.bool_)
    for _, index in taps(axes):
        hit = np.less(whole[index], y)
        np.logical_not(hit, out=hit)
        hit &= left
        left ^= hit
        yield index, hit


def to_largest(x, dy, axes):
    """dy at the largest element of each window, the first of equal ones; zero elsewhere."""
    whole = np.zeros(padded_shape(x.shape, axes), dy.dtype)
    for index, hit in _hits(x, axes):
        whole[index] += dy * hit
    return np.ascontiguousarray(unpadded(whole, axes))


def at_largest(x, ddx, axes):
    """The element of ddx where x has its largest in each window: the gradient of ``to_largest``."""
    whole, total = padded(ddx, axes), np.zeros(pooled_shape(x, axes), ddx.dtype)
    for index, hit in _hits(x, axes):
        total += whole[index] * hit
    return total


def largest_and_place(x, axes):
    """(the largest of each window, where it is in x flattened over the spatial axes)."""
    whole = padded(x, axes, -np.inf)
    shape = pooled_shape(x, axes)
    y, where = np.full(shape, -np.inf, x.dtype), np.full(shape, -1, np.int64)
    for place, index in taps(axes):
        part = whole[index]
        inside, number = _places(place, axes)
        better = inside & ((part > y) | (where < 0) | (part != part))
        y, where = np.where(better, part, y), np.where(better, number, where)
    return y, where


def _places(place, axes):
    """Whether a tap lies inside x for each window, and its number in the flattened x."""
    inside, number = np.True_, 0
    for tap, axis in zip(place, axes, strict=True):
        at = np.arange(axis.out) * axis.stride + tap * axis.dilation - axis.before
        inside = np.logical_and.outer(inside, (at >= 0) & (at < axis.size))
        number = np.add.outer(np.multiply(number, axis.size), at)
    return inside, number


# the mean -----------------------------------------------------------------------------------------


def divisor(axes, include, override, dtype):
    """By what the sum of each window is divided: an array, or one number."""
    if override:
        return dtype.type(override)
    if not any(a.before or a.end for a in axes):
        return dtype.type(math.prod(a.kernel for a in axes))
    return np.maximum(counts(axes, padding=include), 1).astype(dtype)
