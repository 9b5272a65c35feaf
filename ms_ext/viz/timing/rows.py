"""Rows of somebody's own: (name, lane, start, end), as ``lanes`` and ``schedule`` take them."""

import math

from ...engine import errors


def checked(row, form, noun="slice"):
    """(name, lane, start, end, call) of a row; the call is 0 where the row names none.

    >>> checked(("load", "CopyIn", 0, 4), "(name, lane, start, end)")
    ('load', 'CopyIn', 0, 4, 0)
    """
    row = tuple(row)
    name, lane, start, end, call = (*row, 0)[:5] if 4 <= len(row) <= 5 else (0, 0, "", "", 0)
    wrong = ""
    if not all(isinstance(time, int | float) for time in (start, end)) or type(call) is not int:
        wrong = "A row names a lane and two times; a call is a whole number."
    elif not (math.isfinite(start) and 0 <= start <= end < math.inf):
        wrong = f"A {noun} runs from a start to an end, both from 0 on."
    if wrong:
        raise errors.InvalidValue(wrong, given=f"{row!r:.80}", hint=f"Give each row as {form}.")
    return str(name), str(lane), start, end, call
