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

import sys
import threading

import numpy as np

from . import errors, primitive
from .dims import Dim
from .infer import AbstractTuple
from .ir import MAKE_TUPLE, TUPLE_GET_ITEM, Node, Where
from .operands import python_number
from .tensor import Tensor

_tracing = threading.local()


class writing_to:
    """Within the block ``write(target, value)`` is told what this thread's functions write to.

    It gives what stands for the target from then on.
    """

    def __init__(self, write):
        self.write = write

    def __enter__(self):
        self.outer, _tracing.write = getattr(_tracing, "write", None), self.write

    def __exit__(self, *_error):
        _tracing.write = self.outer


def written(target, value):
    """Tell who traces this thread's functions that ``target`` is ``value`` by now.

    What stands for the target from here on; None if nobody is there to be told.

    >>> with writing_to(lambda target, value: f"{target}, now {value}"):
    ...     written("x", 1)
    'x, now 1'
    >>> written("x", 2)
    """
    write = getattr(_tracing, "write", None)
    return None if write is None else write(target, value)


class drawing_from:
    """Within the block this thread's random numbers are ``draw()``'s: (seed, offset), symbols."""

    def __init__(self, draw):
        self.draw = draw

    def __enter__(self):
        self.outer, _tracing.draw = getattr(_tracing, "draw", None), self.draw

    def __exit__(self, *_error):
        _tracing.draw = self.outer


def drawn():
    """(seed, offset) of the next draw in the graph that this thread writes; None outside of one.

    >>> with drawing_from(lambda: (7, 0)):
    ...     drawn()
    (7, 0)
    >>> drawn()
    """
    draw = getattr(_tracing, "draw", None)
    return draw() if draw is not None else None


class Builder:
    """Writes every op call made inside the ``with`` block into ``graph``.

    ``free`` says which node stands for a tensor object met as an operand, ``bring`` which one for a
    node of another graph. ``where`` and
    ``origin`` are given to the new nodes; a call made in a line of somebody's own, in a function
    that is called from ``caller`` (a code object), is placed in that line.
    """

    def __init__(self, graph, *, where=None, origin=0, free=None, caller=None, bring=None):
        self.graph, self.where, self.origin, self.free = graph, where, origin, free
        self.caller, self.bring = caller, bring

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
        where = self._line() if self.caller else self.where
        node = self.graph.add(op, inputs, attributes or None, where=where, origin=self.origin)
        return self.wrap(node)

    def _line(self):
        """The line of somebody's own that is running, if the caller of it is met behind it."""
        frame = sys._getframe(2)
        while frame is not None and frame.f_code is not self.caller:
            if not errors.inside(frame.f_code.co_filename):
                return Where.running(frame, scope=getattr(self.where, "scope", ""))
            frame = frame.f_back
        return self.where

    def wrap(self, node):
        """The symbol of ``node``; several results are a tuple of symbols."""
        if isinstance(node.abstract, AbstractTuple):
            count = range(len(node.abstract.items))
            parts = [
                self.graph.add(TUPLE_GET_ITEM, (node,), {"index": i}, where=self.where)
                for i in count
            ]
            return tuple(map(self.wrap, parts))
        return Symbol(node)

    def node(self, value):
        """The node of a symbol, tensor, number or tuple of these."""
        if isinstance(value, Symbol):
            value = value.node
        if isinstance(value, Node):
            return self.bring(value) if self.bring and value.graph is not self.graph else value
        if isinstance(value, tuple | list):
            return self.graph.add(MAKE_TUPLE, tuple(map(self.node, value)), where=self.where)
        if isinstance(value, Tensor):
            found = self.free(value) if self.free else None
            return found or self.graph.constant(value.asnumpy().copy())
        value = python_number(value)
        if isinstance(value, bool | int | float | np.ndarray | Dim):
            return self.graph.constant(value)
        raise errors.InvalidType(
            "A graph cannot take this value.",
            given=f"{value!r:.60} of type {type(value).__name__}",
            hint="Use tensors and numbers.",
        )


class Symbol:
    """A value that will exist when the graph runs: shape and dtype are known, elements are not."""

    __slots__ = ("node",)
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

    def _elements(self, *_ignored, **_options):
        raise errors.NotRunnable(
            UNKNOWN,
            given=f"a symbol of type {self.abstract}",
            hint="Use ops on it (ops.select, ops.where) instead of Python's if, float() or numpy.",
        )

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        """A NumPy value on the left of an operator gives way to ours; other functions of NumPy's
        want elements."""
        slot = _SLOT_OF.get(ufunc) if method == "__call__" and not options else None
        if slot is None or not isinstance(inputs[0], np.generic | np.ndarray):
            return self._elements()
        return primitive.slot_op(slot)(*inputs)

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


UNKNOWN = "The elements of a tensor are not known while a graph is built."
_SLOT_OF = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.true_divide: "/", np.floor_divide: "//",
    np.remainder: "%", np.power: "**", np.matmul: "@", np.bitwise_and: "&", np.bitwise_or: "|",
    np.bitwise_xor: "^", np.equal: "==", np.not_equal: "!=", np.less: "<", np.less_equal: "<=",
    np.greater: ">", np.greater_equal: ">=",
}  # fmt: skip
REFLECTED = ("+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^")
_give_operators()
