"""The structured graph in closure form: one rule per kind of node.

| node | becomes |
|---|---|
| If | ``Partial`` of each branch, ``Switch``, and a call of what it gives |
| While, For | calls of a header, see ``loops`` |
| Call | ``call @f``; a graph is written once |
| an effect | the call with the state as its last operand, and ``UpdateState`` |
| an input that is a Parameter, or is written to | ``Load`` |
| ``graph.writes`` | ``Assign`` at the end, behind every ``Load`` |

Nothing reads this form to run it; it is printed, drawn and exported.
"""

from ..ir import CALL, IF, TUPLE_GET_ITEM
from . import loops  # noqa: F401  it enters its rules
from .closure import UMONAD, Constant, Program
from .writer import RULES, Writer


def lower(graph):
    '''The Program of a FuncGraph.

    >>> from ms_ext.engine.ir import load
    >>> graph = load("""ms_ext graph 1
    ... graph f@1(%1 x: f32[]) {
    ...   %2 = While(%1) {"carried":1} : f32[]
    ...     test(%3 x: f32[]) {
    ...       %4 = Less(%3, 9: int) : bool[]
    ...       return %4
    ...     }
    ...     body(%5 x: f32[]) {
    ...       %6 = Mul(%5, 2: int) : f32[]
    ...       return %6
    ...     }
    ...   return %2
    ... }""")
    >>> for each in lower(graph).subgraphs:
    ...     print(each, *[call.op for call in each.calls])
    @1_f call
    @2_↵f Less Partial Partial Switch call
    @3_↻f Mul call
    @4_↓f
    '''
    program = Program()
    _entry(program, graph)
    program.finish()
    return program


def _entry(program, graph):
    """The outermost graph: its Parameters are read and written as such."""
    entry = program.subgraph(graph.name, graph)
    written = set(graph.writes.values())
    writer, loads = Writer(program, entry), []
    for at, each in enumerate(graph.parameters):
        operand = entry.parameter(each.name, each.abstract, each, graph.references.get(at))
        if each.users and (at in graph.references or at in written):
            operand = writer.call("Load", [operand, Constant(None, UMONAD)], each.abstract, each)
            loads.append(operand)
        writer.values[each] = operand
    writer.write(graph)
    results = [writer.value(out) for k, out in enumerate(graph.outputs) if k not in graph.writes]
    if graph.writes:
        results.append(_assign(writer, graph, loads))
    writer.close(results, graph.result)


def _assign(writer, graph, loads):
    """Write every result that the caller keeps; the state after it."""
    state = Constant(None, UMONAD)
    if loads:
        state = writer.call("UpdateState", [state, *loads], UMONAD, graph.result)
    for result, place in graph.writes.items():
        target, new = writer.subgraph.parameters[place], graph.outputs[result]
        done = writer.call("Assign", [target, writer.value(new), state], new.abstract, new)
        state = writer.call("UpdateState", [state, done], UMONAD, graph.result)
    return state


def _filled(program, label, graph):
    """A subgraph of a graph as it is; its calls are written later."""
    made = program.subgraph(label, graph)
    for each in graph.parameters:
        made.parameter(each.name, each.abstract, each)

    def fill():
        writer = Writer(program, made, graph, made.parameters)
        writer.write(graph)
        writer.close(map(writer.value, graph.outputs), graph.result, untouched=True)

    program.later(fill)
    return made


def if_(writer, node):
    """An If: the branches get the operands, and one of them is called."""
    test, *operands = map(writer.value, node.inputs)
    label = writer.subgraph.label
    branches = [
        (_filled(writer.program, sign + label, region), operands)
        for sign, region in zip("✓✗", node.graphs, strict=True)
    ]
    writer.gives(node, writer.called(writer.switch(test, branches, node), (), node))


def call(writer, node):
    """A Call: of a subgraph that is made at the first one."""
    graph = node.graphs[0]
    called = writer.program.called
    if graph not in called:
        called[graph] = _filled(writer.program, graph.name, graph)
    writer.gives(node, writer.called(called[graph], map(writer.value, node.inputs), node))


def item(writer, node):
    """TupleGetItem: of what a control node gives, the result that is meant."""
    writer.values[node] = writer.item(node.inputs[0], node.attrs["index"], node)


RULES.update({IF: if_, CALL: call, TUPLE_GET_ITEM: item})
