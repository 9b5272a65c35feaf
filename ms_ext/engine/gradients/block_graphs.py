"""``recompute`` in a graph: a Call that stays a call, of which nothing inside is kept.

>>> import ms_ext as ms
>>> from ms_ext import nn
>>> block = nn.Tanh()
>>> block.recompute()
>>> graph = ms.jit(block).graph(ms.Tensor(1.0))
>>> [(node.primitive.name, node.attrs) for node in graph.order()]
[('Call', {'recompute': True})]
"""

from ..ir import CALL
from ..ir.copying import unpacked
from .read_calls import ReadCall


def as_block(frame, function, args, kwargs):
    """``function(*args, **kwargs)`` as a Call whose way back calculates it from its operands."""
    call = ReadCall(frame, function, args, kwargs)
    graph = frame.scope.graph
    node = graph.add(CALL, call.passed, {"recompute": True}, [call.graph], where=frame.here())
    return call.results(unpacked(graph, node))
