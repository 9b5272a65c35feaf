"""What ``viz.modes`` says: the title, the legend, what was baked in, and the whole as text."""

from .modes_rows import Item
from .modes_running import gave, verb, verdict
from .modes_values import CAUSES

GLYPHS = {"": " ", "nodes": "+", "once": "=", "python": "▷", "left": "−", "refused": "✗"}
TRACED = "It is not read but run once: what Python decides on the way is baked in, and not told."
LEGEND = (
    ("nodes", "became nodes of the graph"),
    ("once", "worked out by Python, once, while it was read"),
    ("left", "not read"),
    ("python", "runs in Python whenever the graph runs"),
    ("refused", "cannot be read"),
)


def title(shown):
    """How many lines became what."""
    states = [row.state for block in shown.blocks for row in block.rows]
    said = [
        f"{states.count(state)} {words}"
        for state, words in (
            ("nodes", "in the graph"), ("once", "worked out once"), ("left", "not read"),
            ("python", "in Python at every run"), ("refused", "refused"),
        )
        if state in states
    ]  # fmt: skip
    if not states:
        return f"{shown.name} in two modes: no line of Python was read"
    lines = f"of {len(states)} lines " if len(states) > 1 else ""
    return f"{shown.name} in two modes: {lines}{', '.join(said) or 'nothing to tell'}"


def legend(shown):
    """(state, words) of the states that occur."""
    found = {row.state for block in shown.blocks for row in block.rows}
    return [each for each in LEGEND if each[0] in found]


def page(shown):
    """All of it as text."""
    lines = [shown.title, *[shown.note] * bool(shown.note)]
    for block in shown.blocks:
        lines += ["", *_block(block)]
    lines += [""] + [f"{GLYPHS[state]} {words}" for state, words in legend(shown)]
    lines += [""] * bool(shown.causes) + [
        f"{values} ({what}): {follows}" for values, what, follows in kept(shown)
    ]
    lines += ["", *runs(shown)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def kept(shown):
    """(values, what they are, what follows from that) of every cause that occurs."""
    for cause, (what, follows) in CAUSES.items():
        if cause in shown.causes:
            values = ", ".join(f"{code} = {value}" for code, value in shown.causes[cause].items())
            yield values, what, follows


def _block(block):
    wide = max(len(row.text) for row in block.rows) + 4
    for row in block.rows:
        head = f"{GLYPHS[row.state]} {row.number:>4}  {row.text:<{wide}}"
        items = [told(each) for each in row.items] or [""]
        yield head + items[0]
        for each in items[1:]:
            yield " " * len(head) + each


def told(item: Item):
    """An item in one line."""
    return "   ".join(filter(None, (item.code, item.words.replace("\n", " "))))


def again(run):
    """What the second call gave."""
    return f"{verb(run.again)} {gave(run.again)}" if run.again else "the same"


def runs(shown):
    """What both modes gave, as lines."""
    wide = max(len(each.mode) for each in shown.runs)
    for each in shown.runs:
        yield f"{each.mode:<{wide}}  {verb(each)} {gave(each)}"
        if any(run.again for run in shown.runs):
            yield f"{'':<{wide}}  again: {again(each)}"
        for line in each.printed.splitlines():
            yield f"{'':<{wide}}  prints {line}"
    if said := verdict(shown.runs):
        yield f"{'':<{wide}}  {said}"
