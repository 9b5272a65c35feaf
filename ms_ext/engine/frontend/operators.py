"""Operators on values: Python's own on plain ones, the op behind them where a tensor takes part."""

import ast
import operator as python

from .. import binding, errors, primitive
from ..infer import AbstractTensor, AbstractTuple
from ..ir import TUPLE_GET_ITEM, Node
from ..tensor import Tensor

BINARY = {
    ast.Add: ("+", python.add), ast.Sub: ("-", python.sub), ast.Mult: ("*", python.mul),
    ast.Div: ("/", python.truediv), ast.FloorDiv: ("//", python.floordiv),
    ast.Mod: ("%", python.mod), ast.Pow: ("**", python.pow), ast.MatMult: ("@", python.matmul),
    ast.BitAnd: ("&", python.and_), ast.BitOr: ("|", python.or_), ast.BitXor: ("^", python.xor),
    ast.LShift: ("<<", python.lshift), ast.RShift: (">>", python.rshift),
}  # fmt: skip
COMPARE = {
    ast.Eq: ("==", python.eq), ast.NotEq: ("!=", python.ne), ast.Lt: ("<", python.lt),
    ast.LtE: ("<=", python.le), ast.Gt: (">", python.gt), ast.GtE: (">=", python.ge),
}  # fmt: skip
BY_SYMBOL = dict((*BINARY.values(), *COMPARE.values()))
UNARY = {ast.USub: ("neg", python.neg), ast.Invert: ("invert", python.invert)}


def is_tensor(value):
    """Whether a value takes part in a calculation as a node: a node, or a tensor met by name."""
    return isinstance(value, Node | Tensor)


def operator(frame, symbol, operands):
    """An operator on values: Python's on plain ones, the op behind it otherwise."""
    if any(map(is_tensor, operands)):
        if symbol in ("getitem", "neg", "invert", "abs"):
            return call_op(frame, primitive.slot_op(symbol), operands, {})
        return frame.add(primitive.slot_op(symbol), operands)
    return BY_SYMBOL[symbol](*operands)


def truth_value(frame, value):
    """The truth of a value: a bool if Python knows it, else a node."""
    if isinstance(value, Node):
        if not isinstance(value.abstract, AbstractTensor) or value.abstract.size == 1:
            return value
        raise errors.InvalidValue(
            "Only tensor which shape is () or (1,) can be converted to bool.",
            given=f"a condition of type {value.abstract}",
            hint="Reduce it first: `x.all()` or `x.any()`.",
        )
    if isinstance(value, Tensor) and type(value) is not Tensor:  # a Parameter
        return truth_value(frame, frame.node(value))
    return bool(value)


def call_op(frame, op, args, kwargs):
    """An op on values: a node (of several results, each), or a primitive if no operand is given."""
    if not any(map(_tensor_like, (*args, *kwargs.values()))):
        return _constant_call(frame, op, args, kwargs)
    operands, attributes = primitive.bind(op, tuple(args), kwargs)
    node = frame.add(op, operands, attributes)
    return spread(frame, node)


def _constant_call(frame, op, args, kwargs):
    """No tensor among the arguments: a primitive with attributes, or the op on numbers."""
    prepared = binding.prepare(op, tuple(args), kwargs)
    if not isinstance(prepared, tuple):
        return prepared
    operands, attributes = prepared
    return spread(frame, frame.add(op, operands, attributes))


def _tensor_like(value):
    if isinstance(value, tuple | list):
        return any(map(_tensor_like, value))
    return is_tensor(value)


def spread(frame, node):
    """A node with several results as a tuple of nodes."""
    if not isinstance(node.abstract, AbstractTuple):
        return node
    return tuple(parts(frame, node, len(node.abstract.items)))


def parts(frame, node, count):
    """The ``count`` items of a tuple node, as nodes."""
    return [frame.add(TUPLE_GET_ITEM, (node,), {"index": i}) for i in range(count)]


def has_axes(node):
    """Whether a node is a tensor with rows."""
    return isinstance(node.abstract, AbstractTensor) and node.shape != ()


def python_items(frame, value):
    """The items of a value that is unpacked or looped over."""
    if isinstance(value, Node):
        if not has_axes(value):
            raise errors.InvalidType(
                "Cannot iterate over a scalar tensor.", given=str(value.abstract)
            )
        return [operator(frame, "getitem", (value, i)) for i in range(value.shape[0])]
    try:
        return list(value)
    except TypeError:
        raise errors.InvalidType(f"Cannot unpack {type(value).__name__}.") from None
