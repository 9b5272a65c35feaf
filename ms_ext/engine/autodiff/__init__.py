"""Gradients as graphs: what a rule writes has rules itself, so order two is the same again.

``linearize(target, graph, arguments)`` writes the graph's calls into ``target``; the Back that it
gives writes the gradients there too. ``vjp(graph)`` is a graph of its own; ``split(graph)`` are
two, forward with what is kept for the way back, and backward. ``pushforward`` and ``jvp`` are the
same forwards.
"""

from . import calls, control, forward_control, forward_objects, objects  # noqa: F401 their rules
from .forward import jvp, pushforward
from .linearize import Back, linearize
from .values import differentiable, spread_like
from .vjp import split, vjp

__all__ = [
    "Back",
    "differentiable",
    "jvp",
    "linearize",
    "pushforward",
    "split",
    "spread_like",
    "vjp",
]
