"""``vmap``: a function of one example on a whole batch, example after example.

>>> from ms_ext import Tensor
>>> vmap(lambda x: x.sum())(Tensor([[1.0, 2.0], [3.0, 4.0]]))
Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  7.00000000e+00])
"""

from . import errors
from .tensor import Tensor


def vmap(fn, in_axes=0, out_axes=0, chunk_size=None):
    """``fn`` mapped over an axis of its inputs; its results are stacked.

    ``in_axes``: the axis of each input, None for one that every example gets whole; one number for
    all. ``out_axes``: where the new axis goes. ``chunk_size`` changes no result and is not needed.
    """

    def mapped(*args):
        axes = in_axes if isinstance(in_axes, tuple | list) else (in_axes,) * len(args)
        count = _count(args, axes)
        results = [fn(*_example(args, axes, i)) for i in range(count)]
        return _stacked(results, out_axes)

    return mapped


def _count(args, axes):
    """How many examples there are: the size that all mapped axes have."""
    if len(axes) != len(args):
        raise errors.InvalidValue(
            "For 'vmap', in_axes names an axis for each input.",
            given=f"{len(axes)} axes for {len(args)} inputs",
        )
    sizes = {x.shape[axis] for x, axis in zip(args, axes, strict=True) if axis is not None}
    if len(sizes) != 1:
        raise errors.InvalidValue(
            "For 'vmap', the mapped axes must have one size.", given=f"sizes {sorted(sizes)}"
        )
    return sizes.pop()


def _example(args, axes, i):
    return [x if axis is None else _taken(x, axis, i) for x, axis in zip(args, axes, strict=True)]


def _taken(x, axis, i):
    return x[(slice(None),) * (axis % len(x.shape)) + (i,)]


def _stacked(results, axis):
    from .. import ops

    if isinstance(results[0], tuple):
        return tuple([_stacked(list(each), axis) for each in zip(*results, strict=True)])
    return ops.stack([Tensor(r) if isinstance(r, int | float) else r for r in results], axis)
