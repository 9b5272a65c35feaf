"""The attempts of ``viz.matcher`` as text, and as a page: pattern, graph, comparisons."""

import re

from ...engine.ir.journal import Row
from ...engine.patterns import Call, Const
from ..assets import style
from ..card import block, live
from ..drawing import labels
from ..drawing.scene import scenes
from ..drawing.svg import draw
from ..drawing.union import Change, Edge, Union
from ..graph import graph as panel_of
from ..markup import classes, tag, text
from ..pictures import picture
from .matcher_steps import Parts

_MARKS = {
    "rewritten": "✓ fits and is rewritten",
    "refused": "✗ fits, but is left alone",
    "no match": "✗ does not fit",
    "stopped": "✗ stopped",
}
_OTHERS = 40  # calls at which no output fits
_ATTEMPTS = 200


def page(shown):
    """All attempts as text."""
    lines = [shown.title, *_heads(shown)]
    for each in shown.attempts:
        rule = f" by {each.rule}" if len(shown.rules) > 1 else ""
        lines += ["", f"{each.name}{rule}: {_MARKS[each.outcome]}"]
        lines += [
            f"  {number}. {'✓' if one.fits else '✗'} {one.text}"
            for number, one in enumerate(each.comparisons, 1)
        ]
        lines += [f"     {line}" for line in _after(each)]
    if shown.others:
        lines += ["", "not looked at, because the output is another op"]
        lines += [f"  {name}: {sentence}" for name, _, sentence in shown.others[:_OTHERS]]
        lines += _more(len(shown.others) - _OTHERS)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _heads(shown):
    if shown.before:
        yield f"after {', '.join(shown.before)}; from the output inwards, the outermost call first"
    yield shown.ending


def _after(attempt):
    """What comes after the comparisons: variables, condition, outcome."""
    if attempt.bound:
        yield ", ".join(f"{name} = {what}" for name, what in attempt.bound.items())
    if attempt.condition:
        yield f"condition: {attempt.condition}"
    yield attempt.why


def _more(count):
    return [f"  and {count} more"] if count > 0 else []


# the page -----------------------------------------------------------------------------------------


def card(shown):
    """The attempts as HTML."""
    panel = panel_of(shown.graph)
    hidden = panel.report[0]["hidden"]
    keys = tag(
        "span", tag("kbd", "↑"), " ", tag("kbd", "↓"), " node, ",
        tag("kbd", "←"), " ", tag("kbd", "→"), " comparison",
    )  # fmt: skip
    return block(
        "matcher",
        shown.title,
        *(tag("p", text(each), class_="note") for each in _heads(shown)),
        live("p", _button("◀", "less", "previous"), _button("▶", "more", "next"), keys),
        tag("p", class_="status live", role="status", aria_live="polite"),
        tag("p", text(hidden), class_="note") if hidden else "",
        tag(
            "div",
            tag(
                "div",
                tag("div", *(_pattern(rule) for rule in shown.rules), class_="patterns"),
                _graph(shown, panel),
            ),
            tag("div", *_attempts(shown), *_others(shown), class_="attempts"),
            class_="sides",
        ),
        sheets=("graph.css", "matcher.css"),
        scripts=("inline.js", "matcher.js"),
    )


def _button(word, name, label):
    return tag("button", word, type="button", class_=name, aria_label=f"{label} comparison")


def _graph(shown, panel):
    """The graph without ids: several pictures share a page."""
    drawing = re.sub(r' id="[^"]*"', "", panel.svg())
    return tag(
        "figure",
        tag("figcaption", text(f"the graph {shown.graph.name}: choose a call")),
        picture(drawing, f"the graph {shown.graph.name}"),
        class_="graph wide",
        tabindex="0",
    )


def _pattern(rule):
    """The pattern as a picture: the output at the bottom, as in the graph."""
    parts = Parts(rule.matcher.pattern)
    rows = {parts.number(part): _row(parts.number(part), part, parts) for part in parts}
    edges = {}
    for row in rows.values():
        for slot, used in enumerate(row.inputs):
            edges[used, row.id] = (*edges.get((used, row.id), ()), slot)
    union = Union(
        1,
        {node: Change(row, row) for node, row in reversed(rows.items())},
        tuple(Edge(*pair, "unchanged", slots) for pair, slots in edges.items()),
        (), (), {},
    )  # fmt: skip
    (scene,) = scenes([union], [frozenset(rows)])
    title = f"the pattern {rule.matcher.pattern}"
    drawing = draw(scene, union, title=title, style=style(".msx-graph", "graph.css"))
    return tag(
        "figure",
        tag("figcaption", text(title)),
        picture(drawing, title),
        class_="pattern wide",
        data_rule=rule.name,
    )


def _row(number, part, parts):
    kind = (
        "call" if isinstance(part, Call) else "constant" if isinstance(part, Const) else "parameter"
    )
    op = part.name if isinstance(part, Call) else labels.short(part)
    inputs = tuple(parts.number(used) for used in getattr(part, "inputs", ()))
    attrs = ", ".join(f"{k}={v}" for k, v in getattr(part, "attrs", {}).items())
    place = "output" if number == 1 else ""
    return Row(number, kind, op, inputs, place, op, None, 1, attrs, 0, (), (0, 0))


def _attempts(shown):
    if not shown.attempts:
        yield tag("p", "No call has the op at the pattern's output.")
    for number, each in enumerate(shown.attempts[:_ATTEMPTS]):
        rule = f" by {each.rule}" if len(shown.rules) > 1 else ""
        yield tag(
            "details",
            tag("summary", tag("b", text(each.name)), text(f"{rule}: {_MARKS[each.outcome]}")),
            tag("ol", *map(_comparison, each.comparisons)),
            *(tag("p", text(line)) for line in _after(each)),
            class_=classes("attempt", each.outcome.replace(" ", "-")),
            data_node=each.root,
            data_rule=each.rule,
            open=number == 0,
        )
    yield from (tag("p", text(line)) for line in _more(len(shown.attempts) - _ATTEMPTS))


def _comparison(one):
    return tag(
        "li",
        tag("b", "✓" if one.fits else "✗", aria_label="fits" if one.fits else "does not fit"),
        " ",
        text(one.text),
        class_="fits" if one.fits else "fails",
        data_part=one.part,
        data_node=one.node,
    )


def _others(shown):
    if not shown.others:
        return
    items = (tag("li", text(f"{n}: {why}"), data_node=i) for n, i, why in shown.others[:_OTHERS])
    many = len(shown.others)
    calls = "1 call that is" if many == 1 else f"{many} calls that are"
    summary = f"{calls} not looked at: the output is another op"
    left = (tag("li", text(line)) for line in _more(len(shown.others) - _OTHERS))
    yield tag("details", tag("summary", summary), tag("ul", *items, *left), class_="others")
