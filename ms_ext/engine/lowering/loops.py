"""While and For as subgraphs that call each other.

::

    call @header(carried, invariant)

    @header(carried, invariant):  test; Switch(test, Partial(@body, ...), Partial(@after, ...))()
    @body(carried, invariant):    one turn; call @header(what it carries on, invariant)
    @after(carried):              what the loop gives

A For counts: its header has ``i`` and ``n`` before the others. A Stack (one value per turn, which
gradients need) is made before the loop and carried; MindSpore has no such op.
"""

import functools

import numpy as np

from ... import dtype as dtypes
from ..infer import AbstractStack, AbstractTensor
from ..ir import FOR, WHILE
from .closure import Constant
from .writer import RULES, Writer

_BOOL = AbstractTensor(dtypes.bool_, (), True)


def while_(writer, node):
    """A While: the test decides whether there is another turn."""
    cond, body = node.graphs
    count = node.attrs["carried"]
    header = writer.program.subgraph(f"↵{writer.subgraph.label}", cond)
    for each in cond.parameters:
        header.parameter(each.name, each.abstract, each)
    stacks = _stacks(writer, header, body.outputs[count:], (), node)
    writer.program.later(
        functools.partial(_while_header, writer.program, header, node, writer.subgraph.label)
    )
    start = [*map(writer.value, node.inputs), *stacks]
    writer.gives(node, writer.called(header, start, node))


def _stacks(writer, header, outputs, size, node):
    """A new Stack for each of a body's stacked results; the header gets a parameter for each."""
    made = []
    for k, out in enumerate(outputs):
        kind = AbstractStack([out.abstract])
        header.parameter(f"stack{k}", kind)
        made.append(writer.call("StackNew", size, kind, node))
    return made


def _while_header(program, header, node, label):
    cond, body = node.graphs
    count, own = node.attrs["carried"], len(cond.parameters)
    writer = Writer(program, header, cond, header.parameters[:own])
    writer.write(cond)
    turn = _like(program, header, f"↻{label}", body)
    _decide(writer, turn, (0, count, own), writer.value(cond.outputs[0]), node)

    inside = Writer(program, turn, body, turn.parameters[:own])
    inside.write(body)
    results = [inside.value(out) for out in body.outputs]
    stacks = [
        inside.call("StackPush", [stack, value], stack.abstract, node)
        for stack, value in zip(turn.parameters[own:], results[count:], strict=True)
    ]
    _again(inside, header, [*results[:count], *turn.parameters[count:own], *stacks], node)


def _like(program, header, label, source):
    """A subgraph with the header's parameters."""
    turn = program.subgraph(label, source)
    for each in header.parameters:
        turn.parameter(each.name, each.abstract, each.source)
    return turn


def _decide(writer, turn, where, test, node):
    """End a header: another turn, or what comes after, which gives what was carried."""
    first, count, own = where
    given = writer.subgraph.parameters
    left = [*given[first : first + count], *given[own:]]
    after = writer.program.subgraph(turn.label.replace("↻", "↓", 1), turn.source)
    for each in left:
        after.parameter(each.name, each.abstract, each.source)
    Writer(writer.program, after).close(after.parameters, node)
    choice = writer.switch(test, [(turn, given), (after, left)], node)
    writer.subgraph.result = writer.called(choice, (), node)


def _again(writer, header, arguments, node):
    writer.subgraph.result = writer.called(header, arguments, node)


def for_(writer, node):
    """A For: ``i`` runs from 0 to n - 1, or back."""
    (body,) = node.graphs
    turns = writer.value(node.inputs[0])
    header = writer.program.subgraph(f"↵{writer.subgraph.label}", body)
    header.parameter("i", body.parameters[0].abstract, body.parameters[0])
    header.parameter("n", turns.abstract)
    carried = 1 + node.attrs["carried"]
    for at, used in enumerate(node.inputs[1:], 1):
        kind = used.abstract if at >= carried else body.parameters[at].abstract
        header.parameter(body.parameters[at].name, kind, body.parameters[at])
    stacks = _stacks(writer, header, body.outputs[carried - 1 :], [turns], node)
    writer.program.later(
        functools.partial(_for_header, writer.program, header, node, writer.subgraph.label)
    )
    first = _number(0, header)
    if node.attrs.get("reverse", False):
        first = writer.call("ScalarSub", [turns, _number(1, header)], first.abstract, node)
    rest = [writer.value(used) for used in node.inputs[1:]]
    writer.gives(node, writer.called(header, [first, turns, *rest, *stacks], node))


def _number(value, header):
    """A number of the counter's type."""
    kind = header.parameters[0].abstract
    return Constant(value if kind.weak else np.array(value, kind.dtype.numpy), kind)


def _for_header(program, header, node, label):
    (body,) = node.graphs
    back, own = node.attrs.get("reverse", False), 1 + len(node.inputs)
    writer = Writer(program, header)
    i, n = header.parameters[:2]
    test = ("ScalarGe", [i, _number(0, header)]) if back else ("ScalarLt", [i, n])
    turn = _like(program, header, f"↻{label}", body)
    _decide(writer, turn, (2, node.attrs["carried"], own), writer.call(*test, _BOOL, node), node)
    _for_turn(program, header, turn, node, "ScalarSub" if back else "ScalarAdd")


def _for_turn(program, header, turn, node, step):
    (body,) = node.graphs
    count, scans, own = node.attrs["carried"], node.attrs["scanned"], 1 + len(node.inputs)
    i, n, *rest = turn.parameters[:own]
    scanned, invariant = rest[count : count + scans], rest[count + scans :]
    writer = Writer(program, turn)
    read = [writer.call("StackGet", [stack, i], stack.abstract.item, node) for stack in scanned]
    writer.values = dict(zip(body.parameters, [i, *rest[:count], *read, *invariant], strict=True))
    writer.write(body)
    results = [writer.value(out) for out in body.outputs]
    stacks = [
        writer.call("StackSet", [stack, i, value], stack.abstract, node)
        for stack, value in zip(turn.parameters[own:], results[count:], strict=True)
    ]
    onward = writer.call(step, [i, _number(1, header)], i.abstract, node)
    _again(writer, header, [onward, n, *results[:count], *rest[count:], *stacks], node)


RULES[WHILE], RULES[FOR] = while_, for_
