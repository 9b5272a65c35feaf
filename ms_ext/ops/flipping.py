"""The same elements in another order: flip, roll, rot90, reverse_sequence, repeat_interleave."""

import math

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from ..engine.tensor import Tensor
from .axes import normal_axis
from .composite import composite
from .shapes import shaped


def _distinct(axis, rank):
    if not isinstance(axis, tuple | list):
        raise errors.InvalidType("the axes must be a tuple or list.", given=repr(axis))
    axes = tuple([normal_axis(a, rank) for a in axis])
    if len(set(axes)) < len(axes):
        raise errors.InvalidValue("an axis is named twice.", given=f"axes {tuple(axis)}")
    return axes


@op(names=("reverse", "Tensor.reverse"))
class ReverseV2:
    """The elements in the opposite order along axes.

    >>> ops.ReverseV2(axis=(0,))(Tensor([1, 2, 3]))
    Tensor(shape=[3], dtype=Int64, value= [3, 2, 1])
    """

    def infer(x, *, axis):
        _distinct(axis, x.ndim)
        return shaped(x, x.shape)

    def compute(x, *, axis):
        return np.flip(x, _distinct(axis, x.ndim)).copy()

    def bprop(_x, _out, dout, *, axis):
        return (ops.ReverseV2(dout, axis=axis),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"axis": (0, -1)}
        yield rng.uniform(-2, 2, (2, 3)).T, {"axis": (1,)}
        yield rng.uniform(-2, 2, (0, 3)), {"axis": (0,)}


@composite("flip", "Tensor.flip", "mint.flip")
def flip(input, dims):
    """The elements in the opposite order along dimensions.

    >>> ops.flip(Tensor([1, 2, 3]), (0,))
    Tensor(shape=[3], dtype=Int64, value= [3, 2, 1])
    """
    return ops.ReverseV2(input, axis=dims)


@composite("fliplr", "Tensor.fliplr")
def fliplr(input):
    """The columns in the opposite order.

    >>> ops.fliplr(Tensor([[1, 2]]))
    Tensor(shape=[1, 2], dtype=Int64, value=
    [[2, 1]])
    """
    return ops.ReverseV2(input, axis=(1,))


@composite("flipud", "Tensor.flipud")
def flipud(input):
    """The rows in the opposite order.

    >>> ops.flipud(Tensor([1, 2]))
    Tensor(shape=[2], dtype=Int64, value= [2, 1])
    """
    return ops.ReverseV2(input, axis=(0,))


def _turns(shifts, dims, rank):
    """(shifts, axes), of the same number; axes None: of the flattened tensor."""
    steps = tuple(shifts) if isinstance(shifts, tuple | list) else (shifts,)
    if dims is None:
        axes = None
    else:
        several = dims if isinstance(dims, tuple | list) else (dims,)
        axes = tuple([normal_axis(a, rank) for a in several])
    if len(steps) != (1 if axes is None else len(axes)):
        raise errors.InvalidValue(
            "there must be one shift per axis.", given=f"shifts {shifts}, dims {dims}"
        )
    return (steps[0], None) if axes is None else (steps, axes)


@op(names=("roll", "Tensor.roll", "mint.roll"))
class Roll:
    """The elements moved on along axes; those that leave at the end come back at the front.

    >>> ops.roll(Tensor([1, 2, 3]), 1)
    Tensor(shape=[3], dtype=Int64, value= [3, 1, 2])
    """

    def infer(x, *, shifts, dims):
        _turns(shifts, dims, x.ndim)
        return shaped(x, x.shape)

    def compute(x, *, shifts, dims=None):
        return np.roll(x, *_turns(shifts, dims, x.ndim))

    def bprop(_x, _out, dout, *, shifts, dims):
        several = isinstance(shifts, tuple | list)
        back = tuple([-s for s in shifts]) if several else -shifts
        return (ops.Roll(dout, shifts=back, dims=dims),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"shifts": (1, -2), "dims": (0, 1)}
        yield rng.uniform(-2, 2, (2, 3)).T, {"shifts": 4}
        yield rng.uniform(-2, 2, (2, 3)), {"shifts": 1, "dims": -1}


@composite("rot90", "Tensor.rot90")
def rot90(input, k, dims):
    """Turned by k times 90 degrees in the plane of two dimensions, from the first to the second.

    >>> ops.rot90(Tensor([[1, 2], [3, 4]]), 1, [0, 1])
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[2, 4],
     [1, 3]])
    """
    if not isinstance(k, int):
        raise errors.InvalidType("k must be an int.", given=repr(k))
    if len(dims) != 2 or input.ndim < 2:
        raise errors.ShapeMismatch("two dimensions must be named.", given=f"dims {dims}")
    one, other = [normal_axis(d, input.ndim) for d in dims]
    if one == other:
        raise errors.ShapeMismatch("the two dimensions must differ.", given=f"dims {dims}")
    turned = input
    if k % 4 in (1, 2):
        turned = ops.ReverseV2(turned, axis=(other,))
    if k % 2:
        turned = ops.swapaxes(turned, one, other)
    return ops.ReverseV2(turned, axis=(other,)) if k % 4 == 3 else _half(turned, k, one)


def _half(turned, k, one):
    return ops.ReverseV2(turned, axis=(one,)) if k % 4 == 2 else turned


@composite("reverse_sequence", "Tensor.reverse_sequence")
def reverse_sequence(x, seq_lengths, seq_dim=0, batch_dim=0):
    """The first elements along ``seq_dim`` in the opposite order: as many as each batch's length.

    >>> ops.reverse_sequence(Tensor([[1, 2, 3]]), Tensor([2]), 1)
    Tensor(shape=[1, 3], dtype=Int64, value=
    [[2, 1, 3]])
    """
    line, batch = normal_axis(seq_dim, x.ndim), normal_axis(batch_dim, x.ndim)
    if line == batch:
        raise errors.InvalidValue("seq_dim and batch_dim must differ.", given=f"both {line}")
    if seq_lengths.shape != (x.shape[batch],):
        raise errors.InvalidValue(
            "there must be one length per batch.",
            given=f"{list(seq_lengths.shape)} for {x.shape[batch]} batches",
        )
    shape = [1] * x.ndim
    shape[batch] = -1
    lengths = ops.reshape(ops.cast(seq_lengths, "int64"), tuple(shape))
    shape[batch], shape[line] = 1, -1
    places = ops.reshape(ops.arange(x.shape[line]), tuple(shape))
    index = ops.where(places < lengths, lengths - 1 - places, places)
    return ops.GatherD(x, ops.broadcast_to(index, x.shape), dim=line)


@composite("ReverseSequence")
class ReverseSequence:
    """The primitive of ``ops.reverse_sequence``.

    >>> ops.ReverseSequence(1)(Tensor([[1, 2, 3]]), Tensor([2]))
    Tensor(shape=[1, 3], dtype=Int64, value=
    [[2, 1, 3]])
    """

    def __new__(cls, seq_dim, batch_dim=0):
        return ops.partial(reverse_sequence, seq_dim=seq_dim, batch_dim=batch_dim)


@composite("repeat_elements")
def repeat_elements(x, rep, axis=0):
    """Each slice along an axis ``rep`` times.

    >>> ops.repeat_elements(Tensor([1, 2]), 2)
    Tensor(shape=[4], dtype=Int64, value= [1, 1, 2, 2])
    """
    if not isinstance(rep, int) or isinstance(rep, bool):
        raise errors.InvalidType("the number of repetitions must be an int.", given=repr(rep))
    if rep < 1:
        raise errors.InvalidValue("the number of repetitions must be 1 or more.", given=str(rep))
    return _repeated(x, rep, normal_axis(axis, x.ndim))


def _repeated(x, rep, axis):
    shape = x.shape
    wide = (*shape[: axis + 1], rep, *shape[axis + 1 :])
    copies = ops.broadcast_to(ops.expand_dims(x, axis + 1), wide)
    return ops.reshape(copies, (*shape[:axis], shape[axis] * rep, *shape[axis + 1 :]))


@composite("repeat_interleave", "Tensor.repeat_interleave")
def repeat_interleave(input, repeats, axis=None):
    """Each slice along an axis (or of the flattened tensor) several times, one after the other.

    >>> ops.repeat_interleave(Tensor([1, 2]), [1, 2], 0)
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 2])
    """
    x = ops.reshape(input, (math.prod(input.shape),)) if axis is None else input
    place = normal_axis(axis or 0, x.ndim)
    times = repeats.tolist() if isinstance(repeats, Tensor) else repeats
    times = times[0] if isinstance(times, tuple | list) and len(times) == 1 else times
    if not isinstance(times, tuple | list):
        return repeat_elements(x, times, place)
    if len(times) != x.shape[place]:
        raise errors.InvalidValue(
            "there must be one number of repetitions per slice.",
            given=f"{len(times)} for {x.shape[place]} slices",
        )
    if min(times) < 0:
        raise errors.InvalidValue("a number of repetitions is negative.", given=str(times))
    return ops.gather(x, Tensor(np.repeat(np.arange(len(times)), times)), place)


@composite("mint.repeat_interleave")
def repeat_interleave_ext(input, repeats, dim=None, *, output_size=None):
    """Each slice along a dimension (or of the flattened tensor) several times.

    >>> mint.repeat_interleave(Tensor([1, 2]), 2)
    Tensor(shape=[4], dtype=Int64, value= [1, 1, 2, 2])
    """
    return repeat_interleave(input, repeats, dim)


def _is_chosen(args, kwargs):
    """Whether how often a slice is repeated depends on a tensor's elements."""
    return hasattr(kwargs.get("repeats", args[1] if len(args) > 1 else None), "abstract")


repeat_interleave.of_elements = repeat_interleave_ext.of_elements = _is_chosen
