"""Gradients as graphs: what a rule writes has rules itself, so order two is the same again.

``linearize(target, graph, arguments)`` writes the graph's calls into ``target`` and returns the
results and ``back(douts)``, which writes the gradients there too. ``vjp(graph)`` is a graph of its
own.
"""

from .linearize import Back, differentiable, linearize, spread_like
from .vjp import vjp

__all__ = ["Back", "differentiable", "linearize", "spread_like", "vjp"]
