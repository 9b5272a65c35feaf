"""Which loops does a gradient keep something of, and who reads that?

A loop keeps a value of every turn on a stack: a result of While or For beyond those it carries. The
way back is a For that goes the other way and takes an element of each stack per turn. What goes
into a stack, and where it is read, is followed through branches, calls and loops around.
"""

from typing import NamedTuple

from ...engine.infer import AbstractStack
from ...engine.ir import CALL, FOR, IF, KEEP, MAKE_TUPLE, RECALL, TUPLE_GET_ITEM, WHILE
from ...engine.ir.layout import layout

LOOPS = (WHILE, FOR)


class Way(NamedTuple):
    """A loop of a graph, and how many loops are around it."""

    node: object
    depth: int

    @property
    def key(self):
        """Where its line is, which it shares with its ways back."""
        return place_of(self.node)

    @property
    def body(self):
        """What a turn is."""
        return self.node.graphs[-1]

    @property
    def backwards(self):
        """Whether its turns go from the last to the first."""
        return bool(self.node.attrs.get("reverse", False))

    def stacks(self):
        """(index of the result, node of the body that is stacked) of every stack."""
        outputs = self.body.outputs
        return [(k, outputs[k]) for k in range(self.node.attrs["carried"], len(outputs))]


def place_of(node):
    """Where the Python of a node stands, to the column; its id where that is not known."""
    where = node.where
    return node.id if where is None else (where.file, where.line, where.column, where.end)


def ways(graph):
    """Every loop of a graph, in order, those inside others behind them.

    >>> from ms_ext import Tensor
    >>> from ms_ext.engine import jit
    >>> def doubled(x):
    ...     while x < 9.0:
    ...         x = x + x
    ...     return x
    >>> found = ways(jit.parse(doubled, [Tensor(1.0)]).graph)
    >>> [(way.node.primitive.name, way.depth) for way in found]
    [('While', 0)]
    """
    return list(_ways(graph, 0, set()))


def _ways(graph, depth, seen):
    if graph in seen:
        return
    seen.add(graph)
    for node in graph.order():
        looping = node.primitive in LOOPS
        if looping:
            yield Way(node, depth)
        for inner in node.graphs:
            yield from _ways(inner, depth + looping, seen)


# where a value goes -------------------------------------------------------------------------------


class Flow:
    """Where the results of control nodes go in a graph and all its regions."""

    def __init__(self, graph):
        self.owners = {}
        for each in graph.all_graphs():
            for node in each.order():
                for inner in node.graphs:
                    self.owners.setdefault(inner, []).append(node)

    def scans(self, node, index):
        """The For nodes that take an element per turn of the stack which is result ``index``."""
        found, seen = [], set()
        waiting = [_Place(each) for each in results(node, index)]
        while waiting:
            here = waiting.pop()
            if here in seen:
                continue
            seen.add(here)
            for user, place in _uses(here.node):
                if not here.level and not here.kept and _is_scanned(user, place):
                    found.append(user)
                else:
                    waiting += self._onward(user, place, here)
        return found

    def _onward(self, user, place, here):
        """Where a value is to be found behind one of its uses."""
        if user is user.graph.result:
            owners = self.owners.get(user.graph, ())
            return [each for owner in owners for each in _returned(owner, place, here)]
        if user.primitive is MAKE_TUPLE:
            return [here._replace(node=each) for each in _items(user, place)]
        if user.primitive is KEEP:  # once each: what a call keeps is part of what its caller keeps
            again = any(keep is user for keep, _ in here.kept)
            return [] if again else [here._replace(node=user, kept=(*here.kept, (user, place)))]
        if user.primitive is RECALL and here.kept:
            *kept, (_, item) = here.kept
            return [_Place(each, here.level, tuple(kept)) for each in _items(user, item)]
        return _entered(user, place, here)


class _Place(NamedTuple):
    """A node that holds the value: in ``level`` stacks around it, in places of kept values."""

    node: object
    level: int = 0
    kept: tuple = ()


def results(node, index):
    """The nodes that stand for one result of a control node."""
    if len(node.graphs[-1].outputs) == 1:
        return [node]
    return _items(node, index)


def _items(node, index):
    return [
        user for user in node.users
        if user.primitive is TUPLE_GET_ITEM and user.attrs["index"] == index
    ]  # fmt: skip


def _uses(value):
    """(user, place) of every use of a node."""
    return [
        (user, place)
        for user in value.users
        for place, used in enumerate(user.inputs)
        if used is value
    ]


def _is_scanned(user, place):
    if user.primitive is not FOR:
        return False
    first = 1 + user.attrs["carried"]
    return first <= place < first + user.attrs["scanned"]


def _returned(owner, place, here):
    """What result ``place`` of a region is for the node that owns the region."""
    stacked = owner.primitive in LOOPS and place >= owner.attrs["carried"]
    level = here.level + stacked
    return [here._replace(node=each, level=level) for each in results(owner, place)]


def _entered(user, place, here):
    """What operand ``place`` of a control node is inside its regions."""
    if user.primitive is CALL:
        return [here._replace(node=user.graphs[0].parameters[place])]
    if user.primitive not in (IF, *LOOPS):
        return []
    first, level = layout(user).offset, here.level - _is_scanned(user, place)
    inside = [g.parameters[place - first] for g in user.graphs if place >= first]
    return [here._replace(node=each, level=level) for each in inside]


# where a value comes from -------------------------------------------------------------------------


def makers(node):
    """The nodes that really made a value: inside the branch or the called graph it came out of.

    Of an If both branches may make it; the one that only fills up with zeros is left out.
    """
    found = _all_makers(node)
    return [each for each in found if not _is_filling(each)] or [node]


def is_partial(node):
    """Whether a value is made in one branch only, and zeros stand for it where the other ran."""
    found = _all_makers(node)
    return any(map(_is_filling, found)) and not all(map(_is_filling, found))


def _all_makers(node):
    if node.kind != "call":
        return [node]
    source, index = node, 0
    if node.primitive is TUPLE_GET_ITEM:
        source, index = node.inputs[0], node.attrs["index"]
    if source.primitive not in (IF, CALL):
        return [node]
    found = [each for g in source.graphs for each in _outside(source, g, g.outputs[index])]
    return list(dict.fromkeys(found))


def _outside(source, graph, output):
    """The makers of a region's result, with what it was given instead of its parameters."""
    first = int(source.primitive is IF)
    for each in _all_makers(output):
        if each in graph.parameters:
            yield from _all_makers(source.inputs[first + graph.parameters.index(each)])
        else:
            yield each


def _is_filling(node):
    """A constant, or one that is only spread: what a branch gives for a value it does not have."""
    if node.kind == "call" and node.primitive.name == "BroadcastTo":
        return _is_filling(node.inputs[0])
    return node.kind == "constant"


def is_stack(abstract):
    """Whether a value is itself a stack: that of a loop inside the loop."""
    return isinstance(abstract, AbstractStack)
