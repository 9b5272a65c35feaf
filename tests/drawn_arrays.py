"""Draws for the ops that sort, turn, run along, scatter and gather."""

import numpy as np
from drawn_operands import axis_of, coin, draw, numbers, sizes


def apart(rng, shape):
    """Numbers of which no two are near, so that their order is the same close by."""
    count = int(np.prod(shape))
    return np.reshape(rng.permutation(count) / max(count, 1) * 3 - 1.4, shape)


@draw("Sort", "SortExt")
def _sort(rng):
    shape = sizes(rng, least=1)
    return apart(rng, shape), {"descending": coin(rng)}


@draw("TopK", "TopkExt")
def _topk(rng):
    shape = sizes(rng, least=1, empty=False)
    return apart(rng, shape), {"k": int(rng.integers(1, shape[-1] + 1))}


@draw("Cummax", "Cummin")
def _extreme(rng):
    shape = sizes(rng, least=1, empty=False)
    return apart(rng, shape), {"axis": axis_of(rng, len(shape))}


@draw("LogCumsumExp")
def _along(rng):
    shape = sizes(rng, least=1, empty=False)
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape))}


@draw("CumsumExt")
def _sum(rng):
    shape = sizes(rng, least=1)
    return numbers(rng, shape), {"dim": axis_of(rng, len(shape))}


@draw("CumProd")
def _product(rng):
    shape = sizes(rng, least=1)
    how = {"exclusive": coin(rng), "reverse": coin(rng)}
    x = numbers(rng, shape) * (rng.random(shape) > 0.2)
    return x, {"axis": axis_of(rng, len(shape)), **how}


@draw("LinearScan")
def _scan(rng):
    shape = sizes(rng, least=1)
    how = {"axis": axis_of(rng, len(shape)), "reverse": coin(rng)}
    return numbers(rng, shape), numbers(rng, shape), how


@draw("ReverseV2")
def _reverse(rng):
    shape = sizes(rng, least=1)
    axes = rng.permutation(len(shape))[: rng.integers(1, len(shape) + 1)]
    return numbers(rng, shape), {"axis": tuple(int(a) - len(shape) * coin(rng) for a in axes)}


@draw("Roll")
def _roll(rng):
    shape = sizes(rng, least=1)
    if coin(rng):
        return numbers(rng, shape), {"shifts": int(rng.integers(-4, 5))}
    axes = [axis_of(rng, len(shape)) for _ in range(rng.integers(1, 3))]
    steps = rng.integers(-4, 5, len(axes)).tolist()
    return numbers(rng, shape), {"shifts": tuple(steps), "dims": tuple(axes)}


@draw("Meshgrid")
def _meshgrid(rng):
    lines = [numbers(rng, (int(n),)) for n in rng.integers(1, 4, rng.integers(1, 4))]
    return *lines, {"indexing": str(rng.choice(["xy", "ij"]))}


def some_places(rng, shape, once):
    """Indices whose last axis names places in the first axes of a shape."""
    depth = int(rng.integers(1, len(shape) + 1))
    known = np.array(list(np.ndindex(*shape[:depth])))
    if once:
        rows = rng.permutation(len(known))[: rng.integers(1, len(known) + 1)]
    else:
        rows = rng.integers(0, len(known), int(rng.integers(1, 5)))
    return known[rows], (len(rows), *shape[depth:])


@draw("GatherNd")
def _gather_nd(rng):
    shape = sizes(rng, least=1, empty=False)
    return numbers(rng, shape), some_places(rng, shape, False)[0]


@draw("ScatterNd")
def _scatter_nd(rng):
    shape = sizes(rng, least=1, empty=False)
    indices, place = some_places(rng, shape, False)
    return indices, numbers(rng, place), {"shape": shape}


@draw("TensorScatterAdd", "TensorScatterSub", "TensorScatterMul", "TensorScatterDiv")
def _scatter(rng, once=False):
    shape = sizes(rng, least=1, empty=False)
    indices, place = some_places(rng, shape, once)
    return numbers(rng, shape, 0.5, 2), indices, numbers(rng, place, 0.5, 2)


@draw("TensorScatterUpdate")
def _scatter_once(rng):
    return _scatter(rng, once=True)


@draw("TensorScatterMax", "TensorScatterMin")
def _scatter_extreme(rng):
    x, indices, y = _scatter(rng)
    both = apart(rng, (x.size + y.size,))
    return both[: x.size].reshape(x.shape), indices, both[x.size :].reshape(y.shape)


@draw("TensorScatterElements")
def _elements(rng):
    shape = sizes(rng, least=1, empty=False)
    axis, add = axis_of(rng, len(shape)), coin(rng)
    places = [int(rng.integers(1, n + 1)) for n in shape]
    index = rng.integers(0, shape[axis], places)
    if not add:  # each line names a place once
        index = np.argsort(rng.random(places), axis)
    how = {"axis": axis, "reduction": "add" if add else "none"}
    return numbers(rng, shape), index, numbers(rng, places), how


@draw("UnsortedSegmentSum", "UnsortedSegmentProd")
def _segments(rng):
    shape = sizes(rng, least=1, empty=False)
    ids = rng.integers(-1, 3, shape[: rng.integers(1, len(shape) + 1)])
    return numbers(rng, shape, 0.5, 2), ids, {"num_segments": 3}


@draw("UnsortedSegmentMax", "UnsortedSegmentMin")
def _extreme_segments(rng):
    shape = (int(rng.integers(2, 5)), *sizes(rng, most=2, empty=False))
    ids = np.append(0, rng.integers(-1, 1, shape[0] - 1))
    return apart(rng, shape), ids, {"num_segments": 1}
