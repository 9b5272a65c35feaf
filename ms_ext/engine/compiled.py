"""A graph that can be called with tensors: optimised, built by a backend, recorded under grad.

Its gradient is another compiled graph, made when it is first asked for, so any order works.
"""

import functools
import weakref

import numpy as np

from . import backends, pipeline, resizing, saving, tape
from .autodiff import differentiable, vjp
from .dims import Unsure
from .infer import OBJECT, AbstractTensor, AbstractTuple
from .making import making
from .tensor import Tensor

ALIVE: weakref.WeakSet = weakref.WeakSet()  # who looks at a recording finds a node's graph here


class CompiledGraph:
    """``graph`` on ``backend`` after ``passes``; called with tensors, gives tensors and numbers."""

    def __init__(self, graph, backend="", passes=None, first="type_inference"):
        self.backend, self.passes = backend, passes
        files = saving.files(graph, backend, passes, first)  # None unless they are asked for
        pipeline.run(graph, passes, after=files and files.passed)
        self.graph = graph
        if resizing.sizes_of(graph) is None:
            self.executable = backends.build(backend, graph)
            self.run = self.executable.run
        else:
            self.run = resizing.Resizable(graph, lambda sized: backends.build(backend, sized))
            self.executable = self.run.first
        if files:
            files.built(self.executable)
        self.makers = [_maker(node.abstract) for node in graph.outputs]
        self.gives_tensors = all(make is _tensor for make in self.makers)
        self.writes = graph.writes
        self.numbers = [i for i, p in enumerate(graph.parameters) if is_number(p.abstract)]
        self.objects = [i for i, p in enumerate(graph.parameters) if p.abstract is OBJECT]
        self._gradient = None
        ALIVE.add(self)

    def __call__(self, *inputs):
        if self.numbers:
            inputs = [Tensor(v) if i in self.numbers else v for i, v in enumerate(inputs)]
        if self.objects:
            inputs = [_Object(v) if i in self.objects else v for i, v in enumerate(inputs)]
        values = self.run(*[t.asnumpy() for t in inputs])
        if self.gives_tensors:
            found = self._recorded(inputs, list(map(_tensor, values)), None)
        else:
            found = [make(v) for make, v in zip(self.makers, values, strict=True)]
            entered = [i for i, v in enumerate(found) if isinstance(v, Tensor)]
            tensors = self._recorded(inputs, [found[i] for i in entered], entered)
            for index, tensor in zip(entered, tensors, strict=True):
                found[index] = tensor
        for result, place in self.writes.items():
            _write(inputs[place], found[result])
        return found

    def _recorded(self, inputs, tensors, entered):
        """Enter the call into the tape (nothing happens outside grad); its way back is the vjp.

        The way back begins with the inputs as they were before the graph wrote to them.
        ``entered``: which outputs the tensors are; None for all.
        """
        known = _tensors_among(inputs) if self.objects else inputs
        if self.writes and tape.watches(known):
            written = set(self.writes.values())
            before = [tape.copied(t) if i in written else t for i, t in enumerate(inputs)]
        else:
            before = inputs
        pull = functools.partial(self._pull, before, entered)
        return tape.record(self.graph.name, known, tensors, pull)

    def _pull(self, inputs, entered, *douts):
        """One gradient per input that is a tensor, None where there is none."""
        coming = dict(enumerate(douts) if entered is None else zip(entered, douts, strict=True))
        moving = [differentiable(node.abstract) for node in self.graph.outputs]
        given = [coming.get(i) for i, moves in enumerate(moving) if moves]
        inputs = _unwrapped(inputs)
        gradients = iter(self.gradient(*inputs, *given))
        pairs = zip(self.graph.parameters, inputs, strict=True)
        found = [(next(gradients) if differentiable(p.abstract) else None, v) for p, v in pairs]
        return tuple([gradient for gradient, value in found if isinstance(value, Tensor)])

    @property
    def gradient(self):
        """The compiled vjp: ``(*inputs, *douts) -> *gradients``."""
        if self._gradient is None:
            self._gradient = self._compiled_gradient()
        return self._gradient

    @making()
    def _compiled_gradient(self):
        try:
            return self._pulled(self.graph)
        except Unsure:  # a rule needs the numbers: a gradient for each set of sizes
            return resizing.Resizable(self.graph, self._pulled)

    def _pulled(self, graph):
        return CompiledGraph(vjp(graph), self.backend, self.passes, "get_jit_bprop_graph")


def _write(tensor, value):
    """A tensor takes a value over: in its memory where a gradient is taken, for it is an alias."""
    if tape.watches((tensor,)):
        tensor[...] = value
    else:
        tensor.assign_value(value)


class _Object:
    """An input that is an object, among tensors."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def asnumpy(self):
        """What the backend is given: the object itself."""
        return self.value


def _unwrapped(inputs):
    return [v.value if type(v) is _Object else v for v in inputs]


def _tensors_among(inputs):
    return [v for v in _unwrapped(inputs) if isinstance(v, Tensor)]


def is_number(abstract):
    """Whether a value of this type is a Python number."""
    return isinstance(abstract, AbstractTensor) and abstract.weak


def _maker(abstract):
    """What makes a result of what the backend gave: a tensor, a number, or an object as it is."""
    if is_number(abstract):
        return abstract.number
    return _tensor if isinstance(abstract, AbstractTensor | AbstractTuple) else _itself


def _itself(value):
    return value


def _tensor(value):
    """A tensor on a backend's result."""
    return Tensor.from_numpy(value if type(value) is np.ndarray else np.asarray(value))
