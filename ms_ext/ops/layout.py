"""The same elements in another shape: reshape, transpose, expand, squeeze, broadcast, tile."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .axes import (
    as_shape,
    filled_shape,
    normal_axes,
    normal_axis,
    normal_permutation,
    sized,
    stretched_shape,
)  # fmt: skip
from .shapes import shaped


@op(names=("reshape", "Tensor.reshape", "Tensor.view", "mint.reshape"))
class Reshape:
    """The same elements in another shape; one size may be -1.

    >>> ops.reshape(Tensor([1, 2, 3, 4]), (2, -1))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 2],
     [3, 4]])
    """

    def infer(x, *, shape):
        return shaped(x, filled_shape(shape, x.size))

    def compute(x, *, shape):
        return np.reshape(x, as_shape(shape))

    def bprop(x_, _out, dout):
        return (ops.reshape(dout, x_.shape),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"shape": (3, -1)}
        yield rng.uniform(-2, 2, (2, 3)).T, {"shape": (6,)}
        yield rng.uniform(-2, 2, (1, 1)), {"shape": ()}
        yield rng.uniform(-2, 2, (0, 3)), {"shape": (3, 0)}


@op(names=("transpose", "permute", "Tensor.transpose", "Tensor.permute", "mint.permute"), slot="T")
class Transpose:
    """The axes in another order; without ``perm``, reversed.

    >>> ops.transpose(Tensor([[1, 2]]), (1, 0))
    Tensor(shape=[2, 1], dtype=Int64, value=
    [[1],
     [2]])
    """

    def infer(x, *, perm):
        return shaped(x, tuple(x.shape[i] for i in normal_permutation(perm, x.ndim)))

    def compute(x, *, perm=None):
        return np.transpose(x, normal_permutation(perm, x.ndim))

    def bprop(x_, _out, dout, *, perm):
        axes = normal_permutation(perm, len(x_.shape))
        return (ops.transpose(dout, tuple(axes.index(i) for i in range(len(axes)))),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3, 4)), {"perm": (1, -1, 0)}
        yield (rng.uniform(-2, 2, (2, 3)),)
        yield rng.uniform(-2, 2, ()), {"perm": ()}
        yield rng.uniform(-2, 2, (0, 3)).T, {"perm": (1, 0)}


@op(names=("expand_dims", "unsqueeze", "Tensor.expand_dims", "Tensor.unsqueeze", "mint.unsqueeze"))
class ExpandDims:
    """A new axis of size 1 in front of ``axis``.

    >>> ops.expand_dims(Tensor([1, 2]), 0)
    Tensor(shape=[1, 2], dtype=Int64, value=
    [[1, 2]])
    """

    def infer(x, *, axis):
        place = normal_axis(axis, x.ndim, extra=1)
        return shaped(x, (*x.shape[:place], 1, *x.shape[place:]))

    def compute(x, *, axis):
        return np.expand_dims(x, axis)

    def bprop(x_, _out, dout):
        return (ops.reshape(dout, x_.shape),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)).T, {"axis": 1}
        yield rng.uniform(-2, 2, ()), {"axis": -1}
        yield rng.uniform(-2, 2, (0, 3)), {"axis": -1}


def _squeezable(shape, axis):
    wanted = normal_axes(axis, len(shape))
    return tuple(i for i in wanted if shape[i] == 1)


@op(names=("squeeze", "Tensor.squeeze", "mint.squeeze"))
class Squeeze:
    """Without the axes of size 1: all, or those of ``axis`` that have it.

    >>> ops.squeeze(Tensor([[1, 2]]))
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """

    def infer(x, *, axis):
        gone = _squeezable(x.shape, axis)
        return shaped(x, tuple(n for i, n in enumerate(x.shape) if i not in gone))

    def compute(x, *, axis=None):
        return np.squeeze(x, _squeezable(x.shape, axis))

    def bprop(x_, _out, dout):
        return (ops.reshape(dout, x_.shape),)

    def samples(rng):
        yield (rng.uniform(-2, 2, (1, 3, 1)),)
        yield rng.uniform(-2, 2, (1, 3, 1)), {"axis": -1}
        yield rng.uniform(-2, 2, (1, 3, 1)), {"axis": (0, 1)}
        yield (rng.uniform(-2, 2, ()),)


@op(names=("broadcast_to", "Tensor.broadcast_to", "mint.broadcast_to"))
class BroadcastTo:
    """x repeated along new axes and along axes of size 1; -1 keeps a size.

    >>> ops.broadcast_to(Tensor([1, 2]), (2, -1))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 2],
     [1, 2]])
    """

    def infer(x, *, shape):
        return shaped(x, stretched_shape(x.shape, shape))

    def compute(x, *, shape):
        return np.array(np.broadcast_to(x, stretched_shape(x.shape, shape)))

    def bprop(x_, _out, dout):
        return (ops.SumTo(dout, shape=x_.shape),)

    def samples(rng):
        yield rng.uniform(-2, 2, (3,)), {"shape": (2, 3)}
        yield rng.uniform(-2, 2, (2, 1)), {"shape": (4, -1, 3)}
        yield rng.uniform(-2, 2, ()), {"shape": (2,)}
        yield rng.uniform(-2, 2, (1, 3)), {"shape": (0, 3)}


@op(names=("tile", "Tensor.tile", "mint.tile"))
class Tile:
    """x laid out several times along each axis.

    >>> ops.tile(Tensor([1, 2]), (2,))
    Tensor(shape=[4], dtype=Int64, value= [1, 2, 1, 2])
    """

    def infer(x, *, dims):
        shape, times = _tiled(x.shape, sized(dims))
        return shaped(x, tuple(n * t for n, t in zip(shape, times, strict=True)))

    def compute(x, *, dims):
        return np.tile(x, as_shape(dims))

    def bprop(x_, _out, dout, *, dims):
        shape, times = _tiled(x_.shape, as_shape(dims))
        pairs = tuple(size for pair in zip(times, shape, strict=True) for size in pair)
        copies = ops.reshape(dout, pairs)
        return (
            ops.reshape(ops.ReduceSum(copies, axis=tuple(range(0, len(pairs), 2))), x_.shape)
            if pairs
            else dout,
        )

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"dims": (2, 1)}
        yield rng.uniform(-2, 2, (3, 2)).T, {"dims": (2, 1, 3)}
        yield rng.uniform(-2, 2, (2, 3)), {"dims": (2,)}
        yield rng.uniform(-2, 2, ()), {"dims": ()}


def _tiled(shape, times):
    """Shape and repetitions with the same number of axes: ones are put in front."""
    rank = max(len(shape), len(times))
    return (1,) * (rank - len(shape)) + tuple(shape), (1,) * (rank - len(times)) + tuple(times)


@op(names=("pad_with",))
class PadV3:
    """x with one value added around it: ``paddings`` says how often before and after, per axis.

    >>> ops.pad_with(Tensor([1, 2]), ((1, 0),))
    Tensor(shape=[3], dtype=Int64, value= [0, 1, 2])
    """

    def infer(x, *, paddings, value):
        if len(paddings) != x.ndim or any(n < 0 for pair in paddings for n in pair):
            raise errors.InvalidValue(
                "each axis needs two paddings of 0 or more.",
                given=f"{paddings} for a tensor of shape {list(x.shape)}",
                hint="Write ((before, after), ...), one pair per axis.",
            )
        return shaped(x, tuple(n + a + b for n, (a, b) in zip(x.shape, paddings, strict=True)))

    def compute(x, *, paddings, value=0):
        return np.pad(x, paddings, constant_values=x.dtype.type(value)) if x.ndim else x.copy()

    def bprop(x_, _out, dout, *, paddings):
        return (dout[tuple(slice(a, a + n) for n, (a, _) in zip(x_.shape, paddings, strict=True))],)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), {"paddings": ((1, 0), (0, 2)), "value": 9.0}
        yield rng.uniform(-2, 2, (3, 2)).T, {"paddings": ((0, 1), (0, 0))}
