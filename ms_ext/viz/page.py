"""A panel as one piece of HTML: no network, no kernel; without script still picture and tables.

Nothing in it has an id, so any number of panels share a page.
"""

import functools
from pathlib import Path

from . import palette
from .markup import tag, text
from .report import changed
from .sections import section
from .text import marks

_KEYS = (
    ("← →", "previous, next pass"),
    ("j k", "next, previous changed node"),
    ("m M", "next, previous match"),
    ("b d a", "Before, Diff, After"),
    ("+ − 0", "zoom in, out, back"),
    ("w", "the whole picture"),
    ("/", "search"),
    ("Esc", "let go"),
)
_LEGEND = (
    ("unchanged", "", "unchanged"),
    ("added", "+", "added"),
    ("removed", "−", "removed"),
    ("rewritten", "~", "rewritten: same node, other inputs, type or attributes"),
    ("matched", "◎", "matched by the pattern, with the number of the match"),
)
_VIEWS = (("before", "Before"), ("diff", "Diff"), ("after", "After"))
_HINT = (
    "Without script every pass opens by its name below. Stepping, search and zoom need script: in"
    " Jupyter, trust the notebook."
)


@functools.cache
def asset(name):
    """The text of a file in assets/.

    >>> "msx-graph" in asset("graph.css")
    True
    """
    return (Path(__file__).parent / "assets" / name).read_text(encoding="utf-8")


def style(selector, *names):
    """Colours and rules as one style sheet."""
    return "\n".join((palette.tokens(selector), *map(asset, names)))


def panel(title, report, pictures, start):
    """The panel. ``pictures``, per step: (svg or None, number of the step that has it, view)."""
    kind = "passes" if report and report[0]["number"] else "graph"
    pairs = zip(report, pictures, strict=True)
    return tag(
        "div",
        tag("style", style(".msx-panel", "graph.css", "panel.css")),
        tag("p", text(title), class_="title"),
        _stepper(report, start) if len(report) > 1 else "",
        tag("div", _views() if kind == "passes" else "", _tools(), class_="tools"),
        tag("p", class_="status live", role="status", aria_live="polite"),
        _legend() if kind == "passes" else "",
        tag("p", _HINT, class_="hint"),
        tag("div", *(section(said, *shown, start) for said, shown in pairs), class_="steps"),
        tag("script", _script()),
        class_=f"msx-panel {kind}",
        data_start=start,
        tabindex="-1",
        role="region",
        aria_label=title,
    )


def _script():
    return f'(() => {{\n"use strict";\n{asset("picture.js")}{asset("panel.js")}}})();\n'


def document(title, body):
    """A whole page around a panel, to open from a file."""
    rules = "body { margin: 0; padding: 12px; background: var(--msx-bg); }"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", text(title)),
        tag("style", style("body"), rules),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', body), lang='en')}\n"


# controls -----------------------------------------------------------------------------------------


def _button(word, name, label, **more):
    return tag("button", text(word), type="button", class_=name, aria_label=label, **more)


def _slider(name, low, high, value):
    return tag(
        "input", type="range", class_=name, min=low, max=high, value=value, step=1, aria_label=name
    )


def _stepper(report, start):
    only = tag("label", tag("input", type="checkbox", class_="only"), " changed passes only")
    bar = (
        _button("◀", "back", "previous pass"),
        _slider("pass", 1, len(report), start),
        _button("▶", "on", "next pass"),
        only,
    )
    strip = tag("ol", *map(_chip, report), class_="strip live", aria_label="passes")
    return tag("div", *bar, class_="stepper live") + strip


def _chip(said):
    inner = tag("b", text(said["number"])), " ", text(said["name"]), " ", _marks(said)
    kind = "changed" if changed(said) else "same"
    return tag("li", tag("button", *inner, type="button", data_pass=said["number"], class_=kind))


def _marks(said):
    return tag("small", marks(said["counts"]))


def _views():
    choices = (
        tag(
            "label",
            tag("input", type="radio", name="view", value=value, checked=value == "diff"),
            tag("span", word),
        )
        for value, word in _VIEWS
    )
    matches = (
        _button("◀", "less", "previous match"),
        tag("label", "match ", _slider("match", 0, 0, 0)),
        tag("span", class_="count"),
        _button("▶", "more", "next match"),
    )
    form = tag("form", *choices, class_="views", role="radiogroup", aria_label="view")
    return form + tag("span", *matches, class_="matches live")


def _tools():
    search = tag("input", type="search", placeholder="find op, name, %id", aria_label="find a node")
    zoom = (
        _button("−", "out", "zoom out"),
        _button("+", "in", "zoom in"),
        _button("whole", "whole", "the whole picture"),
        _button("reset", "reset", "readable size"),
    )
    keys = tag("ul", *(tag("li", tag("kbd", key), " ", what) for key, what in _KEYS))
    return (
        tag("span", search, tag("span", class_="count", aria_live="polite"), class_="find live")
        + tag("span", *zoom, class_="zoom live")
        + tag("details", tag("summary", "keys"), keys, class_="keys live")
    )


def _legend():
    chips = (
        tag("li", tag("i", glyph), " ", state, class_=state, title=what)
        for state, glyph, what in _LEGEND
    )
    return tag("ul", *chips, class_="legend", aria_label="what the marks mean")
