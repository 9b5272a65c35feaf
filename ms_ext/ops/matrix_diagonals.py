"""Several diagonals of matrices at once: laid out (matrix_diag), read, and set.

Diagonal k lies k places right of the main one. Diagonals from ``k[0]`` to ``k[1]`` are the rows of
a stack, the uppermost first; shorter ones are padded at the end that ``align`` names, first for
those above the main diagonal, then for those below.
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .composite import composite

_ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def _number(value):
    """A Python number of a number or a tensor that holds one."""
    return value.asnumpy().reshape(-1)[0].item() if hasattr(value, "shape") else value


def _range(k):
    """(lowest, highest) diagonal of a number, a pair, or a tensor of one or two."""
    values = k.asnumpy().reshape(-1).tolist() if hasattr(k, "shape") else k
    several = tuple(values) if isinstance(values, tuple | list) else (values,)
    if len(several) not in (1, 2) or several[0] > several[-1]:
        raise errors.InvalidValue("k must be a number, or two in ascending order.", given=repr(k))
    return several[0], several[-1]


def _places(rows, columns, low, high, align):
    """For each diagonal and place in it the row and the column in the matrix; -1: padding."""
    if align not in _ALIGNMENTS:
        raise errors.InvalidValue(
            f"align must be one of {', '.join(map(repr, _ALIGNMENTS))}.", given=repr(align)
        )
    if not -rows < low <= high < columns and (rows, columns) != (0, 0):
        raise errors.InvalidValue(
            "a diagonal lies beside the matrix.", given=f"k {low}..{high} of {rows} x {columns}"
        )
    upper, lower = align.split("_")
    lengths = [min(rows + min(k, 0), columns - max(k, 0)) for k in range(high, low - 1, -1)]
    longest = max(lengths)
    row = np.full((len(lengths), longest), -1)
    column = row.copy()
    for i, length in enumerate(lengths):
        k = high - i
        side = upper if k >= 0 else lower
        first = longest - length if side == "RIGHT" else 0
        along = np.arange(length)
        row[i, first : first + length] = along - min(k, 0)
        column[i, first : first + length] = along + max(k, 0)
    return row, column


def _flat(x, axes):
    return ops.reshape(x, (*x.shape[: x.ndim - axes], -1))


@composite("matrix_diag_part", "Tensor.matrix_diag_part")
def matrix_diag_part(x, k, padding_value, align="RIGHT_LEFT"):
    """The diagonals ``k`` of matrices, padded with ``padding_value``.

    >>> ops.matrix_diag_part(Tensor([[1, 2], [3, 4]]), 0, 0)
    Tensor(shape=[2], dtype=Int64, value= [1, 4])
    """
    low, high = _range(k)
    row, column = _places(*x.shape[-2:], low, high, align)
    inside = row >= 0
    places = np.where(inside, row * x.shape[-1] + column, 0).reshape(-1)
    found = _flat(x, 2)[..., places]
    if not inside.all():
        mask = ops.reshape(Tensor(inside), (-1,))
        found = ops.where(mask, found, _number(padding_value))
    shape = row.shape if high > low else row.shape[1:]
    return ops.reshape(found, (*x.shape[:-2], *shape))


def _laid_out(diagonal, rows, columns, low, high, align):
    """The diagonals as matrices of their own, and where they lie in them."""
    row, column = _places(rows, columns, low, high, align)
    axes = 2 if high > low else 1
    if tuple(diagonal.shape[diagonal.ndim - axes :]) != row.shape[2 - axes :]:
        raise errors.InvalidValue(
            "the diagonals do not fit the matrix.",
            given=f"{list(diagonal.shape)}",
            hint=f"Their last sizes must be {list(row.shape[2 - axes :])}.",
        )
    source = np.zeros((rows, columns), np.int64)
    on = np.zeros((rows, columns), np.bool_)
    inside = row >= 0
    source[row[inside], column[inside]] = np.flatnonzero(inside)
    on[row[inside], column[inside]] = True
    flat = _flat(diagonal, axes)[..., source.reshape(-1)]
    lead = diagonal.shape[: diagonal.ndim - axes]
    return ops.reshape(flat, (*lead, rows, columns)), Tensor(on)


@composite("matrix_diag", "Tensor.matrix_diag")
def matrix_diag(x, k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"):
    """Matrices with x on their diagonals ``k``, and ``padding_value`` elsewhere.

    >>> ops.matrix_diag(Tensor([1, 2]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 0],
     [0, 2]])
    """
    low, high = _range(k)
    rows, columns = _matrix_size(x.shape[-1], low, high, _number(num_rows), _number(num_cols))
    matrix, on = _laid_out(x, rows, columns, low, high, align)
    return ops.where(on, matrix, _number(padding_value))


def _matrix_size(longest, low, high, rows, columns):
    """The smallest sizes that the diagonals fit into, where none is given."""
    least_rows, least_columns = longest - min(high, 0), longest + max(low, 0)
    if rows == -1 and columns == -1:
        size = max(least_rows, least_columns)
        return size, size
    return (least_rows if rows == -1 else rows), (least_columns if columns == -1 else columns)


@composite("matrix_set_diag", "Tensor.matrix_set_diag")
def matrix_set_diag(x, diagonal, k=0, align="RIGHT_LEFT"):
    """x with other numbers on its diagonals ``k``.

    >>> ops.matrix_set_diag(Tensor([[1, 2], [3, 4]]), Tensor([8, 9]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[8, 2],
     [3, 9]])
    """
    low, high = _range(k)
    matrix, on = _laid_out(diagonal, *x.shape[-2:], low, high, align)
    return ops.where(on, matrix, x)
