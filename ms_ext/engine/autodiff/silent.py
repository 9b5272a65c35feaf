"""What is calculated again on the way back says nothing: it was printed, or raised, on the way.

A gradient in one graph (``vjp``) of what has run already begins with a copy of it. What prints and
raises is left out of that copy.
"""

from ..frontend.effects import PRINT, RAISE
from ..ir import CALL, FuncGraph

_SAYING = (PRINT, RAISE)


def silent(graph):
    """``graph`` without what prints and raises in it; itself where nothing does."""
    return _copy(graph, {}) if _says(graph, set()) else graph


def _says(graph, seen):
    seen.add(graph)
    for node in graph.order():
        if node.primitive in _SAYING:
            return True
        if any(inner not in seen and _says(inner, seen) for inner in _run(node)):
            return True
    return False


def _run(node):
    """The graphs that run where the node does; the own gradient of a call does not."""
    return node.graphs[:1] if node.primitive is CALL else node.graphs


def _copy(graph, known):
    copy = known[graph] = FuncGraph(graph.name, graph.where)
    parameters = [copy.add_parameter(p.abstract, p.name, p.where) for p in graph.parameters]
    new = dict(zip(graph.parameters, parameters, strict=True))
    for constant in graph.constants.values():
        if constant.users:
            new[constant] = copy.constant(constant.value, constant.abstract)
    for node in graph.order():
        inputs = [new[used] for used in node.inputs]
        new[node] = inputs[0] if node.primitive in _SAYING else _written(copy, node, inputs, known)
    copy.returns(*[new[node] for node in graph.outputs])
    return copy


def _written(copy, node, inputs, known):
    graphs = [known.get(inner) or _copy(inner, known) for inner in _run(node)]
    graphs += node.graphs[len(graphs) :]
    made = copy.add(
        node.primitive, inputs, node.attrs, graphs,
        name=node.name, where=node.where, origin=node.origin,
    )  # fmt: skip
    made.abstract = node.abstract  # of a graph that calls itself, not known from the copy yet
    return made
