"""A node that can be calculated with: what a bprop or a pass's target sees while a graph is built.

Operators and methods are Tensor's, derived from the same tables. Each call goes to the interpreter
on top of the stack, here a Builder, which writes a node into its graph.

>>> from ms_ext import ops
>>> from ms_ext.dtype import float32
>>> from ms_ext.engine.infer import AbstractTensor
>>> from ms_ext.engine.ir import FuncGraph
>>> graph = FuncGraph("twice")
>>> x = graph.add_parameter(AbstractTensor(float32, (2,)), "x")
>>> with Builder(graph) as builder:
...     doubled = builder.wrap(x) * 2.0
>>> doubled.node.primitive.name, doubled.shape
('Mul', (2,))
"""

import numpy as np

from . import errors, primitive
from .infer import AbstractTuple
from .ir import MAKE_TUPLE, TUPLE_GET_ITEM, Node
from .tensor import Tensor


class Builder:
    """Writes every op call made inside the ``with`` block into ``graph``.

    ``free`` says which node stands for a tensor object met as an operand. ``where`` and
    ``origin`` are given to the new nodes.
    """

    def __init__(self, graph, *, where=None, origin=0, free=None):
        self.graph, self.where, self.origin, self.free = graph, where, origin, free

    def __enter__(self):
        self._block = primitive.interpreting(self)
        self._block.__enter__()
        return self

    def __exit__(self, *error):
        self._block.__exit__(*error)

    def __call__(self, op, operands, attributes):
        """The interpreter: one op call becomes one node."""
        if not any(isinstance(o, Symbol) for o in operands):
            return primitive.default(op, operands, attributes)
        inputs = [self.node(o) for o in operands]
        node = self.graph.add(op, inputs, attributes or None, where=self.where, origin=self.origin)
        return self.wrap(node)

    def wrap(self, node):
        """The symbol of ``node``; several results are a tuple of symbols."""
        if isinstance(node.abstract, AbstractTuple):
            count = range(len(node.abstract.items))
            parts = [self.graph.add(TUPLE_GET_ITEM, (node,), {"index": i}) for i in count]
            return tuple(map(self.wrap, parts))
        return Symbol(node)

    def node(self, value):
        """The node of a symbol, tensor, number or tuple of these."""
        if isinstance(value, Symbol):
            return value.node
        if isinstance(value, Node):
            return value
        if isinstance(value, tuple | list):
            return self.graph.add(MAKE_TUPLE, tuple(map(self.node, value)))
        if isinstance(value, Tensor):
            found = self.free(value) if self.free else None
            return found or self.graph.constant(value.asnumpy().copy())
        if isinstance(value, bool | int | float | np.ndarray):
            return self.graph.constant(value)
        raise errors.InvalidType(
            "A graph cannot take this value.",
            given=f"{value!r:.60} of type {type(value).__name__}",
            hint="Use tensors and numbers.",
        )


class Symbol:
    """A value that will exist when the graph runs: shape and dtype are known, elements are not."""

    __slots__ = ("node",)
    __array_ufunc__ = None  # numpy operators on the left give way to ours
    __hash__ = object.__hash__

    def __init__(self, node):
        self.node = node

    @property
    def abstract(self):
        """Its type."""
        return self.node.abstract

    @property
    def shape(self):
        """Its shape, a tuple of int."""
        return self.node.abstract.shape

    @property
    def dtype(self):
        """Its dtype."""
        return self.node.abstract.dtype

    @property
    def ndim(self):
        """Its number of axes."""
        return len(self.shape)

    @property
    def size(self):
        """Its number of elements."""
        return self.node.abstract.size

    def __len__(self):
        if not self.shape:
            raise errors.InvalidType("A tensor without axes has no len().")
        return self.shape[0]

    def __iter__(self):
        return iter([self[i] for i in range(len(self))])

    def __repr__(self):
        return f"Symbol({self.node}: {self.abstract})"

    def __getattr__(self, name):
        op = primitive.METHODS.get(name)
        if op is None:
            hint = errors.did_you_mean(name, primitive.METHODS)
            raise errors.UnknownAttribute(f"'Tensor' object has no attribute {name!r}", hint=hint)
        return op.__get__(self)

    def _elements(self, *_ignored):
        raise errors.NotRunnable(
            "The elements of a tensor are not known while a graph is built.",
            given=f"{self.node} of type {self.abstract}",
            hint="Use ops on it (ops.select, ops.where) instead of Python's if, float() or numpy.",
        )

    __bool__ = __float__ = __int__ = __index__ = asnumpy = item = __array__ = _elements


def _operator(slot):
    def forward(self, *others):
        return primitive.slot_op(slot)(self, *others)

    return forward


def _reflected(slot):
    def backward(self, other):
        return primitive.slot_op(slot)(other, self)

    return backward


def _give_operators():
    for slot, dunder in primitive.SLOTS.items():
        if dunder == "T":
            Symbol.T = property(_operator(slot))
            continue
        setattr(Symbol, dunder, _operator(slot))
        if slot in REFLECTED:
            setattr(Symbol, f"__r{dunder[2:]}", _reflected(slot))


REFLECTED = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^")
_give_operators()
