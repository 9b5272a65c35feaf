"""One graph forwards and backwards, written into another.

Forwards the calls are copied. Backwards each call's own ``bprop`` runs on symbols, last call first;
control nodes have rules in ``control``, ``calls`` and ``objects``.

The way back of a branch, a turn or a called graph is a graph of its own: a forward value that it
reads is brought to it (``Back.reading``), and the forward call is exchanged for one that also
returns that value (``Back.exchange``). So nothing is calculated twice, and effects happen once.
"""

from ..infer import AbstractTuple
from ..ir import MAKE_TUPLE, TUPLE_GET_ITEM, ControlPrimitive, copy_node
from ..strict import AsGiven
from ..symbol import Builder, Symbol
from . import bprops
from .values import added, differentiable

RULES: dict = {}  # control primitive -> rule(back, node, douts)


def rule_of(*primitives):
    """Declare the way back through control nodes: a decorator of ``rule(back, node, douts)``.

    ``douts``: one per result, None where nothing came back. The rule hands out what it finds by
    ``back.give``.
    """

    def declare(rule):
        RULES.update(dict.fromkeys(primitives, rule))
        return rule

    return declare


def linearize(target, graph, arguments):
    """Copy ``graph`` into ``target`` on ``arguments``: the Back that writes the gradients there."""
    new = dict(zip(graph.parameters, arguments, strict=True))
    for constant in graph.constants.values():
        if constant.users:
            new[constant] = target.constant(constant.value, constant.abstract)
    for node in graph.order():
        new[node] = copy_node(node, target, [new[n] for n in node.inputs])
    return Back(graph, target, target, new)


class Back:
    """The way back through ``graph``, whose calls are copied in ``forward``, written to ``target``.

    Called with one dout per result (None: zero), once. Returns one gradient per parameter of the
    graph, None where there is none. ``read``: forward value -> what it is in the target. ``watch``,
    where one looks on, is told ``step(node, dout)`` and ``gives(node, dout, total)`` of every step.
    """

    def __init__(self, graph, forward, target, new):
        self.graph, self.forward, self.target, self.new = graph, forward, target, new
        self.read, self.douts, self.plain, self.watch = {}, {}, {}, None

    @classmethod
    def apart(cls, graph, target):
        """The way back through ``graph`` in a graph of its own; ``graph`` itself is the copy."""
        return cls(graph, graph, target, {})

    def __call__(self, douts):
        for node, dout in zip(self.graph.outputs, douts, strict=True):
            self.give(node, dout)
        with Builder(self.target, bring=self.reading) as self.builder:
            for node in reversed(self.graph.order()):
                dout = self.douts.pop(node, None)
                if dout is not None:
                    self._through(node, dout)
        return [self.douts.get(p) for p in self.graph.parameters]

    @property
    def results(self):
        """What the forward copy returns. To be asked for after the way back, which may have
        exchanged calls."""
        return tuple([self.at(node) for node in self.graph.outputs])

    # forward values -----------------------------------------------------------------------------

    def at(self, node):
        """The forward copy of a node."""
        return self.new.get(node, node)

    def reading(self, value):
        """A forward value as a node of the target: its parameter, if the target is a graph of its
        own."""
        if value.graph is self.target:
            return value
        found = self.read.get(value)
        if found is None:
            found = self.read[value] = self._brought(value)
        return found

    def _brought(self, value):
        if value.kind == "constant":
            return self.target.constant(value.value, value.abstract)
        if value.kind == "call" and _is_written_again(value):
            return copy_node(value, self.target, [self.reading(used) for used in value.inputs])
        return self.target.add_parameter(value.abstract, value.name or "kept", value.where)

    def kept(self):
        """The forward values that the target's results are calculated from, and the parameters that
        they are there: what is to be passed."""
        used = {n for node in (*self.target.order(), self.target.result) for n in node.inputs}
        read = self.read.items()
        return {value: n for value, n in read if n.kind == "parameter" and n in used}

    def exchange(self, node, inputs, attrs, graphs, moved, abstract=None):
        """Write the forward call of a control node again, now that its graphs return more.

        ``moved``: where each result of before is among those of now. Returns the new results, and
        where they are: index -> node.
        """
        forward, old = self.forward, self.at(node)
        new = forward.add(
            old.primitive, inputs, attrs, graphs,
            name=old.name, where=old.where, origin=old.origin,
        )  # fmt: skip
        new.abstract = abstract or new.abstract
        items = {
            index: forward.add(TUPLE_GET_ITEM, (new,), {"index": index}, where=old.where)
            for index in range(len(new.abstract.items))
        }
        if len(moved) == 1:
            self._takes_over(node, old, items[moved[0]])
        else:
            self._take_over(old, [items[index] for index in moved])
        forward.erase(old)
        return items

    def _takes_over(self, node, old, item):
        """The only result of a call is one of several now."""
        self.forward.replace(old, item)
        self.new[node] = item
        if old in self.read:
            self.read[item] = self.read.pop(old)

    def _take_over(self, old, items):
        """Who read a result of the old call reads that of the new one, and keeps its id."""
        for user in list(old.users):
            if user.primitive is TUPLE_GET_ITEM:
                item = items[user.attrs["index"]]
                self.forward.alter(user, item.inputs, item.attrs)
        if old.users:
            self.forward.replace(old, self.forward.add(MAKE_TUPLE, tuple(items), where=old.where))

    # gradients ----------------------------------------------------------------------------------

    def write(self, primitive, operands, attrs, graphs, node, abstract=None):
        """Write a call of the way back through ``node``; its results one by one."""
        found = self.target.add(
            primitive, operands, attrs, graphs, where=node.where, origin=node.id
        )
        found.abstract = abstract or found.abstract
        if not isinstance(found.abstract, AbstractTuple):
            return [found]
        count = range(len(found.abstract.items))
        return [
            self.target.add(TUPLE_GET_ITEM, (found,), {"index": i}, where=node.where) for i in count
        ]

    def give(self, node, dout):
        """Add ``dout`` to what has come back to ``node``."""
        if dout is None or not differentiable(node.abstract):
            return
        self.plain.pop(node, None)
        before = self.douts.get(node)
        total = self.douts[node] = dout if before is None else self._sum(node, before, dout)
        if self.watch is not None:
            self.watch.gives(node, dout, total)

    def _sum(self, node, one, other):
        """Two gradients of ``node``, added."""
        where = node.where or one.where or other.where or node.graph.where
        return added(self.target, one, other, where)

    def _through(self, node, dout):
        self.builder.where, self.builder.origin = node.where, node.id
        if self.watch is not None:
            self.watch.step(node, dout)
        op = node.primitive
        if op is TUPLE_GET_ITEM:
            parts = self.douts.setdefault(
                node.inputs[0], [None] * len(node.inputs[0].abstract.items)
            )
            index = node.attrs["index"]
            before = parts[index]
            parts[index] = dout if before is None else self._sum(node, before, dout)
            if self.watch is not None:
                self.watch.gives(node.inputs[0], dout, parts[index])
        elif op is MAKE_TUPLE:
            for used, part in zip(node.inputs, dout, strict=True):
                self.give(used, part)
        elif isinstance(op, ControlPrimitive):
            parts = dout if isinstance(dout, list) else [dout]
            RULES[op](self, node, parts)
        else:
            self._op(node, dout)

    def _op(self, node, dout):
        gradients = bprops.gradients(self, node, dout)
        as_given = isinstance(gradients, AsGiven)
        for used, gradient in zip(node.inputs, gradients, strict=True):
            if as_given and differentiable(used.abstract):
                self._as_given(node, used, gradient)
            elif gradient is not None and differentiable(used.abstract):
                self.give(used, bprops.fitted(self.builder, node, gradient, used.abstract))

    def _as_given(self, node, used, gradient):
        """MindSpore looks at no gradient of a bprop, and hands on even what is no tensor."""
        alone = used not in self.douts
        if isinstance(gradient, Symbol):
            self.give(used, self.builder.node(gradient))
        elif isinstance(gradient, int | float):
            self.give(used, bprops.fitted(self.builder, node, gradient, used.abstract))
        if alone and not isinstance(gradient, Symbol):
            self.plain[used] = gradient


def _is_written_again(call):
    """Whether a call is as well written again where it is read: it has no cost, or no operand that
    varies."""
    if call.primitive is MAKE_TUPLE:
        return True
    if isinstance(call.primitive, ControlPrimitive) or call.primitive.nondeterministic:
        return False
    return all(used.kind == "constant" for used in call.inputs)
