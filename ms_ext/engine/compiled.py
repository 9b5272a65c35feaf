"""A graph that can be called with tensors: optimised, built by a backend, recorded under grad.

Its gradient is compiled when it is first asked for. Under one ``grad`` it is two graphs: the
forward also gives what the way back reads. Where the way back is itself differentiated, under more
than one ``grad`` or in forward mode, it is one graph of the inputs, which calculates the forward
once more; so it is with a pass that has work between the two, as ``recompute``.
"""

import functools
import itertools
import weakref

import numpy as np

from . import backends, pipeline, resizing, saving, tape
from .autodiff import differentiable, vjp
from .autodiff.objects import built_as, leaves_of, whole_or_nothing
from .dims import Unsure
from .halves import Halves
from .infer import OBJECT, AbstractTensor, AbstractTuple
from .making import making
from .passes import find
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
        self.keeps = not any(find(each).across for each in passes or ())
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
        arrays = [t.asnumpy() for t in inputs]
        known = _tensors_among(inputs) if self.objects else inputs
        if tape.depth() == 1 and self.keeps and tape.watches(known):
            values, pull, read = self._kept(inputs, known, arrays)
        else:
            values, (pull, read) = self.run(*arrays), self._again(inputs, known)
        found = self._recorded(known, values, pull, read)
        for result, place in self.writes.items():
            _write(inputs[place], found[result], values[result])
        return found

    def _recorded(self, known, values, pull, read):
        """The results, entered into the tape (nothing happens outside grad): ``pull(douts)``, one
        per result, gives the gradients of the tensors that came in; it reads some of them."""
        if self.gives_tensors:
            found = list(map(_tensor, values))
            return self._entered(known, found, lambda *douts: pull(douts), read)
        found = [make(v) for make, v in zip(self.makers, values, strict=True)]
        leaves = [leaf for value in found for leaf in leaves_of(value)]
        places = [i for i, v in enumerate(leaves) if isinstance(v, Tensor)]
        empty = [built_as(value, itertools.repeat(None)) for value in found]
        back = functools.partial(_in_their_places, pull, places, empty)
        tensors = self._entered(known, [leaves[i] for i in places], back, read)
        for index, tensor in zip(places, tensors, strict=True):
            leaves[index] = tensor
        leaves = iter(leaves)
        return [built_as(value, leaves) for value in found]

    def _entered(self, known, tensors, back, read):
        return list(tape.record(self.graph.name, known, tensors, back, read))

    def _gradients(self, inputs, found):
        """One gradient per tensor among the inputs, None where there is none."""
        gradients, counted = iter(found), []
        for parameter, value in zip(self.graph.parameters, _unwrapped(inputs), strict=True):
            whole = next(gradients) if differentiable(parameter.abstract) else None
            if isinstance(value, Tensor):
                counted.append(whole)
                continue
            leaves = list(leaves_of(value))
            parts = [None] * len(leaves) if whole is None else leaves_of(whole)
            pairs = zip(leaves, parts, strict=True)
            counted += [part for leaf, part in pairs if isinstance(leaf, Tensor)]
        return tuple(counted)

    def _written(self):
        """The inputs that the graph writes to."""
        return set(self.writes.values())

    def _counted(self, douts):
        """The douts of results that have a gradient."""
        outputs = self.graph.outputs
        return [d for d, n in zip(douts, outputs, strict=True) if differentiable(n.abstract)]

    # under one grad: what the way back reads is kept --------------------------------------------

    def _kept(self, inputs, known, arrays):
        halves = self.halves
        if isinstance(halves, resizing.Resizable):
            halves = halves.of(halves.read(arrays))
        written = self._written()
        before = [a.copy() if i in written else a for i, a in enumerate(arrays)]
        values, kept = halves.forwards(before)
        again, _ = self._again(inputs, known)

        def pull(douts):
            if tape.depth():  # forward mode goes through the way back
                return again(douts)
            given = [d.asnumpy() if isinstance(d, Tensor) else d for d in self._counted(douts)]
            found = halves.backwards(kept, given)
            makers = halves.backward.makers
            return self._gradients(inputs, [make(v) for make, v in zip(makers, found, strict=True)])

        read = _tensors_among([inputs[i] for i in halves.read if i not in written])
        return values, pull, [*read, *kept]

    @functools.cached_property
    def halves(self):
        """The gradient as two graphs; a Resizable of it where sizes are open."""
        with making():
            if resizing.sizes_of(self.graph) is None:
                return self._halved(self.graph)
            return resizing.Resizable(self.graph, self._halved)

    def _halved(self, graph):
        return Halves(
            graph, lambda half, first: CompiledGraph(half, self.backend, self.passes, first)
        )

    # under several: the gradient as a function of the inputs -------------------------------------

    def _again(self, inputs, known):
        """The way back begins with the inputs as they were before the graph wrote to them."""
        before = inputs
        if self.writes and tape.watches(known):
            written = self._written()
            before = [tape.copied(t) if i in written else t for i, t in enumerate(inputs)]

        def pull(douts):
            values = _unwrapped(before)
            return self._gradients(before, self.gradient(*values, *self._counted(douts)))

        return pull, _tensors_among([t for i, t in enumerate(inputs) if i not in self._written()])

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


def _in_their_places(pull, places, empty, *douts):
    """``pull`` for the douts of some tensors in results that are built so; None for the others."""
    coming = dict(zip(places, douts, strict=True))
    leaves = map(coming.get, itertools.count())
    return pull([whole_or_nothing(built_as(result, leaves)) for result in empty])


def _write(tensor, value, array):
    """A tensor takes a result over: in its memory where a gradient is taken, for it is an alias.

    ``array`` is what the value lies on: a backend's result, which nobody but this tensor needs.
    """
    if tape.watches((tensor,)):
        tensor[...] = value
    else:
        tensor.take_over(np.asarray(array))


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
    found = (leaf for value in _unwrapped(inputs) for leaf in leaves_of(value))
    return [leaf for leaf in found if isinstance(leaf, Tensor)]


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
