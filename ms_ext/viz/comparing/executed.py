"""Which ops did a function really call, one after the other? The calls as a graph, without a loop.

The function runs as it does in PyNative mode; every op call becomes a node that knows its operands
by the tensors it was given.
"""

import zlib

import numpy as np

from ...engine import primitive
from ...engine.infer import abstract_of
from ...engine.ir import TUPLE_GET_ITEM, FuncGraph
from ...engine.stages.task import calling_place, line_of
from ...engine.tensor import Tensor

NUMBERS = (bool, int, float)


class Calls:
    """An interpreter that lets every op run and writes it down in ``graph``.

    >>> import ms_ext.ops
    >>> calls = Calls("f", [Tensor([1.0, 2.0])], ["x"])
    >>> with primitive.interpreting(calls):
    ...     result = calls.inputs[0] * 2.0 + 1.0
    >>> calls.returns([result])
    >>> [node.primitive.name for node in calls.graph.order()]
    ['Mul', 'Add']
    """

    def __init__(self, name, inputs, names):
        self.graph, self.inputs, self.parameters = FuncGraph(name), inputs, []
        self.known = {}  # id of a tensor -> (its node, the tensor, its elements' checksum)
        self.written = 0  # operands whose elements changed since an op made them
        self.inside = False  # an op at work may call others: they are part of it
        for tensor, called in zip(inputs, names, strict=True):
            self.enter(tensor, self.graph.add_parameter(abstract_of(tensor), called))

    def __call__(self, op, operands, attributes):
        """Run a call and write it down."""
        if self.inside:
            return primitive.default(op, operands, attributes)
        operands = tuple(map(_plain, operands))
        nodes = [self.node(each) for each in operands]
        self.inside = True
        try:
            result = primitive.default(op, operands, attributes)
        finally:
            self.inside = False
        made = self.graph.add(op, nodes, attributes or None, where=line_of(calling_place()))
        if isinstance(result, tuple):
            for index, each in enumerate(result):
                self.enter(each, self.graph.add(TUPLE_GET_ITEM, [made], {"index": index}))
        else:
            self.enter(result, made)
        return result

    def enter(self, tensor, node):
        """Remember which node a tensor is the value of."""
        if isinstance(tensor, Tensor):
            self.known[id(tensor)] = node, tensor, _checksum(tensor)

    def node(self, value):
        """The node of an operand; of a tensor that no op made it is a Parameter or a constant."""
        if not isinstance(value, Tensor):
            return self.graph.constant(value)
        found = self.known.get(id(value))
        if found and found[2] == _checksum(value):
            return found[0]
        if found:
            self.written += 1
        elif type(value) is not Tensor:
            self.parameters.append(value)
            self.enter(value, self.graph.add_parameter(abstract_of(value), value.name))
            return self.known[id(value)][0]
        self.enter(value, self.graph.constant(value))
        return self.known[id(value)][0]

    def returns(self, leaves):
        """End the graph with these tensors and numbers."""
        self.graph.returns(*[self.node(_plain(leaf)) for leaf in leaves])


def _plain(value):
    """An operand as a tensor or a Python number."""
    if isinstance(value, Tensor) or type(value) in NUMBERS:
        return value
    return value.item() if isinstance(value, np.generic) else Tensor(value)


def _checksum(tensor):
    return tensor.dtype, tensor.shape, zlib.crc32(np.ascontiguousarray(tensor.asnumpy()).data)
