"""The page of a walk back: the picture, a slider over its steps, and the steps as a list."""

from ..card import block
from ..markup import tag, text
from ..pictures import picture
from . import backward_drawing
from .backward_words import backs, named, note, summed, value, where
from .stepping import stepper

_ROWS = 200  # steps in the list
_HINT = "Values go down (↓), dout comes up (↑). The numbers are the steps of the walk back."


def card(shown):
    """The walk as HTML."""
    walk = shown.walk
    _, left_out = backward_drawing.chosen(walk, shown.budget)
    drawing = backward_drawing.svg(walk, shown.budget)
    return block(
        "backward",
        shown.title,
        tag("p", _HINT, class_="note"),
        tag("p", text(left_out), class_="note") if left_out else "",
        stepper(len(walk.steps) + 1, "step of the walk back"),
        tag(
            "div",
            tag("figure", picture(drawing, shown.title), class_="wide", tabindex="0"),
            tag(
                "div",
                tag("p", tag("b", "The walk back")),
                tag("ul", *_steps(shown), class_="steps", tabindex="0", aria_label="steps"),
                _gradients(walk),
            ),
            class_="sides",
        ),
        sheets=("steps.css", "backward.css"),
        scripts=("inline.js", "steps.js", "backward.js"),
    )


def _steps(shown):
    walk = shown.walk
    begin = "; ".join(
        f"to {named(e.source)}: {value(e.dout, e.source.dtype)}" for e in walk.end.edges
    )
    first = f"What is returned gets dout of {shown.start}: {begin or 'nothing is returned'}."
    yield tag("li", tag("b", "start"), " ", text(first), data_step=0)
    for call, (arrives, *gives) in backs(walk)[:_ROWS]:
        facts = [f"{where(call)}  {call.source}".strip(), note(call)]
        yield tag(
            "li",
            tag("b", text(f"{call.step}. {named(call)}")),
            " ",
            text(arrives),
            tag("ul", *(tag("li", text(each)) for each in gives)),
            *(tag("p", text(each), class_="note") for each in facts if each),
            data_step=call.step,
        )
    if len(walk.steps) > _ROWS:
        left = len(walk.steps) - _ROWS
        yield tag("li", f"and {left} more steps; text() has all")


def _gradients(walk):
    """What grad gives, one row per input."""
    rows = (
        tag(
            "tr",
            tag("th", text(node.label), scope="row"),
            tag("td", tag("code", text(value(array, node.dtype))), text(summed(walk, node))),
        )
        for node, array in walk.gradients
    )
    caption = tag("caption", "The gradients")
    return tag("table", caption, tag("tbody", *rows), class_="gradients") if walk.gradients else ""
