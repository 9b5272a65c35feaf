"""How are windows read from an array, and written back? Views on it, after padding.

>>> axes = laid((5,), 3, 2, mode="pad", pad=1)
>>> windows(np.arange(1.0, 6).reshape(1, 1, 5), axes)[0, 0].T.tolist()
[[0.0, 1.0, 2.0], [2.0, 3.0, 4.0], [4.0, 5.0, 0.0]]
"""

import functools

import numpy as np
from numpy.lib.stride_tricks import as_strided

from .windows import laid  # noqa: F401  (the examples use it)


def windows(x, axes, fill=0, groups=None):
    """A view (N, C, *kernel, *out) of x, padded; ``groups`` parts C as (groups, C / groups)."""
    x = padded(x, axes, fill)
    lead = x.ndim - len(axes)
    shape, strides, rest = list(x.shape[:lead]), list(x.strides[:lead]), x.strides[lead:]
    if groups is not None:
        shape[1:2] = [groups, shape[1] // groups]
        strides.insert(1, strides[1] * shape[2])
    apart = [s * a.dilation for s, a in zip(rest, axes, strict=True)]
    steps = [s * a.stride for s, a in zip(rest, axes, strict=True)]
    shape = (*shape, *(a.kernel for a in axes), *(a.out for a in axes))
    return as_strided(x, shape, (*strides, *apart, *steps), writeable=False)


def padded(x, axes, fill=0):
    """x with ``fill`` around its last axes, as far as windows reach; cut where padding is < 0."""
    if not any(a.before or a.end for a in axes):
        return x
    whole = np.full(padded_shape(x.shape, axes), fill, x.dtype)
    whole[(..., *map(_to, axes))] = x[(..., *map(_from, axes))]
    return whole


def padded_shape(shape, axes):
    """The shape of ``padded``."""
    return (*shape[: len(shape) - len(axes)], *(a.size + a.before + a.end for a in axes))


def _to(axis):
    start = max(axis.before, 0)
    return slice(start, start + axis.size + min(axis.before, 0) + min(axis.end, 0))


def _from(axis):
    return slice(max(-axis.before, 0), axis.size + min(axis.end, 0))


def unpadded(whole, axes):
    """A view of what lies inside the padding."""
    return whole[(..., *(slice(a.before, a.before + a.size) for a in axes))]


def taps(axes):
    """For each tap of the kernel: its place, and the index of what it sees in the padded x.

    >>> [index for _, index in taps(laid((4,), 2, 2))]
    [(Ellipsis, slice(0, 3, 2)), (Ellipsis, slice(1, 4, 2))]
    """
    for place in np.ndindex(*(a.kernel for a in axes)):
        starts = [t * a.dilation for t, a in zip(place, axes, strict=True)]
        yield place, (..., *(_seen(s, a) for s, a in zip(starts, axes, strict=True)))


def _seen(start, axis):
    return slice(start, start + (axis.out - 1) * axis.stride + 1, axis.stride)


def counts(axes, padding=False):
    """How many elements each window sees; with those of the padding, but never beyond it.

    >>> axes = laid((3,), 2, 1, mode="pad", pad=1)
    >>> counts(axes), counts(axes, padding=True)
    (array([1, 2, 2, 1]), array([2, 2, 2, 2]))
    """
    return functools.reduce(np.multiply.outer, (_count(a, padding) for a in axes))


def _count(axis, padding):
    low, high = (-axis.before, axis.size + axis.after) if padding else (0, axis.size)
    places = np.arange(axis.out)[:, None] * axis.stride - axis.before
    places = places + np.arange(axis.kernel) * axis.dilation
    return ((places >= low) & (places < high)).sum(1)
