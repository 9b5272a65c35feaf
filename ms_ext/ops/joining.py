"""Several tensors become one, and one becomes several: concat, stack, split, unstack, add_n."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis
from .shapes import broadcast, common_dtype, settled, shaped


def _some(xs, verb):
    if not xs:
        raise errors.InvalidValue(
            f"there is nothing to {verb}.", given="()", hint="Give at least one tensor."
        )
    return xs


def _listed(xs):
    return ", ".join(str(list(x.shape)) for x in xs)


@op(names=("concat", "cat", "mint.cat", "mint.concat"), operands="promote")
class Concat:
    """Tensors laid end to end along an axis.

    >>> ops.concat((Tensor([1, 2]), Tensor([3])))
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 3])
    """

    def infer(*xs, axis):
        first = _some(xs, "join")[0]
        if any(x.ndim == 0 for x in xs):
            raise errors.InvalidValue(
                "0-d tensors have no axis to join along.", given=_listed(xs), hint="Use ops.stack."
            )
        axis = normal_axis(axis, first.ndim)
        if len({(x.ndim, x.shape[:axis], x.shape[axis + 1 :]) for x in xs}) > 1:
            raise errors.InvalidValue(
                f"the shapes may differ only along axis {axis}.",
                given=_listed(xs),
                hint="Reshape or slice the tensors first.",
            )
        shape = (*first.shape[:axis], sum(x.shape[axis] for x in xs), *first.shape[axis + 1 :])
        return AbstractTensor(settled(*common_dtype(*xs)), shape)

    def compute(*xs, axis=0):
        return np.concatenate(xs, axis)

    def bprop(xs_, _out, dout, *, axis):
        axis = normal_axis(axis, len(xs_[0].shape))
        parts, start = [], 0
        for x in xs_:
            end = start + x.shape[axis]
            parts.append(dout[(slice(None),) * axis + (slice(start, end),)])
            start = end
        return tuple(parts)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (1, 3))
        yield (
            rng.uniform(-2, 2, (3, 2)).T,
            rng.uniform(-2, 2, (2, 1)),
            rng.uniform(-2, 2, (2, 0)),
            {"axis": -1},
        )
        yield (rng.uniform(-2, 2, (2,)),)


@op(names=("stack", "mint.stack"), operands="promote")
class Stack:
    """Tensors of one shape, side by side along a new axis.

    >>> ops.stack((Tensor([1, 2]), Tensor([3, 4])))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 2],
     [3, 4]])
    """

    def infer(*xs, axis):
        shape = _some(xs, "stack")[0].shape
        if len({x.shape for x in xs}) > 1:
            raise errors.InvalidValue(
                "the shapes must be equal.",
                given=_listed(xs),
                hint="Use ops.concat, or broadcast them first.",
            )
        place = normal_axis(axis, len(shape), extra=1)
        return AbstractTensor(
            settled(*common_dtype(*xs)), (*shape[:place], len(xs), *shape[place:])
        )

    def compute(*xs, axis=0):
        return np.stack(xs, axis)

    def bprop(xs, _out, dout, *, axis):
        place = normal_axis(axis, len(xs[0].shape), extra=1)
        return tuple(dout[(slice(None),) * place + (i,)] for i in range(len(xs)))

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (2, 3))
        yield rng.uniform(-2, 2, (3, 2)).T, rng.uniform(-2, 2, (2, 3)), {"axis": -1}
        yield rng.uniform(-2, 2, ()), rng.uniform(-2, 2, ())


def section_sizes(size, sections):
    """The sizes of the parts: of equal size but the last, or as listed.

    >>> section_sizes(5, 2), section_sizes(3, (1, 2))
    ((2, 2, 1), (1, 2))
    """
    if isinstance(sections, tuple | list):
        parts = tuple(sections)
    elif sections > 0:
        parts = tuple(min(sections, size - start) for start in range(0, size, sections)) or (0,)
    else:
        parts = ()
    if not parts or sum(parts) != size or min(parts) < 0:
        raise errors.InvalidValue(
            f"an axis of size {size} cannot be split this way.",
            given=f"{sections}",
            hint="Give one size above 0, or sizes that add up to the axis.",
        )
    return parts


@op(names=("split", "Tensor.split", "mint.split"))
class SplitTensor:
    """Parts along an axis: of one size (the last may be smaller), or of the listed sizes.

    >>> ops.split(Tensor([1, 2, 3]), 2)
    (Tensor(shape=[2], dtype=Int64, value= [1, 2]), Tensor(shape=[1], dtype=Int64, value= [3]))
    """

    outputs = None

    def infer(x, *, sections, axis):
        axis = normal_axis(axis, x.ndim)
        sizes = section_sizes(x.shape[axis], sections)
        return tuple(shaped(x, (*x.shape[:axis], n, *x.shape[axis + 1 :])) for n in sizes)

    def compute(x, *, sections, axis=0):
        ends = np.cumsum(section_sizes(x.shape[axis], sections))[:-1]
        return tuple(np.split(x, ends, axis))

    def bprop(_x, _out, dout, *, axis):
        return (ops.concat(dout, axis),)

    def samples(rng):
        yield rng.uniform(-2, 2, (5, 2)), {"sections": 2}
        yield rng.uniform(-2, 2, (3, 2)).T, {"sections": (1, 2), "axis": -1}


@op(names=("unbind", "Tensor.unbind", "unstack"))
class Unstack:
    """The slices along an axis, without that axis: the reverse of stack.

    >>> ops.unstack(Tensor([1, 2]))
    (Tensor(shape=[], dtype=Int64, value= 1), Tensor(shape=[], dtype=Int64, value= 2))
    """

    outputs = None

    def infer(x, *, axis):
        axis = normal_axis(axis, x.ndim)
        return (shaped(x, (*x.shape[:axis], *x.shape[axis + 1 :])),) * x.shape[axis]

    def compute(x, *, axis=0):
        return tuple(np.moveaxis(x, axis, 0))

    def bprop(_x, _out, dout, *, axis):
        return (ops.stack(dout, axis),)

    def samples(rng):
        yield (rng.uniform(-2, 2, (2, 3)),)
        yield rng.uniform(-2, 2, (3, 2)).T, {"axis": -1}


@op(names=("addn",), operands="promote")
class AddN:
    """The sum of several tensors.

    >>> ops.addn((Tensor([1.0]), Tensor([2.0]), Tensor([3.0])))
    Tensor(shape=[1], dtype=Float32, value= [ 6.00000000e+00])
    """

    def infer(*xs):
        return broadcast(*_some(xs, "add"))

    def compute(*xs):
        return sum(xs[1:], xs[0].copy())

    def bprop(xs, _out, dout):
        return (dout,) * len(xs)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (3, 2)).T
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (3,)), rng.uniform(-2, 2, (2, 1))
