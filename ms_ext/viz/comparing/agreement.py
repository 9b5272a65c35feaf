"""How far are two results from each other? Equal to the bit, within so many ulp, or where not.

An ulp (unit in the last place) is the step from one float to the next, at the size of the value.
Results of two dtypes are compared at the coarser one: the finer result is rounded to it first.
"""

from typing import NamedTuple

import numpy as np

from ...dtype import from_numpy

CLOSE = 256  # ulp up to which results are called near; for Float32 that is a relative 3e-5
_ORDINALS = {2: np.int16, 4: np.int32, 8: np.int64}


class Agreement(NamedTuple):
    """Two values: how they agree in words, the largest difference in ulp and as a number.

    ``ulp`` is None for what is no float, ``largest`` None where nothing can be subtracted.
    """

    same: bool  # to the bit
    near: bool  # the same, or at most CLOSE ulp apart
    words: str
    ulp: int | None = None
    largest: float | None = None


def agreement(one, other):
    """How two results agree: arrays, numbers, or tuples and lists of them.

    >>> x = np.float32([1.0, 2.0])
    >>> agreement(x, x.copy()).words
    'equal to the bit'
    >>> agreement(x, np.nextafter(x, np.float32(9))).words
    'within 1 ulp, at most 2.38e-07 apart'
    >>> agreement(x, np.float32([1.0, 2.5])).words
    'differs at 1 of 2 elements: first at [1], 2.0 and 2.5; at most 0.5 apart (2097152 ulp)'
    >>> agreement(x, np.float32([1.0])).words
    'differs: f32[2] and f32[1]'
    """
    if isinstance(one, tuple | list) or isinstance(other, tuple | list):
        return _of_several(one, other)
    one, other = np.asarray(one), np.asarray(other)
    if one.shape != other.shape or (one.dtype != other.dtype and not _floats(one, other)):
        return Agreement(False, False, f"differs: {_type(one)} and {_type(other)}")
    if not _floats(one, other):
        return _of_others(one, other)
    return _of_floats(one, other)


def _floats(one, other):
    return all(from_numpy(each.dtype).kind == "float" for each in (one, other))


def _type(array):
    return f"{from_numpy(array.dtype).short}[{','.join(map(str, array.shape))}]"


def _of_several(one, other):
    if not (isinstance(one, tuple | list) and isinstance(other, tuple | list)):
        return Agreement(False, False, "differs: one value and several")
    if len(one) != len(other):
        return Agreement(False, False, f"differs: {len(one)} and {len(other)} values")
    each = [agreement(a, b) for a, b in zip(one, other, strict=True)]
    worst = next((a for a in each if not a.near), next((a for a in each if not a.same), None))
    return worst or Agreement(True, True, "equal to the bit", 0, 0.0)


def _of_others(one, other):
    """Integers and truth values."""
    unequal = one != other
    if not unequal.any():
        return Agreement(True, True, "equal to the bit", None, 0.0)
    gaps = np.abs(one.astype(np.float64) - other.astype(np.float64))
    most = float(gaps.max())
    return Agreement(False, False, f"{_where(one, other, unequal)}; at most {most:g} apart",
                     None, most)  # fmt: skip


def _of_floats(one, other):
    wide = one.dtype != other.dtype
    first, second = _alike(one, other)
    distance = _ulps(first, second)
    nans = np.isnan(_double(first)), np.isnan(_double(second))
    same = (nans[0] & nans[1]) | (distance == 0)
    if same.all() and not wide:
        return Agreement(True, True, "equal to the bit", 0, 0.0)
    largest = _largest(one, other, nans[0] | nans[1])
    odd = (nans[0] != nans[1]) | (np.isinf(_double(first)) != np.isinf(_double(second)))
    ulp = int(distance[~(nans[0] | nans[1])].max(initial=0))
    rounded = f" of {from_numpy(first.dtype)}" if wide else ""
    if not odd.any() and ulp <= CLOSE:
        words = f"within {ulp} ulp{rounded}, at most {largest:.3g} apart"
        return Agreement(False, True, words, ulp, largest)
    unequal = odd if odd.any() else distance > CLOSE if wide else ~same
    many = f"({ulp} ulp{rounded})" if not odd.any() else "where both are finite"
    words = f"{_where(one, other, unequal)}; at most {largest:.3g} apart {many}"
    return Agreement(False, False, words, ulp, largest)


def _alike(one, other):
    """Both at the coarser dtype."""
    coarse = min(one.dtype, other.dtype, key=lambda dtype: (dtype.itemsize, dtype.kind == "f"))
    with np.errstate(all="ignore"):
        return one.astype(coarse, copy=False), other.astype(coarse, copy=False)


def _double(array):
    return array.astype(np.float64)


def _ulps(one, other):
    """Steps between the floats of two arrays, as unsigned numbers; +0 and -0 are one apart."""
    kind = _ORDINALS[one.dtype.itemsize]
    places = []
    for each in (one, other):
        bits = np.ascontiguousarray(each).view(kind).reshape(each.shape)
        places.append(np.where(bits < 0, ~(bits & np.iinfo(kind).max), bits).astype(np.int64))
    low, high = np.minimum(*places), np.maximum(*places)
    return high.astype(np.uint64) - low.astype(np.uint64)  # wraps: right also across the middle


def _largest(one, other, without):
    """The largest difference between the numbers of two arrays."""
    with np.errstate(all="ignore"):
        gaps = np.abs(_double(one) - _double(other))[~without]
    gaps = gaps[np.isfinite(gaps)]
    return float(gaps.max(initial=0.0))


def _where(one, other, unequal):
    at = np.unravel_index(int(np.argmax(unequal)), unequal.shape) if unequal.ndim else ()
    place = f"first at [{', '.join(map(str, at))}], " if unequal.ndim else ""
    count = f" at {int(unequal.sum())} of {unequal.size} elements" if unequal.ndim else ""
    return f"differs{count}: {place}{_shown(one[at])} and {_shown(other[at])}"


def _shown(value):
    return str(float(value)) if from_numpy(value.dtype).kind == "float" else str(value)
