"""``viz.passes(f, *args)``: every pass of the pipeline as a picture of what it changed.

A Panel shows itself in a notebook, prints as text, and saves as a page, a picture, text or data.
"""

import functools
import json
from pathlib import Path

from ..engine import errors
from .assets import style
from .drawing import raster
from .drawing.budget import BUDGET, HOPS, Options
from .drawing.dot_file import dot_text
from .drawing.drawings import Drawings, Pictures
from .drawing.svg import draw
from .drawing.views import HUGE, LARGE
from .panel import links, page, report, text

VIEWS = ("before", "diff", "after")


class Panel:
    """What the passes did to one graph; the last value of a cell draws itself.

    Nodes go by the engine's ids, those that ``print(graph)`` shows; ``node(id)`` is the node. The
    same function traced again gets other ids in the same order, and else the same panel.

    >>> from ms_ext.viz.panel import report
    >>> print(Panel("nothing", []).text())
    nothing
    <BLANKLINE>
    """

    def __init__(self, title, steps, start=None, record=None, panes=(), opened=()):
        self.title, self.steps, self.record, self._panes = title, steps, record, panes
        self.opened = links.named(opened)  # names of panes that stand beside each other
        self.report = [step.said for step in steps]
        self.start = start or report.opening(self.report)
        self.drawings = Drawings(steps, self._index(self.start) if steps else 0)

    @functools.cached_property
    def panes(self):
        """The nodes as source lines, text, code and times: made when somebody looks."""
        return list(self._panes() if callable(self._panes) else self._panes)

    # forms ------------------------------------------------------------------------------------

    def html(self):
        """The panel as HTML for a notebook or any page."""
        return page.panel(self)

    def pictures(self, index) -> Pictures:
        """The Pictures of step ``index``, counted from 0, as far as they fit into a page."""
        return self.drawings.pictures(index)

    def names(self, index):
        """The names of all pictures that can be drawn of step ``index``, counted from 0."""
        return self.drawings.names(index)

    def picture(self, number, name):
        """One picture of pass ``number`` as it stands in a page; "" if it takes too long."""
        index, _ = self.drawings.source(self._index(number))
        return self.drawings.svg(index, self.drawings.named(index, name))

    def node(self, number):
        """The engine's node with this id, in the graph after the last pass; None if it is gone."""
        graph = getattr(self.record, "graph", self.record)
        for each in graph.all_graphs() if hasattr(graph, "all_graphs") else ():
            nodes = (*each.parameters, *each.constants.values(), *each.order(), each.result)
            for node in nodes:
                if node.id == number:
                    return node
        return None

    def text(self):
        """The same content as text."""
        return text.page(self.title, self.report)

    def json(self):
        """The same content as JSON: all nodes and edges of all passes, and the panes."""
        return json.dumps(self._data(self.report), ensure_ascii=False, indent=1)

    def told(self):
        """What a page has of that: of a large graph, nodes that changed or are drawn."""
        return self._data([self.drawings.told(index) for index in range(len(self.steps))])

    def _data(self, said):
        panes = [_pane(pane) for pane in self.panes]
        return {"version": report.VERSION, "title": self.title, "passes": said, "panes": panes}

    def svg(self, view="diff", number=None, picture=None):
        """The picture of one pass as a file of its own; ``view``: before, diff or after.

        ``picture``: its name, as "whole", "scopes" or "inside encoder"; else the first there is.
        """
        if view not in VIEWS:
            raise errors.InvalidValue(
                "A picture has three views.",
                given=repr(view),
                hint=errors.did_you_mean(view, VIEWS),
            )
        index = self._index(self.start if number is None else number)
        source, side = self.drawings.source(index)
        chosen, scene = self.drawings.placed(source, picture)
        step, sheet = self.steps[source], style(".msx-graph", "graph.css")
        return draw(
            scene, chosen.union, step.matched, title=step.said["summary"],
            view=view if source == index else f"{side} plain", ids=True, style=sheet,
        )  # fmt: skip

    def dot(self, number=None):
        """The graph of one pass in the language of Graphviz, every node of it."""
        index = self._index(self.start if number is None else number)
        return dot_text(self.steps[index].union, self.title)

    def save(self, path, view="diff", number=None, picture=None):
        """Write the panel to ``path``; its ending says as what. Returns the path.

        .html, .txt and .json have every pass; .svg, .png and .pdf are the picture of one, .dot is
        the whole graph of one.
        """
        path = Path(path)
        if path.suffix in raster.ENDINGS:
            return raster.save(self.svg(view, number, picture), path)
        forms = {
            ".html": lambda: page.document(self.title, self.html()),
            ".svg": lambda: self.svg(view, number, picture),
            ".txt": self.text,
            ".json": self.json,
            ".dot": lambda: self.dot(number),
        }
        if path.suffix not in forms:
            raise errors.InvalidValue(
                "A panel is saved as .html, .svg, .png, .pdf, .dot, .txt or .json.",
                given=str(path.name),
                hint="Give the file one of these endings.",
            )
        path.write_text(forms[path.suffix](), encoding="utf-8")
        return path

    def widget(self):
        """The panel with a line to Python: the chosen node is an object (panel/live.py)."""
        from .panel import live

        return live.widget(self)

    def __repr__(self):
        return self.text()

    def _repr_html_(self):
        return page.shown(self)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": page.shown(self), "text/plain": self.text()}

    def _index(self, number):
        for index, said in enumerate(self.report):
            if said["number"] == number:
                return index
        raise errors.InvalidIndex(
            f"There are {len(self.report)} passes.",
            given=f"pass {number}",
            hint="Passes count from 1.",
        )


def passes(
    f, *args, passes=None, budget=BUDGET, hops=HOPS, expand=(), force=False, number=None, panes=()
):
    """What every pass did to the graph of ``f`` on ``args``. Also takes a PipelineRecord.

    ``passes`` adds to the pipeline as in ``jit(passes=[...])``; the panel opens at pass ``number``,
    else at the first of them that changed something, else at the first pass that did; where none
    did, at the first with near misses, which say why not. More than ``budget`` nodes: what changed
    and what is at most ``hops`` steps from it, and scopes folded but for those named in ``expand``.
    ``force``: every node, even of a graph of thousands. ``panes``: those that start open below the
    picture, ``("Python", "IR")``; a panel that is too narrow for them has them as tabs.
    """
    opened = links.named(panes)
    record, inputs = (f, None) if hasattr(f, "listing_after") else _explain(f, args, passes)
    steps = report.of_passes(record, Options(budget, hops, scopes_of(expand), force))
    if all(len(step.union.changes) <= LARGE for step in steps):
        links.in_steps([step.said for step in steps])
    made = functools.partial(panes_of, steps, record, inputs, f)
    start = number or report.opening([step.said for step in steps], _names(passes or ()))
    return Panel(_title(record, steps), steps, start, record, made, opened)


def panes_of(steps, record, inputs, f):
    """The panes, but for a graph so large that building and measuring it takes too long.

    >>> panes_of([], None, None, None)
    []
    """
    most = max((len(step.union.changes) for step in steps), default=0)
    if most <= HUGE:
        return links.panes(record, inputs, f)
    about = f"A graph of {most} nodes has no panes: viz.run(f, *args) lists what is executed."
    return [links.Pane("code", [], about)]


def scopes_of(expand):
    """The names of scopes, of which one alone may be given.

    >>> scopes_of("encoder"), scopes_of(["encoder", "head"])
    (('encoder',), ('encoder', 'head'))
    """
    return (expand,) if isinstance(expand, str) else tuple(expand)


def _explain(f, args, passes):
    from .panel.arguments import explained

    return explained(f, args, passes)


def _title(record, steps):
    ends = ""
    if record.passes:
        first, last = record.passes[0].cost_before, record.passes[-1].cost_after
        ends = f", {first.nodes} → {last.nodes} nodes"
    return f"{record.name}: {len(steps)} pass{'es' * (len(steps) != 1)}{ends}"


def _names(wanted):
    """What passes are called that were asked for."""
    from ..engine import passes

    return {each if isinstance(each, str) else passes.find(each).name for each in wanted}


def _pane(pane):
    lines = [{**line._asdict(), "nodes": list(line.nodes)} for line in pane.lines]
    return {"name": pane.name, "about": pane.about, "lines": lines}
