"""``viz.passes(f, *args)``: every pass of the pipeline as a picture of what it changed.

A Panel shows itself in a notebook, prints as text, and saves as a page, a picture, text or data.
"""

import json
from pathlib import Path

from ..engine import errors
from . import page, report, text
from .budget import BUDGET
from .scene import scenes
from .svg import draw

VIEWS = ("before", "diff", "after")


class Panel:
    """What the passes did to one graph; the last value of a cell draws itself.

    >>> from ms_ext.viz import report
    >>> print(Panel("nothing", []).text())
    nothing
    <BLANKLINE>
    """

    def __init__(self, title, steps, start=None):
        self.title, self.steps = title, steps
        self.report = [step.said for step in steps]
        self.start = (
            start
            or next(filter(None, map(_number_if_changed, self.report)), None)
            or _first(self.report)
        )
        self._drawn = None

    # forms ------------------------------------------------------------------------------------

    def html(self):
        """The panel as HTML for a notebook or any page."""
        pictures = [self._picture(index) for index in range(len(self.steps))]
        return page.panel(self.title, self.report, pictures, self.start)

    def text(self):
        """The same content as text."""
        return text.page(self.title, self.report)

    def json(self):
        """The same content as JSON."""
        data = {"version": report.VERSION, "title": self.title, "passes": self.report}
        return json.dumps(data, ensure_ascii=False, indent=1)

    def svg(self, view="diff", number=None):
        """The picture of one pass as a file of its own; ``view``: before, diff or after."""
        if view not in VIEWS:
            raise errors.InvalidValue(
                "A picture has three views.",
                given=repr(view),
                hint=errors.did_you_mean(view, VIEWS),
            )
        index = self._index(self.start if number is None else number)
        drawn = self._scenes()
        if index not in drawn:
            _, number, side = self._picture(index)
            index, view = self._index(number), f"{side} plain"
        step, sheet = self.steps[index], page.style(".msx-graph", "graph.css")
        return draw(
            drawn[index], step.union, step.matched,
            title=step.said["summary"], view=view, ids=True, style=sheet,
        )  # fmt: skip

    def save(self, path, view="diff", number=None):
        """Write the panel to ``path``: .html, .svg, .txt or .json by its name. Returns the path."""
        path = Path(path)
        forms = {
            ".html": lambda: page.document(self.title, self.html()),
            ".svg": lambda: self.svg(view, number),
            ".txt": self.text,
            ".json": self.json,
        }
        if path.suffix not in forms:
            raise errors.InvalidValue(
                "A panel is saved as .html, .svg, .txt or .json.", given=str(path.name),
                hint="Give the file one of these endings.",
            )  # fmt: skip
        path.write_text(forms[path.suffix](), encoding="utf-8")
        return path

    def __repr__(self):
        return self.text()

    def _repr_html_(self):
        return self.html()

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self.html(), "text/plain": self.text()}

    # pictures ---------------------------------------------------------------------------------

    def _scenes(self):
        """Scenes by index of the step; a pass that changed nothing has none unless no pass did."""
        if self._drawn is None:
            wanted = [i for i, said in enumerate(self.report) if report.changed(said)]
            wanted = wanted or [0] * bool(self.steps)
            unions = [self.steps[i].union for i in wanted]
            self._drawn = dict(
                zip(wanted, scenes(unions, [self.steps[i].shown for i in wanted]), strict=True)
            )
        return self._drawn

    def _picture(self, index):
        """(svg or None, number of the step whose picture is shown, view) of a step."""
        drawn, step = self._scenes(), self.steps[index]
        if index in drawn:
            svg = draw(drawn[index], step.union, step.matched, title=step.said["summary"])
            return svg, step.said["number"], "diff"
        earlier = [i for i in drawn if i < index]
        nearest, view = (max(earlier), "after") if earlier else (min(drawn), "before")
        return None, self.report[nearest]["number"], view

    def _index(self, number):
        for index, said in enumerate(self.report):
            if said["number"] == number:
                return index
        raise errors.InvalidIndex(
            f"There are {len(self.report)} passes.",
            given=f"pass {number}",
            hint="Passes count from 1.",
        )


def _number_if_changed(said):
    return said["number"] if report.changed(said) else None


def _first(steps):
    return steps[0]["number"] if steps else 0


def passes(f, *args, passes=None, budget=BUDGET):
    """What every pass did to the graph of ``f`` on ``args``. Also takes a PipelineRecord.

    ``passes`` adds to the pipeline as in ``jit(passes=[...])``; the panel opens at the first of
    them that changed something. More than ``budget`` nodes: what changed and its surroundings.
    """
    record = f if hasattr(f, "listing_after") else _explain(f, args, passes)
    steps = report.of_passes(record, budget)
    return Panel(_title(record, steps), steps, _asked(steps, passes or ()))


def _explain(f, args, passes):
    from ..engine import jit

    return jit.explain(f, *args, passes=passes)


def _title(record, steps):
    ends = ""
    if record.passes:
        first, last = record.passes[0].cost_before, record.passes[-1].cost_after
        ends = f", {first.nodes} → {last.nodes} nodes"
    return f"{record.name}: {len(steps)} pass{'es' * (len(steps) != 1)}{ends}"


def _asked(steps, wanted):
    """The number of the first pass that was asked for by name and changed something."""
    names = {
        each if isinstance(each, str) else getattr(each, "name", getattr(each, "__name__", ""))
        for each in wanted
    }
    for step in steps:
        if step.said["name"] in names and report.changed(step.said):
            return step.said["number"]
    return None
