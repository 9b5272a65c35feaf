"""The words and the page of ``viz.gradient_modes``: a table of two modes and two manners."""

from ..card import block
from ..markup import classes, tag, text
from .gradient_modes_running import HERE, MANNERS, MODES, THERE, said

_NOTE = (
    "Here a bprop that breaks the contract is refused in both modes; with strict, what MindSpore "
    "2.10 lets pass is let pass, and what it refuses is refused in its words."
)


def title(shown):
    """Whether the modes agree, in each manner."""
    words = {manner: _verdict(shown, manner) for manner in MANNERS}
    joined = f"here they {words[HERE]}, with {THERE} they {_do(words[THERE])}"
    if words[HERE] == words[THERE]:
        joined = f"here and with {THERE} they {words[HERE]}"
    return f"gradients of {shown.name} in two modes: {joined}"


def _verdict(shown, manner):
    if all(shown.tries[mode, manner].error for mode in MODES):
        return "both refuse"
    return "agree" if shown.agrees(manner) else "do not agree"


def _do(verdict):
    return "do not" if verdict == "do not agree" else verdict


def page(shown):
    """All four as text."""
    lines = [shown.title, ""]
    for mode in MODES:
        lines.append(mode)
        for manner in MANNERS:
            lines.append(f"    {manner:<15}  {_line(shown.tries[mode, manner])}")
    return "\n".join(lines) + "\n"


def _line(each):
    if each.error:
        return f"✗ {each.error}"
    return ", ".join(f"{name} = {said(found)}" for name, found in each.gradients)


def card(shown):
    """All four as HTML."""
    head = tag("tr", tag("td"), *(tag("th", text(manner), scope="col") for manner in MANNERS))
    rows = [_row(shown, mode) for mode in MODES]
    table = tag("table", tag("thead", head), tag("tbody", *rows), aria_label=shown.title)
    return block(
        "gradient-modes",
        shown.title,
        table,
        tag("p", text(_NOTE), class_="note"),
        sheets=("gradient_modes.css",),
    )


def _row(shown, mode):
    cells = (_cell(shown.tries[mode, manner], manner) for manner in MANNERS)
    return tag("tr", tag("th", text(mode), scope="row"), *cells)


def _cell(each, manner):
    """What came of one call; ``data-manner`` is its column's name where the table is stacked."""
    if each.error:
        mark = tag("b", "✗", role="img", aria_label="raises")
        hint = tag("p", text(each.hint), class_="note") if each.hint else ""
        inner = tag("p", mark, " ", text(each.error)) + hint
    else:
        inner = "".join(
            tag("p", text(name), " = ", tag("code", text(said(found))))
            for name, found in each.gradients
        )
    return tag("td", inner, class_=classes("raised" if each.error else "gave"), data_manner=manner)
