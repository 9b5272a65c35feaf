"""The cases of ``viz.shapes`` as text and as small tables, one column per axis."""

from ..card import block, live
from ..markup import classes, tag, text

_HINT = "Sizes with the same letter are equal; a result's size has the letter it follows."


def page(shapes):
    """All cases as text."""
    lines = [shapes.title]
    for case in shapes.cases:
        lines += ["", case.heading, *_grid(shapes, case)]
        if places := case.places():
            lines.append("    " + "; ".join(f"{k} = {v}" for k, v in places.items()))
        lines += [f"    {note}" for note in case.notes]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _rows(shapes, case):
    """(label, side, number of the result, Type or None, refusal) of each line of a case."""
    for name, kind in case.inputs:
        yield name, "input", 0, kind, ""
    for side, word in (("promised", "infer says"), ("returned", shapes.side)):
        answer = getattr(case, side)
        if answer.refusal:
            yield word, side, 0, None, answer.refusal
        for number, kind in enumerate(answer.types):
            several = f" {number}" if len(answer.types) > 1 else ""
            yield f"{word}{several}", side, number, kind, ""
        if not answer.types and not answer.refusal:
            yield word, side, 0, None, "nothing"


def _letter(case, side, number, axis, size):
    """The letters of one size: of an input its own, of a result what it is made of."""
    if side == "input":
        return case.letters.get(size, "")
    made = case.origins.get((number, axis), "")
    if side == "promised":
        return made
    types = case.promised.types
    same = number < len(types) and types[number].shape or ()
    return made if axis < len(same) and same[axis] == size else ""


def _grid(shapes, case):
    rows = list(_rows(shapes, case))
    wide = max(len(row[0]) for row in rows)
    kinds = max((len(row[3].dtype) for row in rows if row[3]), default=0)
    cells = [_sizes(case, row) for row in rows]
    columns = max((len(each) for each in cells), default=0)
    widths = [0] * columns
    for each in cells:
        for at, cell in enumerate(_placed(each, columns, case.from_the_right)):
            widths[at] = max(widths[at], len(cell))
    for row, each in zip(rows, cells, strict=True):
        label, kind, refusal = row[0], row[3], row[4]
        if kind is None:
            yield f"    {label:<{wide}}  {refusal if refusal == 'nothing' else 'refuses'}"
        elif kind.shape is None:
            yield f"    {label:<{wide}}  {kind.dtype}"
        else:
            shown = _bracketed(each, columns, widths, case.from_the_right)
            yield f"    {label:<{wide}}  {kind.dtype:<{kinds}}  {shown}"


def _sizes(case, row):
    _, side, number, kind, _ = row
    shape = kind.shape or () if kind else ()
    return [
        f"{size} {_letter(case, side, number, axis, size)}".strip()
        for axis, size in enumerate(shape)
    ]


def _placed(cells, columns, right):
    blank = [""] * (columns - len(cells))
    return [*blank, *cells] if right else [*cells, *blank]


def _bracketed(cells, columns, widths, right):
    """``[2 a, 3 b]``, padded on the left where the sizes meet at the right edge."""
    if not right:
        return f"[{', '.join(cells)}]"
    missing = columns - len(cells)
    before = sum(widths[:missing]) + 2 * missing
    inner = ", ".join(f"{c:>{w}}" for c, w in zip(cells, widths[missing:], strict=True))
    return f"{' ' * before}[{inner}]"


# HTML ---------------------------------------------------------------------------------------------


def card(shapes):
    """The cases as HTML."""
    return block(
        "shapes",
        shapes.title,
        tag("p", text(_HINT), class_="note"),
        _tools(shapes),
        tag("div", *(_table(shapes, case) for case in shapes.cases), class_="cases"),
        sheets=("shapes.css",),
        scripts=("shapes.js",),
    )


def _tools(shapes):
    """Only with script: leave out what agrees, and how the keys work."""
    if len(shapes.cases) < 2:
        return ""
    box = tag("input", type="checkbox", class_="only")
    keys = "arrow keys go from case to case; point at a size to see where it comes from"
    return live(
        "p",
        tag("label", box, " only what does not agree"),
        tag("span", f" · {keys}"),
        tag("span", class_="status", role="status", aria_live="polite"),
        class_="tools",
    )


def _table(shapes, case):
    rows = list(_rows(shapes, case))
    columns = max((len(row[3].shape or ()) for row in rows if row[3]), default=0)
    notes = [f"{k} = {v}" for k, v in case.places().items()]
    listed = (*case.notes, "; ".join(notes)) if notes else case.notes
    return tag(
        "div",
        tag("p", text(case.heading), class_="heading"),  # may be wider than its table
        tag(
            "table",
            tag("tbody", *(_line(case, row, columns) for row in rows)),
            aria_label=case.heading,
        ),
        *(tag("p", text(note)) for note in listed),
        class_=classes("case", case.verdict.replace(" ", "-")),
        tabindex="0",
    )


def _line(case, row, columns):
    label, side, number, kind, refusal = row
    head = tag("th", text(label), scope="row")
    if kind is None:
        cell = tag("td", text("nothing" if refusal == "nothing" else "refuses"))
        return tag("tr", head, cell, class_=side)
    off = _off(case, side, number, kind)
    dtype = tag("td", text(kind.dtype), _mark("dtype" in off), class_=classes("dtype", _bad(off)))
    if kind.shape is None:
        return tag("tr", head, dtype, class_=side)
    cells = [_cell(case, side, number, a, s, off) for a, s in enumerate(kind.shape)]
    if not cells:
        cells = [tag("td", "no axes", class_="scalar")]
    blank = [tag("td") for _ in range(columns - len(kind.shape))] if case.from_the_right else []
    return tag("tr", head, dtype, *blank, *cells, class_=side)


def _cell(case, side, number, axis, size, off):
    letter = _letter(case, side, number, axis, size)
    small = tag("small", text(letter)) if letter else ""
    return tag(
        "td",
        f"{size}",
        small,
        _mark(axis in off),
        class_=classes("size", "off" * (axis in off)),
        data_letters=" ".join(c for c in letter.removeprefix("from ") if c.isalpha()) or None,
    )


def _off(case, side, number, kind):
    """Axes (and "dtype") of a returned type that are not as promised."""
    types = case.promised.types
    if side != "returned" or number >= len(types):
        return ()
    mine, its = types[number].shape or (), kind.shape or ()
    axes = [a for a, size in enumerate(its) if a >= len(mine) or mine[a] != size]
    return (*axes, *["dtype"] * (types[number].dtype != kind.dtype))


def _mark(wrong):
    return tag("b", "✗", aria_label="differs") if wrong else ""


def _bad(off):
    return "off" if "dtype" in off else ""
