"""What has a gradient? What is its zero, and what is the sum of two?"""

import numpy as np

from .. import primitive
from ..infer import KEPT, OBJECT, AbstractStack, AbstractTensor
from ..ir import ADD_KEPT, Node


def differentiable(abstract):
    """Whether a value of this type has a gradient: numbers, what holds or may hold some."""
    if abstract is OBJECT or abstract is KEPT:
        return True
    if isinstance(abstract, AbstractStack):
        return differentiable(abstract.item)
    if isinstance(abstract, AbstractTensor):
        return not abstract.weak and abstract.dtype.kind != "bool"
    return False


def added(graph, one, other, where=None):
    """The sum of two gradients of a value, written into ``graph``."""
    op = primitive.slot_op("+") if isinstance(one.abstract, AbstractTensor) else ADD_KEPT
    return graph.add(op, (one, other), where=where, origin=one.origin)


def spread_like(graph, abstract, number, where=None):
    """A value of type ``abstract`` filled with ``number``: a constant, spread by broadcasting; None
    for what is no tensor."""
    if isinstance(number, Node):
        return number
    if not isinstance(abstract, AbstractTensor):
        return graph.constant(number or None, abstract)
    if abstract.weak:
        return graph.constant(abstract.number(number), abstract)
    one = graph.constant(np.array(number, abstract.dtype.numpy))
    if abstract.shape == ():
        return one
    return graph.add(primitive.OPS["BroadcastTo"], (one,), {"shape": abstract.shape}, where=where)
