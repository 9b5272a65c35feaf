"""What loops keep on stacks, before and after a pass: rows for the strip of numbers.

>>> from ms_ext.engine.ir import Stacked
>>> old = (Stacked(7, "For", 24, 1000, False), Stacked(9, "While", 8, None, False))
>>> new = (Stacked(7, "For", 8, 1000, False), Stacked(9, "While", 8, None, False))
>>> for row in rows(old, new):
...     print(row.name, row.shown)
kept a turn 32 → 16 B
kept by For %7 24 → 8 B a turn, 24.00 → 8.00 kB in 1 000 turns
kept by While %9 8 B a turn
"""

from typing import NamedTuple

from .amounts import both, number, size

_LOOPS = 4  # that have a row of their own
_SUM = "bytes that all loops put on stacks in a turn, for the way back to read"
_LOOP = "what this loop puts on stacks in a turn, for the way back to read, and in all its turns"
_INSIDE = f"{_LOOP}; the loop around it may keep that in turn"


class Row(NamedTuple):
    """One row: two amounts, ``before`` None where there is only one, and how they are shown."""

    name: str
    before: int | None
    after: int
    meaning: str
    shown: str


def rows(before, after):
    """The rows of two tuples of ``Stacked``; ``before`` None: of one. None if no loop stacks."""
    known = None if before is None else {each.loop: each for each in before}
    now = {each.loop: each for each in after}
    loops = {**(known or {}), **now}
    heavy = sorted(loops, key=lambda loop: -(loops[loop].turn or 0))[:_LOOPS]
    found = [_loop(loops[loop], known, now) for loop in heavy]
    several = sum(not each.inside for each in loops.values()) > 1
    return [_sum(before, after), *found] if several else found


def _sum(before, after):
    """The sum over the loops that no other loop runs: what those stack is among it."""
    old, new = (None if before is None else _turns(before)), _turns(after)
    return Row("kept a turn", old, new, _SUM, _shown(old, new))


def _turns(loops):
    return sum([each.turn or 0 for each in loops if not each.inside])


def _loop(each, known, now):
    old, new = _of("turn", each, known), _of("turn", each, now)
    if each.turn is None:
        shown = "of no size known before"
    elif each.turns is None:
        shown = f"{_shown(old, new)} a turn"
    else:
        whole = _shown(_of("total", each, known), _of("total", each, now))
        shown = f"{_shown(old, new)} a turn, {whole} in {number(each.turns)} turns"
    meaning = _INSIDE if each.inside else _LOOP
    return Row(f"kept by {each.word} %{each.loop}", old, new or 0, meaning, shown)


def _of(field, each, loops):
    """An amount of this loop among some: 0 where it is not among them or unknown."""
    if loops is None:
        return None
    found = loops.get(each.loop)
    return 0 if found is None else getattr(found, field) or 0


def _shown(old, new):
    return size(new) if old in (None, new) else both(size, old, new)
