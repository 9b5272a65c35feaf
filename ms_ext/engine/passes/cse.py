"""Equal calls on equal operands are one call: f(x) + f(x)  ->  t = f(x); t + t"""

from ..ir import TUPLE_GET_ITEM
from ..ir.graph import content
from . import graph_pass


@graph_pass
def run(graph, editor):
    """From the inputs to the outputs: what a call is computed from has been merged before it.

    Regions are not compared; an effect happens each time, a random op draws each time.
    """
    known = {}
    for node in graph.order():
        op = node.primitive
        if node.graphs or op.effect or op.nondeterministic:
            continue
        first = known.setdefault((op, node.inputs, node.attrs and _attributes(node)), node)
        if first is not node and first.abstract is node.abstract:
            editor.replace(node, first)


def _attributes(node):
    if node.primitive is TUPLE_GET_ITEM:
        return node.attrs["index"]
    return tuple([(key, content(value)) for key, value in sorted(node.attrs.items())])
