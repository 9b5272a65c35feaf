"""Which nodes of two graphs are the same? By what they compute, then by what they look like.

Two nodes that compute the same (op, attributes, type, operands, regions) from the parameters are
the same. Of the rest, calls of one op and type beside paired nodes are paired, those with most in
common first. Regions of paired calls are compared in turn.
"""

import itertools
from collections import defaultdict, deque
from typing import NamedTuple

from ...engine.infer import AbstractTensor
from ...engine.ir import journal
from ...engine.ir.graph import content

_MOST = 40  # neighbours of one node that are looked at
_WORK = 100_000  # operands and users that are looked at in all; then neighbours pair in order


def pairs(wanted, yours, kind=None):
    """Node of ``yours`` -> the same node of ``wanted``, and graph -> graph in the same way.

    ``kind(type)`` is what two nodes' types must have in common; everything, if it is not given.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> one, other = FuncGraph("one"), FuncGraph("other")
    >>> pairs(one, other) == ({other.result: one.result}, {other: one})
    True
    """
    kind = kind or _itself
    numbers, graphs, paired, waiting = {}, {}, set(), [(wanted, yours)]
    search = _Search(_meanings(wanted, numbers, kind) | _meanings(yours, numbers, kind), kind)
    while waiting:
        old, new = waiting.pop()
        if new in graphs or old in paired:
            continue
        graphs[new] = old
        paired.add(old)
        search.pair(old, new)
        for node in new.order():
            if node.graphs and node in search.found:
                waiting += zip(search.found[node].graphs, node.graphs, strict=False)
    return search.found, graphs


def _itself(abstract):
    return abstract


def shapes(abstract):
    """A type without its dtypes: for graphs that differ in these.

    >>> from ms_ext import dtype
    >>> shapes(AbstractTensor(dtype.float16, (2,))) == shapes(AbstractTensor(dtype.float32, (2,)))
    True
    """
    if isinstance(abstract, AbstractTensor):
        return abstract.shape, abstract.weak
    items = getattr(abstract, "items", None)
    return abstract if items is None else (type(abstract), *map(shapes, items))


class Listings(NamedTuple):
    """Two listings (id -> Row) in which what is the same has the same number, from 1.

    ``wanted`` and ``yours`` map the ids of the graphs' own nodes to these numbers.
    """

    before: dict
    after: dict
    wanted: dict
    yours: dict


def listings(wanted, yours, kind=None, places=False):
    """The Listings of two graphs; with ``places`` rows keep the source line they came from.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> listings(FuncGraph("one"), FuncGraph("other")).yours.values()
    dict_values([1])
    """
    same, graphs = pairs(wanted, yours, kind)
    numbers, names = {}, {wanted.id: 1}
    before = journal.listing(wanted)
    for row in before.values():
        numbers.setdefault(row.id, len(numbers) + 1)
        names.setdefault(row.graph, len(names) + 1)
    mine = {node.id: numbers[old.id] for node, old in same.items() if old.id in numbers}
    inside = {new.id: names[old.id] for new, old in graphs.items() if old.id in names}
    after = journal.listing(yours)
    fresh, new = itertools.count(len(numbers) + 1), itertools.count(len(names) + 1)
    for row in after.values():
        if row.id not in mine:
            mine[row.id] = next(fresh)
        if row.graph not in inside:
            inside[row.graph] = next(new)
    first = _renumbered(before, numbers, names, places)
    return Listings(first, _renumbered(after, mine, inside, places), numbers, mine)


def _renumbered(rows, numbers, names, places):
    """Rows with other ids; which node one was made from is of no interest here."""
    return {
        numbers[row.id]: row._replace(
            id=numbers[row.id],
            inputs=tuple([numbers[each] for each in row.inputs]),
            graph=names[row.graph],
            graphs=tuple([names[each] for each in row.graphs]),
            origin=0,
            where=row.where if places else None,
        )
        for row in rows.values()
    }


# what nodes compute -------------------------------------------------------------------------------


def _meanings(graph, numbers, kind):
    """Node -> a number that nodes which compute the same share."""
    found, entered = {}, {}

    def number(*what):
        return numbers.setdefault(what, len(numbers))

    for each in _inside_first(graph):
        for slot, parameter in enumerate(each.parameters):
            found[parameter] = number("parameter", slot, kind(parameter.abstract))
        for constant in each.constants.values():
            found[constant] = number("constant", kind(constant.abstract), content(constant.value))
        for node in each.order():
            # a graph that is still open calls itself: then its name has to do
            regions = [entered.get(region, region.name) for region in node.graphs]
            found[node] = number(*_told(node, found, kind), *regions)
        entered[each] = number("graph", *[found[node] for node in each.outputs])
    return found


def _inside_first(graph):
    """All graphs, each after those inside it or called by it."""
    found, met, stack = [], {graph}, [(graph, iter(_inner(graph)))]
    while stack:
        each, regions = stack[-1]
        region = next((region for region in regions if region not in met), None)
        if region is None:
            found.append(each)
            stack.pop()
        else:
            met.add(region)
            stack.append((region, iter(_inner(region))))
    return found


def _inner(graph):
    return [region for node in graph.order() for region in node.graphs]


def _told(node, found, kind):
    """What a call computes, regions apart, as a hashable tuple."""
    attributes = repr(sorted(node.attributes.items(), key=str))
    operands = [found[operand] for operand in node.inputs]
    return "call", node.primitive.name, attributes, kind(node.abstract), len(operands), *operands


# what nodes look like -----------------------------------------------------------------------------


class _Search:
    """The pairs found so far; ``left`` is how much may still be looked at."""

    def __init__(self, meanings, kind):
        self.meanings, self.kind, self.left = meanings, kind, _WORK
        self.found, self.taken = {}, set()  # node of yours -> node of wanted; these

    def enter(self, new, old):
        self.found[new] = old
        self.taken.add(old)

    def pair(self, old, new):
        """Pair the nodes of two graphs that are the same graph."""
        fresh = {new.result: old.result, **dict(zip(new.parameters, old.parameters, strict=False))}
        there = defaultdict(deque)
        for node in (*old.constants.values(), *old.order()):
            there[self.meanings[node]].append(node)
        for node in (*new.constants.values(), *new.order()):
            if same := there[self.meanings[node]]:
                fresh[node] = same.popleft()
        for b, a in fresh.items():
            self.enter(b, a)
        while fresh:
            fresh = self.round(fresh)

    def round(self, fresh):
        """Pair calls of one op and type that stand beside fresh pairs, the most alike first."""
        beside = {}
        for new, old in fresh.items():
            for a, b in (*self.calls(old.inputs, new.inputs), *self.calls(old.users, new.users)):
                if (a, b) not in beside:
                    beside[a, b] = self.common(a, b)
        fresh = {}
        for a, b in sorted(beside, key=lambda pair: -beside[pair]):
            if a not in self.taken and b not in self.found:
                fresh[b] = a
                self.enter(b, a)
        return fresh

    def calls(self, old, new):
        """Unpaired calls of one op and type among some nodes of both sides."""
        rest = [node for node in self.some(new) if node not in self.found]
        by_kind = defaultdict(list)
        for node in rest:
            by_kind[node.primitive, self.kind(node.abstract)].append(node)
        for a in self.some(old) if rest else ():
            same = by_kind.get((a.primitive, self.kind(a.abstract)), [])
            if a not in self.taken:
                several = same if self.left > 0 else same[:1]
                yield from ((a, b) for b in several)
                if self.left <= 0:
                    del same[:1]

    def some(self, nodes):
        """The calls among the first few of ``nodes`` that Return reaches."""
        calls = (node for node in nodes if node.kind == "call" and node in self.meanings)
        return itertools.islice(calls, _MOST)

    def common(self, old, new):
        """How much two calls share: operands, in place or not, users, attributes."""
        if self.left <= 0:
            return 0
        users = list(itertools.islice(new.users, _MOST))
        self.left -= len(new.inputs) + len(users)
        operands = [self.found.get(operand) for operand in new.inputs]
        in_place = sum(a is b for a, b in zip(old.inputs, operands, strict=False))
        among = set(old.inputs)
        shared = sum(a in among for a in operands)
        used = sum(self.found.get(user) in old.users for user in users)
        return 2 * in_place + shared + used + (old.attrs == new.attrs)
