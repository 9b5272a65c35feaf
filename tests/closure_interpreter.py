"""Run a lowered graph by the closure form's own rules, in any order that its operands allow.

Nothing of a subgraph runs that its result does not need, and what is ready runs in a random order:
only the states keep effects, and reads and writes of Parameters, in theirs.
"""

import numpy as np

from ms_ext.engine.backends.reference import computed
from ms_ext.engine.ir import ControlPrimitive
from ms_ext.engine.lowering import Call, Constant, Subgraph, lower
from ms_ext.engine.lowering.closure import STATES
from ms_ext.engine.operands import number_array


class Box:
    """The memory of a Parameter."""

    def __init__(self, value):
        self.value = value


class State:
    """One moment; an effect happens in one, and no two in the same."""

    used = False


def run(graph, inputs, seed=0):
    """The results of a graph that are neither written nor states, and what its inputs hold then."""
    entry = lower(graph).entry
    boxes = [Box(np.array(value)) for value in inputs]
    kept = set(graph.writes.values()) | set(graph.references)
    given = [box if at in kept else box.value for at, box in enumerate(boxes)]
    return evaluate(entry, given, np.random.default_rng(seed)), [box.value for box in boxes]


def evaluate(subgraph, arguments, rng):
    """The result of a subgraph; the call that ends it needs no stack."""
    while True:
        values = dict(zip(subgraph.parameters, arguments, strict=True))
        last = subgraph.result
        ends = isinstance(last, Call) and last.op == "call"
        for call in shuffled(needed(last), rng):
            if not (ends and call is last):
                values[call] = result(call, [value(used, values) for used in call.inputs], rng)
        if not ends:
            return value(last, values)
        (subgraph, arguments), *more = [value(used, values) for used in last.inputs]
        arguments = [*arguments, *more]


def needed(last):
    """The calls that a result needs: call -> calls among its operands."""
    found, waiting = {}, [last]
    while waiting:
        call = waiting.pop()
        if isinstance(call, Call) and call not in found:
            found[call] = [used for used in call.inputs if isinstance(used, Call)]
            waiting += found[call]
    return found


def shuffled(found, rng):
    """The calls, each after its operands, otherwise in any order."""
    lacking = {call: set(used) for call, used in found.items()}
    while lacking:
        ready = [call for call, used in lacking.items() if not used]
        call = ready[int(rng.integers(len(ready)))]
        del lacking[call]
        for used in lacking.values():
            used.discard(call)
        yield call


def value(operand, values):
    """An operand; a subgraph without its arguments is a function value, too."""
    if isinstance(operand, Constant):
        return State() if operand.abstract in STATES else operand.value
    return (operand, ()) if isinstance(operand, Subgraph) else values[operand]


def result(call, operands, rng):
    """What a call gives."""
    if call.op in RULES:
        return RULES[call.op](call, *operands)
    if call.op == "call":
        (subgraph, bound), *rest = operands
        return evaluate(subgraph, [*bound, *rest], rng)
    primitive = call.source.primitive
    if isinstance(primitive, ControlPrimitive):
        return (
            effect(call, *operands) if primitive.effect else primitive.run(call.source)(*operands)
        )
    return computed(call.source, operands)


def effect(call, *operands):
    """Print, raise or ask Python; the state that came last comes first there."""
    *values, state = operands
    assert not state.used, f"two effects in one moment: {call}"
    state.used = True
    found = call.source.primitive.run(call.source)(state, *values)
    return found[1] if isinstance(found, tuple) else None


def partial(call, function, *arguments):
    return function[0], [*function[1], *arguments]


def assign(call, box, new, state):
    box.value = new
    return new


def counted(step):
    """A number of the counter's own kind."""

    def rule(call, i, by):
        kind = call.abstract
        number = int(i) + step * int(by)
        return number if kind.weak else number_array(number, kind.dtype)

    return rule


def stack_set(call, stack, i, new):
    return [*stack[: int(i)], new, *stack[int(i) + 1 :]]


RULES = {
    "Partial": partial,
    "Switch": lambda call, test, one, other: one if test else other,
    "MakeTuple": lambda call, *items: items,
    "TupleGetItem": lambda call, whole, index: whole[index],
    "Load": lambda call, box, state: box.value,
    "Assign": assign,
    "UpdateState": lambda call, *operands: State(),
    "Depend": lambda call, what, state: what,
    "ScalarLt": lambda call, i, n: int(i) < int(n),
    "ScalarGe": lambda call, i, n: int(i) >= int(n),
    "ScalarAdd": counted(1),
    "ScalarSub": counted(-1),
    "StackNew": lambda call, n=0: [None] * int(n),
    "StackPush": lambda call, stack, new: [*stack, new],
    "StackSet": stack_set,
    "StackGet": lambda call, stack, i: stack[int(i)],
}
