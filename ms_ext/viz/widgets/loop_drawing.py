"""The picture of a loop: turns from left to right, its stacks below, below them who goes back.

Every turn is a column: the box of the loop, a cell in each stack, a box of each loop that reads.
Boxes show what a turn begins with; what comes out at the end of a loop stands at its end.
"""

import math
from typing import NamedTuple

from ..assets import style
from ..drawing import labels
from ..markup import classes, tag, text
from . import loop_words as words

_PAD, _GAP, _ROW, _LINE, _SMALL, _LINES = 14, 18, 26, 14, 10.5, 3
_HEAD, _APART, _NAME = 22, 26, 26  # the last: characters of a name


class _Grid(NamedTuple):
    """Where columns are: of the names, of the ends at both sides, of the turns."""

    names: int
    ends: int
    wide: int
    turns: list

    def left(self, column):
        """The left edge of a turn's column; -1 and one more than there are: the ends."""
        begin = _PAD + self.names + _GAP
        if column < 0:
            return begin
        return begin + self.ends + _GAP + column * (self.wide + _GAP)

    @property
    def width(self):
        """The width of the picture."""
        return self.left(len(self.turns)) + self.ends + _PAD


def svg(keeper, run, label):
    """The picture of one run of a loop as SVG with its own style."""
    turns = words.chosen(keeper.turns[run] if run < len(keeper.turns) else 0)
    lanes = (keeper.lane, *keeper.backs)
    numbers = {(at, turn): n for n, (at, turn, _) in enumerate(words.steps(keeper, run, turns))}
    grid = _grid(keeper, run, turns)
    inner, y = [_heads(grid)], _PAD + _HEAD
    tops = []
    drawn, y = _lane(grid, lanes[0], 0, run, numbers, y)
    stacks_at = y = y + _APART
    for column in keeper.columns:
        inner += _stack(grid, keeper, column, run, numbers, y)
        y += _ROW
    y += _APART if keeper.columns else 0
    for at, lane in enumerate(lanes[1:], 1):
        tops.append(y)
        more, y = _lane(grid, lane, at, run, numbers, y)
        drawn, y = drawn + more, y + 14
    wires = _wires(grid, keeper, numbers, stacks_at, tops)
    return _picture([*wires, *inner, *drawn], grid.width, y + _PAD - 14, label)


def _picture(inner, width, height, label):
    return tag(
        "svg",
        tag("style", style(".msx-loop", "loop.css")),
        *inner,
        class_="msx-loop",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {math.ceil(width)} {math.ceil(height)}",
        width=math.ceil(width),
        height=math.ceil(height),
        role="img",
        aria_label=label,
    )


def _grid(keeper, run, turns):
    shown = [turn for turn in turns if turn is not None]
    lines = [
        f"{name} {found}"
        for lane in (keeper.lane, *keeper.backs)
        for made in (words.turn_of(lane, run, turn) for turn in shown)
        if made is not None
        for name, found in words.arrives(lane, made) + words.leaves(lane, made)
    ]
    cells = [words.held(keeper, c, run, turn) for c in keeper.columns for turn in shown]
    wide = max([labels.mono(line, _SMALL) for line in [*lines, *cells]], default=0) + 16
    names = [labels.mono(_short(column), _SMALL) for column in keeper.columns]
    ends = max([labels.mono(line, _SMALL) for line in lines], default=0) + 16
    return _Grid(round(max([*names, 88.0])), round(max(ends, 40)), round(max(wide, 62)), turns)


def _heads(grid):
    heads = []
    for column, turn in enumerate(grid.turns):
        middle = grid.left(column) + grid.wide / 2
        said = "⋯" if turn is None else f"turn {turn}"
        heads.append(tag("text", said, x=middle, y=_PAD + 12, class_="head"))
    return tag("g", *heads)


# one loop ---------------------------------------------------------------------------------------


def _lane(grid, lane, at, run, numbers, y):
    """The boxes of one loop with its arrows, and where they end."""
    height = 12 + _LINE * max(min(len(lane.names), _LINES), 1)
    kind = classes("lane", "back" if lane.backwards else "ahead")
    word = "backwards ←" if lane.backwards else "forwards →"
    inner = [tag("text", word, x=_PAD, y=y + height / 2 + 4, class_="way")]
    for column, turn in enumerate(grid.turns):
        made = None if turn is None else words.turn_of(lane, run, turn)
        if made is not None:
            lines, step = words.arrives(lane, made), numbers[at, turn]
            inner.append(_box(grid.left(column), y, grid.wide, height, lines, "turn", step))
        elif turn is None:
            inner.append(tag("text", "⋯", x=grid.left(column) + grid.wide / 2, y=y + height / 2,
                             class_="head"))  # fmt: skip
    inner += _ends(grid, lane, at, run, numbers, y, height)
    inner += _arrows(grid, lane, at, numbers, y + height / 2)
    return [tag("g", *inner, class_=kind)], y + height


def _ends(grid, lane, at, run, numbers, y, height):
    """What comes out behind the last turn of a loop."""
    _, lines = words.begin_and_end(lane, run)
    steps = [number for (other, _), number in numbers.items() if other == at]
    if not lines:
        return []
    column = -1 if lane.backwards else len(grid.turns)
    return [_box(grid.left(column), y, grid.ends, height, lines, "end", max(steps))]


def _box(x, y, wide, height, lines, kind, step):
    shown = lines if len(lines) <= _LINES else lines[: _LINES - 1]
    rows = [f"{name} {found}" for name, found in shown]
    if len(lines) > len(shown):
        rows.append(f"and {len(lines) - len(shown)} more")
    whole = "\n".join(f"{name} {found}" for name, found in lines)
    return tag(
        "g",
        tag("title", text(whole)),
        tag("rect", x=x, y=y, width=wide, height=height, rx=6),
        *(
            tag("text", text(row), x=x + wide / 2, y=y + 16 + _LINE * at, class_="mono")
            for at, row in enumerate(rows)
        ),
        class_=kind,
        data_step=step,
    )


def _arrows(grid, lane, at, numbers, y):
    """From each turn to the next one, in the loop's direction."""
    for column in range(-1 if lane.backwards else 0, len(grid.turns)):
        from_left = grid.left(column) + (grid.ends if column < 0 else grid.wide)
        to_right = grid.left(column + 1)
        turn = _nearest(grid, column + 1 if lane.backwards else column)
        if (at, turn) not in numbers:
            continue
        one, other = (to_right, from_left) if lane.backwards else (from_left, to_right)
        yield _arrow(one, other, y, numbers[at, turn])


def _nearest(grid, column):
    """The turn in a column; of the gap the one before it."""
    if not 0 <= column < len(grid.turns):
        return None
    turn = grid.turns[column]
    return grid.turns[column - 1] if turn is None else turn


def _arrow(one, other, y, step):
    way = 1 if other > one else -1
    line = tag("path", d=f"M{one:g} {y:g}H{other - 5 * way:g}")
    tip = tag("path", d=f"M{other:g} {y:g}l{-7 * way} -3.5v7z", class_="tip")
    return tag("g", line, tip, class_="arrow", data_step=step)


# stacks -----------------------------------------------------------------------------------------


def _stack(grid, keeper, column, run, numbers, y):
    """One stack: its name, a cell for each turn."""
    name = tag("text", text(_short(column)), x=_PAD, y=y + 17, class_="mono name")
    yield tag("g", tag("title", text(f"{column.code}: {column.kind}")), name)
    for place, turn in enumerate(grid.turns):
        if turn is None or (0, turn) not in numbers:
            continue
        reads = [numbers[r + 1, turn] for r in column.readers if (r + 1, turn) in numbers]
        x, found = grid.left(place), words.held(keeper, column, run, turn)
        yield tag(
            "g",
            tag("title", text(f"{column.code} of turn {turn}: {found}")),
            tag("rect", x=x, y=y + 2, width=grid.wide, height=_ROW - 4),
            tag("text", text(found), x=x + grid.wide / 2, y=y + 17, class_="mono"),
            class_="cell",
            data_step=numbers[0, turn],
            data_reads=" ".join(map(str, reads)),
        )


def _short(column):
    return labels.short(column.code, _NAME)


def _wires(grid, keeper, numbers, stacks_at, tops):
    """What goes down into the stacks of each turn, and from there to who reads."""
    if not keeper.columns:
        return
    below = stacks_at + _ROW * len(keeper.columns)
    for place, turn in enumerate(grid.turns):
        if turn is None or (0, turn) not in numbers:
            continue
        x = grid.left(place) + grid.wide / 2
        yield _down(x, stacks_at - _APART, stacks_at, "put", numbers[0, turn])
        for at, top in enumerate(tops, 1):
            if (at, turn) in numbers and any(at - 1 in c.readers for c in keeper.columns):
                shift = 12 * (at - (len(tops) + 1) / 2)
                yield _down(x + shift, below, top, "read", numbers[at, turn])


def _down(x, above, below, kind, step):
    line = tag("path", d=f"M{x:g} {above:g}V{below - 5:g}")
    tip = tag("path", d=f"M{x:g} {below:g}l-3.5 -7h7z", class_="tip")
    return tag("g", line, tip, class_=f"wire {kind}", data_step=step)
