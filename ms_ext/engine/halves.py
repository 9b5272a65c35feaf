"""A compiled gradient in two graphs: the forward, which also gives what is kept, and the way back.

Under one ``grad`` the forward runs once, and what it keeps lives until the way back has used it.

>>> from ms_ext import Tensor, jit
>>> from ms_ext.engine import jit as engine
>>> graph = engine.trace(lambda x: (x * x).sum(), Tensor([1.0, 2.0]))
>>> from ms_ext.engine.compiled import CompiledGraph
>>> halves = Halves(graph, lambda each, first: CompiledGraph(each))
>>> (total,), kept = halves.forwards([np.float32([1, 2])])
>>> [each.tolist() for each in halves.backwards(kept, [np.float32(1)])]
[[2.0, 4.0]]
"""

import numpy as np

from .autodiff import split
from .backends._executable import root


class Halves:
    """Both halves of ``graph``'s gradient, made by ``compiled(graph, first stage's name)``."""

    def __init__(self, graph, compiled):
        halves = split(graph)
        self.count, self.read = len(graph.outputs), halves.read
        self.forward = compiled(halves.forward, "get_jit_fprop_graph")
        self.backward = compiled(halves.backward, "get_jit_bprop_graph")

    def forwards(self, arrays):
        """(the graph's results, what is kept): of arrays, as a backend takes and gives them."""
        values = self.forward.run(*arrays)
        results = values[: self.count]
        seen = {id(root(a)) for a in (*arrays, *results) if isinstance(a, np.ndarray)}
        kept = [_of_its_own(value, seen) for value in values[self.count :]]
        return results, [*(arrays[place] for place in self.read), *kept]

    def backwards(self, kept, douts):
        """One gradient per input that has one."""
        return self.backward.run(*kept, *douts)


def _of_its_own(value, seen):
    """What is kept may not lie in memory that the caller sees, an input's or a result's: it may be
    written to."""
    if type(value) in (list, tuple):  # a Stack, what a call kept
        return type(value)([_of_its_own(each, seen) for each in value])
    shares = isinstance(value, np.ndarray) and id(root(value)) in seen
    return value.copy() if shares else value
