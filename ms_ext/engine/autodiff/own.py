"""The way back of a Call that brings its own gradient, or is calculated again.

| call | way back |
|---|---|
| Call(g; b), operands | Call(b), operands, results, douts |
| Call(g), ``recompute`` | Call(vjp(g)), operands, douts: nothing of g is kept |
"""

from ..frontend.effects import BEGIN
from ..infer import STATE
from ..ir import CALL, DEPEND, packed, unpacked
from .linearize import rule_of
from .values import differentiable, spread_like


def back_own(back, node, douts):
    """Call(b): it takes a dout for every result that has a gradient, and the results."""
    old = back.at(node)
    outs = unpacked(back.forward, old)
    given = [
        dout or spread_like(back.target, out.abstract, 0, node.where)
        for out, dout in zip(outs, douts, strict=True)
        if differentiable(out.abstract)
    ]
    read = [value for value in (*old.inputs, *outs) if value.abstract is not STATE]
    _written(back, node, (*map(back.reading, read), *given), node.graphs[1])


def back_again(back, node, douts):
    """Call(vjp(g)), with a State of its own: its effects have happened."""
    from .vjp import vjp  # it is a Back, too

    old = back.at(node)
    operands = [
        back.target.constant(f"{BEGIN} {node.id}", STATE)
        if value.abstract is STATE
        else back.reading(value)
        for value in old.inputs
    ]
    graph = vjp(node.graphs[0], tuple([dout is not None for dout in douts]))
    _written(back, node, (*operands, *[dout for dout in douts if dout is not None]), graph)


def _written(back, node, operands, graph):
    receivers = [used for used in node.inputs if differentiable(used.abstract)]
    if not receivers:
        return
    kinds = packed(tuple([used.abstract for used in receivers]))
    found = back.write(CALL, operands, None, [graph], node, kinds)
    for used, gradient in zip(receivers, found, strict=True):
        back.give(used, gradient)


@rule_of(DEPEND)
def back_depend(back, node, douts):
    """Depend back: to the value."""
    back.give(node.inputs[0], douts[0])
