"""Products along axes, and running sums."""

import math

import numpy as np

from .. import ops
from ..engine.primitive import op
from .axes import normal_axes, normal_axis
from .precision import like, widened
from .reductions import accumulate, accumulated, as_many, reduced, reduction_samples, wide
from .shapes import needs_number, numeric


@op(names=("prod", "Tensor.prod", "mint.prod"))
class ProdExt:
    """The product along axes; integers and bools multiply to Int64.

    >>> ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1)
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  1.20000000e+01])
    """

    infer = accumulated
    samples = reduction_samples
    cost = as_many

    def compute(x, *, axis=None, keep_dims=False, dtype=None):
        return accumulate(np.prod, x, axis, keep_dims, dtype)

    def bprop(x, _out, dout, *, axis):
        return (_product_gradient(x, dout, axis),)


@op()
class ReduceProd:
    """The product along axes in the dtype of x: the primitive with ``keep_dims``.

    >>> ops.ReduceProd()(Tensor([2.0, 3.0]))
    Tensor(shape=[], dtype=Float32, value= 6)
    """

    infer = reduced
    samples = reduction_samples
    cost = as_many
    constructor = ("keep_dims",)

    def compute(x, *, axis=(), keep_dims=False):
        wide = widened(x)
        return like(
            np.prod(wide, normal_axes(axis, x.ndim), keepdims=keep_dims, dtype=wide.dtype), x
        )

    def bprop(x, _out, dout, *, axis):
        return (_product_gradient(x, dout, axis),)


def _product_gradient(x, dout, axis):
    """``dout`` times the product of all *other* elements; no division, so zeros are no trouble.

    Pairs are multiplied, then pairs of pairs, up to one product; on the way back each half of a
    pair gets what arrives, times the other half.
    """
    rank, axes = len(x.shape), normal_axes(axis, len(x.shape))
    if not axes:
        return ops.reshape(dout, x.shape)
    dout = wide(dout)  # a product of two half floats may leave their range, that of all not
    x = x if x.dtype is dout.dtype else ops.cast(x, dout.dtype)
    kept = tuple(i for i in range(rank) if i not in axes)
    order = (*kept, *axes)
    count = math.prod(x.shape[i] for i in axes)
    moved = ops.transpose(x, order)
    lines = ops.reshape(moved, (*(x.shape[i] for i in kept), count))
    back = ops.reshape(dout, (*(x.shape[i] for i in kept), 1))
    inverse = tuple(order.index(i) for i in range(rank))
    return ops.transpose(ops.reshape(_back_down(*_pairs(lines), back), moved.shape), inverse)


def _pairs(line):
    """The halves multiplied at each level, and how many elements there were."""
    levels, counts = [], []
    while line.shape[-1] > 1:
        counts.append(line.shape[-1])
        if line.shape[-1] % 2:
            line = ops.concat((line, ops.ones_like(line[..., :1])), axis=-1)
        levels.append((line[..., 0::2], line[..., 1::2]))
        line = levels[-1][0] * levels[-1][1]
    return levels, counts, line


def _back_down(levels, counts, top, back):
    if top.shape[-1] == 0:
        return top
    for (left, right), count in zip(reversed(levels), reversed(counts), strict=True):
        both = ops.stack((back * right, back * left), axis=-1)
        back = ops.reshape(both, (*left.shape[:-1], 2 * left.shape[-1]))[..., :count]
    return back


def _running(x, *, axis, exclusive, reverse):
    normal_axis(axis, x.ndim)
    return x


@op()
class CumSum:
    """Running sums along an axis. ``exclusive``: without the element; ``reverse``: from the end.

    >>> ops.CumSum()(Tensor([1.0, 2.0, 3.0]), 0)
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00,  6.00000000e+00])
    """

    infer = numeric(_running)
    cost = as_many
    constructor = ("exclusive", "reverse")

    def compute(x, *, axis=0, exclusive=False, reverse=False):
        needs_number(x)
        wide = widened(x)
        line = np.flip(wide, axis) if reverse else wide
        total = np.cumsum(line, axis, dtype=wide.dtype)
        total = total - line if exclusive else total
        return like(np.flip(total, axis).copy() if reverse else total, x)

    def bprop(_x, _out, dout, *, axis, exclusive, reverse):
        return (ops.CumSum(dout, axis=axis, exclusive=exclusive, reverse=not reverse),)

    def samples(rng):
        yield rng.uniform(-2, 2, (4,)), {"axis": 0}
        yield rng.uniform(-2, 2, (3, 2)).T, {"axis": 1, "exclusive": True}
        yield rng.uniform(-2, 2, (2, 3)), {"axis": -1, "reverse": True}
        yield rng.uniform(-2, 2, (0, 3)), {"axis": 0}
