"""A graph whose sizes are open, for the sizes that a call has: what the backend is given.

Reading the program, taking its gradient and optimising it were done once. What is left for new
sizes is what any framework does then: shapes are inferred, kernels get their numbers.
"""

from collections import OrderedDict

from . import events
from .dims import Dim, filled
from .infer import AbstractTensor
from .ir import CALL, FuncGraph

KEPT = 64  # sets of sizes that stay ready


def sizes_of(graph):
    """The open sizes of a graph's inputs; None if all are known."""
    for node in graph.parameters:
        if isinstance(node.abstract, AbstractTensor) and node.abstract.sizes is not None:
            return node.abstract.sizes
    return None


def reader(graph):
    """``f(arrays)``: the numbers of the open sizes, in the order of the roots."""
    roots = sizes_of(graph).roots
    places = {}
    for index, node in enumerate(graph.parameters):
        for axis, size in enumerate(getattr(node.abstract, "shape", ())):
            if type(size) is Dim:
                places.setdefault(size, (index, axis))
    found = [places[root] for root in roots]

    def read(arrays):
        return tuple([arrays[index].shape[axis] for index, axis in found])

    return read


class Resizable:
    """Something callable made of a graph with open sizes, for the sizes of each call.

    ``build(graph)`` makes it where all sizes are numbers; the latest ``KEPT`` are kept.
    """

    def __init__(self, graph, build):
        self.graph, self.build = graph, build
        self.sizes, self.read, self.ready = sizes_of(graph), reader(graph), OrderedDict()

    def __call__(self, *inputs):
        return self.of(self.read(inputs))(*inputs)

    @property
    def first(self):
        """What was made for the sizes of the first call."""
        return self.of(tuple([opening.now for opening in self.sizes.openings]))

    def of(self, numbers):
        """What is called where the open sizes are these numbers."""
        found = self.ready.get(numbers)
        if found is None:
            start = events.now()
            values = dict(zip(self.sizes.roots, numbers, strict=True))
            found = self.ready[numbers] = self.build(resized(self.graph, values))
            if len(self.ready) > KEPT:
                self.ready.popitem(last=False)
            if events.on:
                text = ", ".join(f"{root} = {number}" for root, number in values.items())
                events.emit("resize", f"{self.graph.name}: {text}", start, events.now())
        return found


def resized(graph, values):
    """A copy of ``graph`` with numbers where sizes were open; its nodes keep their ids.

    ``values``: a number for each root. Every type is inferred again, so that a size which does not
    fit is found here.
    """
    return _Resizing(values).graph(graph)


class _Resizing:
    def __init__(self, values):
        self.values, self.graphs = dict(values), {}

    def fill(self, value):
        return filled(value, lambda dim: dim.value(self.values))

    def graph(self, old):
        """The copy of one graph; one that is called, also by itself, is copied once."""
        if old in self.graphs:
            return self.graphs[old]
        new = self.graphs[old] = FuncGraph(old.name, old.where)
        nodes = {}
        for node in old.parameters:
            nodes[node] = new.add_parameter(self.fill(node.abstract), node.name, node.where)
            nodes[node].id = node.id
        for node in old.constants.values():
            if node.users:
                value, kind = self.fill(node.value), self.fill(node.abstract)
                nodes[node] = new.constant(value, kind)
        for node in old.order():
            nodes[node] = self.call(node, new, [nodes[used] for used in node.inputs])
        new.returns(*[nodes[node] for node in old.outputs])
        new.writes = dict(old.writes)
        return new

    def call(self, node, graph, inputs):
        regions = [self.graph(region) for region in node.graphs]
        attrs = self.fill(node.attrs) if node.attrs else node.attrs
        new = graph.add(
            node.primitive, inputs, attrs, regions,
            name=node.name, where=node.where, origin=node.origin,
        )  # fmt: skip
        new.id = node.id
        if node.primitive is CALL:
            new.abstract = self.fill(node.abstract)
        return new
