"""A panel as one piece of HTML: no network, no kernel; without script still picture and tables.

What stands in the HTML is the content, written so that a page without script or style can be read.
Everything that is pressed or moved is made by the script. Nothing has an id, so any number of
panels share a page.
"""

import re
from html import unescape

from ...engine import making
from ..assets import asset, own_style, script, style
from ..markup import tag
from ..markup import text as escaped
from ..pictures import picture
from .packed import packed
from .report import changed
from .sections import section
from .tables import panes

SCRIPTS = (
    "inline.js",
    "quiet.js",
    "controls.js",
    "data.js",
    "picture.js",
    "scopes.js",
    "marks.js",
    "matches.js",
    "lists.js",
    "export.js",
    "keys.js",
    "panel.js",
)
_LEGEND = (
    ("unchanged", "", "unchanged", "thin grey line"),
    ("added", "+", "added", "thick blue line"),
    ("removed", "−", "removed", "dashed orange line, struck through"),
    ("rewritten", "~", "rewritten", "same node with other inputs, type or attributes"),
    ("matched", "◎", "matched", "part of a match of the pattern, with the match's number"),
)
_HINT = (
    "This is the panel without its script: every pass opens by its name below. To step, search and"
    " zoom, trust the notebook: in JupyterLab and Jupyter Notebook, File, then Trust Notebook."
)
_TITLE = re.compile(r'(<g class="node[^>]* data-id="([^"]*)"[^>]*>)\s*<title>(.*?)</title>', re.S)
_EDGE = re.compile(r'(<g class="edge (?!back)[^>]*>)\s*<title>.*?</title>')


def panel(panel):
    """The HTML of a Panel."""
    with making.paused():
        return _panel(panel)


def _panel(panel):
    report, kind = panel.report, _kind(panel.report)
    facts = [{} for _ in report]
    steps = []
    for index, said in enumerate(report):
        found = panel.pictures(index)
        images = {name: _image(name, found, said, facts[index]) for name in found.views}
        steps.append(section(said, found, images, panel.start))
    data = packed(panel.told(), facts)
    return tag(
        "div",
        tag("style", style(".msx-panel", "graph.css", "panel.css")),
        tag("p", escaped(panel.title), class_="title"),
        tag("p", _HINT, class_="hint"),
        _legend() if kind == "passes" else "",
        tag("div", *steps, class_="steps"),
        tag("div", *panes(panel.panes, panel.opened), class_="panes") if panel.panes else "",
        tag("script", data, type="application/json", class_="data"),
        tag("script", script(*SCRIPTS, "every.js")),
        class_=f"msx-panel {kind}",
        data_start=panel.start,
        data_open=" ".join(panel.opened) or None,
        tabindex="-1",
        role="region",
        aria_label=panel.title,
    )


def module():
    """The same script as a module for anywidget."""
    return "".join(map(asset, (*SCRIPTS, "widget.js")))


def shown(panel):
    """The HTML for the end of a cell: where it cannot be made, the same content as text.

    A learner sees one sentence about it, and never a traceback through the drawing.
    """
    try:
        return panel.html()
    except Exception as problem:  # whatever went wrong, the text form still has everything
        return instead(problem, panel.text())


def instead(problem, content):
    """What stands where a picture could not be drawn: why not, and its content as text.

    >>> instead(ValueError("no room"), "a < b")[:58]
    '<p>The picture could not be drawn (ValueError: no room); t'
    """
    sentence = f"The picture could not be drawn ({why(problem)}); this is the same content as text."
    return tag("p", escaped(sentence)) + tag("pre", escaped(content))


def why(problem):
    """An exception in one line.

    >>> why(ValueError("no room"))
    'ValueError: no room'
    """
    return f"{type(problem).__name__}: {problem}".splitlines()[0]


def document(title, body):
    """A whole page around a panel, to open from a file."""
    rules = "body { margin: 0; padding: 12px; background: var(--msx-bg); }"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", escaped(title)),
        tag("style", style("body"), rules),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, tag('body', body), lang='en')}\n"


def _kind(report):
    """Whether there are passes to step through, or one graph in which nothing changed."""
    numbered = report and report[0]["number"]
    return "passes" if numbered or any(map(changed, report)) else "graph"


def _image(name, found, said, facts):
    """One picture as an image; what its nodes say of themselves goes to ``facts``, by id.

    An image has no tooltips, and most nodes say the same in every pass: it is written once. Which
    operand an edge is, the script finds in the data.
    """

    def keep(found):
        facts[unescape(found[2])] = unescape(found[3])
        return found[1]

    svg = _EDGE.sub(r"\1", _TITLE.sub(keep, found.views[name]))
    sheet = tag("style", own_style(".msx-graph", "graph.css"))
    if "<style" not in svg:
        svg = re.sub(r"(<svg [^>]*>)", lambda found: found[1] + sheet, svg, count=1)
    about = found.about.get(name)
    return picture(svg, said["summary"], class_="msx-picture", data_name=name, data_about=about)


def _legend():
    chips = (
        tag("li", tag("i", glyph), f" {state}", tag("span", f": {what}"), class_=name, title=what)
        for name, glyph, state, what in _LEGEND
    )
    return tag("ul", *chips, class_="legend", aria_label="what the marks mean")
