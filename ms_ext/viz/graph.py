"""``viz.graph(f, *args)``: one graph as a picture, before any pass."""

from . import report
from .budget import BUDGET
from .passes import Panel


def graph(f, *args, budget=BUDGET):
    """The graph of ``f`` on ``args`` as the front end built it. Also takes a FuncGraph."""
    from ..engine.ir import journal

    found = f if hasattr(f, "all_graphs") else _trace(f, args)
    return Panel(
        found.name, report.of_graph(found.name, journal.listing(found), _cost(found), budget)
    )


def _trace(f, args):
    from ..engine import jit

    return jit.trace(f, *args)


def _cost(graph):
    from ..engine import pipeline

    return pipeline.measure(graph)
