"""Several forward values kept as one, and the rules of what does that."""

from ..infer import KEPT, AbstractTuple
from ..ir import ADD_KEPT, KEEP, RECALL, TUPLE_GET_ITEM
from .linearize import rule_of


def together(way, values):
    """Keep forward values that the way back reads as one: that value, which it reads instead."""
    where, graph = way.forward.where, way.target
    kept = way.forward.add(KEEP, tuple(values), where=where)
    way.read[kept] = graph.add_parameter(KEPT, "kept")
    if values:
        kinds = AbstractTuple([value.abstract for value in values])
        found = graph.add(RECALL, (way.read[kept],), {"types": kinds}, where=where)
        for index, value in enumerate(values):
            item = graph.add(TUPLE_GET_ITEM, (found,), {"index": index}, where=where)
            graph.replace(way.read[value], item)
            way.read[value] = item
    return kept


@rule_of(KEEP)
def back_keep(back, node, douts):
    """Keep back: each value's gradient, as it is kept."""
    values = back.write(
        RECALL, (douts[0],), {"types": AbstractTuple([n.abstract for n in node.inputs])}, (), node
    )
    for used, gradient in zip(node.inputs, values, strict=True):
        back.give(used, gradient)


@rule_of(RECALL)
def back_recall(back, node, douts):
    """Recall back: the gradients, kept."""
    nothing = back.target.constant(None, KEPT)
    parts = tuple([nothing if dout is None else dout for dout in douts])
    back.give(node.inputs[0], back.write(KEEP, parts, None, (), node)[0])


@rule_of(ADD_KEPT)
def back_add_kept(back, node, douts):
    """AddKept back: to both."""
    for used in node.inputs:
        back.give(used, douts[0])
