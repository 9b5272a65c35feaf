"""The page of ``viz.call_sequence``: the chart as a picture, and the same arrows as a table."""

from ..card import block
from ..markup import tag, text
from ..pictures import picture
from . import call_sequence_drawing as drawing
from .call_sequence_words import said, sentence

_NOTE = "A dashed arrow is an answer. The number is that of the call."
_HEAD = ("", "stage", "from", "to", "what", "µs")


def card(shown):
    """The chart as HTML."""
    if not shown.steps:
        return block("calls", shown.title, tag("p", text(sentence(shown)), class_="note"))
    image = picture(drawing.svg(shown), sentence(shown))
    return block(
        "calls",
        shown.title,
        tag("figure", image, tabindex="0"),
        tag(
            "p", text("A dashed arrow is an answer. The number is that of the call."), class_="note"
        ),
        tag("details", tag("summary", text("The same as a table")), _table(shown)),
        sheets=("call_sequence.css",),
        scripts=("inline.js", "call_sequence.js"),
    )


def _table(shown):
    head = tag("tr", *[tag("th", text(word), scope="col") for word in _HEAD])
    rows = [
        tag("tr", *[tag("td", text(cell)) for cell in _cells(number, step)])
        for number, step in enumerate(shown.steps, 1)
    ]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *rows)), class_="wide")


def _cells(number, step):
    took = f"{step.took / 1000:.1f}" if step.took else ""
    return str(number), step.stage, step.source, step.target, said(step), took
