"""What is in the three maps of one input: cells with a number, a strength and marks.

>>> import numpy as np
>>> from types import SimpleNamespace as Checked
>>> measured, returned = np.array([1.0, -2.0]), np.array([1.0, 2.0])
>>> found = maps(Checked(
...     name="x", passed=False, numeric=measured, analytic=returned, difference=returned - measured,
...     tolerance=0.1, at_kink=measured > 9, worst=(1,), cause="sign", sentence="Wrong sign."))
>>> [[cell.said for cell in row] for row in found.sheets[2].rows]
[['·', '4']]
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .shapes_cases import listed

ROWS, COLUMNS = 12, 12  # of a map that are shown
LEVELS = 5  # strengths of a colour


class Cell(NamedTuple):
    """One element: its number in a few characters and in full, -LEVELS to LEVELS, and its marks."""

    said: str
    whole: str
    level: int
    worst: bool = False
    off: bool = False  # further from what was measured than is allowed
    kink: bool = False  # the same, but where the function has a slope on each side


@dataclass(frozen=True)
class Sheet:
    """One map: what it is of, its rows of cells, and the places of its first row and column."""

    title: str
    rows: tuple
    first: tuple = (0, 0)
    note: str = ""  # in place of rows, or what is left out


@dataclass(frozen=True)
class Maps:
    """One input: what was found of it, and its three Sheets."""

    name: str
    shape: tuple
    passed: bool
    cause: str
    sentence: str
    sheets: tuple
    worst: str = ""  # a sentence about the worst element


def maps(checked):
    """The Maps of one input of a result of ``ms.gradcheck``."""
    numeric, worst = checked.numeric, None if checked.passed else checked.worst
    window, scale = _window(numeric.shape, worst), _scale(numeric, checked.analytic)
    sheets = (
        _sheet("measured (numeric)", numeric, window, scale, worst),
        _returned(checked, window, scale, worst),
        _apart(checked, window, scale, worst),
    )
    return Maps(
        checked.name, tuple(numeric.shape), bool(checked.passed), checked.cause or "",
        checked.sentence, sheets, _worst(checked),
    )  # fmt: skip


def _returned(checked, window, scale, worst):
    title, analytic = "returned (analytic)", checked.analytic
    if analytic is None:
        return Sheet(title, (), note="None: nothing flows back")
    if analytic.shape == checked.numeric.shape:
        return _sheet(title, analytic, window, scale, worst)
    return _sheet(title, analytic, _window(analytic.shape, None), scale, None)


def _apart(checked, window, scale, worst):
    title, difference = "difference", checked.difference
    if difference is None:
        kinds = [_kind(each) for each in (checked.analytic, checked.numeric)]
        return Sheet(title, (), note=f"none: {kinds[0]} beside {kinds[1]}")
    allowed = np.broadcast_to(np.asarray(checked.tolerance, np.float64), difference.shape)
    off = ~(np.abs(difference) <= allowed)
    return _sheet(title, difference, window, scale, worst, (off, checked.at_kink))


def _kind(array):
    return "None" if array is None else f"[{listed(array.shape)}]"


def _scale(*arrays):
    """The largest finite size of all: the strongest colour."""
    sizes = [np.abs(a[np.isfinite(a)]).max(initial=0.0) for a in arrays if a is not None]
    return float(max(sizes)) or 1.0


# one map ------------------------------------------------------------------------------------------


def _flat(shape):
    """Rows and columns of an array laid out as a table: the last axis goes to the right."""
    if len(shape) < 2:
        return 1, (shape[0] if shape else 1)
    return int(np.prod(shape[:-1])), shape[-1]


def _placed(index, shape):
    """(row, column) of an element of an array laid out as a table; None for None."""
    if index is None:
        return None
    return divmod(int(np.ravel_multi_index(index, shape)) if shape else 0, _flat(shape)[1])


def _window(shape, worst):
    """(first row, first column) of what is shown: the beginning, or what is around the worst."""
    rows, columns = _flat(shape)
    if worst is None or 0 in shape:
        return 0, 0
    row, column = _placed(worst, shape)
    return (
        min(max(0, row - ROWS // 2), max(0, rows - ROWS)),
        min(max(0, column - COLUMNS // 2), max(0, columns - COLUMNS)),
    )


def _sheet(title, array, window, scale, worst, marks=None):
    """A Sheet of an array; ``marks``: where a difference is too large, and where at a kink.

    With marks, what is not too large is shown as a point.
    """
    if array.size == 0:
        return Sheet(title, (), note=f"[{listed(array.shape)}] has no element")
    size = _flat(array.shape)
    table, placed = array.reshape(size), _placed(worst, array.shape)
    off, kinks = (each.reshape(size) for each in marks) if marks else (None, None)
    (top, left), rows = window, []
    for row in range(top, min(top + ROWS, size[0])):
        places = [(row, column) for column in range(left, min(left + COLUMNS, size[1]))]
        rows.append(
            tuple(
                _cell(table[at], scale, at == placed, off is not None and (off[at], kinks[at]))
                for at in places
            )
        )
    return Sheet(title, tuple(rows), window, _left_out(array.shape, size, rows))


def _left_out(shape, size, rows):
    shown = len(rows), len(rows[0])
    said = []
    if shown != size:
        said.append(f"{shown[0]} of {size[0]} rows, {shown[1]} of {size[1]} columns")
    if len(shape) > 2:
        said.append(f"[{listed(shape)}] as rows of the last axis")
    return "; ".join(said)


def _cell(value, scale, worst, marks):
    number = float(value) + 0.0  # no -0
    whole = f"{number:.6g}"
    off, kink = marks or (False, False)
    if marks and not off:
        return Cell("·", whole, 0, worst)
    level = _level(number, scale)
    return Cell(short(number), whole, level, worst, bool(off and not kink), bool(kink))


def _level(number, scale):
    """How strong a colour is, with the number's sign; 0 for what is no number."""
    if np.isnan(number):
        return 0
    size = min(int(np.ceil(LEVELS * min(abs(number) / scale, 1.0))), LEVELS)
    return -size if number < 0 else size


def short(number):
    """A number in at most seven characters.

    >>> short(-0.123456), short(9999.3), short(123456.0), short(1e-9), short(float("nan"))
    ('-0.123', '9999', '1.2e+05', '1e-09', 'nan')
    """
    if 1e3 <= abs(number) < 1e5:
        return f"{number:.0f}"
    return f"{number:.2g}" if abs(number) >= 1e5 or 0 < abs(number) < 1e-3 else f"{number:.3g}"


def _worst(checked):
    """Where the two are furthest apart, and what stands there."""
    if checked.worst is None or checked.difference is None:
        return ""
    at = tuple(int(each) for each in checked.worst)
    measured = float(checked.numeric[at])
    returned = measured + float(checked.difference[at])  # None counts as zeros
    allowed = float(np.broadcast_to(np.asarray(checked.tolerance), checked.numeric.shape)[at])
    apart = short(abs(returned - measured))
    if checked.passed:
        return f"at most {apart} apart, {allowed:.1g} is allowed"
    place = f" at [{listed(at)}]" if at else ""
    far = f" by {apart}" if np.isfinite(returned - measured) else ""
    return (
        f"furthest apart{place}{far}: measured {measured:.5g}, returned {returned:.5g}; "
        f"{allowed:.1g} is allowed"
    )
