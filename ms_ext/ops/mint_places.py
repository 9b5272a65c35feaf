"""Parts of a tensor in mint: views in MindSpore, with primitives of their own; and the trace."""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis
from .reductions import accumulate
from .shapes import settled, shaped


def _swapped(axes, x, dim0, dim1):
    axes = list(axes)
    one, other = normal_axis(dim0, x.ndim), normal_axis(dim1, x.ndim)
    if axes:
        axes[one], axes[other] = axes[other], axes[one]
    return tuple(axes)


@op(names=("mint.transpose", "mint.swapaxes"))
class TransposeExtView:
    """Two axes change places.

    >>> mint.transpose(ops.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """

    def infer(x, *, dim0, dim1):
        return shaped(x, _swapped(x.shape, x, dim0, dim1))

    def compute(x, *, dim0, dim1):
        return np.transpose(x, _swapped(range(x.ndim), x, dim0, dim1))

    def bprop(_x, _out, dout, *, dim0, dim1):
        return (ops.TransposeExtView(dout, dim0, dim1),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3, 4)), {"dim0": 0, "dim1": -1}
        yield rng.uniform(-2, 2, (0, 3)).T, {"dim0": 1, "dim1": 0}
        yield rng.uniform(-2, 2, ()), {"dim0": 0, "dim1": -1}


def _one_place(x, dim, index):
    if x.ndim == 0:
        raise errors.InvalidValue("a 0-d tensor has no slices.", given=str(x))
    axis = normal_axis(dim, x.ndim)
    if not -x.shape[axis] <= index < x.shape[axis]:
        raise errors.IndexOutOfRange(
            "the index is out of range.", given=f"{index} of {x.shape[axis]} slices"
        )
    return axis


@op(names=("mint.select",))
class SelectExtView:
    """One slice along an axis, which is gone from the result.

    >>> mint.select(Tensor([[1, 2], [3, 4]]), 1, 0)
    Tensor(shape=[2], dtype=Int64, value= [1, 3])
    """

    def infer(x, *, dim, index):
        axis = _one_place(x, dim, index)
        return shaped(x, (*x.shape[:axis], *x.shape[axis + 1 :]))

    def compute(x, *, dim, index):
        axis = _one_place(x, dim, index)
        return np.asarray(x[(slice(None),) * axis + (index,)])

    def bprop(x_, _out, dout, *, dim, index):
        place = (slice(None),) * normal_axis(dim, len(x_.shape)) + (index,)
        return (ops.GetItemGrad(dout, shape=x_.shape, index=place),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"dim": 0, "index": 1}
        yield rng.uniform(-2, 2, (3, 2)).T, {"dim": -1, "index": -1}
        yield rng.uniform(-2, 2, (2,)), {"dim": 0, "index": 0}


def _stretch(x, dim, start, length):
    axis = normal_axis(dim, x.ndim)
    size = x.shape[axis]
    first = start + size if start < 0 else start
    if length < 0 or not 0 <= first <= size - length:
        raise errors.InvalidValue(
            "there are not so many slices.", given=f"{length} from {start} on, of {size}"
        )
    return axis, first


@op(names=("mint.narrow",))
class NarrowView:
    """``length`` slices along an axis, from ``start`` on.

    >>> mint.narrow(Tensor([5, 6, 7, 8]), 0, 1, 2)
    Tensor(shape=[2], dtype=Int64, value= [6, 7])
    """

    def infer(x, *, dim, start, length):
        axis, _ = _stretch(x, dim, start, length)
        return shaped(x, (*x.shape[:axis], length, *x.shape[axis + 1 :]))

    def compute(x, *, dim, start, length):
        axis, first = _stretch(x, dim, start, length)
        return x[(slice(None),) * axis + (slice(first, first + length),)]

    def bprop(x_, _out, dout, *, dim, start, length):
        axis = normal_axis(dim, len(x_.shape))
        first = start + x_.shape[axis] if start < 0 else start
        place = (slice(None),) * axis + (slice(first, first + length),)
        return (ops.GetItemGrad(dout, shape=x_.shape, index=place),)

    def samples(rng):
        yield rng.uniform(-2, 2, (4, 2)), {"dim": 0, "start": 1, "length": 2}
        yield rng.uniform(-2, 2, (2, 3)).T, {"dim": -1, "start": -2, "length": 1}
        yield rng.uniform(-2, 2, (3,)), {"dim": 0, "start": 3, "length": 0}


def _matrix(x):
    if x.ndim != 2:
        raise errors.ShapeMismatch("the input must have two axes.", given=str(list(x.shape)))


@op(names=("mint.trace",))
class TraceExt:
    """The sum of the diagonal of a matrix; integers add up to Int64.

    >>> mint.trace(Tensor([[1, 2], [3, 4]], ms.int32))
    Tensor(shape=[], dtype=Int64, value= 5)
    """

    def infer(x):
        _matrix(x)
        kind = settled(x.dtype, x.weak)
        return AbstractTensor(kind if kind.kind == "float" else dtypes.int64, ())

    def compute(x):
        _matrix(x)
        return accumulate(np.sum, np.diagonal(x), None, False, None)

    def bprop(x_, _out, dout):
        return (ops.eye(*x_.shape, dout.dtype) * dout,)

    def samples(rng):
        for shape in ((3, 3), (2, 4), (0, 3), (1, 1)):
            yield (rng.uniform(-2, 2, shape),)
        yield (rng.uniform(-2, 2, (3, 2)).T,)
