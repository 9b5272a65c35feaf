"""Elements at places that are known only as the graph runs: x[i] and x[i] = value for tensors i.

The attribute ``index`` is an index taken apart (see ``index_parts``).
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .index_parts import axes_taken, chooses_a_shape, filled, is_tensor, picked_shape
from .precision import like, widened
from .shapes import shaped


@op()
class ItemAt:
    """x[index], where "#0", "#1", ... in the index stand for the operands after x.

    >>> ops.ItemAt((Tensor([[1, 2], [3, 4]]), Tensor([0, 1])), index=("#0", "#0"))
    Tensor(shape=[2], dtype=Int64, value= [1, 4])
    """

    def infer(x, *given, index):
        return shaped(x, _place(x, index, given))

    def compute(x, *given, index):
        return np.asarray(_in_range(lambda: x[filled(index, given)]))

    def bprop(xs, _out, dout, *, index):
        x, *given = xs
        back = ops.ItemAtGrad((dout, *given), shape=x.shape, index=index)
        return (back, *(None for _ in given))

    def samples(rng):
        x, i = rng.uniform(-2, 2, (4, 3)), np.array([2, 0, 2])
        yield x, i, {"index": ("#0",)}
        yield x, i, np.array([1, -1, 1]), {"index": ("#0", "#1")}
        yield rng.uniform(-2, 2, (3, 2, 3)).T, i, np.array(1), {"index": ("#0", slice(1, 2), "#1")}


@op()
class ItemAtGrad:
    """Zeros of ``shape``, with dout added at the index: the gradient of ItemAt.

    >>> ops.ItemAtGrad((Tensor([5, 6]), Tensor([1, 1])), shape=(3,), index=("#0",))
    Tensor(shape=[3], dtype=Int64, value= [ 0, 11,  0])
    """

    def infer(dout, *given, shape, index):
        return shaped(dout, tuple(shape))

    def compute(dout, *given, shape, index):
        wide = widened(dout)
        total = np.zeros(shape, wide.dtype)
        _in_range(lambda: np.add.at(total, filled(index, given), wide))
        return like(total, dout)

    def bprop(xs, _out, ddout, *, index):
        given = xs[1:]
        return (ops.ItemAt((ddout, *given), index=index), *(None for _ in given))

    def samples(rng):
        how = {"shape": (4, 3), "index": ("#0", slice(0, 2))}
        yield rng.uniform(-2, 2, (3, 2)), np.array([2, 0, 2]), how


@op()
class TensorSetAt:
    """A copy of x in which x[index] is ``value``; "#0", ... stand for the operands after it.

    >>> ops.TensorSetAt((Tensor([1, 2, 3]), 9, Tensor([0, 2])), index=("#0",))
    Tensor(shape=[3], dtype=Int64, value= [9, 2, 9])
    """

    def infer(x, value, *given, index):
        _check_masks(x, index, given)
        place = _place(x, index, given)
        if place is not None:
            _check_value(value.shape, place)
        return x

    def compute(x, value, *given, index):
        out = x.copy()
        _in_range(lambda: _set(out, filled(index, given), value))
        return out

    def bprop(xs, _out, dout, *, index):
        _x, value, *given = xs
        into = ops.TensorSetAt((dout, 0, *given), index=index)
        shape = getattr(value, "shape", ())
        back = ops.TensorSetAtGrad((dout, *given), shape=shape, index=index)
        return (into, back, *(None for _ in given))

    def samples(rng):
        x, i = rng.uniform(-2, 2, (4, 3)), np.array([2, 0])
        yield x, rng.uniform(-2, 2, (2, 1)), i, {"index": ("#0",)}
        yield x, rng.uniform(-2, 2, (2,)), i, np.array([1, -1]), {"index": ("#0", "#1")}
        yield x.T, rng.uniform(-2, 2, ()), x.T > 0, {"index": ("#0",)}
        yield x, rng.uniform(-2, 2, (3,)), np.array(1), {"index": (slice(None, "#0"),)}


@op()
class TensorSetAtGrad:
    """What of dout lies at the index, summed to ``shape``: the gradient of a value that was set.

    >>> ops.TensorSetAtGrad((Tensor([5, 6, 7]), Tensor([0, 2])), shape=(), index=("#0",))
    Tensor(shape=[], dtype=Int64, value= 12)
    """

    def infer(dout, *given, shape, index):
        return shaped(dout, tuple(shape))

    def compute(dout, *given, shape, index):
        wide = widened(dout)
        return like(_summed(wide[filled(index, given)], shape), dout)

    def bprop(xs, _out, ddout, *, index):
        dout, *given = xs
        zeros = ops.zeros_like(dout)
        back = ops.TensorSetAt((zeros, ddout, *given), index=index)
        return (back, *(None for _ in given))

    def samples(rng):
        x, i = rng.uniform(-2, 2, (4, 3)), np.array([2, 0])
        yield x, i, {"shape": (1, 3), "index": ("#0",)}
        yield x, i, {"shape": (1, 2, 3), "index": ("#0",)}
        yield x, x > 0, {"shape": (), "index": ("#0",)}


def _set(out, index, value):
    try:
        out[index] = value
    except ValueError as error:
        raise errors.InvalidValue("The value does not fit the place.", given=str(error)) from None


def _summed(array, shape):
    """An array's sum over the axes along which a value of ``shape`` was repeated."""
    lead = max(array.ndim - len(shape), 0)
    array = array.sum(axis=tuple(range(lead)), dtype=array.dtype)
    array = np.reshape(array, (1,) * (len(shape) - array.ndim) + array.shape)
    once = tuple([i for i, n in enumerate(shape) if n == 1 and array.shape[i] != 1])
    return np.asarray(array.sum(axis=once, keepdims=True, dtype=array.dtype))


def _check_value(value, place):
    """A value has the shape of its place, or one that broadcasts to it."""
    lead = max(len(value) - len(place), 0)
    pairs = zip(reversed(value[lead:]), reversed(place), strict=False)
    if any(n != 1 for n in value[:lead]) or any(n not in (1, p) for n, p in pairs):
        raise errors.InvalidValue(
            "the value does not fit the place.",
            given=f"value {list(value)}, place {list(place)}",
            hint="The value must have the shape of x[index], or broadcast to it.",
        )


def _check_masks(x, index, given):
    axis = 0
    for part in filled(index, given):
        if is_tensor(part) and part.dtype.kind == "bool":
            taken = x.shape[axis : axis + len(part.shape)]
            if taken != part.shape:
                raise errors.InvalidIndex(
                    f"The shape of index {part.shape} does not match the shape of the indexed "
                    f"data {x.shape}",
                    hint="A mask has the shape of the tensor, or of the axes that it takes.",
                )
        axis += axes_taken(part)


def _place(x, index, given):
    """The shape of ``x[index]``; None if it depends on elements."""
    if chooses_a_shape(index, given):
        return None
    zeros = [np.broadcast_to(np.int64(0), form.shape) for form in given]
    return picked_shape(x.shape, filled(index, zeros))


def _in_range(act):
    try:
        return act()
    except IndexError as error:
        raise errors.IndexOutOfRange(
            "The index does not fit the tensor.",
            given=str(error),
            hint="Count from 0, or from the end with negative numbers.",
        ) from None
