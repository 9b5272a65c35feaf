"""Which nodes of two graphs are the same? By what they compute, then by what they look like.

Two nodes that compute the same (op, attributes, type, operands, regions) from the parameters are
the same. Of the rest, calls of one op and type beside paired nodes are paired, those with most in
common first. Regions of paired calls are compared in turn.
"""

import itertools
from collections import defaultdict

from ..engine.ir.graph import content

_MOST = 40  # users of one node that are looked at


def pairs(wanted, yours):
    """Node of ``yours`` -> the same node of ``wanted``, and graph -> graph in the same way.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> one, other = FuncGraph("one"), FuncGraph("other")
    >>> pairs(one, other) == ({other.result: one.result}, {other: one})
    True
    """
    found, graphs, waiting, numbers = {}, {}, [(wanted, yours)], {}
    meanings = _meanings(wanted, numbers) | _meanings(yours, numbers)
    while waiting:
        old, new = waiting.pop()
        if new in graphs or old in graphs.values():
            continue
        graphs[new] = old
        _pair_graphs(old, new, meanings, found)
        for node in new.order():
            if node in found:
                waiting += zip(found[node].graphs, node.graphs, strict=False)
    return found, graphs


def _meanings(graph, numbers):
    """Node -> a number that nodes which compute the same share."""
    found, entered = {}, {}

    def number(*what):
        return numbers.setdefault(what, len(numbers))

    def enter(each):
        if each not in entered:
            entered[each] = each.name  # for a graph that calls itself
            for slot, parameter in enumerate(each.parameters):
                found[parameter] = number("parameter", slot, parameter.abstract)
            for constant in each.constants.values():
                found[constant] = number("constant", constant.abstract, content(constant.value))
            for node in each.order():
                regions = [enter(region) for region in node.graphs]
                found[node] = number(*_told(node, found), *regions)
            entered[each] = number("graph", *[found[node] for node in each.outputs])
        return entered[each]

    enter(graph)
    return found


def _told(node, found):
    """What a call computes, regions apart, as a hashable tuple."""
    attributes = repr(sorted(node.attributes.items(), key=str))
    operands = [found[operand] for operand in node.inputs]
    return "call", node.primitive.name, attributes, node.abstract, len(operands), *operands


def _pair_graphs(old, new, meanings, found):
    """Pair the nodes of two graphs that are the same graph."""
    found[new.result] = old.result
    found.update(zip(new.parameters, old.parameters, strict=False))
    there = defaultdict(list)
    for node in (*old.constants.values(), *old.order()):
        there[meanings[node]].append(node)
    for node in (*new.constants.values(), *new.order()):
        if same := there[meanings[node]]:
            found[node] = same.pop(0)
    _pair_neighbours({b: a for b, a in found.items() if b.graph is new}, found, meanings)


def _pair_neighbours(fresh, found, alive):
    """Pair calls of one op and type that stand beside paired nodes, the most alike first."""
    taken = set(found.values())
    while fresh:
        beside = {}
        for new, old in fresh.items():
            for a, b in (*_calls(old.inputs, new.inputs), *_calls(old.users, new.users)):
                if a not in taken and b not in found and a in alive and b in alive:
                    beside[a, b] = _common(a, b, found)
        fresh = {}
        for a, b in sorted(beside, key=lambda pair: -beside[pair]):
            if a not in taken and b not in found:
                fresh[b] = found[b] = a
                taken.add(a)


def _calls(old, new):
    """Calls of one op and type among some nodes of both sides."""
    sides = [[node for node in each if node.kind == "call"][:_MOST] for each in (old, new)]
    return [
        (a, b)
        for a, b in itertools.product(*sides)
        if a.primitive is b.primitive and a.abstract is b.abstract
    ]


def _common(old, new, found):
    """How much two calls share: operands, in place or not, users, attributes."""
    operands = [found.get(operand) for operand in new.inputs]
    in_place = sum(a is b for a, b in zip(old.inputs, operands, strict=False))
    users = sum(found.get(user) in old.users for user in new.users)
    return 2 * in_place + sum(a in old.inputs for a in operands) + users + (old.attrs == new.attrs)
