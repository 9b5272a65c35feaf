"""What did the transformation write, step by step? The engine's own walk, looked on and noted.

A step is one call of the forward graph, met in reverse order: its dout is known, its bprop writes
nodes into the adjoint, and what they give is added up in the slots of its operands.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ...engine import errors, pipeline
from ...engine.autodiff import differentiable, vjp
from ...engine.autodiff.silent import silent
from ...engine.backends import reference
from ...engine.infer import AbstractTensor
from ...engine.quiet import quietly

HEAVY = 200_000_000  # FLOPs of one run that is not begun


class Give(NamedTuple):
    """A gradient that arrives at a node; ``total`` is the sum of all that have arrived so far."""

    receiver: object  # a node of the forward graph
    dout: object  # a node of the adjoint
    total: object

    @property
    def added(self):
        """Whether something had arrived before, so that an Add was written."""
        return self.total is not self.dout


@dataclass(eq=False)
class Step:
    """One call on the way back; ``node`` is None for what happens before and after them."""

    number: int
    node: object = None
    dout: object = None  # a node of the adjoint; a list where the call has several results
    added: list = field(default_factory=list)  # what the rule wrote, without the sums
    gives: list = field(default_factory=list)

    @property
    def sums(self):
        """The Adds of this step."""
        return [give.total for give in self.gives if give.added]


class Recorded:
    """A graph, its adjoint, and how one became the other.

    ``copies``: node of the graph -> its copy. ``values``: node -> array, where it was run.
    """

    def __init__(self, graph):
        self.graph = graph = silent(graph)
        wanted = [
            differentiable(node.abstract) and at not in graph.writes
            for at, node in enumerate(graph.outputs)
        ]
        if not any(wanted):
            raise errors.NotRunnable(
                f"No result of '{graph.name}' has a gradient.",
                given=f"results {', '.join(str(node.abstract) for node in graph.outputs)}",
                hint="Let the function return a tensor of floats.",
            )
        watch = _Watch()
        self.adjoint = vjp(graph, wanted, watch=watch)
        self.adjoint.journal = None
        self.start, *self.steps = watch.steps
        self.copies = {node: watch.new[node] for node in (*graph.parameters, *graph.order())}
        self._without(set(self.copies.values()))
        self.end = self._ended(self.steps[-1] if self.steps else self.start)
        self.alive = {*self.adjoint.order(), *self.adjoint.parameters}
        self.values = {}

    def _ended(self, last):
        """What is written after the walk: zeros for a parameter to which nothing came back."""
        reached = {give.receiver for step in (self.start, *self.steps) for give in step.gives}
        asked = [p for p in self.graph.parameters if differentiable(p.abstract)]
        pairs = zip(asked, self.adjoint.outputs, strict=True)
        zeros = [found for parameter, found in pairs if parameter not in reached]
        last.added = [node for node in last.added if node not in zeros]
        return Step(len(self.steps) + 1, added=[node for node in zeros if node.kind == "call"])

    def _without(self, copies):
        """A branch or loop is copied anew while its way back is written: that is no step of it."""
        for step in self.steps:
            step.added = [node for node in step.added if node not in copies]

    @property
    def gradients(self):
        """(parameter, node of the adjoint) of every gradient that is returned."""
        asked = [p for p in self.graph.parameters if differentiable(p.abstract)]
        return list(zip(asked, self.adjoint.outputs, strict=True))

    @property
    def douts(self):
        """The parameters of the adjoint that a caller gives the douts by."""
        return self.adjoint.parameters[len(self.graph.parameters) :]

    @property
    def back(self):
        """All that was written on the way back, in order."""
        every = (self.start, *self.steps, self.end)
        return [node for step in every for node in (*step.added, *step.sums)]

    def slots(self, number):
        """After so many steps: forward node -> the Gives that have arrived, where some have."""
        found = {}
        for step in (self.start, *self.steps)[: number + 1]:
            for give in step.gives:
                found.setdefault(give.receiver, []).append(give)
        return found

    def kept(self):
        """The forward calls that the way back reads: what has to be kept until then."""
        back, copy_of = {*self.back}, {copy: node for node, copy in self.copies.items()}
        read = {used for node in back & self.alive for used in node.inputs}
        return [node for copy, node in copy_of.items() if copy in read and node.kind == "call"]

    def run(self, inputs, douts=None):
        """Fill ``values``: every node of the adjoint on these arrays; ``douts`` are ones if left
        out."""
        nodes = [*self.adjoint.parameters, *self.copies.values(), *self.back]
        nodes = [n for n in dict.fromkeys(nodes) if isinstance(n.abstract, AbstractTensor)]
        calls = [n for n in nodes if n.kind == "call"]
        if any(n.primitive.effect or n.primitive.nondeterministic for n in calls):
            return
        if any(not isinstance(p.abstract, AbstractTensor) for p in self.douts):
            return  # what Python returns has no elements
        if douts is None:
            douts = [np.ones(p.abstract.shape, p.abstract.dtype.numpy) for p in self.douts]
        gradients = self.adjoint.outputs
        self.adjoint.returns(*nodes)
        try:
            if pipeline.measure(self.adjoint).flops <= HEAVY:
                given = (*inputs, *douts)
                found = quietly(reference.evaluate, self.adjoint, given)
                self.values = dict(zip(nodes, map(np.asarray, found), strict=True))
        finally:
            self.adjoint.returns(*gradients)


class _Watch:
    """Told by the engine what it does; as the journal of the adjoint, told of every node."""

    def __init__(self):
        self.steps, self.new = [], None

    # as a journal ---------------------------------------------------------------------------------

    def line(self, verb, node):
        """A node was written, or taken out."""
        if verb == "add" and node.kind == "call":
            self.steps[-1].added.append(node)

    def announce(self, _graph):
        """Branches and bodies are looked at as a whole."""

    def rewired(self, _before, _node):
        """Return got its operands."""

    # as a watch of the walk -----------------------------------------------------------------------

    def begins(self, new):
        """The calls are copied; the walk begins. From here on ``new`` changes with the graph."""
        self.new = new
        self.steps.append(Step(0))
        next(iter(new.values())).graph.watched_by(self)

    def step(self, node, dout):
        """A call is met."""
        self.steps.append(Step(len(self.steps), node, dout))

    def gives(self, node, dout, total):
        """A gradient has arrived."""
        step = self.steps[-1]
        step.gives.append(Give(node, dout, total))
        if total is not dout:
            step.added.remove(total)


def recorded(graph, inputs=None, douts=None):
    """A Recorded of ``graph``; run on ``inputs`` if they are all known.

    >>> import ms_ext.ops
    >>> from ms_ext.engine.ir import load
    >>> square = load(
    ...     "ms_ext graph 1\\n"
    ...     "graph square@1(%1 x: f32[]) {\\n  %2 = Mul(%1, %1) : f32[]\\n  return %2\\n}\\n"
    ... )
    >>> found = recorded(square, [np.float32(3)])
    >>> [len(found.steps), len(found.back), *map(float, map(found.values.get, found.back))]
    [1, 3, 3.0, 3.0, 6.0]
    """
    found = Recorded(graph)
    if inputs is not None and all(each is not None for each in inputs):
        found.run(inputs, douts)
    return found
