"""The page of ``viz.ways``: the tree of questions, and a table of what each way does."""

from ..card import block
from ..markup import classes, tag, text
from .trace_page import short
from .ways_rows import NO_WAY, QUESTION, REFUSED, TREE

_HEAD = {
    "found": "found by",
    "compiled": "compiled",
    "runs": "a call runs",
    "use": "use it",
}
_MARK = "▶"


def page(ways):
    """The tree and the rows as text."""
    lines = [ways.title, "", QUESTION]
    for kind, leaves in TREE:
        lines.append(f"  {kind}")
        for have, way in leaves:
            mark = _MARK if way and way == ways.chosen else " "
            lines.append(f"  {mark} {have} → {way or NO_WAY}")
    for row in ways.rows:
        lines += ["", f"{_MARK if row.func_type == ways.chosen else ' '} {row.func_type}"]
        lines += [f"    {_HEAD[key] + ':':<12} {getattr(row, key)}" for key in _HEAD]
        if cost := _cost(ways, row):
            lines.append(f"    {'a call costs:':<12} {cost} µs")
    lines += ["", *_notes(ways)]
    for word, said in _this(ways):
        lines.append(f"{word}: {said}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _cost(ways, row):
    found = ways.costs.get("rows", {}).get(row.func_type, {}).get("call_us")
    return "" if found is None else f"{found:.3g}"


def _notes(ways):
    named = ways.chosen and ways.chosen not in [row.func_type for row in ways.rows]
    notes = [f"{_MARK} {REFUSED}." if named else f"{REFUSED}."]
    if ways.costs:
        when, machine = ways.costs["when"], ways.costs["machine"]
        what = ways.costs.get("what", "x * y of two small tensors, eager")
        notes.append(f"A call: {what}, measured on {when} ({machine}). Yours differs.")
    return notes


def _this(ways):
    """What the op's own way tells of it."""
    told = [] if ways.op is None else ways.op.way.describe()
    return [(str(word), short(str(said))) for word, said in told]


# HTML ---------------------------------------------------------------------------------------------


def card(ways):
    """The tree and the table as HTML."""
    return block(
        "ways",
        ways.title,
        tag("div", tag("p", QUESTION, class_="root"), _tree(ways), class_="tree"),
        tag("div", _table(ways), class_="wide", tabindex="0"),
        *(tag("p", text(note), class_="note") for note in _notes(ways)),
        _list(_this(ways)),
        sheets=("ways.css",),
    )


def _tree(ways):
    return tag("ul", *(_branch(ways, kind, leaves) for kind, leaves in TREE), class_="branches")


def _branch(ways, kind, leaves):
    inner = tag("ul", *(_leaf(ways, have, way) for have, way in leaves))
    on = any(way and way == ways.chosen for _, way in leaves)
    return tag("li", tag("p", text(kind), class_="kind"), inner, class_=classes("on" * on))


def _leaf(ways, have, way):
    on = bool(way) and way == ways.chosen
    end = tag("b", _MARK * on + " " * on, text(way)) if way else tag("i", text(NO_WAY))
    said = tag("span", text(have), class_="have")
    return tag("li", said, tag("span", " → ", class_="arrow"), end, class_=classes("on" * on))


def _table(ways):
    measured = any(_cost(ways, row) for row in ways.rows)
    head = ["func_type", *_HEAD.values(), *(["a call, µs"] if measured else [])]
    return tag(
        "table",
        tag("thead", tag("tr", *(tag("th", text(each), scope="col") for each in head))),
        tag("tbody", *(_row(ways, row, measured) for row in ways.rows)),
        aria_label="what each way does",
    )


def _row(ways, row, measured):
    on = row.func_type == ways.chosen
    name = tag("b", _MARK * on + " " * on, text(row.func_type))
    cells = [tag("td", text(getattr(row, key))) for key in _HEAD]
    if measured:
        cells.append(tag("td", _cost(ways, row) or "–", class_="cost"))
    current = "true" if on else None
    return tag(
        "tr", tag("th", name, scope="row"), *cells, class_=classes("on" * on), aria_current=current
    )


def _list(pairs):
    """Pairs of a word and what it says."""
    if not pairs:
        return ""
    rows = (tag("dt", text(word)) + tag("dd", text(said)) for word, said in pairs)
    return tag("dl", *rows, class_="this")
