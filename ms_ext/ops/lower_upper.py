"""Triangles of a matrix, as an LU decomposition gives them; and the adjoint."""

from .. import ops
from ..engine import errors
from .composite import composite
from .square_matrices import square, turned


@composite("adjoint", "Tensor.adjoint")
def adjoint(x):
    """The last two axes change places; complex numbers would be conjugated.

    >>> ops.adjoint(ops.ones((4, 2, 3))).shape
    (4, 3, 2)
    """
    if x.ndim < 2:
        raise errors.InvalidValue("x must have two axes or more.", given=f"{list(x.shape)}")
    return turned(x)


def _rows_swapped(pivots, rows):
    """The order of the rows after row i has changed places with row pivots[i] - 1, for each i."""
    places = order = ops.arange(rows)
    for i in range(pivots.shape[0]):
        other = ops.cast(pivots[i], order.dtype) - 1
        found = ops.ReduceSum(ops.where(places == other, order, 0))
        order = ops.where(places == i, found, ops.where(places == other, order[i], order))
    return order


def _fits(data, pivots):
    if data.ndim != 2 or pivots.ndim != 1 or pivots.shape[0] != min(data.shape):
        raise errors.InvalidValue(
            "there must be one matrix, and a pivot for each of its diagonal elements.",
            given=f"{list(data.shape)} and {list(pivots.shape)}",
        )


@composite("lu_unpack")
def lu_unpack(LU_data, LU_pivots, unpack_data=True, unpack_pivots=True):  # noqa: N803
    """(P, L, U) of a matrix P @ L @ U, packed into one and its pivots; None for what is not asked.

    >>> ops.lu_unpack(Tensor([[2.0, 1.0], [0.5, 3.0]]), Tensor([2, 2]))[1]
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 1.00000000e+00,  0.00000000e+00],
     [ 5.00000000e-01,  1.00000000e+00]])
    """
    _fits(LU_data, LU_pivots)
    rows, columns = LU_data.shape
    least = min(rows, columns)
    places = lower = upper = None
    if unpack_pivots:
        order = _rows_swapped(LU_pivots, rows)
        places = ops.cast(ops.expand_dims(ops.arange(rows), -1) == order, LU_data.dtype)
    if unpack_data:
        lower = ops.tril(LU_data[:, :least], -1) + ops.eye(rows, least, LU_data.dtype)
        upper = ops.triu(LU_data[:least])
    return places, lower, upper


@composite("lu_solve", "Tensor.lu_solve")
def lu_solve(b, LU_data, LU_pivots):  # noqa: N803
    """The X of A @ X = b, for an A that is given by its LU decomposition.

    >>> ops.lu_solve(Tensor([[2.0], [3.0]]), Tensor([[2.0, 1.0], [0.5, 3.0]]), Tensor([1, 2]))
    Tensor(shape=[2, 1], dtype=Float32, value=
    [[ 6.66666687e-01],
     [ 6.66666687e-01]])
    """
    square(LU_data)
    _fits(LU_data, LU_pivots)
    order = _rows_swapped(LU_pivots, LU_data.shape[0])
    _, lower, upper = lu_unpack(LU_data, LU_pivots, unpack_pivots=False)
    return ops.matrix_solve(upper, ops.matrix_solve(lower, ops.gather(b, order, 0)))
