"""Copies of graphs: a whole one with its regions, or its nodes written into another graph."""

from .control import CALL, TUPLE_GET_ITEM
from .graph import FuncGraph


def clone(graph, name=None):
    """A copy of ``graph`` with copies of its regions; called graphs are shared."""
    copy = FuncGraph(name or graph.name, graph.where)
    parameters = [copy.add_parameter(p.abstract, p.name, p.where) for p in graph.parameters]
    copy.returns(*inline(graph, copy, parameters))
    copy.writes, copy.references = dict(graph.writes), dict(graph.references)
    return copy


def inline(graph, target, arguments, *, origin=False):
    """Write ``graph``'s calls into ``target`` on ``arguments``; the nodes of its results.

    ``origin=True`` marks every copy with the id of the node it was made from.
    """
    return written(graph, target, arguments, origin=origin)[0]


def written(graph, target, arguments, *, origin=False):
    """As ``inline``: the nodes of the results, and all calls that were written."""
    new = dict(zip(graph.parameters, arguments, strict=True))
    for constant in graph.constants.values():
        if constant.users:
            new[constant] = target.constant(constant.value, constant.abstract)
    calls = []
    for node in graph.order():
        new[node] = copy_node(node, target, [new[n] for n in node.inputs], origin)
        calls.append(new[node])
    return tuple([new[n] for n in graph.outputs]), calls


def copy_node(node, target, inputs, origin=False):
    """One call written again in ``target`` on other inputs; its regions are cloned."""
    graphs = node.graphs if node.primitive is CALL else tuple([clone(g) for g in node.graphs])
    return target.add(
        node.primitive, inputs, node.attrs, graphs,
        name=node.name, where=node.where, origin=node.id if origin else node.origin,
    )  # fmt: skip


def unpacked(graph, node):
    """The results of a control node one by one.

    One result is the node itself; several are read from its tuple.
    """
    count = len(node.graphs[0 if node.primitive is CALL else -1].outputs)
    if count == 1:
        return (node,)
    return tuple(
        [graph.add(TUPLE_GET_ITEM, (node,), {"index": i}, where=node.where) for i in range(count)]
    )
