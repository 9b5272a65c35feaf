"""The page of ``viz.compilations``: bars of calls, a table of compilations, how to need fewer."""

from ..card import block
from ..markup import classes, tag, text
from ..pictures import picture
from . import compilations_drawing as drawing
from . import compilations_words as words

_ROWS = 100  # compilations in the table
_HINT = "+ is a call that had to be compiled first; the others found a graph that fits."
_FOUND = "Every call found a graph that fits."


def card(shown):
    """The counter as HTML."""
    return block(
        "compilations",
        shown.title,
        _calls(shown) if shown.calls else "",
        _table(shown) if shown.compiled else "",
        *(tag("p", text(each), class_="advice") for each in words.advice(shown)),
        sheets=("calls.css", "compilations.css"),
        scripts=("inline.js", "compilations.js") if shown.calls else (),
    )


def _calls(shown):
    left = len(shown.calls) - drawing.MOST
    more = f" Drawn are the first {drawing.MOST}; text() has more." if left > 0 else ""
    failed = "".join(
        tag("p", text(f"Call {each.number} {words.told(each)}"), class_="note")
        for each in shown.calls[: drawing.MOST]
        if each.error
    )
    said = _FOUND if all(each.graph and not each.new for each in shown.calls) else _HINT
    image = picture(drawing.svg(shown), _spoken(shown))
    return (
        tag("p", text(said + more), class_="note")
        + tag("figure", image, class_="wide", tabindex="0")
        + failed
    )


def _spoken(shown):
    """What a screen reader says of the bars."""
    said = [f"call {each.number}: {words.told(each)}" for each in shown.calls[: drawing.MOST]]
    return f"{shown.title}. {'; '.join(said)}."


def _table(shown):
    names = words.columns(shown)
    head = ["graph", *names, "why it was compiled", "took"]
    left = len(shown.compiled) - _ROWS
    more = tag("p", f"and {left} more; text() has some of them", class_="note") if left > 0 else ""
    table = tag(
        "table",
        tag("thead", tag("tr", *(tag("th", text(each), scope="col") for each in head))),
        tag("tbody", *(_row(each, names) for each in shown.compiled[:_ROWS])),
        aria_label=shown.title,
    )
    return tag("div", table, class_="wide", tabindex="0") + more


def _row(each, names):
    was, arguments = words.changed(each), each.arguments
    cells = [_cell(arguments.get(name, ""), name in was) for name in names]
    return tag(
        "tr",
        tag("th", f"{each.number}", scope="row"),
        *cells,
        tag("td", text(words.reason(each))),
        tag("td", text(words.brief(each.took)), class_="took"),
    )


def _cell(value, new):
    mark = tag("b", "~", aria_label="new") + " " if new else ""
    return tag("td", mark, tag("code", text(value)), class_=classes("is-new" * new))
