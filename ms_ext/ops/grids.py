"""Tensors side by side: meshgrid, hstack, vstack, block_diag, every combination."""

import itertools
import math

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from ..engine.tensor import Tensor
from .composite import composite
from .shapes import shaped


def _grid(xs, indexing):
    if indexing not in ("xy", "ij"):
        raise errors.InvalidValue("the indexing must be 'xy' or 'ij'.", given=repr(indexing))
    if not xs or any(x.ndim > 1 for x in xs):
        raise errors.InvalidValue(
            "each input must have one axis.", given=", ".join(str(list(x.shape)) for x in xs)
        )
    order = list(range(len(xs)))
    if indexing == "xy" and len(xs) > 1:
        order[:2] = 1, 0
    return order, tuple([math.prod(xs[i].shape) for i in order])


@op()
class Meshgrid:
    """Every combination of coordinates: one tensor per line, each with an axis for every line.

    >>> ops.Meshgrid(indexing="ij")((Tensor([1, 2]), Tensor([5])))[0]
    Tensor(shape=[2, 1], dtype=Int64, value=
    [[1],
     [2]])
    """

    outputs = None

    def infer(*xs, indexing):
        shape = _grid(xs, indexing)[1]
        return tuple([shaped(x, shape) for x in xs])

    def compute(*xs, indexing="xy"):
        _grid(xs, indexing)
        return tuple([np.array(x) for x in np.meshgrid(*xs, indexing=indexing)])

    def bprop(xs_, _out, dout, *, indexing):
        order = _grid(xs_, indexing)[0]
        back = []
        for place, (x, d) in enumerate(zip(xs_, dout, strict=True)):
            others = tuple([i for i in range(len(xs_)) if i != order.index(place)])
            total = ops.ReduceSum(d, axis=others) if others else d
            back.append(ops.reshape(total, x.shape))
        return tuple(back)

    def samples(rng):
        yield rng.uniform(-2, 2, (2,)), rng.uniform(-2, 2, (3,))
        yield rng.uniform(-2, 2, (2,)), rng.uniform(-2, 2, ()), {"indexing": "ij"}
        yield rng.uniform(-2, 2, (2,)), rng.uniform(-2, 2, (3,)), rng.uniform(-2, 2, (2,))


@composite("meshgrid")
def meshgrid(*inputs, indexing="xy"):
    """Every combination of coordinates: one tensor per line, each with an axis for every line.

    >>> ops.meshgrid(Tensor([1, 2]), Tensor([5]))[0]
    Tensor(shape=[1, 2], dtype=Int64, value=
    [[1, 2]])
    """
    return ops.Meshgrid(_listed(inputs), indexing=indexing)


@composite("mint.meshgrid")
def meshgrid_ext(*tensors, indexing=None):
    """Every combination of coordinates; the first line's axis comes first unless "xy" is asked for.

    >>> mint.meshgrid(Tensor([1, 2]), Tensor([5]))[0].shape
    (2, 1)
    """
    return ops.Meshgrid(_listed(tensors), indexing=indexing or "ij")


def _listed(tensors):
    """The tensors, also where they were given as one list."""
    one = len(tensors) == 1 and isinstance(tensors[0], tuple | list)
    return tuple(tensors[0]) if one else tensors


def _several(tensors):
    if not isinstance(tensors, tuple | list):
        raise errors.InvalidType(
            "the input must be a tuple or list of tensors.", given=type(tensors).__name__
        )
    if not tensors:
        raise errors.InvalidValue("there must be one tensor at least.", given="none")
    return tuple(tensors)


def _each(inputs, change):
    """``change`` of a tensor, or of each of a tuple or list."""
    if not isinstance(inputs, tuple | list):
        return change(inputs)
    for each in inputs:
        if not hasattr(each, "ndim"):
            raise errors.InvalidType("each input must be a tensor.", given=type(each).__name__)
    return tuple([change(x) for x in inputs])


@composite("atleast_1d")
def atleast_1d(inputs):
    """A tensor, or each of several, with one axis at least.

    >>> ops.atleast_1d(Tensor(1)).shape
    (1,)
    """
    return _each(inputs, lambda x: x if x.ndim else ops.reshape(x, (1,)))


@composite("atleast_2d")
def atleast_2d(inputs):
    """A tensor, or each of several, with two axes at least: a line is a row.

    >>> ops.atleast_2d(Tensor([1, 2])).shape
    (1, 2)
    """
    return _each(inputs, _as_row)


def _as_row(x):
    return x if x.ndim > 1 else ops.reshape(x, (1, math.prod(x.shape)))


@composite("atleast_3d")
def atleast_3d(inputs):
    """A tensor, or each of several, with three axes at least: a line lies along the middle one.

    >>> ops.atleast_3d(Tensor([1, 2])).shape
    (1, 2, 1)
    """
    return _each(inputs, _as_block)


def _as_block(x):
    return x if x.ndim > 2 else ops.expand_dims(_as_row(x), 2)


@composite("hstack", "mint.hstack")
def hstack(tensors):
    """Tensors joined from left to right.

    >>> ops.hstack((Tensor([1]), Tensor([2, 3])))
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 3])
    """
    parts = atleast_1d(_several(tensors))
    return ops.concat(parts, 0 if parts[0].ndim == 1 else 1)


@composite("vstack", "row_stack", "mint.vstack")
def vstack(inputs):
    """Tensors joined from top to bottom; a line is a row.

    >>> ops.vstack((Tensor([1, 2]), Tensor([3, 4])))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 2],
     [3, 4]])
    """
    return ops.concat(atleast_2d(_several(inputs)), 0)


@composite("dstack", "mint.dstack")
def dstack(tensors):
    """Tensors joined along the third axis.

    >>> ops.dstack((Tensor([1, 2]), Tensor([3, 4]))).shape
    (1, 2, 2)
    """
    return ops.concat(atleast_3d(_several(tensors)), 2)


@composite("column_stack", "mint.column_stack")
def column_stack(tensors):
    """Lines as the columns of a matrix; matrices are joined from left to right.

    >>> ops.column_stack((Tensor([1, 2]), Tensor([3, 4])))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 3],
     [2, 4]])
    """
    parts = [x if x.ndim > 1 else ops.reshape(x, (-1, 1)) for x in _several(tensors)]
    return ops.concat(tuple(parts), 1)


@composite("block_diag", "mint.block_diag")
def block_diag(*inputs):
    """Matrices along the diagonal of a larger one, zeros elsewhere.

    >>> ops.block_diag(Tensor([[1, 2]]), Tensor([[3]]))
    Tensor(shape=[2, 3], dtype=Int64, value=
    [[1, 2, 0],
     [0, 0, 3]])
    """
    if not inputs:
        raise errors.ShapeMismatch("there must be one tensor at least.", given="none")
    if any(x.ndim > 2 for x in inputs):
        raise errors.InvalidValue("each tensor must have two axes at most.", given="more")
    blocks = [_as_row(x) for x in inputs]
    width, left, rows = sum(b.shape[1] for b in blocks), 0, []
    for block in blocks:
        right = width - left - block.shape[1]
        rows.append(ops.PadV3(block, paddings=((0, 0), (left, right))))
        left += block.shape[1]
    return ops.concat(tuple(rows), 0)


@composite("cartesian_prod")
def cartesian_prod(*inputs):
    """Every combination of one element from each line, as the rows of a matrix.

    >>> ops.cartesian_prod(Tensor([1, 2]), Tensor([5, 6])).shape
    (4, 2)
    """
    columns = ops.Meshgrid(_listed(inputs), indexing="ij")
    return ops.stack(tuple([ops.reshape(c, (-1,)) for c in columns]), -1)


@composite("combinations")
def combinations(input, r=2, with_replacement=False):
    """Every choice of r elements of a line, in order, as the rows of a matrix.

    >>> ops.combinations(Tensor([1, 2, 3])).shape
    (3, 2)
    """
    if input.ndim != 1:
        raise errors.InvalidValue("the input must have one axis.", given=str(input.shape))
    if r < 0:
        raise errors.InvalidValue("r must be 0 or more.", given=f"r {r}")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = list(choose(range(input.shape[0]), r))
    if not rows or not r:
        return input[0:0]
    return ops.gather(input, Tensor(np.array(rows)), 0)
