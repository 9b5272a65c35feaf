"""The page of an adjoint: three panes that mark each other, a stepper, the picture, the steps."""

from ..card import block, live
from ..markup import classes, tag, text
from ..pictures import picture
from . import adjoint_drawing as drawing
from . import adjoint_words as words
from .adjoint_lines import MOST, of_adjoint, of_graph, of_python
from .stepping import stepper

_STEPS = 60  # in the list
_SLOTS = 12  # that are listed at every step; of more, those that something came back to in it
_OPEN = 5  # lines of a rule that is shown at once
_HINT = (
    "A line marks what became of it: point at it, or click to keep the marks. Keys: ↑ ↓ in a pane,"
    " Enter keeps, Esc lets go."
)
_SEEN = (
    "Left the way there, right the way back; a call and what its rule wrote stand in one row. Blue"
    " and dotted: values of the way there that the way back reads."
)


def card(shown):
    """The transformation as HTML."""
    found, names = shown.found, shown.names
    return block(
        "adjoint",
        shown.title,
        live("p", _HINT, class_="note"),
        stepper(len(found.steps) + 2, "step of the transformation"),
        tag(
            "div",
            _pane("Python", of_python(found, names)),
            _pane("graph", of_graph(found, names)),
            _pane("adjoint", of_adjoint(found, names)),
            class_="panes",
        ),
        _steps(found, names),
        _picture(shown),
        sheets=("linked.css", "steps.css", "adjoint.css", "adjoint_page.css"),
        scripts=("inline.js", "linked.js", "steps.js", "adjoint.js"),
    )


# panes --------------------------------------------------------------------------------------------


def _pane(name, rows):
    rows = list(rows)
    lines = [_line(row) for row in rows[:MOST]]
    if len(rows) > MOST:
        lines.append(tag("li", f"and {len(rows) - MOST} more lines; text() has all"))
    heading = tag("p", tag("b", text(name)), class_="name")
    listed = tag("ol", *lines, class_="lines", aria_label=f"{name}, line by line")
    return tag("section", heading, listed, class_=f"pane {name}", aria_label=name)


def _line(row):
    value = row.value or row.kind
    return tag(
        "li",
        tag("span", class_="mark", aria_hidden="true"),
        tag("span", row.number, class_="number") if row.number else "",
        tag("code", text(row.text)),
        tag("span", text(value), class_="worth", title=row.kind) if value else "",
        tag("span", text(row.note), class_="said") if row.note else "",
        class_=classes("line", row.state),
        data_nodes=" ".join(map(str, row.nodes)) or None,
        data_step=row.step,
    )


# the picture and the steps ------------------------------------------------------------------------


def _picture(shown):
    found = shown.found
    count = len(found.graph.order())
    if count > shown.budget:
        told = (
            f"No picture: {count} calls are hard to read. The panes have every line. To draw it,"
            f" pass budget={count}."
        )
        return tag("p", told, class_="note")
    drawn = drawing.svg(found, shown.names, shown.title)
    figure = tag("figure", picture(drawn, shown.title), class_="wide", tabindex="0")
    return tag("div", figure, tag("p", _SEEN, class_="note"))


def _steps(found, names):
    every = (found.start, *found.steps, found.end)
    items = [_step(found, names, step) for step in every[:_STEPS]]
    if len(every) > _STEPS:
        items.append(tag("li", f"and {len(every) - _STEPS} more steps; text() has all"))
    listed = tag("ul", *items, class_="steps", tabindex="0", aria_label="steps")
    return tag("div", tag("p", tag("b", "The transformation, step by step")), listed)


def _step(found, names, step):
    said = words.sentences(found, names, step)
    return tag(
        "li",
        tag("b", text(words.head(found, names, step))),
        tag(
            "div",
            tag("div", tag("ul", *(tag("li", text(each)) for each in said)), _rule(step)),
            _slots(found, names, step),
            class_="both",
        ),
        data_step=step.number,
        data_node=step.node.id if step.node is not None else None,
    )


def _rule(step):
    where, source = words.rule(step) if step.node is not None else ("", "")
    if not source:
        return ""
    summary = tag("summary", text(f"the rule of {step.node.primitive.name}, {where}"))
    short = source.count("\n") < _OPEN
    return tag("details", summary, tag("pre", tag("code", text(source))), open=short)


def _slots(found, names, step):
    """What has come back so far, a row for each value that something came back to."""
    if step is found.end:
        return ""
    known = list(words.slots(found, names, step.number))
    now = {names.of(give.receiver) for give in step.gives}
    rows = [
        tag(
            "tr",
            tag("th", text(f"dout of {name}"), scope="row"),
            tag("td", tag("code", text(terms))),
            tag("td", tag("code", text(value))),
            class_="now" if name in now else None,
        )
        for name, terms, value in known
        if len(known) <= _SLOTS or name in now
    ]
    return tag("table", tag("tbody", *rows), class_="slots", aria_label="what has come back so far")
