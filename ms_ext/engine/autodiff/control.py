"""The rules of If, While and For: forwards the same, returning what the way back reads; back an
If, a For and a For.

A branch returns what the way back through it reads, and zeros in the place of what only the other
branch has; what branches inside it returned is kept as one value, so depth costs nothing. A loop
stacks it, one value per turn; its way back is a For over these stacks, in the other direction. What
is the same in every turn is an operand of both.
"""

from ..infer import abstract_of
from ..ir import FOR, IF, TUPLE_GET_ITEM, WHILE, FuncGraph, unpacked
from ..ir.layout import layout
from ..primitive import slot_op
from .keeping import together
from .linearize import Back, rule_of
from .values import added, differentiable, spread_like


def places_of(graph):
    """Parameter of a graph -> its position."""
    return {parameter: position for position, parameter in enumerate(graph.parameters)}


# If -----------------------------------------------------------------------------------------------


class _Arm:
    """The way back through one branch: a graph that takes douts first, operands and slots later."""

    def __init__(self, graph, where, douts):
        self.graph, self.inner = graph, FuncGraph(f"{graph.name}_back", where)
        self.way = Back.apart(graph, self.inner)
        given = [
            None if dout is None else self.inner.add_parameter(out.abstract, "dout")
            for out, dout in zip(graph.outputs, douts, strict=True)
        ]
        self.douts = [dout for dout in given if dout is not None]
        self.gradients = self.way(given)
        self.slots = {}  # slot -> the value in it

    def read(self):
        """(operands, values): positions of the parameters that the way back reads, and what it
        reads of what the branch calculates."""
        places = places_of(self.graph)
        kept = list(self.way.kept())
        own = [v for v in kept if v not in places]
        inner = [v for v in own if v.primitive is TUPLE_GET_ITEM and v.inputs[0].primitive is IF]
        if len(inner) > 1:
            own = [*[v for v in own if v not in inner], together(self.way, inner)]
        return [places[v] for v in kept if v in places], own

    def put(self, values, kinds):
        """Give each value a slot of its type: a free one of ``kinds``, or a new one."""
        free = list(range(len(kinds)))
        for value in values:
            slot = next((s for s in free if kinds[s] is value.abstract), len(kinds))
            if slot == len(kinds):
                kinds.append(value.abstract)
            else:
                free.remove(slot)
            self.slots[slot] = value

    def returns(self, receivers, where):
        """Return the gradients of these operands."""
        kinds = {p: self.graph.parameters[p].abstract for p in receivers}
        found = [(self.gradients[p], kind) for p, kind in kinds.items()]
        self.inner.returns(*[g or spread_like(self.inner, kind, 0, where) for g, kind in found])

    def finish(self, operands, kinds, where):
        """Return the slots forwards; order the parameters backwards."""
        values = [self.slots.get(slot) for slot in range(len(kinds))]
        passed = [self.graph.parameters[p] for p in operands]
        self.inner.parameters[:] = [
            *map(self._taken, passed, [p.abstract for p in passed]),
            *map(self._taken, values, kinds),
            *self.douts,
        ]
        zeros = [spread_like(self.graph, kind, 0, where) for kind in kinds]
        filled = [zero if v is None else v for v, zero in zip(values, zeros, strict=True)]
        self.graph.returns(*self.graph.outputs, *filled)

    def _taken(self, value, kind):
        """The parameter of the way back for a forward value; one that is not read if there is
        none."""
        found = self.way.read.get(value)
        return found or self.inner.add_parameter(kind, getattr(value, "name", None) or "unread")


@rule_of(IF)
def back_if(back, node, douts):
    """If(cond, operands; then, else) back: If(cond, operands read, slots, douts; their ways
    back)."""
    old, where = back.at(node), node.where
    arms = [_Arm(graph, where, douts) for graph in old.graphs]
    both = zip(*[arm.gradients for arm in arms], strict=True)
    receivers = [p for p, pair in enumerate(both) if pair != (None, None)]
    if not receivers:
        return
    operands, kinds = set(), []
    for arm in arms:
        arm.returns(receivers, where)
        read, values = arm.read()
        operands.update(read)
        arm.put(values, kinds)
    operands, count = sorted(operands), len(old.graphs[0].outputs)
    for arm in arms:
        arm.finish(operands, kinds, where)
    kept = []
    if kinds:
        items = back.exchange(node, old.inputs, old.attrs, old.graphs, range(count))
        kept = [items[count + slot] for slot in range(len(kinds))]
    read = [old.inputs[0], *[old.inputs[1 + p] for p in operands], *kept]
    given = [dout for dout in douts if dout is not None]
    found = back.write(
        IF, (*map(back.reading, read), *given), None, [arm.inner for arm in arms], node
    )
    for p, gradient in zip(receivers, found, strict=True):
        back.give(node.inputs[1 + p], gradient)


# loops --------------------------------------------------------------------------------------------


@rule_of(WHILE)
def back_while(back, node, douts):
    """While back: a For over what it stacked, the last turn first. Forwards it counts its turns."""
    _Loop(back, node, douts).write()


@rule_of(FOR)
def back_for(back, node, douts):
    """For back: a For over what it stacked, in the other direction."""
    _Loop(back, node, douts).write()


class _Loop:
    """The way back through a loop.

    The For that goes back carries the gradients of the carried values, then the sums for the
    invariant ones; it scans what the loop stacked, the stacks that it scanned itself, and the
    gradients of its own stacked results.
    """

    def __init__(self, back, node, douts):
        self.back, self.node, self.douts, self.where = back, node, douts, node.where
        self.old, self.plan = back.at(node), layout(node)
        self.body = self.old.graphs[-1]
        self.inner = FuncGraph(f"{self.body.name}_back", self.where)
        self.way = Back.apart(self.body, self.inner)
        self.turn = self.inner.add_parameter(abstract_of(0), "i")
        if node.primitive is FOR:
            self.way.read[self.body.parameters[0]] = self.turn

    def write(self):
        """Write both loops and hand out the gradients."""
        moving, arriving = self._take()
        given = iter(arriving)
        carried = [moving.get(p) for p in self.plan.feedback]
        stacked = [None if d is None else next(given) for d in self._stacked()]
        gradients = self.way([*carried, *stacked])
        sums, receivers = self._return(moving, gradients)
        if not receivers:
            return
        values, scans, fixed = self._read()
        places = places_of(self.body)
        again, steady = ([self.old.inputs[places[v]] for v in group] for group in (scans, fixed))
        read = [self.way.read[v] for v in (*values, *scans)]
        same = [self.way.read[v] for v in fixed]
        self.inner.parameters[:] = [
            self.turn, *moving.values(), *sums, *read, *arriving, *same
        ]  # fmt: skip
        turns, stacks = self._forward(values)
        scanned = [*map(self.back.reading, (*stacks, *again)), *self._arrived()]
        firsts = self._firsts(moving) + self._zeros(sums)
        attrs = {
            "carried": len(firsts), "scanned": len(scanned),
            "reverse": not self.old.attrs.get("reverse", False),
        }  # fmt: skip
        turns, *constants = map(self.back.reading, (turns, *steady))
        operands = (turns, *firsts, *scanned, *constants)
        found = self.back.write(FOR, operands, attrs, [self.inner], self.node)
        for used, gradient in zip(receivers, found, strict=True):
            self.back.give(used, gradient)

    # the body of the way back -------------------------------------------------------------------

    def _stacked(self):
        """The douts of the stacked results."""
        return self.douts[self.plan.carried :]

    def _arrived(self):
        return [dout for dout in self._stacked() if dout is not None]

    def _take(self):
        """Parameters for what comes back to a turn: position of a carried value -> dout, and the
        douts of the stacked results."""
        moving = {
            p: self.inner.add_parameter(self.body.parameters[p].abstract, "dout")
            for p in self.plan.feedback
            if differentiable(self.body.parameters[p].abstract)
        }
        arriving = [
            self.inner.add_parameter(dout.abstract.item, "dout") for dout in self._arrived()
        ]
        return moving, arriving

    def _return(self, moving, gradients):
        """What a turn gives back: (the sums so far, the inputs that the gradients are for)."""
        parameters, inputs = self.body.parameters, self.node.inputs
        through = [gradients[p] or self._zero(parameters[p]) for p in moving]
        sums, totals, elements, receivers = [], [], [], [inputs[p] for p in moving]
        for p in range(self.plan.invariant, len(parameters)):
            if gradients[p] is not None:
                sums.append(self.inner.add_parameter(parameters[p].abstract, "sum"))
                totals.append(added(self.inner, sums[-1], gradients[p], self.where))
                receivers.append(inputs[p])
        for p in range(self.plan.first + self.plan.carried, self.plan.invariant):
            if gradients[p] is not None:
                elements.append(gradients[p])
                receivers.append(inputs[p])
        self.inner.returns(*through, *totals, *elements)
        return sums, receivers

    def _zero(self, parameter):
        return spread_like(self.inner, parameter.abstract, 0, self.where)

    def _read(self):
        """What the way back reads: what is to be stacked, elements of stacks that the loop scans,
        what is the same in every turn."""
        places, plan = places_of(self.body), self.plan
        begin = plan.first + plan.carried
        values, scans, fixed = [], [], []
        for value, parameter in self.way.kept().items():
            if parameter is self.turn:
                continue
            place = places.get(value, 0)
            group = fixed if place >= plan.invariant else scans if place >= begin else values
            group.append(value)
        return values, scans, fixed

    # the loops ----------------------------------------------------------------------------------

    def _firsts(self, moving):
        """What comes back to the carried values after the last turn."""
        target, inputs = self.back.target, self.node.inputs
        return [
            self.douts[p - self.plan.first]
            or spread_like(target, inputs[p].abstract, 0, self.where)
            for p in moving
        ]

    def _zeros(self, sums):
        return [spread_like(self.back.target, n.abstract, 0, self.where) for n in sums]

    def _forward(self, values):
        """The loop, stacking the values: (how many turns it made, the stacks)."""
        counts = self.node.primitive is WHILE
        outputs, carried = self.body.outputs, self.plan.carried
        known = {value: index for index, value in enumerate(outputs) if index >= carried}
        new = [value for value in values if value not in known]
        known.update({value: len(outputs) + index for index, value in enumerate(new)})
        if not (new or counts):
            items = unpacked(self.back.forward, self.old)
            return self.old.inputs[0], [items[known[value]] for value in values]
        self.body.returns(*outputs, *new)
        write = self._counted if counts else self._exchanged
        items = write(len(outputs))
        turns = items[carried] if counts else self.old.inputs[0]
        return turns, [items[known[value] + counts] for value in values]

    def _exchanged(self, count):
        inputs, attrs = self.old.inputs, self.old.attrs
        return self.back.exchange(self.node, inputs, attrs, self.old.graphs, range(count))

    def _counted(self, count):
        """While with the number of the turn as one more carried value, before what it stacks."""
        carried, outputs, inputs = self.plan.carried, self.body.outputs, self.old.inputs
        for graph in self.old.graphs:
            counter = graph.add_parameter(abstract_of(0), "turns")
            graph.parameters.insert(carried, graph.parameters.pop())
        one = self.body.constant(1)
        more = self.body.add(slot_op("+"), (counter, one), where=self.where)
        self.body.returns(*outputs[:carried], more, *outputs[carried:])
        operands = (*inputs[:carried], self.back.forward.constant(0), *inputs[carried:])
        moved = [index + (index >= carried) for index in range(count)]
        attrs = {"carried": carried + 1}
        return self.back.exchange(self.node, operands, attrs, self.old.graphs, moved)
