"""How do values become a row, and rows a block? One array per column, NumPy's all the way.

>>> as_row(3), as_row((1, [2.0, 3.0]))
((array(3),), (array(1), array([2., 3.])))
>>> gathered([as_row(1), as_row(2)])
(array([1, 2]),)
"""

import numpy as np

from .. import errors

_NO_TENSOR = "OcmM"  # objects, complex numbers, times and dates
_ONE_COLUMN = (int, float, str, bytes, np.ndarray, np.generic, dict)


def as_row(value):
    """What a source gave, as a row: several columns if it is a tuple or another sequence."""
    if isinstance(value, _ONE_COLUMN) or hasattr(value, "asnumpy"):
        return (as_array(value),)
    try:
        items = list(value)
    except TypeError:
        raise unusable(value) from None
    return tuple(as_array(item, f"item {i} of a row") for i, item in enumerate(items))


def as_array(value, what="a row"):
    """One column of a row: an array, or a dict as it is."""
    if isinstance(value, np.ndarray) and value.dtype.kind not in _NO_TENSOR:
        return value
    if isinstance(value, dict):
        return value
    if hasattr(value, "asnumpy"):
        return value.asnumpy()
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        raise unusable(value, what) from None
    if array.dtype.kind in _NO_TENSOR:
        raise unusable(value, what)
    return array


def unusable(value, what="a row"):
    """The error for something that no array can hold."""
    return errors.InvalidType(
        f"The data type of {what} is expected to be int, float, bool or str, or an array of them.",
        given=f"{value!r:.60} of type {type(value).__name__}",
        hint="Give NumPy arrays, numbers or texts; lists inside must have equal lengths.",
    )


def gathered(rows):
    """Rows as a block: one array per column with the rows along its first axis.

    A column whose rows do not fit together stays a list.

    >>> import numpy as np
    >>> gathered([(np.ones(1), np.array(1)), (np.ones(2), np.array(2))])
    ([array([1.]), array([1., 1.])], array([1, 2]))
    """
    return tuple(_one(list(column)) for column in zip(*rows, strict=True))


def _one(column):
    return np.stack(column) if misfit(column) is None else column


def misfit(column):
    """The first row that does not fit the first one, or None."""
    first = column[0]
    if not isinstance(first, np.ndarray):
        return first
    dtype, shape, text = first.dtype, first.shape, first.dtype.kind in "US"
    for each in column:
        if not isinstance(each, np.ndarray) or each.shape != shape:
            return each
        if each.dtype != dtype and not (text and each.dtype.kind == dtype.kind):
            return each
    return None


def scattered(block):
    """The rows of a block.

    >>> import numpy as np
    >>> scattered((np.array([1, 2]), np.array([3, 4])))[1]
    (array(2), array(4))
    """
    return list(zip(*map(_rows_of, block), strict=True))


def _rows_of(column):
    if isinstance(column, np.ndarray):
        return [np.asarray(each) for each in column] if column.ndim == 1 else list(column)
    return column
