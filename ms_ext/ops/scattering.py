"""Elements read and written at places that are named by vectors: gather_nd, scatter_nd, ...

The last axis of ``indices`` holds one place in the first axes of x; what lies there is an element,
or a slice of the axes that are left.
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .precision import like, widened
from .shapes import needs_integers, needs_number, shaped


def places(indices, shape):
    """One array of indices per axis, refused where they leave the shape."""
    parts = tuple(np.moveaxis(indices, -1, 0))
    for axis, part in enumerate(parts):
        outside = (part < 0) | (part >= shape[axis])
        if outside.any():
            raise errors.IndexOutOfRange(
                "an index is out of range.",
                given=f"{part[outside].flat[0]} for an axis of size {shape[axis]}",
                hint=f"Indices run from 0 to {shape[axis] - 1}.",
            )
    return parts


def _slices(indices, shape, least=1):
    """The shape of what ``indices`` name in a tensor of ``shape``."""
    needs_integers(indices)
    if indices.ndim < least:
        raise errors.InvalidValue(
            f"the indices must have {least} axes at least.", given=str(list(indices.shape))
        )
    depth = indices.shape[-1]
    if depth > len(shape):
        raise errors.InvalidValue(
            "an index has more numbers than the tensor has axes.",
            given=f"{depth} numbers, shape {list(shape)}",
        )
    return (*indices.shape[:-1], *shape[depth:])


@op(names=("gather_nd", "Tensor.gather_nd"))
class GatherNd:
    """The elements or slices of x at the places that the last axis of ``indices`` names.

    >>> ops.gather_nd(Tensor([[1, 2], [3, 4]]), Tensor([[1], [1]]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[3, 4],
     [3, 4]])
    """

    def infer(x, indices):
        return shaped(x, _slices(indices, x.shape))

    def compute(x, indices):
        _slices(indices, x.shape)
        return np.asarray(x[places(indices, x.shape)])

    def bprop(x_, indices, _out, dout):
        return ops.ScatterNd(indices, dout, shape=x_.shape), None

    def samples(rng):
        yield rng.uniform(-2, 2, (3, 4)), np.array([[0, 1], [2, 3], [0, 1]])
        yield rng.uniform(-2, 2, (4, 3)).T, np.array([[[2], [0]]])
        yield rng.uniform(-2, 2, (3, 4)), np.zeros((0, 2), np.int64)


@op(names=("scatter_nd",))
class ScatterNd:
    """Zeros of ``shape``, with updates added at the places that ``indices`` name.

    >>> ops.scatter_nd(Tensor([[1], [1]]), Tensor([5, 6]), (3,))
    Tensor(shape=[3], dtype=Int64, value= [ 0, 11,  0])
    """

    def infer(indices, updates, *, shape):
        _fits(_slices(indices, shape, 2 if indices.ndim < 2 else 1), updates)
        return shaped(updates, tuple(shape))

    def compute(indices, updates, *, shape):
        _fits(_slices(indices, shape, 2 if indices.ndim < 2 else 1), updates)
        wide = widened(updates)
        total = np.zeros(shape, wide.dtype)
        np.add.at(total, places(indices, shape), wide)
        return like(total, updates)

    def bprop(indices, _updates, _out, dout):
        return None, ops.GatherNd(dout, indices)

    def samples(rng):
        yield np.array([[0, 1], [2, 3], [0, 1]]), rng.uniform(-2, 2, (3,)), {"shape": (3, 4)}
        yield np.array([[1], [1]]), rng.uniform(-2, 2, (3, 2)).T, {"shape": (2, 3)}


def _fits(wanted, updates):
    if updates.shape != wanted:
        raise errors.InvalidValue(
            "the updates do not fit the places.",
            given=f"updates {list(updates.shape)}, places {list(wanted)}",
            hint="Their shape is indices.shape[:-1] + x.shape[indices.shape[-1]:].",
        )


def _updated(x, indices, updates):
    _check(x, indices, updates)
    return shaped(x, x.shape)


def _check(x, indices, updates):
    _fits(_slices(indices, x.shape, 2), updates)
    if x.dtype != updates.dtype:
        raise errors.InvalidType(
            "the updates must have the dtype of the input.", given=f"{updates.dtype}, {x.dtype}"
        )


def _numbers_updated(x, indices, updates):
    needs_number(x)
    return _updated(x, indices, updates)


def _at(function, x, indices, updates):
    _check(x, indices, updates)
    out = np.array(widened(x))
    function.at(out, places(indices, x.shape), widened(updates))
    return like(out, x)


def _once(rng):
    yield rng.uniform(0.5, 2, (3, 4)), np.array([[0, 1], [2, 3]]), rng.uniform(0.5, 2, (2,))
    yield rng.uniform(0.5, 2, (4, 3)).T, np.array([[2], [0]]), rng.uniform(0.5, 2, (4, 2)).T


def _often(rng):
    yield from _once(rng)
    yield rng.uniform(0.5, 2, (3,)), np.array([[0], [1], [0]]), rng.uniform(0.5, 2, (3,))


@op(names=("tensor_scatter_update",))
class TensorScatterUpdate:
    """A copy of x in which the updates stand at the places that ``indices`` name.

    >>> ops.tensor_scatter_update(Tensor([1, 2, 3]), Tensor([[0]]), Tensor([9]))
    Tensor(shape=[3], dtype=Int64, value= [9, 2, 3])
    """

    infer = _updated
    samples = _once

    def compute(x, indices, updates):
        _check(x, indices, updates)
        out = x.copy()
        out[places(indices, x.shape)] = updates
        return out

    def bprop(_x, indices, updates_, _out, dout):
        zeros = ops.zeros_like(dout)
        here = ops.GatherNd(dout, indices)
        return ops.TensorScatterUpdate(dout, indices, ops.GatherNd(zeros, indices)), None, here


@op(names=("tensor_scatter_add",))
class TensorScatterAdd:
    """A copy of x with the updates added at the places that ``indices`` name.

    >>> ops.tensor_scatter_add(Tensor([1, 2, 3]), Tensor([[0], [0]]), Tensor([10, 10]))
    Tensor(shape=[3], dtype=Int64, value= [21,  2,  3])
    """

    infer = _updated
    samples = _often

    def compute(x, indices, updates):
        return _at(np.add, x, indices, updates)

    def bprop(_x, indices, _updates, _out, dout):
        return dout, None, ops.GatherNd(dout, indices)


@op(names=("tensor_scatter_sub", "Tensor.scatter_sub"))
class TensorScatterSub:
    """A copy of x with the updates taken away at the places that ``indices`` name.

    >>> ops.tensor_scatter_sub(Tensor([1, 2, 3]), Tensor([[0], [0]]), Tensor([10, 10]))
    Tensor(shape=[3], dtype=Int64, value= [-19,   2,   3])
    """

    infer = _numbers_updated
    samples = _often

    def compute(x, indices, updates):
        needs_number(x)
        return _at(np.subtract, x, indices, updates)

    def bprop(_x, indices, _updates, _out, dout):
        return dout, None, -ops.GatherNd(dout, indices)


@op(names=("tensor_scatter_mul", "Tensor.scatter_mul"))
class TensorScatterMul:
    """A copy of x, multiplied by the updates at the places that ``indices`` name.

    >>> ops.tensor_scatter_mul(Tensor([1, 2, 3]), Tensor([[1], [1]]), Tensor([2, 5]))
    Tensor(shape=[3], dtype=Int64, value= [ 1, 20,  3])
    """

    infer = _updated
    samples = _often

    def compute(x, indices, updates):
        return _at(np.multiply, x, indices, updates)

    def bprop(x, indices, updates, _out, dout):
        others = product_of_others(x, indices, updates)
        here = ops.GatherNd(dout, indices)
        return ops.TensorScatterMul(dout, indices, updates), None, here * others


def product_of_others(x, indices, updates):
    """For each update: the product of x and of all other updates at its place.

    >>> product_of_others(Tensor([2.0]), Tensor([[0], [0]]), Tensor([0.0, 3.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 6.00000000e+00,  0.00000000e+00])
    """
    zero = ops.cast(updates == 0, x.dtype)
    factors = updates + zero
    zeros = ops.GatherNd(ops.TensorScatterAdd(ops.zeros_like(x), indices, zero), indices)
    product = ops.GatherNd(ops.TensorScatterMul(x, indices, factors), indices)
    return ops.where(zeros == zero, product / factors, ops.zeros_like(product))


@op(names=("tensor_scatter_div", "Tensor.scatter_div"))
class TensorScatterDiv:
    """A copy of x, divided by the updates at the places that ``indices`` name.

    >>> ops.tensor_scatter_div(Tensor([8.0, 9.0]), Tensor([[0], [0]]), Tensor([2.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  9.00000000e+00])
    """

    infer = _updated
    samples = _often

    def compute(x, indices, updates):
        if x.dtype.kind in "iu":
            return _at(np.floor_divide, x, indices, updates)
        return _at(np.divide, x, indices, updates)

    def bprop(_x, indices, updates, out, dout):
        back = -ops.GatherNd(dout * out, indices) / updates
        return ops.TensorScatterDiv(dout, indices, updates), None, back


def _to_winners(x, indices, updates, out, dout):
    """``dout``, in equal parts, to x and to the updates that equal the result."""
    kept = ops.cast(x == out, dout.dtype)
    won = ops.cast(ops.GatherNd(out, indices) == updates, dout.dtype)
    share = dout / ops.TensorScatterAdd(kept, indices, won)
    return kept * share, None, won * ops.GatherNd(share, indices)


@op(names=("tensor_scatter_max", "Tensor.scatter_max"))
class TensorScatterMax:
    """A copy of x with the larger of element and updates at the places that ``indices`` name.

    >>> ops.tensor_scatter_max(Tensor([1, 7]), Tensor([[0], [1]]), Tensor([5, 5]))
    Tensor(shape=[2], dtype=Int64, value= [5, 7])
    """

    infer = _updated
    samples = _often

    def compute(x, indices, updates):
        return _at(np.maximum, x, indices, updates)

    def bprop(x, indices, updates, out, dout):
        return _to_winners(x, indices, updates, out, dout)


@op(names=("tensor_scatter_min", "Tensor.scatter_min"))
class TensorScatterMin:
    """A copy of x with the smaller of element and updates at the places that ``indices`` name.

    >>> ops.tensor_scatter_min(Tensor([1, 7]), Tensor([[0], [1]]), Tensor([5, 5]))
    Tensor(shape=[2], dtype=Int64, value= [1, 5])
    """

    infer = _updated
    samples = _often

    def compute(x, indices, updates):
        return _at(np.minimum, x, indices, updates)

    def bprop(x, indices, updates, out, dout):
        return _to_winners(x, indices, updates, out, dout)
