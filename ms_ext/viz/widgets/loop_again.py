"""Which values of a turn does the way back calculate once more? Told by what they are made of.

A value has a key: the op, its attributes, the keys of its operands; what a turn starts from, what
is the same in every turn and what was kept are leaves. Two values with one key are one value.
"""

from ...engine.ir import FOR, TUPLE_GET_ITEM
from ...engine.ir.layout import layout


def again(way, backs):
    """The calls in the body of a loop that a loop of ``backs`` makes too, from what it reads."""
    own = _leaves(way)
    keys = _keys(way.body, own)
    made = set()
    for back in backs:
        found = _keys(back.body, _read(back, way, keys))
        made.update(found[node] for node in back.body.order())
    stacked = {way.body.outputs[place] for place, _ in way.stacks()}
    return {node for node in way.body.order() if keys[node] in made and node not in stacked}


def _leaves(way):
    """Parameter -> key, in the body of the loop itself."""
    plan, found = layout(way.node), {}
    for place, parameter in enumerate(way.body.parameters):
        same = place >= plan.invariant
        found[parameter] = ("same", way.node.inputs[place]) if same else ("start", place)
    if way.node.primitive is FOR:
        found[way.body.parameters[0]] = ("turn",)
    return found


def _read(back, way, keys):
    """Parameter -> key, in the body of a loop that reads: an element has the key of what it is."""
    plan, found = layout(back.node), {}
    for place, parameter in enumerate(back.body.parameters):
        operand = back.node.inputs[place]
        stack = operand.kind == "call" and operand.primitive is TUPLE_GET_ITEM
        if place >= plan.invariant:
            found[parameter] = ("same", operand)
        elif stack and place > plan.carried and operand.inputs[0] is way.node:
            found[parameter] = keys[way.body.outputs[operand.attrs["index"]]]
        else:
            found[parameter] = ("other", parameter)
    found[back.body.parameters[0]] = ("turn",)
    return found


def _keys(body, leaves):
    """Node -> key, of everything in a body; a branch or a loop inside is a value of its own."""
    found = dict(leaves)
    for constant in body.constants.values():
        found[constant] = ("constant", repr(constant.value), constant.abstract)
    for node in body.order():
        if node.graphs:
            found[node] = ("own", node)
        else:
            attributes = repr(sorted(node.attributes.items()))
            found[node] = (node.primitive, attributes, *[found[used] for used in node.inputs])
    return found
