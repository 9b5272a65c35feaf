"""The rules of If, While, For and Call: each gives back If, For, For and Call.

A loop's forward copy also stacks what every turn started from; the way back is a For over these
stacks, whose body is the forward body linearized: a turn is calculated again from where it started.
An If or Call is calculated again from its operands.
"""

from ..frontend.effects import BEGIN, PYTHON
from ..infer import STATE, UNKNOWN, abstract_of
from ..ir import CALL, FOR, IF, MAKE_TUPLE, TUPLE_GET_ITEM, WHILE, FuncGraph, clone, packed
from . import linearize as parts
from . import objects
from .silent import silent


class Kept:
    """What a loop's forward copy kept: how many turns, the stacks of carried values."""

    __slots__ = ("stacks", "turns")

    def __init__(self, turns, stacks):
        self.turns, self.stacks = turns, stacks


def items(graph, node, count):
    """The parts of a node with ``count`` results."""
    if count == 1:
        return [node]
    where = node.where
    return [graph.add(TUPLE_GET_ITEM, (node,), {"index": i}, where=where) for i in range(count)]


def bundle(graph, node, values):
    """Several values as the original node's result: a tuple where it was one."""
    if len(node.graphs[-1].outputs) == 1:
        return values[0]
    return graph.add(MAKE_TUPLE, tuple(values), where=node.where)


# forwards -----------------------------------------------------------------------------------------


def forward_while(target, node, inputs):
    """While that also counts its turns and stacks the carried values each turn started from."""
    carried = node.attrs["carried"]
    test, body = (clone(g) for g in node.graphs)
    for graph in (test, body):
        counter = graph.add_parameter(abstract_of(0), "turns")
        graph.parameters.insert(carried, graph.parameters.pop())
    starts = _stackable(body.parameters[:carried])
    one = body.constant(1)
    more = body.add(parts.primitive.slot_op("+"), (counter, one), where=node.where)
    outputs = body.outputs
    body.returns(*outputs[:carried], more, *outputs[carried:], *starts)
    operands = (*inputs[:carried], target.constant(0), *inputs[carried:])
    copy = target.add(
        WHILE, operands, {"carried": carried + 1}, (test, body), where=node.where, origin=node.id
    )
    found = items(target, copy, len(body.outputs))
    results = found[:carried] + found[carried + 1 : len(outputs) + 1]
    return bundle(target, node, results), Kept(found[carried], found[len(outputs) + 1 :])


def forward_for(target, node, inputs):
    """For that also stacks the carried values each turn started from."""
    carried = node.attrs["carried"]
    body = clone(node.graphs[0])
    outputs = body.outputs
    body.returns(*outputs, *_stackable(body.parameters[1 : 1 + carried]))
    copy = target.add(FOR, inputs, node.attrs, (body,), where=node.where, origin=node.id)
    found = items(target, copy, len(body.outputs))
    return bundle(target, node, found[: len(outputs)]), Kept(inputs[0], found[len(outputs) :])


def _stackable(starts):
    """What a turn started from, without the State: on the way back effects do not happen again."""
    return [start for start in starts if start.abstract is not STATE]


# backwards ----------------------------------------------------------------------------------------


def back_if(back, node, douts):
    """If(cond, operands, douts; vjp(then), vjp(else))."""
    from .vjp import vjp

    wanted = [d is not None for d in douts]
    graphs = [vjp(g, wanted) for g in node.graphs]
    operands = _again(back, node)
    given = [d for d in douts if d is not None]
    _answer(back, node, node.inputs[1:], back.target, IF, (*operands, *given), None, graphs)


def back_call(back, node, douts):
    """Call(vjp(g)); of a graph that calls itself, the same again."""
    from .vjp import vjp_of_called

    wanted = tuple(d is not None for d in douts)
    graph = vjp_of_called(node.graphs[0], wanted)
    operands = _again(back, node) + [d for d in douts if d is not None]
    _answer(back, node, node.inputs, back.target, CALL, operands, None, [graph])


def _again(back, node):
    """The operands of a node that is calculated again: its effects are another State's, unused."""
    return [
        _other_state(back.target, node) if n.abstract is STATE else back.new[n] for n in node.inputs
    ]


def _other_state(graph, node):
    """A State of a node's own, for a State is used once."""
    return graph.constant(f"{BEGIN} {node.id}", STATE)


def _answer(back, node, receivers, target, primitive, operands, attrs, graphs):
    """Write the backward node and give its results to the inputs that have a gradient."""
    receivers = [n for n in receivers if parts.differentiable(n.abstract)]
    if not receivers:
        return
    found = target.add(primitive, operands, attrs, graphs, where=node.where, origin=node.id)
    if found.abstract is UNKNOWN:  # a vjp that is still being written
        found.abstract = packed(tuple([n.abstract for n in receivers]))
    for used, gradient in zip(receivers, items(target, found, len(receivers)), strict=True):
        back.give(used, gradient)


def back_while(back, node, douts):
    """For over the stacks in reverse: the order of turns, backwards."""
    carried, kept = node.attrs["carried"], back.kept[node]
    loop = _Loop(back, node, kept, douts, carried, node.inputs[:carried], (), node.inputs[carried:])
    loop.build(reverse=True)


def back_for(back, node, douts):
    """For over the stacks the other way round."""
    carried, scanned = node.attrs["carried"], node.attrs["scanned"]
    begin = 1 + carried
    inputs = node.inputs
    loop = _Loop(
        back, node, back.kept[node], douts, carried,
        inputs[1:begin], inputs[begin : begin + scanned], inputs[begin + scanned :],
    )  # fmt: skip
    loop.build(reverse=not node.attrs["reverse"])


class _Loop:
    """The For that goes back through a loop.

    Carried: gradients of the carried values, then the sums for the invariant ones. Scanned: what
    each turn started from, the original scanned stacks, the gradients of stacked results.
    """

    def __init__(self, back, node, kept, douts, carried, starts, scanned, invariant):
        self.back, self.node, self.kept, self.count = back, node, kept, carried
        self.starts, self.scanned, self.invariant = starts, scanned, invariant
        self.douts = douts
        self.moving = [n for n in starts if parts.differentiable(n.abstract)]
        self.fixed = [n for n in invariant if parts.differentiable(n.abstract)]

    def build(self, reverse):
        """Write the For into the target and hand out its results."""
        back, target, where = self.back, self.back.target, self.node.where
        stacked = [d for d in self.douts[self.count :] if d is not None]
        firsts = [
            d or parts.spread_like(target, n.abstract, 0, where)
            for n, d in zip(self.starts, self.douts[: self.count], strict=True)
            if parts.differentiable(n.abstract)
        ] + [parts.spread_like(target, n.abstract, 0, where) for n in self.fixed]
        scans = [*self.kept.stacks, *(back.new[n] for n in self.scanned), *stacked]
        constants = [back.new[n] for n in self.invariant]
        body = self._body(firsts, scans, constants)
        attrs = {"carried": len(firsts), "scanned": len(scans), "reverse": reverse}
        operands = (self.kept.turns, *firsts, *scans, *constants)
        if not body.outputs:
            return
        found = target.add(FOR, operands, attrs, (body,), where=where, origin=self.node.id)
        receivers = [*self.moving, *self.fixed, *self._scanned_receivers()]
        for used, gradient in zip(receivers, items(target, found, len(receivers)), strict=True):
            back.turns[gradient] = self.kept.turns
            back.give(used, gradient)

    def _scanned_receivers(self):
        return [n for n in self.scanned if parts.differentiable(n.abstract)]

    def _body(self, firsts, scans, constants):
        body = FuncGraph(f"{self.node.graphs[-1].name}_back", self.node.where)
        turn = body.add_parameter(abstract_of(0), "i")
        moved = [body.add_parameter(n.abstract, "dout") for n in firsts]
        items = [body.add_parameter(n.abstract.item, "kept") for n in scans]
        fixed = [body.add_parameter(n.abstract, n.name) for n in constants]
        kept = len(self.kept.stacks)
        starts, elements = self._starts(body, items), items[kept : kept + len(self.scanned)]
        arriving = iter(items[kept + len(self.scanned) :])
        forward = silent(self.node.graphs[-1])
        indexed = [turn] if self.node.primitive is FOR else []
        _, inner = parts.linearize(body, forward, [*indexed, *starts, *elements, *fixed])
        coming = iter(moved)
        douts = [next(coming) if parts.differentiable(n.abstract) else None for n in self.starts]
        douts += [None if d is None else next(arriving) for d in self.douts[self.count :]]
        self._return(body, inner(douts)[len(indexed) :], moved)
        return body

    def _starts(self, body, items):
        """What a turn started from, as the original body takes it; its effects are never used."""
        items = iter(items)
        state = [n.abstract is STATE for n in self.starts]
        return [_other_state(body, self.node) if is_it else next(items) for is_it in state]

    def _return(self, body, gradients, moved):
        """Gradients of the carried values, sums for the invariant ones, an element per scanned."""
        begin, end, where = self.count, self.count + len(self.scanned), self.node.where
        add = parts.primitive.slot_op("+")
        through = _or_zeros(body, self.starts, gradients[:begin], where)
        sums = [
            before if g is None else body.add(add, (before, g), where=where)
            for before, g in zip(
                moved[len(self.moving) :], _of(self.invariant, gradients[end:]), strict=True
            )
        ]
        body.returns(*through, *sums, *_or_zeros(body, self.scanned, gradients[begin:end], where))


def _of(nodes, gradients):
    """The gradients of those nodes that have one."""
    return [g for n, g in zip(nodes, gradients, strict=True) if parts.differentiable(n.abstract)]


def _or_zeros(body, nodes, gradients, where):
    """The same, with zeros where nothing came back."""
    return [
        g or parts.spread_like(body, getattr(n.abstract, "item", n.abstract), 0, where)
        for n, g in zip(nodes, gradients, strict=True)
        if parts.differentiable(n.abstract)
    ]


def add_stacks(back, one, other):
    """The sum of two stacks, turn by turn."""
    turns = back.turns[one]
    body = FuncGraph("add_stacks")
    body.add_parameter(abstract_of(0), "i")
    pair = [body.add_parameter(n.abstract.item, "element") for n in (one, other)]
    body.returns(body.add(parts.primitive.slot_op("+"), pair, where=one.where))
    attrs = {"carried": 0, "scanned": 2, "reverse": False}
    total = back.target.add(FOR, (turns, one, other), attrs, (body,), where=one.where)
    back.turns[total] = turns
    return total


FORWARD = {WHILE: forward_while, FOR: forward_for}
BACKWARD = {
    IF: back_if, CALL: back_call, WHILE: back_while, FOR: back_for,
    PYTHON: objects.back_python, objects.PULL: objects.back_pull, objects.SUM: objects.back_sum,
}  # fmt: skip
