"""Draws for the ops that move elements: shapes, parts, and indices of every kind."""

import math

import numpy as np
from drawn_operands import axis_of, broadcasting, draw, mask, numbers, sizes


@draw("SumTo")
def _sum_to(rng):
    small, other = broadcasting(rng, 2)
    return numbers(rng, np.broadcast_shapes(small, other)), {"shape": small}


@draw("BroadcastTo")
def _broadcast_to(rng):
    small, other = broadcasting(rng, 2)
    whole = np.broadcast_shapes(small, other)
    lead = len(whole) - len(small)
    kept = [i >= lead and small[i - lead] == n and rng.random() < 0.3 for i, n in enumerate(whole)]
    shape = tuple(-1 if k else n for k, n in zip(kept, whole, strict=True))
    return numbers(rng, small), {"shape": shape}


@draw("Reshape")
def _reshape(rng):
    shape = sizes(rng)
    other = [int(n) for n in rng.permutation(shape)] or [1]
    cut = rng.integers(len(other) + 1)
    wanted = [*other[:cut], 1, *other[cut:]]
    known = math.prod(wanted[1:])
    return numbers(rng, shape), {"shape": (-1 if known else wanted[0], *wanted[1:])}


@draw("Transpose")
def _transpose(rng):
    shape = sizes(rng)
    order = tuple(int(a) - len(shape) * int(rng.integers(2)) for a in rng.permutation(len(shape)))
    return numbers(rng, shape), {"perm": order if rng.random() < 0.7 else None}


@draw("ExpandDims")
def _expand_dims(rng):
    shape = sizes(rng)
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape) + 1)}


@draw("Squeeze")
def _squeeze(rng):
    (shape,) = broadcasting(rng, 1)
    ones = tuple(i for i, n in enumerate(shape) if n == 1)
    return numbers(rng, shape), {"axis": ones if ones and rng.random() < 0.5 else None}


@draw("Tile")
def _tile(rng):
    shape = sizes(rng)
    times = rng.integers(0 if rng.random() < 0.1 else 1, 3, rng.integers(0, 4))
    return numbers(rng, shape), {"dims": tuple(map(int, times))}


@draw("PadV3")
def _pad(rng):
    shape = sizes(rng)
    pairs = rng.integers(0, 3, (len(shape), 2)).tolist()
    return numbers(rng, shape), {"paddings": tuple(map(tuple, pairs)), "value": 0.5}


@draw("Concat")
def _concat(rng):
    shape = list(sizes(rng, least=1))
    axis, parts = axis_of(rng, len(shape)), []
    for _ in range(rng.integers(1, 4)):
        shape[axis] = int(rng.integers(0, 3))
        parts.append(numbers(rng, shape))
    return *parts, {"axis": axis}


@draw("Stack")
def _stack(rng):
    shape = sizes(rng)
    parts = [numbers(rng, shape) for _ in range(rng.integers(1, 4))]
    return *parts, {"axis": axis_of(rng, len(shape) + 1)}


@draw("SplitTensor")
def _split(rng):
    shape = sizes(rng, least=1)
    axis = axis_of(rng, len(shape))
    cut = int(rng.integers(0, shape[axis] + 1))
    sections = int(rng.integers(1, 4)) if rng.random() < 0.5 else (cut, shape[axis] - cut)
    return numbers(rng, shape), {"sections": sections, "axis": axis}


@draw("Unstack")
def _unstack(rng):
    shape = sizes(rng, least=1, empty=False)
    return numbers(rng, shape), {"axis": axis_of(rng, len(shape))}


# indices ------------------------------------------------------------------------------------------


def a_slice(rng, size):
    """A slice of an axis, backwards too."""
    start, stop = (int(rng.integers(-size - 1, size + 2)) for _ in range(2))
    step = int(rng.choice([-2, -1, 1, 1, 2]))
    return slice(*(None if rng.random() < 0.4 else v for v in (start, stop)), step)


def an_index(rng, shape):
    """Integers, slices, None and ``...`` in a row; or an array of places, or a list."""
    parts, arrays = [], 0
    for size in shape[: rng.integers(len(shape) + 1)]:
        kind = rng.choice(["slice", "slice", "number", "array"])
        if kind == "slice" or size == 0:
            parts.append(a_slice(rng, size))
        elif kind == "number" or arrays:
            parts.append(int(rng.integers(-size, size)))
        else:
            parts.append(rng.integers(-size, size, (int(rng.integers(1, 4)),)))
            arrays += 1
    if not arrays and rng.random() < 0.3:
        parts.insert(int(rng.integers(len(parts) + 1)), None)
    if not arrays and rng.random() < 0.3:
        parts.append(Ellipsis)
    return tuple(parts)


def picked(shape, index):
    """The shape of ``x[index]``."""
    return np.empty(shape)[index].shape


@draw("GetItem")
def _get_item(rng):
    shape = sizes(rng)
    return numbers(rng, shape), {"index": an_index(rng, shape)}


@draw("GetItemGrad")
def _get_item_grad(rng):
    shape = sizes(rng)
    index = an_index(rng, shape)
    return numbers(rng, picked(shape, index)), {"shape": shape, "index": index}


def once(index, shape):
    """Whether an index names no place twice; what is written there twice has no one gradient."""
    count = np.zeros(shape)
    np.add.at(count, index, 1)
    return count.size == 0 or count.max() <= 1


def an_index_that_writes(rng):
    """A shape, and an index of it that names no place twice."""
    while True:
        shape = sizes(rng)
        index = an_index(rng, shape)
        if once(index, shape):
            return shape, index


def a_value(rng, place):
    """A value that broadcasts to the place."""
    kept = place[rng.integers(len(place) + 1) :] if rng.random() < 0.4 else place
    return numbers(rng, tuple(1 if rng.random() < 0.3 else n for n in kept))


@draw("TensorSet")
def _tensor_set(rng):
    shape, index = an_index_that_writes(rng)
    return numbers(rng, shape), a_value(rng, picked(shape, index)), {"index": index}


def apart(index):
    """Parts with "#n" for the arrays, and the arrays."""
    arrays = [p for p in index if isinstance(p, np.ndarray)]
    names = iter([f"#{i}" for i in range(len(arrays))])
    return tuple(next(names) if isinstance(p, np.ndarray) else p for p in index), arrays


@draw("ItemAt")
def _item_at(rng):
    shape = sizes(rng, least=1)
    parts, arrays = apart(an_index(rng, shape))
    return numbers(rng, shape), *arrays, {"index": parts}


@draw("ItemAtGrad")
def _item_at_grad(rng):
    shape = sizes(rng, least=1)
    index = an_index(rng, shape)
    parts, arrays = apart(index)
    how = {"shape": shape, "index": parts}
    return numbers(rng, picked(shape, index)), *arrays, how


@draw("TensorSetAt")
def _tensor_set_at(rng):
    if rng.random() < 0.3:
        shape = sizes(rng, least=1)
        return numbers(rng, shape), numbers(rng, ()), mask(rng, shape), {"index": ("#0",)}
    shape, index = an_index_that_writes(rng)
    parts, arrays = apart(index)
    value = a_value(rng, picked(shape, index))
    return numbers(rng, shape), value, *arrays, {"index": parts}


@draw("TensorSetAtGrad")
def _tensor_set_at_grad(rng):
    shape, index = an_index_that_writes(rng)
    parts, arrays = apart(index)
    value = a_value(rng, picked(shape, index)).shape
    return numbers(rng, shape), *arrays, {"shape": value, "index": parts}


@draw("Gather")
def _gather(rng):
    shape = sizes(rng, least=1, empty=False)
    axis = axis_of(rng, len(shape))
    size = shape[axis]
    places = np.asarray(rng.integers(-size, size, sizes(rng, most=2)))
    return numbers(rng, shape), places, {"axis": axis}


@draw("GatherGrad")
def _gather_grad(rng):
    x, places, how = _gather(rng)
    dout = np.take(x, places, how["axis"])
    return numbers(rng, dout.shape), places, {"shape": x.shape, **how}


@draw("GatherD")
def _gather_d(rng):
    shape = sizes(rng, least=1, empty=False)
    dim = axis_of(rng, len(shape))
    places = [int(rng.integers(1, n + 1)) for n in shape]
    places[dim] = int(rng.integers(0, 4))
    index = rng.integers(-shape[dim], shape[dim], places)
    return numbers(rng, shape), index, {"dim": dim}


@draw("GatherDGrad")
def _gather_d_grad(rng):
    x, index, how = _gather_d(rng)
    return numbers(rng, index.shape), index, {"shape": x.shape, **how}
