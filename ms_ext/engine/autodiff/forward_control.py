"""How do tangents go through If, loops, calls, and what is kept? Each gives back what it is.

| node | with tangents |
|---|---|
| If | If(condition, operands, tangents): both branches give the same tangents |
| While, For | carries the tangents too; scans and stacks those of what it scans and stacks |
| Call(g) | Call(jvp(g)) |
| Call(g; b) | itself, and Call of the transpose of b, as of an op's bprop |
"""

import itertools

from ..infer import KEPT, STATE, UNKNOWN
from ..ir import (
    ADD_KEPT,
    CALL,
    DEPEND,
    FOR,
    IF,
    KEEP,
    MAKE_TUPLE,
    RECALL,
    WHILE,
    FuncGraph,
    packed,
)
from .forward import Region, pushes
from .tangent_rule import transposed_of
from .values import differentiable


def _mask(tangents):
    return tuple([t is not None for t in tangents])


@pushes(IF)
def _if(walk, node, inputs, tangents):
    """If(condition, operands, tangents; both branches with tangents)."""
    moving = _mask(tangents[1:])
    wanted = walk.moving.branches(node, moving)
    if not any(wanted):
        return walk.again(node, inputs)
    region = Region((len(moving),), (len(wanted),), walk.moving)
    graphs = [region.pushed(graph, moving, wanted) for graph in node.graphs]
    operands = region.operands(inputs[1:], tangents[1:])
    made = walk.add(node, IF, (inputs[0], *operands), None, graphs)
    walk.finish(node, made, wanted, region.given)


@pushes(CALL)
def _call(walk, node, inputs, tangents):
    """Call of the graph with tangents; of a graph that calls itself, the same again."""
    if len(node.graphs) > 1:
        return _own(walk, node, inputs, tangents)
    graph, moving = node.graphs[0], _mask(tangents)
    wanted = walk.moving.results(graph, moving)
    if not any(wanted):
        return walk.again(node, inputs)
    region = Region((len(moving),), (len(wanted),), walk.moving)
    called = _called(region, graph, moving, wanted)
    made = walk.add(node, CALL, region.operands(inputs, tangents), node.attrs, [called])
    if made.abstract is UNKNOWN:  # one that is still being written
        kinds = [result.abstract for result in graph.outputs]
        moved = [kind for kind, moves in zip(kinds, wanted, strict=True) if moves]
        made.abstract = packed((*kinds, *moved))
    walk.finish(node, made, wanted, region.given)


def _own(walk, node, inputs, tangents):
    """Call(g; b), and a Call of the transpose of b, which is linear in the douts."""
    made = walk.again(node, inputs)
    outs = walk.items(made)
    graph, moves = transposed_of(node, _mask(tangents))
    carries = [differentiable(out.abstract) for out in outs]
    zeros = [walk.zeros(node, out.abstract) for out in itertools.compress(outs, carries)]
    read = [value for value in (*inputs, *outs) if value.abstract is not STATE]
    given = [t for t in tangents if t is not None]
    walk.new[node] = outs if len(outs) > 1 else made
    if any(moves):
        found = iter(walk.items(walk.add(node, CALL, (*read, *zeros, *given), None, [graph])))
        moved = iter(moves)
        found = [next(found) if carry and next(moved) else None for carry in carries]
        walk.tangents[node] = found if len(outs) > 1 else found[0]


def _called(region, graph, moving, wanted):
    """The one graph with tangents that Call nodes share, which ends recursion."""
    version, known = graph.derived or (None, None)
    if version != graph.version:
        version, known = graph.derived = (graph.version, {})
    key = "jvp", moving
    if key not in known:
        known[key] = FuncGraph(f"{graph.name}_jvp", graph.where)
        region.pushed(graph, moving, wanted, known[key])
    return known[key]


@pushes(WHILE, FOR)
def _loop(walk, node, inputs, tangents):
    """While or For that carries the tangents too, scans and stacks those of what it scans and
    stacks."""
    carried, first = node.attrs["carried"], int(node.primitive is FOR)
    scanned = node.attrs.get("scanned", 0)
    moving, wanted = walk.moving.loop(node, _mask(tangents))
    if not any(wanted):
        return walk.again(node, inputs)
    groups = [count for count in (first, carried, scanned) if count]
    region = Region(
        (*groups, len(inputs) - sum(groups)), (carried, len(wanted) - carried), walk.moving
    )
    tangents = [
        (t or walk.zeros(node, used.abstract)) if moves else None
        for t, used, moves in zip(tangents, inputs, moving, strict=True)
    ]
    graphs = [region.pushed(test, moving, (False,)) for test in node.graphs[:-1]]
    graphs.append(region.pushed(node.graphs[-1], moving, wanted))
    more = {"carried": carried + sum(moving[first : first + carried])}
    if first:
        more["scanned"] = scanned + sum(moving[1 + carried : 1 + carried + scanned])
    operands = region.operands(inputs, tangents)
    made = walk.add(node, node.primitive, operands, {**node.attrs, **more}, graphs)
    walk.finish(node, made, wanted, region.given)


@pushes(KEEP)
def _keep(walk, node, inputs, tangents):
    """Keep: the tangents are kept as the values are, None where there is none."""
    nothing = walk.target.constant(None, KEPT)
    walk.again(node, inputs)
    parts = [nothing if t is None else t for t in tangents]
    walk.tangents[node] = walk.add(node, KEEP, parts, None, ())


@pushes(RECALL)
def _recall(walk, node, inputs, tangents):
    """Recall: of the tangents, too."""
    walk.again(node, inputs)
    kinds = node.attrs["types"].items
    found = walk.items(walk.add(node, RECALL, tangents, node.attrs, ()))
    walk.tangents[node] = [
        t if differentiable(kind) else None for t, kind in zip(found, kinds, strict=True)
    ]


@pushes(ADD_KEPT)
def _add_kept(walk, node, inputs, tangents):
    """AddKept: the sum of the tangents."""
    walk.again(node, inputs)
    given = [t for t in tangents if t is not None]
    both = len(given) == 2
    walk.tangents[node] = walk.add(node, ADD_KEPT, given, None, ()) if both else given[0]


@pushes(DEPEND)
def _depend(walk, node, inputs, tangents):
    """Depend: the value waits for the effect, its tangent need not."""
    walk.again(node, inputs)
    walk.tangents[node] = tangents


@pushes(MAKE_TUPLE)
def _tuple(walk, node, inputs, tangents):
    """MakeTuple."""
    walk.new[node], walk.tangents[node] = inputs, tangents
