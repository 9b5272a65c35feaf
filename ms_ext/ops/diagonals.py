"""Diagonals of matrices: taken, made, summed, written; and the indices of triangles."""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .axes import normal_axis
from .composite import composite
from .shapes import as_dtype


def _moved_last(rank, dim1, dim2):
    """The order of axes that puts two dimensions last."""
    one, other = normal_axis(dim1, rank), normal_axis(dim2, rank)
    if one == other:
        raise errors.InvalidValue("the two dimensions must differ.", given=f"{dim1} and {dim2}")
    return (*[i for i in range(rank) if i not in (one, other)], one, other)


def _places(rows, columns, offset):
    """Where a diagonal lies among the elements of a matrix on one line: a slice."""
    count = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    first = offset if offset >= 0 else -offset * columns
    return slice(first, first + count * (columns + 1), columns + 1) if count else slice(0, 0)


def _flat(x):
    return ops.reshape(x, (*x.shape[:-2], x.shape[-2] * x.shape[-1]))


@composite("diagonal")
def diagonal(input, offset=0, dim1=0, dim2=1):
    """The diagonals of the matrices in two dimensions, as the last axis.

    >>> ops.diagonal(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[2], dtype=Int64, value= [1, 4])
    """
    moved = ops.transpose(input, _moved_last(input.ndim, dim1, dim2))
    return _flat(moved)[(..., _places(*moved.shape[-2:], offset))]


@composite("Tensor.diagonal")
def diagonal_of(self, offset=0, axis1=0, axis2=1):
    """The diagonals of the matrices in two axes, as the last axis.

    >>> Tensor([[1, 2], [3, 4]]).diagonal(1)
    Tensor(shape=[1], dtype=Int64, value= [2])
    """
    return diagonal(self, offset, axis1, axis2)


@composite("diag_embed", "mint.diag_embed")
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    """Matrices of zeros with the last axis of the input on their diagonals.

    >>> ops.diag_embed(Tensor([1, 2]), 1).shape
    (3, 3)
    """
    size, rank = input.shape[-1] + abs(offset), input.ndim + 1
    order = _moved_last(rank, dim1, dim2)
    zeros = ops.zeros((*input.shape[:-1], size * size), input.dtype)
    flat = ops.TensorSet(zeros, input, index=(..., _places(size, size, offset)))
    square = ops.reshape(flat, (*input.shape[:-1], size, size))
    return ops.transpose(square, tuple([order.index(i) for i in range(rank)]))


@composite("diagonal_scatter", "Tensor.diagonal_scatter")
def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """A copy of the input with ``src`` on the diagonals of the matrices in two dimensions.

    >>> ops.diagonal_scatter(ops.zeros((2, 2), ms.int32), Tensor([1, 2], ms.int32))
    Tensor(shape=[2, 2], dtype=Int32, value=
    [[1, 0],
     [0, 2]])
    """
    order = _moved_last(input.ndim, dim1, dim2)
    moved = ops.transpose(input, order)
    place = _places(*moved.shape[-2:], offset)
    flat = _flat(moved)
    if src.shape != flat[(..., place)].shape:
        raise errors.InvalidValue(
            "src must have the shape of the diagonal.", given=f"{src.shape} for {input.shape}"
        )
    written = ops.reshape(ops.TensorSet(flat, src, index=(..., place)), moved.shape)
    return ops.transpose(written, tuple([order.index(i) for i in range(input.ndim)]))


@composite("diag", "Tensor.diag")
def diag(input):
    """The input on the diagonal of zeros with twice as many axes.

    >>> ops.diag(Tensor([1, 2]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 0],
     [0, 2]])
    """
    if input.ndim == 0:
        raise errors.InvalidValue("the input must have one axis at least.", given="none")
    flat = ops.reshape(input, (math.prod(input.shape),))
    return ops.reshape(diag_embed(flat), (*input.shape, *input.shape))


@composite("mint.diag")
def diag_ext(input, diagonal=0):
    """A line becomes a diagonal of a matrix; of a matrix, the diagonal is taken.

    >>> mint.diag(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[2], dtype=Int64, value= [1, 4])
    """
    if input.ndim not in (1, 2):
        raise errors.InvalidValue("the input must have one or two axes.", given=str(input.shape))
    return diag_embed(input, diagonal) if input.ndim == 1 else _diagonal(input, diagonal)


def _diagonal(x, offset):
    return diagonal(x, offset)


@composite("Diag")
class Diag:
    """The primitive of ``ops.diag``.

    >>> ops.Diag()(Tensor([1, 2])).shape
    (2, 2)
    """

    def __new__(cls):
        return diag


@composite("Diagonal")
class Diagonal:
    """The primitive of ``ops.diagonal``.

    >>> ops.Diagonal(offset=1)(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[1], dtype=Int64, value= [2])
    """

    def __new__(cls, offset=0, dim1=0, dim2=1):
        return ops.partial(diagonal, offset=offset, dim1=dim1, dim2=dim2)


@composite("diagflat", "Tensor.diagflat")
def diagflat(input, offset=0):
    """All elements on a diagonal of a matrix.

    >>> ops.diagflat(Tensor([[1, 2], [3, 4]])).shape
    (4, 4)
    """
    return diag_embed(ops.reshape(input, (math.prod(input.shape),)), offset)


@composite("trace")
def trace(input):
    """The sum of the diagonal of a matrix, in its dtype.

    >>> ops.trace(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[], dtype=Int64, value= 5)
    """
    if input.ndim != 2:
        raise errors.ShapeMismatch("the input must have two axes.", given=str(input.shape))
    return ops.ReduceSum(diagonal(input), axis=0)


@composite("Tensor.trace")
def trace_of(self, offset=0, axis1=0, axis2=1, dtype=None):
    """The sums of the diagonals of the matrices in two axes.

    >>> Tensor([[1, 2], [3, 4]]).trace(1)
    Tensor(shape=[], dtype=Int64, value= 2)
    """
    total = ops.ReduceSum(diagonal(self, offset, axis1, axis2), axis=-1)
    return total if dtype is None else ops.cast(total, as_dtype(dtype))


@composite("Trace")
class Trace:
    """The primitive of ``ops.trace``.

    >>> ops.Trace()(Tensor([[1, 2], [3, 4]]))
    Tensor(shape=[], dtype=Int64, value= 5)
    """

    def __new__(cls):
        return trace


def _triangle(found, row, col, offset, dtype):
    for name, value in (("row", row), ("col", col)):
        if type(value) is not int:
            raise errors.InvalidType(f"{name} must be an int.", given=repr(value))
        if value < 0:
            raise errors.InvalidValue(f"{name} must be 0 or more.", given=str(value))
    return Tensor(np.array(found(row, offset, col)).astype(as_dtype(dtype).numpy))


@composite("tril_indices", "mint.tril_indices")
def tril_indices(row, col, offset=0, *, dtype=dtypes.int64):
    """Where the lower triangle of a matrix is: a line of rows and one of columns.

    >>> ops.tril_indices(2, 2)
    Tensor(shape=[2, 3], dtype=Int64, value=
    [[0, 1, 1],
     [0, 0, 1]])
    """
    return _triangle(np.tril_indices, row, col, offset, dtype)


@composite("triu_indices", "mint.triu_indices")
def triu_indices(row, col, offset=0, *, dtype=dtypes.int64):
    """Where the upper triangle of a matrix is: a line of rows and one of columns.

    >>> ops.triu_indices(2, 2)
    Tensor(shape=[2, 3], dtype=Int64, value=
    [[0, 0, 1],
     [0, 1, 1]])
    """
    return _triangle(np.triu_indices, row, col, offset, dtype)


@composite("TrilIndices")
class TrilIndices:
    """The primitive of ``ops.tril_indices``; Int32 unless a dtype is given.

    >>> ops.TrilIndices(2, 1)()
    Tensor(shape=[2, 2], dtype=Int32, value=
    [[0, 1],
     [0, 0]])
    """

    def __new__(cls, row, col, offset=0, dtype=dtypes.int32):
        return ops.partial(tril_indices, row, col, offset, dtype=dtype)


@composite("TriuIndices")
class TriuIndices:
    """The primitive of ``ops.triu_indices``; Int32 unless a dtype is given.

    >>> ops.TriuIndices(2, 1)()
    Tensor(shape=[2, 1], dtype=Int32, value=
    [[0],
     [0]])
    """

    def __new__(cls, row, col, offset=0, dtype=dtypes.int32):
        return ops.partial(triu_indices, row, col, offset, dtype=dtype)


@composite("matrix_band_part", "Tensor.matrix_band_part")
def matrix_band_part(x, lower, upper):
    """The matrices with zeros but on ``lower`` diagonals below the main one and ``upper`` above it.

    A negative number keeps the whole triangle.

    >>> ops.matrix_band_part(ops.ones((2, 2), ms.int32), 0, -1)
    Tensor(shape=[2, 2], dtype=Int32, value=
    [[1, 1],
     [0, 1]])
    """
    rows, columns = x.shape[-2:]
    distance = np.arange(columns) - np.arange(rows)[:, None]
    kept = ((distance <= upper) | (upper < 0)) & ((-distance <= lower) | (lower < 0))
    return ops.where(Tensor(kept), x, ops.zeros((), x.dtype))
