"""Walk the graph and compute each node with NumPy: the meaning of every program.

A frame evaluates one graph. Where it needs the results of another one (a branch, a turn of a loop,
a call) it asks for them by ``yield``; so a program that calls itself ten thousand times deep needs
no stack.
"""

import functools

from .. import events, primitive
from ..ir import CALL, FOR, IF, MAKE_TUPLE, TUPLE_GET_ITEM, WHILE, ControlPrimitive
from ..ir.kept import whole
from ..operands import number_array
from ..quiet import quietly
from . import _account, _watching, backend


@backend("reference")
def build(graph):
    """``run(*arrays)``: evaluate ``graph``."""

    def run(*arrays):
        return quietly(evaluate, graph, arrays)

    run.listing = functools.partial(listing, graph)
    return run


def listing(graph):
    """Every node in order, each by NumPy."""
    from ._listing import by_compute, listed  # read when somebody looks

    return listed(graph, lambda each: each.order(), lambda node: [by_compute(node)])


def evaluate(graph, values):
    """The results of ``graph`` on ``values``; frames wait in a list, not on Python's stack."""
    frames, answer = [frame(graph, values)], None
    while frames:
        try:
            frames.append(frame(*frames[-1].send(answer)))
            answer = None
        except StopIteration as done:
            frames.pop()
            answer = done.value
    return answer


def frame(graph, values):
    """One graph, node after node: a generator that yields (graph, values) where it needs one."""
    value = dict(zip(graph.parameters, values, strict=True))
    value.update((constant, constant.value) for constant in graph.constants.values())
    for node in graph.order():
        operands = [value[used] for used in node.inputs]
        start = events.now() if events.on else 0
        if node.primitive in CONTROL:
            value[node] = yield from CONTROL[node.primitive](node, *operands)
        else:
            value[node] = computed(node, operands)
        if start:
            told(node, start)
    return tuple([value[out] for out in graph.outputs])


def told(node, start):
    """Emit the event of a node that was computed."""
    if label := _account.label(kind(node), (node,)):
        _watching.tell(label[0], label[1], start, *label[2:])


def kind(node):
    """What a node is to those who count: "op" for one that is computed."""
    if node.primitive in (MAKE_TUPLE, TUPLE_GET_ITEM):
        return "tuple"
    return "control" if type(node.primitive) is ControlPrimitive else "op"


def computed(node, operands):
    """An op on its operands, or several values together, or one of them."""
    if node.primitive is MAKE_TUPLE:
        return tuple(operands)
    if node.primitive is TUPLE_GET_ITEM:
        return operands[0][node.attrs["index"]]
    if type(node.primitive) is ControlPrimitive:
        return node.primitive.run(node)(*operands)
    types = tuple([used.abstract for used in node.inputs])
    f = primitive.compute_cast(node.primitive, types, node.abstract, node.attributes)
    return f(*operands)


def if_(node, condition, *operands):
    """One branch is evaluated, the other is not."""
    return packed((yield node.graphs[0 if condition else 1], operands))


def while_(node, *operands):
    """The body is evaluated as long as the test gives true."""
    count, stacks = node.attrs["carried"], []
    carried, invariant = operands[:count], operands[count:]
    while (yield node.graphs[0], (*carried, *invariant))[0]:
        results = yield node.graphs[1], (*carried, *invariant)
        carried = results[:count]
        stacks.append(results[count:])
    return packed((*carried, *columns(stacks, len(node.graphs[1].outputs) - count)))


def for_(node, turns, *operands):
    """The body is evaluated ``turns`` times; turn i reads element i of each scanned stack."""
    count, scans = node.attrs["carried"], node.attrs["scanned"]
    carried, invariant = operands[:count], operands[count + scans :]
    kinds = [p.abstract for p in node.graphs[0].parameters[1 + count : 1 + count + scans]]
    pairs = zip(operands[count : count + scans], kinds, strict=True)
    scanned = [whole(stack, kind, int(turns)) for stack, kind in pairs]
    stacks = [None] * int(turns)
    turns = range(len(stacks))
    for i in reversed(turns) if node.attrs.get("reverse", False) else turns:
        turn = i if node.inputs[0].abstract.weak else number_array(i, node.inputs[0].abstract.dtype)
        results = yield node.graphs[0], (turn, *carried, *[s[i] for s in scanned], *invariant)
        carried = results[:count]
        stacks[i] = results[count:]
    return packed((*carried, *columns(stacks, len(node.graphs[0].outputs) - count)))


def call(node, *arguments):
    """Another graph, perhaps the caller itself."""
    return packed((yield node.graphs[0], arguments))


def packed(results):
    """One result is the value itself."""
    return results[0] if len(results) == 1 else results


def columns(turns, count):
    """From results by turn to stacks by result."""
    return [[results[k] for results in turns] for k in range(count)]


CONTROL = {IF: if_, WHILE: while_, FOR: for_, CALL: call}
