"""What runs, in words: blocks in their order, with the ids of the nodes that each line computes.

A region stands indented below its control node, a called graph below the others, each once.
"""

from ..ir import CALL, FOR, IF, MAKE_TUPLE, TUPLE_GET_ITEM, WHILE
from ..ir.control import ControlPrimitive
from ..ir.journal import row
from ._executable import Listed

_REGIONS = {IF: ("then", "else"), WHILE: ("as long as", "do"), FOR: ("do",)}
_STEP = "  "


def listed(graph, units, tell):
    """The lines of ``graph``: ``units(graph)`` are its nodes and Groups in order, ``tell(unit)``
    gives the lines of one that is no control node."""
    called, lines = [graph], []
    for each in called:
        if each is not graph:
            lines.append(Listed(f"graph {each.name}@{each.id}:"))
        _write(each, "" if each is graph else _STEP, lines, (called, units, tell))
    return lines


def _write(graph, indent, lines, how):
    called, units, tell = how
    for unit in units(graph):
        if type(unit.primitive) is ControlPrimitive:
            _write_control(unit, indent, lines, how)
        else:
            lines += [line._replace(text=indent + line.text) for line in tell(unit)]
    lines.append(Listed(f"{indent}return {', '.join(map(word, graph.outputs))}".rstrip()))


def _write_control(node, indent, lines, how):
    called = how[0]
    told = call(node)
    if node.primitive is TUPLE_GET_ITEM:
        told = f"%{node.id} = item {node.attrs['index']} of {word(node.inputs[0])}"
    elif node.primitive is MAKE_TUPLE:
        told = f"%{node.id} = ({', '.join(map(word, node.inputs))})"
    elif node.primitive is CALL:
        target = node.graphs[0]
        told = f"%{node.id} = {target.name}@{target.id}({', '.join(map(word, node.inputs))})"
        if target not in called:
            called.append(target)
    lines.append(Listed(indent + told, (node.id,), "control" if node.graphs else ""))
    for name, region in zip(_REGIONS.get(node.primitive, ()), node.graphs, strict=False):
        parameters = ", ".join(map(word, region.parameters))
        lines.append(Listed(f"{indent}{_STEP}{name} ({parameters}):"))
        _write(region, indent + 2 * _STEP, lines, how)


def word(node):
    """A value as it is written in a line: ``%3``, ``%1 x``, ``2.0``."""
    if node.kind == "call":
        return f"%{node.id}"
    shown = row(node).label
    return f"%{node.id} {shown}" if node.kind == "parameter" else shown


def call(node):
    """A call in one line: ``%3 = Mul(%1 x, 2.0) : f32[2]``."""
    shown = row(node)
    attributes = f" {{{shown.attrs}}}" if shown.attrs else ""
    operands = ", ".join(map(word, node.inputs))
    return f"%{node.id} = {shown.op}({operands}){attributes} : {node.abstract}"


def by_compute(node, reason=""):
    """The line of a node that runs by its op's ``compute``: NumPy, or Python of the learner's."""
    ours = node.primitive.module.startswith("ms_ext.")
    where = "in NumPy" if ours else "in Python, as the op was declared"
    why = f": {reason}" if reason else ""
    return Listed(f"{call(node)}    {where}{why}", (node.id,), "compute" if ours else "python")


def of_unit(planner, unit):
    """The lines of a node or a Group of a Planner."""
    kind, nodes = planner.kind(unit)
    if kind == "compute":
        return [by_compute(unit, planner.reason(unit))]
    if kind == "row":
        name = getattr(planner.rows[unit.primitive.name], "__name__", "a row")
        return [Listed(f"{call(unit)}    by the kernel {name}", (unit.id,), kind)]
    ops = ", ".join([node.primitive.name for node in nodes])
    what = f"fused({ops})" if len(nodes) > 1 else f"kernel({ops})"
    results = ", ".join([f"%{node.id}" for node in unit.outputs])
    types = ", ".join([str(node.abstract) for node in unit.outputs])
    head = f"{results} = {what} : {types}    one pass over memory"
    inside = [Listed(_STEP + text, ids) for text, ids in planner.inside(unit)]
    return [Listed(head, tuple([node.id for node in nodes]), kind), *inside]
