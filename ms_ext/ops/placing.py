"""Slices written at indices along one axis: scatter, index_add, index_fill, index_put, take, ...

Each gives a new tensor; x itself stays. The functions that write are in ``scatter_writes``.
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .axes import normal_axis
from .composite import composite
from .index_parts import picked_shape
from .precision import like, widened
from .shapes import needs_integers, shaped


def _elements(x, indices, updates, *, axis, reduction):
    _check(x, indices, updates, axis, reduction)
    return shaped(x, x.shape)


def _check(x, indices, updates, axis, reduction):
    needs_integers(indices)
    normal_axis(axis, x.ndim)
    if reduction not in ("none", "add"):
        raise errors.InvalidValue("the reduction must be 'none' or 'add'.", given=repr(reduction))
    if not x.ndim == indices.ndim == updates.ndim:
        raise errors.InvalidValue(
            "the input, the indices and the updates must have as many axes.",
            given=f"{list(x.shape)}, {list(indices.shape)}, {list(updates.shape)}",
        )
    if indices.shape != updates.shape:
        raise errors.InvalidValue(
            "the indices and the updates must have one shape.",
            given=f"{list(indices.shape)} and {list(updates.shape)}",
        )
    if x.dtype != updates.dtype:
        raise errors.InvalidType(
            "the updates must have the dtype of the input.", given=f"{updates.dtype}, {x.dtype}"
        )


def _along(index, axis, size):
    outside = (index < -size) | (index >= size)
    if outside.any():
        raise errors.IndexOutOfRange(
            "an index is out of range.",
            given=f"{index[outside].flat[0]} for an axis of size {size}",
            hint=f"Indices run from {-size} to {size - 1}.",
        )
    where = list(np.ogrid[tuple([slice(n) for n in index.shape])])
    where[axis] = index
    return tuple(where)


@op()
class TensorScatterElements:
    """A copy of x, with updates written (or added) at the indices along one axis.

    >>> ops.TensorScatterElements(axis=0, reduction="add")(
    ...     Tensor([1, 2, 3]), Tensor([2, 2]), Tensor([10, 10]))
    Tensor(shape=[3], dtype=Int64, value= [ 1,  2, 23])
    """

    infer = _elements
    constructor = ("axis", "reduction")

    def compute(x, indices, updates, *, axis=0, reduction="none"):
        _check(x, indices, updates, axis, reduction)
        out = np.array(widened(x))
        place = _along(indices, axis, x.shape[axis])
        if reduction == "add":
            np.add.at(out, place, widened(updates))
        else:
            out[place] = widened(updates)
        return like(out, x)

    def bprop(_x, indices, updates_, _out, dout, *, axis, reduction):
        here = ops.GatherD(dout, indices, dim=axis)
        if reduction == "add":
            return dout, None, here
        none = ops.zeros_like(here)
        return ops.TensorScatterElements(dout, indices, none, axis=axis), None, here

    def samples(rng):
        x, y = rng.uniform(-2, 2, (3, 4)), rng.uniform(-2, 2, (2, 2))
        yield x, np.array([[0, 1], [2, 0]]), y
        yield x.T, np.array([[0, 1], [2, -3]]), y.T, {"axis": 1}
        yield x, np.array([[0, 0], [3, 3]]), y, {"axis": 1, "reduction": "add"}


@composite("tensor_scatter_elements")
def tensor_scatter_elements(input_x, indices, updates, axis=0, reduction="none"):
    """A copy of the input, with updates written (or added) at the indices along one axis.

    >>> ops.tensor_scatter_elements(Tensor([1, 2, 3]), Tensor([2]), Tensor([9]))
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 9])
    """
    how = {"axis": axis, "reduction": reduction}
    return ops.TensorScatterElements(input_x, indices, updates, **how)


@composite("scatter")
def scatter(input, axis, index, src):
    """A copy of the input, with ``src`` written at the indices along one axis.

    >>> ops.scatter(Tensor([1, 2, 3]), 0, Tensor([2]), Tensor([9]))
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 9])
    """
    return ops.TensorScatterElements(input, index, _fitted(input, index, src), axis=axis)


def _fitted(input, index, src):
    """What is written: a number everywhere, or as much of a tensor as there are indices."""
    if not hasattr(src, "shape"):
        return ops.full_like(index, src, dtype=input.dtype)
    if src.shape == index.shape or src.ndim != index.ndim:
        return src
    return src[tuple([slice(0, n) for n in index.shape])]


@composite("Tensor.scatter", "mint.scatter")
def scatter_ext(input, dim, index, src, *, reduce="none"):
    """A copy of the input, with ``src`` (a tensor or a number) written at the indices along a dim.

    >>> mint.scatter(Tensor([1, 2, 3]), 0, Tensor([2]), 9)
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 9])
    """
    how = {"axis": dim, "reduction": reduce}
    return ops.TensorScatterElements(input, index, _fitted(input, index, src), **how)


@composite("mint.scatter_add")
def scatter_add(input, dim, index, src):
    """A copy of the input, with ``src`` added at the indices along a dimension.

    >>> mint.scatter_add(Tensor([1, 2, 3]), 0, Tensor([2, 2]), Tensor([10, 10]))
    Tensor(shape=[3], dtype=Int64, value= [ 1,  2, 23])
    """
    return scatter_ext(input, dim, index, src, reduce="add")


@composite("Tensor.scatter_add")
def scatter_add_of(self, *args, **kwargs):
    """A copy with numbers added: at (indices, updates), or along a dim at (dim, index, src).

    >>> Tensor([1, 2, 3]).scatter_add(0, Tensor([2, 2]), Tensor([10, 10]))
    Tensor(shape=[3], dtype=Int64, value= [ 1,  2, 23])
    """
    along = len(args) + len(kwargs) == 3
    return (scatter_add if along else ops.TensorScatterAdd)(self, *args, **kwargs)


def _at_axis(axis, rank):
    return (*[slice(None)] * normal_axis(axis, rank), "#0")


@composite("mint.index_add", "Tensor.index_add")
def index_add(input, dim, index, source, *, alpha=1):
    """A copy of the input, with ``alpha * source`` added at the indices along a dimension.

    >>> mint.index_add(Tensor([1, 2, 3]), 0, Tensor([2, 2]), Tensor([10, 10]))
    Tensor(shape=[3], dtype=Int64, value= [ 1,  2, 23])
    """
    wanted = list(input.shape)
    wanted[normal_axis(dim, input.ndim)] = index.shape[0] if index.ndim else 1
    if source.ndim != input.ndim or list(source.shape) != wanted:
        raise errors.InvalidValue(
            "the source must have a slice per index.", given=f"{source.shape}, needed {wanted}"
        )
    source = ops.cast(source, input.dtype)
    place = _at_axis(dim, input.ndim)
    added = ops.ItemAtGrad((source, index), shape=input.shape, index=place)
    return input + (added if alpha == 1 else added * alpha)


@composite("index_fill", "Tensor.index_fill")
def index_fill(x, axis, index, value):
    """A copy of x with one value in the slices that the indices along an axis name.

    >>> ops.index_fill(Tensor([1, 2, 3]), 0, Tensor([0, 2]), 9)
    Tensor(shape=[3], dtype=Int64, value= [9, 2, 9])
    """
    if isinstance(value, str) or not isinstance(value, int | float) and value.shape != ():
        raise errors.InvalidType("the value must be one number.", given=repr(value))
    return ops.TensorSetAt((x, ops.cast(value, x.dtype), index), index=_at_axis(axis, x.ndim))


@composite("Tensor.index_put")
def index_put(self, indices, values, accumulate=False):
    """A copy with values written (or added) at places named by one index tensor per axis.

    >>> Tensor([1, 2, 3]).index_put((Tensor([0, 0]),), Tensor([5, 5]), True)
    Tensor(shape=[3], dtype=Int64, value= [11,  2,  3])
    """
    parts = tuple([f"#{i}" for i in range(len(indices))])
    if not accumulate:
        return ops.TensorSetAt((self, values, *indices), index=parts)
    zeros = tuple([np.broadcast_to(np.int64(0), i.shape) for i in indices])
    values = ops.broadcast_to(values, picked_shape(self.shape, zeros))
    return self + ops.ItemAtGrad((values, *indices), shape=self.shape, index=parts)


@composite("take", "mint.take")
def take(input, index):
    """The elements that the indices name, counted along the flattened input.

    >>> ops.take(Tensor([[1, 2], [3, 4]]), Tensor([3, 0]))
    Tensor(shape=[2], dtype=Int64, value= [4, 1])
    """
    return ops.gather(ops.reshape(input, (-1,)), index, 0)


@composite("Tensor.take")
def taken(self, indices, axis=None, mode="clip"):
    """The elements that the indices name: of the flattened tensor, or slices along an axis.

    An index beyond the end means the last one (mode "clip"), or is counted round ("wrap").

    >>> Tensor([5, 6, 7]).take(Tensor([0, 9]))
    Tensor(shape=[2], dtype=Int64, value= [5, 7])
    """
    x = ops.reshape(self, (-1,)) if axis is None else self
    size = x.shape[0 if axis is None else normal_axis(axis, x.ndim)]
    if mode == "clip":
        indices = ops.clamp(indices, 0, size - 1)
    elif mode == "wrap":
        indices = indices % size
    elif mode != "raise":
        raise errors.InvalidValue("the mode must be raise, wrap or clip.", given=repr(mode))
    return ops.gather(x, indices, 0 if axis is None else axis)


@composite("select_scatter", "Tensor.select_scatter")
def select_scatter(input, src, axis, index):
    """A copy of the input, with ``src`` as the slice that an index along an axis names.

    >>> ops.select_scatter(Tensor([[1, 2], [3, 4]]), Tensor([8, 9]), 0, 1)
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 2],
     [8, 9]])
    """
    place = (*[slice(None)] * normal_axis(axis, input.ndim), index)
    return _written(input, src, place)


@composite("slice_scatter", "Tensor.slice_scatter")
def slice_scatter(input, src, axis=0, start=None, end=None, step=1):
    """A copy of the input, with ``src`` as what lies from ``start`` to ``end`` along an axis.

    >>> ops.slice_scatter(Tensor([1, 2, 3]), Tensor([8, 9]), 0, 1)
    Tensor(shape=[3], dtype=Int64, value= [1, 8, 9])
    """
    place = (*[slice(None)] * normal_axis(axis, input.ndim), slice(start, end, step))
    return _written(input, src, place)


def _written(input, src, place):
    try:
        wanted = picked_shape(input.shape, place)
    except errors.InvalidIndex as error:
        raise errors.InvalidValue("the index is out of range.", given=str(place)) from error
    if src.shape != wanted:
        raise errors.InvalidValue(
            "src must have the shape of the place.", given=f"{src.shape}, needed {wanted}"
        )
    return ops.TensorSet(input, src, index=place)
