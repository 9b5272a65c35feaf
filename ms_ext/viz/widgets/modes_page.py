"""The page of ``viz.modes``: each line of Python beside what it became."""

from ..card import block
from ..drawing.labels import place
from ..markup import classes, tag, text
from . import modes_words as words
from .modes_running import gave, verb, verdict

_ITEMS = 12  # of one line


def card(shown):
    """The lines as HTML."""
    return block(
        "modes",
        shown.title,
        tag("p", text(shown.note), class_="note") if shown.note else "",
        tag("p", *_legend(shown), class_="legend"),
        *(_lines(each) for each in shown.blocks),
        _kept(shown),
        _runs(shown),
        sheets=("modes.css",),
    )


def _legend(shown):
    for state, said in words.legend(shown):
        glyph = tag("b", text(words.GLYPHS[state]), class_=f"glyph {state}")
        yield tag("span", glyph, " ", text(said))


def _lines(found):
    where = place(f"{found.file}:0").rpartition(":")[0]
    table = tag(
        "table",
        tag("caption", text(found.name), " ", tag("span", text(where), class_="note")),
        tag("thead", tag("tr", *map(_head, ("", "line", "Python", "became")))),
        tag("tbody", *map(_row, found.rows)),
        class_="lines",
    )
    return tag("div", table, class_="wide", tabindex="0", role="group", aria_label=found.name)


def _head(word):
    return tag("th", text(word), scope="col")


def _row(row):
    glyph = words.GLYPHS[row.state].strip()
    meaning = dict(words.LEGEND).get(row.state)
    mark = tag("b", text(glyph), aria_label=meaning, title=meaning, role="img") if glyph else ""
    return tag(
        "tr",
        tag("td", mark, class_="glyph"),
        tag("td", f"{row.number}", class_="number"),
        tag("td", tag("code", text(row.text)), class_="source"),
        tag("td", *_items(row.items), class_="became"),
        class_=classes(row.state),
    )


def _items(items):
    for each in items[:_ITEMS]:
        code = tag("code", text(each.code)) if each.code else ""
        said = tag("span", text(each.words)) if each.words else ""
        yield tag("p", code, " " if code and said else "", said, class_=each.kind)
    if len(items) > _ITEMS:
        yield tag("p", f"and {len(items) - _ITEMS} more; text() has all", class_="note")


def _kept(shown):
    rows = [
        tag(
            "tr", tag("td", tag("code", text(values))), tag("td", text(what)), tag("td", text(then))
        )
        for values, what, then in words.kept(shown)
    ]
    caption = tag("caption", "Baked into this graph")
    return tag("table", caption, tag("tbody", *rows), class_="kept") if rows else ""


def _runs(shown):
    said = verdict(shown.runs)
    heading = tag("p", tag("b", "Run both ways"), tag("span", text(f": {said}")) if said else "")
    twice = any(run.again for run in shown.runs)
    table = tag("tbody", *(_run(each, twice) for each in shown.runs))
    return heading + tag("table", table, class_="runs", aria_label="Run both ways")


def _run(run, twice):
    lines = run.printed.splitlines()
    printed = tag("pre", tag("code", text("\n".join(lines[:_ITEMS])))) if lines else ""
    label = tag("span", "prints", class_="note") if lines else ""
    return tag(
        "tr",
        tag("th", text(run.mode), scope="row"),
        tag("td", tag("span", verb(run), class_="note"), " ", tag("code", text(gave(run)))),
        tag("td", tag("span", "again:", class_="note"), " ", text(words.again(run)))
        if twice
        else "",
        tag("td", label, printed),
    )
