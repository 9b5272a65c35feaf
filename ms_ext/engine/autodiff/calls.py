"""The rule of Call: a call of a graph that also returns what is kept, and a call of its way back.

What is kept is one value whatever it holds, so a graph may call itself: what the inner call keeps
is part of what the outer one keeps.
"""

from typing import NamedTuple

from ..infer import KEPT
from ..ir import CALL, FuncGraph, clone, packed, results
from .keeping import together
from .linearize import Back, rule_of
from .own import back_again, back_own
from .values import differentiable, spread_like


class Halves(NamedTuple):
    """A called graph for its gradient: ``forward(*operands) -> *results, kept`` and
    ``backward(kept, *douts) -> *gradients``, one per operand that has a gradient."""

    forward: FuncGraph
    backward: FuncGraph


@rule_of(CALL)
def back_call(back, node, douts):
    """Call(g) back: Call(backward half of g)."""
    if len(node.graphs) > 1:
        return back_own(back, node, douts)
    if node.attributes.get("recompute"):
        return back_again(back, node, douts)
    callee, old = node.graphs[0], back.at(node)
    receivers = [used for used in node.inputs if differentiable(used.abstract)]
    if not receivers:
        return
    halves = halves_of(callee, tuple([dout is not None for dout in douts]))
    kinds = results(callee)
    items = back.exchange(
        node, old.inputs, old.attrs, [halves.forward], range(len(kinds)), packed((*kinds, KEPT))
    )
    given = [dout for dout in douts if dout is not None]
    operands = (back.reading(items[len(kinds)]), *given)
    kinds = packed(tuple([used.abstract for used in receivers]))
    found = back.write(CALL, operands, None, [halves.backward], node, kinds)
    for used, gradient in zip(receivers, found, strict=True):
        back.give(used, gradient)


def halves_of(graph, wanted):
    """The Halves that all calls of a graph share, which ends recursion; new if it has changed.

    ``wanted``: for which of its results a dout is passed.
    """
    version, known = graph.derived or (None, None)
    if version != graph.version:
        version, known = graph.derived = (graph.version, {})
    if wanted not in known:
        forward = clone(graph, f"{graph.name}_forward")
        known[wanted] = Halves(forward, FuncGraph(f"{graph.name}_back", graph.where))
        _write(known[wanted], wanted)
    return known[wanted]


def _write(halves, wanted):
    forward, backward = halves
    way = Back.apart(forward, backward)
    douts = [
        backward.add_parameter(out.abstract, "dout") if want else None
        for out, want in zip(forward.outputs, wanted, strict=True)
    ]
    pairs = zip(forward.parameters, way(douts), strict=True)
    backward.returns(
        *[
            gradient or spread_like(backward, parameter.abstract, 0, parameter.where)
            for parameter, gradient in pairs
            if differentiable(parameter.abstract)
        ]
    )
    value = together(way, list(way.kept()))
    backward.parameters[:] = [way.read[value], *[dout for dout in douts if dout is not None]]
    forward.returns(*forward.outputs, value)
