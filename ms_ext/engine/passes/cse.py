"""Equal calls on equal operands are one call: f(x) + f(x)  ->  t = f(x); t + t"""

from ..ir import TUPLE_GET_ITEM
from ..ir.graph import content
from . import graph_pass


@graph_pass
def run(graph, editor):
    """Walk from the inputs to the outputs: what a call is computed from has been merged before it."""
    known = {}
    for node in graph.order():
        if not _may_be_shared(node):
            continue
        key = (node.primitive, node.inputs, _attributes(node))
        first = known.setdefault(key, node)
        if first is not node and first.abstract is node.abstract:
            editor.replace(node, first)


def _may_be_shared(node):
    """Regions are not compared; an effect happens each time; a random op draws each time."""
    op = node.primitive
    return not (node.graphs or op.effect or op.nondeterministic)


def _attributes(node):
    if not node.attrs:
        return None
    if node.primitive is TUPLE_GET_ITEM:
        return node.attrs["index"]
    return tuple([(key, content(value)) for key, value in sorted(node.attrs.items())])
