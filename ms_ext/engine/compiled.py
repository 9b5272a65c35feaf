"""A graph that can be called with tensors: optimised, built by a backend, recorded under grad.

Its gradient is another compiled graph, made when it is first asked for, so any order works.
"""

import functools
import weakref

import numpy as np

from . import backends, pipeline, tape
from .autodiff import differentiable, vjp
from .tensor import Tensor

ALIVE: weakref.WeakSet = weakref.WeakSet()  # who looks at a recording finds a node's graph here


class CompiledGraph:
    """``graph`` on ``backend`` after ``passes``; called with tensors, gives tensors and numbers."""

    def __init__(self, graph, backend="", passes=None):
        self.backend, self.passes = backend, passes
        pipeline.run(graph, passes)
        self.graph = graph
        self.executable = backends.build(backend, graph)
        self.run = self.executable.run
        self.numbers = [getattr(node.abstract, "number", None) for node in graph.outputs]
        self.gives_tensors = all(number is None for number in self.numbers)
        self._gradient = None
        ALIVE.add(self)

    def __call__(self, *inputs):
        values = self.run(*[t.asnumpy() for t in inputs])
        if self.gives_tensors:
            return self._recorded(inputs, list(map(_tensor, values)))
        pairs = list(zip(values, self.numbers, strict=True))
        entered = iter(self._recorded(inputs, [_tensor(v) for v, n in pairs if n is None]))
        return [next(entered) if n is None else n(v) for v, n in pairs]

    def _recorded(self, inputs, tensors):
        """Enter the call into the tape (nothing happens outside grad); its way back is the vjp."""
        return tape.record(self.graph.name, inputs, tensors, functools.partial(self._pull, inputs))

    def _pull(self, inputs, *douts):
        """One gradient per input, None where there is none."""
        moving = [
            differentiable(node.abstract)
            for node, number in zip(self.graph.outputs, self.numbers, strict=True)
            if number is None
        ]
        given = [d for d, moves in zip(douts, moving, strict=True) if moves]
        gradients = iter(self.gradient(*inputs, *given))
        return tuple(
            next(gradients) if differentiable(p.abstract) else None for p in self.graph.parameters
        )

    @property
    def gradient(self):
        """The compiled vjp: ``(*inputs, *douts) -> *gradients``."""
        if self._gradient is None:
            self._gradient = CompiledGraph(vjp(self.graph), self.backend, self.passes)
        return self._gradient


def _tensor(value):
    """A tensor on a backend's result."""
    return Tensor.from_numpy(value if type(value) is np.ndarray else np.asarray(value))
