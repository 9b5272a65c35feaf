"""``viz.graph(f, *args)``: one graph as a picture, before any pass."""

import functools

from .drawing.budget import BUDGET, HOPS, Options
from .panel import report
from .panel.links import named
from .passes import Panel, panes_of, scopes_of


def graph(f, *args, budget=BUDGET, hops=HOPS, expand=(), force=False, panes=()):
    """The graph of ``f`` on ``args`` as the front end built it. Also takes a FuncGraph.

    More than ``budget`` nodes: scopes are folded but for those named in ``expand``. ``force``:
    every node, even of a graph of thousands. ``panes``: those that start open below the picture,
    beside each other where there is room, as ``("Python", "IR")``.
    """
    opened = named(panes)
    from ..engine.ir import journal

    found, inputs = (f, None) if hasattr(f, "all_graphs") else _trace(f, args)
    options = Options(budget, hops, scopes_of(expand), force)
    steps = report.of_graph(found.name, journal.listing(found), _cost(found), options)
    made = functools.partial(panes_of, steps, found, inputs, f)
    return Panel(found.name, steps, None, found, made, opened)


def _trace(f, args):
    from .panel.arguments import traced

    return traced(f, args)


def _cost(graph):
    from ..engine import pipeline

    return pipeline.measure(graph)
