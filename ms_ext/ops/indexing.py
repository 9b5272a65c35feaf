"""Elements by position: x[...] and its gradient, writing into a copy, gather, one-hot."""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis
from .index_parts import picked_shape
from .precision import like, widened
from .shapes import as_dtype, needs_integers, needs_places, shaped


@op(slot="getitem")
class GetItem:
    """x[index]: integers, slices, ``...``, ``None``, lists and arrays of integers or Bool.

    >>> ops.GetItem(Tensor([1, 2, 3]), slice(1, None))
    Tensor(shape=[2], dtype=Int64, value= [2, 3])
    """

    def infer(x, *, index):
        return shaped(x, picked_shape(x.shape, index))

    def compute(x, *, index):
        return np.asarray(x[index])

    def bprop(x_, _out, dout, *, index):
        return (ops.GetItemGrad(dout, shape=x_.shape, index=index),)

    def samples(rng):
        yield rng.uniform(-2, 2, (4, 3)), {"index": 1}
        yield rng.uniform(-2, 2, (3, 4)).T, {"index": (slice(None, None, -2), slice(1, None))}
        yield rng.uniform(-2, 2, (4, 3)), {"index": (None, Ellipsis, -1)}
        yield rng.uniform(-2, 2, (4, 3)), {"index": (np.array([0, 0, 2]), slice(None))}
        yield rng.uniform(-2, 2, (0, 3)), {"index": (slice(None), 0)}


@op()
class GetItemGrad:
    """Zeros of ``shape``, with dout added at ``index``: the gradient of x[index].

    >>> ops.GetItemGrad(Tensor([5]), shape=(3,), index=slice(0, 1))
    Tensor(shape=[3], dtype=Int64, value= [5, 0, 0])
    """

    def infer(dout, *, shape, index):
        return shaped(dout, tuple(shape))

    def compute(dout, *, shape, index):
        wide = widened(dout)
        total = np.zeros(shape, wide.dtype)
        if _repeats(index):
            np.add.at(total, index, wide)
        else:
            total[index] = wide
        return like(total, dout)

    def bprop(_dout, _out, ddout, *, index):
        return (ops.GetItem(ddout, index=index),)

    def samples(rng):
        yield rng.uniform(-2, 2, (3,)), {"shape": (4, 3), "index": 1}
        yield rng.uniform(-2, 2, (2, 3)), {"shape": (4, 3), "index": (np.array([1, 1]),)}


def _repeats(index):
    """Whether an index may name a place twice: only lists and arrays do."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, list | np.ndarray) for part in parts)


@op(slot="setitem")
class TensorSet:
    """A copy of x in which x[index] is ``value``; x itself stays.

    >>> ops.TensorSet(Tensor([1, 2, 3]), 9, 0)
    Tensor(shape=[3], dtype=Int64, value= [9, 2, 3])
    """

    def infer(x, value, *, index):
        place = picked_shape(x.shape, index)
        lead = len(value.shape) - len(place)
        tail = value.shape[max(lead, 0) :]
        fits = all(n in (1, p) for n, p in zip(reversed(tail), reversed(place), strict=False))
        if not fits or any(n != 1 for n in value.shape[: max(lead, 0)]):
            raise errors.InvalidValue(
                "the value does not fit the place.",
                given=f"value {list(value.shape)}, place {list(place)}",
                hint="The value must have the shape of x[index], or broadcast to it.",
            )
        return x

    def compute(x, value, *, index):
        out = x.copy()
        out[index] = value
        return out

    def bprop(_x, _value, _out, dout, *, index):
        return ops.TensorSet(dout, 0, index=index), ops.GetItem(dout, index=index)

    def samples(rng):
        yield rng.uniform(-2, 2, (4, 3)), rng.uniform(-2, 2, (3,)), {"index": 1}
        yield rng.uniform(-2, 2, (3, 4)).T, rng.uniform(-2, 2, (2, 1)), {"index": (slice(1, 3),)}
        yield rng.uniform(-2, 2, (3,)), rng.uniform(-2, 2, ()), {"index": -1}


def _gathered(x, indices, *, axis):
    axis = normal_axis(axis, x.ndim)
    needs_integers(indices)
    return shaped(x, (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


def _in_range(take, size):
    try:
        return take()
    except IndexError:
        raise errors.IndexOutOfRange(
            "an index is out of range.",
            given=f"an axis of size {size}",
            hint=f"Indices run from {-size} to {size - 1}.",
        ) from None


@op()
class Gather:
    """Slices of x along an axis, by their index: a row per id, as an embedding looks them up.

    >>> ops.Gather()(Tensor([[1, 2], [3, 4]]), Tensor([1, 1]), 0)
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[3, 4],
     [3, 4]])
    """

    infer = _gathered

    def compute(x, indices, *, axis=0):
        return np.asarray(_in_range(lambda: np.take(x, indices, axis), x.shape[axis]))

    def bprop(x_, indices, _out, dout, *, axis):
        return ops.GatherGrad(dout, indices, shape=x_.shape, axis=axis), None

    def samples(rng):
        yield rng.uniform(-2, 2, (4, 3)), rng.integers(0, 4, (2, 2)), {"axis": 0}
        yield rng.uniform(-2, 2, (3, 4)).T, rng.integers(-3, 3, (5,)), {"axis": 1}
        yield rng.uniform(-2, 2, (4, 3)), rng.integers(0, 4, ()), {"axis": 0}


@op()
class GatherGrad:
    """Zeros of ``shape``, with the slices of dout added at their indices: the gradient of gather.

    >>> ops.GatherGrad(Tensor([5, 6]), Tensor([1, 1]), shape=(3,))
    Tensor(shape=[3], dtype=Int64, value= [ 0, 11,  0])
    """

    def infer(dout, indices, *, shape, axis):
        return shaped(dout, tuple(shape))

    def compute(dout, indices, *, shape, axis=0):
        wide, axis, ids = widened(dout), normal_axis(axis, len(shape)), indices.ndim
        total = np.zeros(shape, wide.dtype)
        slices = np.moveaxis(wide, range(axis, axis + ids), range(ids))
        np.add.at(np.moveaxis(total, axis, 0), indices, slices)
        return like(total, dout)

    def bprop(_dout, indices, _out, ddout, *, axis):
        return ops.gather(ddout, indices, axis), None

    def samples(rng):
        yield (
            rng.uniform(-2, 2, (2, 2, 3)),
            rng.integers(0, 4, (2, 2)),
            {"shape": (4, 3), "axis": 0},
        )
        yield rng.uniform(-2, 2, (4, 2)), np.array([1, 1]), {"shape": (4, 3), "axis": 1}


@op(names=("one_hot", "mint.nn.functional.one_hot"))
class OneHot:
    """A new axis of size ``depth``: ``on_value`` where the index says, else ``off_value``.

    >>> ops.one_hot(Tensor([0, 2]), 3)
    Tensor(shape=[2, 3], dtype=Int64, value=
    [[1, 0, 0],
     [0, 0, 1]])
    """

    constructor = ("axis",)

    def infer(indices, *, depth, on_value, off_value, axis):
        _can_be_hot(indices, depth)
        place = normal_axis(axis, indices.ndim, extra=1)
        shape = (*indices.shape[:place], depth, *indices.shape[place:])
        return AbstractTensor(_value_dtype(on_value, off_value), shape)

    def compute(indices, *, depth, on_value=1, off_value=0, axis=-1):
        _can_be_hot(indices, depth)
        place = normal_axis(axis, indices.ndim, extra=1)
        hit = np.expand_dims(indices, -1) == np.arange(depth)
        values = np.where(np.moveaxis(hit, -1, place), np.asarray(on_value), np.asarray(off_value))
        return values.astype(_value_dtype(on_value, off_value).numpy)

    def samples(rng):
        yield rng.integers(0, 3, (4,)), {"depth": 3}
        yield (
            rng.integers(0, 3, (2, 2)).T,
            {"depth": 2, "on_value": 1.5, "off_value": -0.5, "axis": 0},
        )


def _can_be_hot(indices, depth):
    needs_places(indices)
    if depth < 0:
        raise errors.InvalidValue("the depth must be 0 or more.", given=f"depth {depth}")


def _value_dtype(on_value, off_value):
    given = (getattr(v, "dtype", None) or as_dtype(type(v)) for v in (on_value, off_value))
    return dtypes.promote(*given)


@op()
class GatherD:
    """The elements of x that ``index`` names along one axis; everything else keeps its place.

    >>> ops.GatherD(Tensor([[1, 2], [3, 4]]), Tensor([[0], [1]]), dim=1)
    Tensor(shape=[2, 1], dtype=Int64, value=
    [[1],
     [4]])
    """

    def infer(x, index, *, dim):
        needs_places(index)
        normal_axis(dim, x.ndim)
        return shaped(x, index.shape)

    def compute(x, index, *, dim):
        needs_places(index)
        return _in_range(lambda: x[_along(index, dim)], x.shape[dim])

    def bprop(x_, index, _out, dout, *, dim):
        return ops.GatherDGrad(dout, index, shape=x_.shape, dim=dim), None

    def samples(rng):
        yield rng.uniform(-2, 2, (3, 4)), rng.integers(0, 4, (3, 2)), {"dim": 1}
        yield rng.uniform(-2, 2, (4, 3)).T, rng.integers(0, 3, (2, 4)), {"dim": -2}


@op()
class GatherDGrad:
    """Zeros of ``shape``, with dout added where ``index`` had read: the gradient of GatherD.

    >>> ops.GatherDGrad(Tensor([5]), Tensor([2]), shape=(3,), dim=0)
    Tensor(shape=[3], dtype=Int64, value= [0, 0, 5])
    """

    def infer(dout, index, *, shape, dim):
        return shaped(dout, tuple(shape))

    def compute(dout, index, *, shape, dim):
        wide = widened(dout)
        total = np.zeros(shape, wide.dtype)
        np.add.at(total, _along(index, dim), wide)
        return like(total, dout)

    def bprop(_dout, index, _out, ddout, *, dim):
        return ops.GatherD(ddout, index, dim=dim), None

    def samples(rng):
        yield rng.uniform(-2, 2, (3, 2)), rng.integers(0, 4, (3, 2)), {"shape": (3, 4), "dim": 1}


def _along(index, dim):
    """An index for every axis: its own place, but ``index`` along ``dim``."""
    places = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    places[dim] = index
    return tuple(places)
