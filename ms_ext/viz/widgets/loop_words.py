"""What ``viz.loop`` says: titles, the steps of a loop and of its way back, tables, all as text."""

import numpy as np

from ..drawing.labels import short
from ..panel.amounts import flops, number
from .backward_words import value

DRAWN, FIRST, LAST = 7, 4, 2  # turns that are drawn: all up to DRAWN, else so many at the ends
ROWS, AT_THE_END = 24, 6  # rows of the table of turns
_LONGEST, WRITTEN = 26, 3  # characters of a value, elements of an array that is written out


def title(shown):
    """What is kept in all, in one sentence."""
    found = shown.survey.keepers
    if not found:
        return f"{shown.name}: its gradient goes through no loop"
    loops = f"{many(len(found), 'loop')} with a way back"
    if not shown.survey.nbytes:
        return f"{shown.name}: {loops}, nothing kept"
    stacks = many(sum(len(each.columns) for each in found), "stack")
    return f"{shown.name}: {loops}, {stacks}, {size(shown.survey.nbytes)}"


def many(count, word):
    """A number with its noun.

    >>> many(1, "turn"), many(0, "turn")
    ('1 turn', '0 turns')
    """
    return f"{number(count)} {word}{'s' * (count != 1)}"


def size(nbytes):
    """Bytes, exact.

    >>> size(12000), size(1)
    ('12\\u2009000 bytes', '1 byte')
    """
    return many(nbytes, "byte")


def heading(keeper):
    """A loop by its line, its direction and its turns."""
    runs = keeper.turns
    turns = many(runs[0], "turn") if len(runs) == 1 else (
        f"run {many(len(runs), 'time')}, {many(sum(runs), 'turn')}" if runs else "no turn"
    )  # fmt: skip
    way = ", on the way back" if keeper.lane.backwards else ""
    return f"{keeper.code or 'a loop'}{way}: {turns}"


def kept(keeper):
    """What the stacks of a loop hold, in one sentence."""
    if not keeper.columns:
        return "Nothing is kept: the way back reads no value of any turn."
    own = [column for column in keeper.columns if not column.inner]
    said = [f"{size(keeper.each)} a turn, {size(keeper.nbytes)} in all"] if own else []
    if len(own) < len(keeper.columns):
        said.append("the stacks of the loop inside count there")
    return f"Kept of every turn: {', '.join(column.code for column in own)}; {'; '.join(said)}."


def kept_rows(keeper):
    """(value, words about it, line, type, bytes of a turn, who reads it) of every column."""
    for column in keeper.columns:
        when = ", as a turn begins" if column.begins else ""
        when += ", or zeros where its branch did not run" if column.partial else ""
        cost = "counted inside" if column.inner else size(column.nbytes)
        readers = ", ".join(reader(keeper, place) for place in column.readers)
        yield column.code, when, _line(column), column.kind, cost, readers


def reader(keeper, place):
    """A loop that reads, as a word: several on the same line are told apart by their number."""
    back = keeper.backs[place]
    way = "the way back" if back.backwards != keeper.lane.backwards else "a loop forwards"
    return way if len(keeper.backs) == 1 else f"{arrow(back)} loop {place + 1}"


def unkept_rows(keeper):
    """(value, line, type, why) of what is not kept."""
    for each in keeper.unkept:
        yield each.code, _line(each), each.kind, each.why


def _line(each):
    return f"line {each.line}" if each.line else ""


def arrow(lane):
    """The direction of a loop."""
    return "←" if lane.backwards else "→"


# turns --------------------------------------------------------------------------------------------


def chosen(turns, most=DRAWN, first=FIRST, last=LAST):
    """The numbers of the turns to show; None stands for those between.

    >>> chosen(3), chosen(100, 5, 2, 1)
    ([0, 1, 2], [0, 1, None, 99])
    """
    if turns <= most:
        return list(range(turns))
    return [*range(first), None, *range(turns - last, turns)]


def turn_of(lane, run, turn):
    """A turn of a lane by the number that all lanes share: turn 0 is the first one forwards."""
    made = lane.runs[run] if run < len(lane.runs) else []
    place = len(made) - 1 - turn if lane.backwards else turn
    return made[place] if 0 <= place < len(made) else None


def held(keeper, column, run, turn):
    """What a stack has of one turn, in a few characters."""
    made = turn_of(keeper.lane, run, turn)
    return "" if made is None else said(made.outputs[column.place])


def said(found):
    """A value in a few characters; of a stack its length.

    >>> said(np.float32([0.12345, 2.0])), said(True), said([1, 2])
    ('[0.123 2]', 'True', '2 turns')
    """
    if isinstance(found, list | tuple):
        return many(len(found), "turn")
    if np.size(found) > WRITTEN:
        return short(value(found), _LONGEST)
    numbers = [_digits(each) for each in np.ravel(found)]
    return numbers[0] if np.ndim(found) == 0 else f"[{' '.join(numbers)}]"


def _digits(number):
    return str(number) if isinstance(number, bool | np.bool_) else f"{number:.3g}"


def arrives(lane, turn):
    """(name, value) of what a turn begins with."""
    return [(n, said(turn.inputs[p])) for n, p in zip(lane.names, lane.places, strict=True)]


def leaves(lane, turn):
    """(name, value) of what a turn hands on."""
    pairs = zip(lane.names, lane.places, strict=True)
    return [(name, said(turn.outputs[place - lane.first])) for name, place in pairs]


def steps(keeper, run, turns):
    """(lane number, turn, sentence) of every step: the loop, then each loop that reads it.

    Lane 0 is the loop itself.
    """
    for at, lane in enumerate((keeper.lane, *keeper.backs)):
        order = reversed(turns) if lane.backwards else turns
        for turn in order:
            made = None if turn is None else turn_of(lane, run, turn)
            if made is not None:
                yield at, turn, _step(keeper, at, lane, run, turn, made)


def _step(keeper, at, lane, run, turn, made):
    pairs = zip(arrives(lane, made), leaves(lane, made), strict=False)
    moved = ", ".join(f"{name} {a} → {b}" for (name, a), (_, b) in pairs)
    columns = [c for c in keeper.columns if at == 0 or at - 1 in c.readers]
    stacks = ", ".join(f"{c.code} = {held(keeper, c, run, turn)}" for c in columns)
    verb = "keeps" if at == 0 else "reads"
    done = f"{verb} {stacks}" if stacks else f"{verb} nothing"
    return f"{arrow(lane)} turn {turn}: {moved}; {done}" if moved else f"turn {turn}: {done}"


def begin_and_end(lane, run):
    """(name, value) before the first turn of a lane and after its last one; empty without turns."""
    made = lane.runs[run] if run < len(lane.runs) else []
    return (arrives(lane, made[0]), leaves(lane, made[-1])) if made else ([], [])


# the trade ----------------------------------------------------------------------------------------


def trade_rows(shown):
    """(what, as it is, recomputed) of bytes and FLOPs; nothing where there is nothing to trade."""
    mine, other = shown.survey, shown.recomputed
    if other is None or other.nbytes == mine.nbytes:
        return []
    more = f" ({100 * (other.flops - mine.flops) / mine.flops:+.0f} %)" if mine.flops else ""
    return [
        ("on stacks", size(mine.nbytes), size(other.nbytes)),
        ("computed", flops(mine.flops), f"{flops(other.flops)}{more}"),
    ]


# text ---------------------------------------------------------------------------------------------


def page(shown):
    """All of it as text."""
    lines = [shown.title]
    for keeper in shown.survey.keepers:
        lines += ["", *_section(keeper)]
    if rows := trade_rows(shown):
        lines += ["", *_table([("", "kept", "recomputed"), *rows])]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _section(keeper):
    where = f"   ({keeper.where})" if keeper.where else ""
    yield f"{heading(keeper)}{where}"
    yield f"  {kept(keeper)}"
    rows = [(f"{code}{when}", *rest) for code, when, *rest in kept_rows(keeper)]
    yield from _table([("kept", "", "type", "a turn", "read by"), *rows])
    yield from _table([("not kept", "", "type", "why"), *unkept_rows(keeper)])
    for run, turns in enumerate(keeper.turns[:1]):
        if len(keeper.turns) > 1:
            yield f"  run 1 of {len(keeper.turns)}"
        for _, _, sentence in steps(keeper, run, chosen(turns)):
            yield f"    {sentence}"
        if turns > DRAWN:
            yield f"    ({turns - FIRST - LAST} turns between are left out)"


def _table(rows):
    if len(rows) < 2:
        return
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  " + "  ".join(cell.ljust(wide) for cell, wide in cells if wide)
