"""Slices put together by the number of their segment: sums, products, largest, smallest.

Slices with a negative number belong to no segment.

>>> ops.unsorted_segment_sum(Tensor([1, 2, 3]), Tensor([0, 1, 0]), 2)
Tensor(shape=[2], dtype=Int64, value= [4, 2])
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .precision import like, widened
from .shapes import needs_integers, needs_number, shaped


def _segments(x, segment_ids, *, num_segments):
    _check(x, segment_ids, num_segments)
    return shaped(x, (num_segments, *x.shape[segment_ids.ndim :]))


def _check(x, segment_ids, num_segments):
    needs_number(x)
    needs_integers(segment_ids)
    if segment_ids.ndim == 0 or x.shape[: segment_ids.ndim] != segment_ids.shape:
        raise errors.InvalidValue(
            "there must be one number of a segment per slice.",
            given=f"{list(segment_ids.shape)} for {list(x.shape)}",
        )
    if num_segments <= 0:
        raise errors.InvalidValue(
            "there must be one segment at least.", given=f"num_segments {num_segments}"
        )


def _together(function, first, x, ids, count):
    _check(x, ids, count)
    if (ids >= count).any():
        raise errors.IndexOutOfRange(
            "the number of a segment is out of range.",
            given=f"{ids.max()} of {count} segments",
            hint="Numbers run from 0 to num_segments - 1; negative ones are left out.",
        )
    wide = widened(x)
    total = np.full((count, *x.shape[ids.ndim :]), first, wide.dtype)
    known = ids >= 0
    function.at(total, ids[known], wide[known])
    return like(total, x)


def _limit(x, largest):
    if x.dtype.kind in "iu":
        return getattr(np.iinfo(x.dtype), "max" if largest else "min")
    most = float(_largest(x))
    return most if largest else -most


def _largest(x):
    if x.dtype.kind == "f":
        return np.finfo(x.dtype).max
    import ml_dtypes

    return ml_dtypes.finfo(x.dtype).max


def _back(y, ids, x_):
    """For each slice, what ``y`` has for its segment; zeros for slices without one."""
    known = ids >= 0
    found = ops.gather(y, ops.where(known, ids, 0), 0)
    shape = (*ids.shape, *[1] * (len(x_.shape) - len(ids.shape)))
    return ops.where(ops.reshape(known, shape), found, ops.zeros_like(found))


def _samples(rng):
    yield rng.uniform(0.5, 2, (4, 2)), np.array([0, 2, 0, 2]), {"num_segments": 3}
    yield from _all_named(rng)


def _all_named(rng):
    yield rng.uniform(0.5, 2, (2, 4)).T, np.array([1, -1, 0, 1]), {"num_segments": 2}
    yield rng.uniform(0.5, 2, (2, 2, 2)), np.array([[0, 1], [1, 1]]), {"num_segments": 2}


@op(names=("unsorted_segment_sum",))
class UnsortedSegmentSum:
    """The sum of the slices of each segment; 0 of no slices.

    >>> ops.unsorted_segment_sum(Tensor([1, 2, 3]), Tensor([0, 1, 0]), 3)
    Tensor(shape=[3], dtype=Int64, value= [4, 2, 0])
    """

    infer = _segments
    samples = _samples

    def compute(x, segment_ids, *, num_segments):
        return _together(np.add, 0, x, segment_ids, num_segments)

    def bprop(x_, segment_ids, _out, dout):
        return _back(dout, segment_ids, x_), None


@op(names=("unsorted_segment_prod", "Tensor.unsorted_segment_prod"))
class UnsortedSegmentProd:
    """The product of the slices of each segment; 1 of no slices.

    >>> ops.unsorted_segment_prod(Tensor([1, 2, 3]), Tensor([0, 1, 0]), 3)
    Tensor(shape=[3], dtype=Int64, value= [3, 2, 1])
    """

    infer = _segments
    samples = _samples

    def compute(x, segment_ids, *, num_segments):
        return _together(np.multiply, 1, x, segment_ids, num_segments)

    def bprop(x, segment_ids, _out, dout, *, num_segments):
        zero = ops.cast(x == 0, x.dtype)
        how = {"num_segments": num_segments}
        zeros = _back(ops.UnsortedSegmentSum(zero, segment_ids, **how), segment_ids, x)
        product = _back(ops.UnsortedSegmentProd(x + zero, segment_ids, **how), segment_ids, x)
        others = ops.where(zeros == zero, product / (x + zero), ops.zeros_like(x))
        return _back(dout, segment_ids, x) * others, None


def _to_winners(x, ids, out, dout, num_segments):
    won = ops.cast(x == _back(out, ids, x), x.dtype)
    count = ops.UnsortedSegmentSum(won, ids, num_segments=num_segments)
    return won * _back(dout / ops.maximum(count, 1), ids, x)


@op(names=("unsorted_segment_max", "Tensor.unsorted_segment_max"))
class UnsortedSegmentMax:
    """The largest elements of the slices of each segment; of none, the dtype's lowest number.

    >>> ops.unsorted_segment_max(Tensor([1, 2, 3]), Tensor([0, 1, 0]), 2)
    Tensor(shape=[2], dtype=Int64, value= [3, 2])
    """

    infer = _segments
    samples = _all_named

    def compute(x, segment_ids, *, num_segments):
        return _together(np.maximum, _limit(x, False), x, segment_ids, num_segments)

    def bprop(x, segment_ids, out, dout, *, num_segments):
        return _to_winners(x, segment_ids, out, dout, num_segments), None


@op(names=("unsorted_segment_min", "Tensor.unsorted_segment_min"))
class UnsortedSegmentMin:
    """The smallest elements of the slices of each segment; of none, the dtype's highest number.

    >>> ops.unsorted_segment_min(Tensor([1, 2, 3]), Tensor([0, 1, 0]), 2)
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """

    infer = _segments
    samples = _all_named

    def compute(x, segment_ids, *, num_segments):
        return _together(np.minimum, _limit(x, True), x, segment_ids, num_segments)

    def bprop(x, segment_ids, out, dout, *, num_segments):
        return _to_winners(x, segment_ids, out, dout, num_segments), None
