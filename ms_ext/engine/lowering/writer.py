"""What has each node of a graph become? A Writer knows, and writes the calls of a subgraph.

A subgraph gives one result. States are not in it: it waits for them (``Depend``), and who called
the subgraph waits for the result (``UpdateState``).
"""

from ...dtype import int32
from ..infer import STATE, AbstractTensor, AbstractTuple
from ..ir import ControlPrimitive
from .closure import FUNCTION, IOMONAD, NONE, STATES, Call, Constant

_DONE = AbstractTensor(int32, (1,))  # what an effect gives that gives nothing
RULES: dict = {}  # primitive -> what writes a node of it: f(writer, node)


class Writer:
    """Writes into ``subgraph``; ``values``: node of the structured graph -> operand."""

    def __init__(self, program, subgraph, graph=None, operands=()):
        self.program, self.subgraph = program, subgraph
        self.values = dict(zip(graph.parameters if graph else (), operands, strict=True))
        self._parts = {}  # control node -> (operand that has all results, operand or index of each)

    def call(self, op, inputs, abstract, source=None):
        """A new call in the subgraph."""
        return self.subgraph.call(op, inputs, abstract, source)

    def write(self, graph):
        """Write every call of a graph."""
        for node in graph.order():
            rule = RULES.get(node.primitive)
            if rule is not None:
                rule(self, node)
            elif isinstance(node.primitive, ControlPrimitive) and node.primitive.effect:
                self.effect(node)
            else:
                operands = [self.value(used) for used in node.inputs]
                self.values[node] = self.call(node.primitive.name, operands, node.abstract, node)

    # looking up ---------------------------------------------------------------------------------

    def value(self, node):
        """The operand that a node has become."""
        if node.kind == "constant":
            return Constant(node.value, node.abstract)
        found = self.values.get(node)
        if found is None:  # several results, used as one
            items = [self.item(node, i) for i in range(len(self._parts[node][1]))]
            found = self.values[node] = self.call("MakeTuple", items, node.abstract, node)
        return found

    def item(self, node, index, source=None):
        """The operand that one result of a node has become."""
        if node in self._parts:
            whole, slots = self._parts[node]
        else:
            whole, slots = self.value(node), {index: index}
        if isinstance(slots[index], int):
            place = Constant(slots[index], NONE)
            kind = node.abstract.items[index]
            slots[index] = self.call("TupleGetItem", [whole, place], kind, source or node)
        return slots[index]

    # calling ------------------------------------------------------------------------------------

    def called(self, function, arguments, node):
        """Call a function value, which gives what ``node`` gives but for the states; the call."""
        return self.call("call", [function, *arguments], together(kinds_of(node)), node)

    def gives(self, node, result):
        """``result`` holds the results of a node that are no states."""
        kinds = kinds_of(node)
        values = [kind for kind in kinds if kind is not STATE]
        slots, index = [], 0
        for kind in kinds:
            if kind is STATE:
                slots.append(self.call("UpdateState", [self._before(node), result], STATE, node))
            else:
                slots.append(index if len(values) > 1 else result)
                index += 1
        if len(slots) == 1:
            self.values[node] = slots[0]
        else:
            self._parts[node] = (result, slots)

    def _before(self, node):
        states = [self.value(used) for used in node.inputs if used.abstract is STATE]
        return states[-1] if states else Constant(None, IOMONAD)

    def effect(self, node):
        """A call that has the state as its last operand; the state is that after it."""
        state, *values = map(self.value, node.inputs)
        gives = _DONE if node.abstract is STATE else node.abstract.items[1]
        made = self.call(node.primitive.name, [*values, state], gives, node)
        after = self.call("UpdateState", [state, made], STATE, node)
        if node.abstract is STATE:
            self.values[node] = after
        else:
            self._parts[node] = (made, [after, made])

    def switch(self, test, choices, node):
        """One of two functions, each with its arguments: a function value."""
        bound = [self.bound(function, arguments, node) for function, arguments in choices]
        return self.call("Switch", [test, *bound], FUNCTION, node)

    def bound(self, function, arguments, node):
        """A subgraph and its arguments: a function value that takes none."""
        if not arguments:
            return function
        return self.call("Partial", [function, *arguments], FUNCTION, node)

    # ending -------------------------------------------------------------------------------------

    def close(self, operands, source, untouched=False):
        """End the subgraph: its result is the operands together, states waited for.

        ``untouched``: a state that came in and goes out as it is needs no waiting.
        """
        operands = list(operands)
        values = [each for each in operands if each.abstract not in STATES]
        kind = together([each.abstract for each in values])
        if not values:
            result = Constant(None, NONE)
        elif len(values) == 1:
            result = values[0]
        else:
            result = self.call("MakeTuple", values, kind, source)
        for state in operands:
            if state.abstract in STATES and (not untouched or isinstance(state, Call)):
                result = self.call("Depend", [result, state], kind, source)
        self.subgraph.result = result


def kinds_of(node):
    """The types of a control node's results, one by one."""
    count = len(node.graphs[-1].outputs)
    return (node.abstract,) if count == 1 else node.abstract.items


def together(kinds):
    """The type of several values as one, states left out: nothing, the value itself, or a tuple."""
    values = [kind for kind in kinds if kind is not STATE and kind not in STATES]
    if not values:
        return NONE
    return values[0] if len(values) == 1 else AbstractTuple(values)
