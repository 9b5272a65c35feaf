"""Operators on values: Python's own on plain ones, the op behind them where a tensor takes part."""

import ast
import operator as python

import numpy as np

from .. import binding, errors, primitive
from ..dims import Dim, Unsure
from ..infer import AbstractTensor, AbstractTuple, abstract_of
from ..ir import TUPLE_GET_ITEM, Node
from ..tensor import Tensor
from .asking import ask, is_object
from .values import Range, is_leaf
from .words import kind_of, not_constant, typed

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
#: symbol -> what it means on plain values
PLAIN = {"getitem": python.getitem, "abs": abs, **BY_SYMBOL, **dict(UNARY.values())}


_TENSORS, _SEQUENCES = (Node, Tensor), (tuple, list)


def is_tensor(value):
    """Whether a value takes part in a calculation as a node: a node, or a tensor met by name."""
    return isinstance(value, _TENSORS)


def operator(frame, symbol, operands):
    """An operator on values: Python's on plain ones, the op behind it otherwise."""
    if is_object(operands):
        return ask(frame, PLAIN[symbol], operands, pure=True)
    if any(map(is_tensor, operands)):
        if not all(map(_fits, operands)) or symbol in ("<<", ">>"):
            return _with_others(frame, symbol, operands)
        if symbol in ("getitem", "neg", "invert", "abs"):
            return call_op(frame, primitive.slot_op(symbol), operands, {})
        return frame.add(primitive.slot_op(symbol), operands)
    if any(type(each) is Dim for each in operands):
        return _on_sizes(frame, symbol, operands)
    return _plain(symbol, operands)


def _with_others(frame, symbol, operands):
    """An operator between a tensor and what is none: a tuple becomes one, a list is repeated."""
    sequence = any(isinstance(each, list | tuple) for each in operands)
    weak = any(isinstance(each, Node) and each.abstract.weak for each in operands)
    if sequence and symbol == "*" and weak:
        return ask(frame, PLAIN[symbol], operands, pure=True)
    if sequence and symbol != "getitem":
        return operator(frame, symbol, tuple(_stacked(frame, each) for each in operands))
    if frame.reader.strict:
        raise not_constant(f"x {symbol} y", typed(operands[0]))
    if symbol in ("<<", ">>"):
        one, other = (_operand_type(each) for each in operands)
        raise errors.InvalidType(
            f"unsupported operand type(s) for {symbol}: '{one}' and '{other}'",
            hint="Multiply by a power of two, or use ops.bitwise_left_shift.",
        )
    name, words = primitive.slot_op(symbol).name, list(map(_operand_word, operands))
    raise errors.InvalidType(
        f'Failed calling {name} with "{name}()(input={words[0]}, other={words[1]})".',
        hint="Give tensors or numbers.",
    )


def _operand_type(value):
    return kind_of(value) if is_tensor(value) else type(value).__name__


def _operand_word(value):
    if isinstance(value, np.ndarray):
        return str(type(value))
    return kind_of(value) if is_tensor(value) else kind_of(value).lower()


def _fits(value):
    """Whether a value is an operand beside a tensor: MindSpore takes no array there."""
    return is_leaf(value) and not (isinstance(value, np.ndarray) and value.ndim)


def _stacked(frame, value):
    """A tuple or list of numbers or tensors as a tensor."""
    if not isinstance(value, list | tuple):
        return value
    if not any(map(is_tensor, value)):
        return Tensor(list(value))
    return call_op(frame, primitive.NAMES["stack"], (value,), {})


def _plain(symbol, operands):
    """Python's operator; what MindSpore refuses between constants is refused here too."""
    if symbol == "|" and any(type(each) is dict for each in operands):
        words = ", ".join(map(kind_of, operands))
        raise errors.InvalidSyntax(
            f"For operation 'bitwise_or', current input arguments types are <{words}>. The 1-th "
            "argument type 'Dictionary' is not supported now.",
            hint="Use d.update(...).",
        )
    try:
        return PLAIN[symbol](*operands)
    except ZeroDivisionError as error:
        remainder = "Cannot perform modulo operation on zero."
        divisor = "The divisor could not be zero. But the divisor is zero now."
        raise errors.DivisionByZero(
            remainder if symbol == "%" else divisor, given=str(error)
        ) from None


def _on_sizes(frame, symbol, operands):
    """An operator on open sizes: a size again, or what only the running graph can tell."""
    try:
        return PLAIN[symbol](*operands)
    except Unsure:
        return frame.add(primitive.slot_op(symbol), operands)


def truth_value(frame, value):
    """The truth of a value: a bool if Python knows it, else a node."""
    if isinstance(value, Node):
        if is_object(value):
            return ask(frame, bool, [value], gives=abstract_of(True), pure=True)
        if not isinstance(value.abstract, AbstractTensor) or _is_one(value.abstract):
            return value
        raise errors.InvalidValue(
            "Only tensor which shape is () or (1,) can be converted to bool, but got tensor shape "
            f"is ({', '.join(map(str, value.abstract.shape))})",
            given=f"a condition of type {value.abstract}",
            hint="Reduce it first: `x.all()` or `x.any()`.",
        )
    if frame.varies(value):  # a Parameter, a tensor that is written to
        return truth_value(frame, frame.node(value))
    return _on_sizes(frame, "!=", (value, 0)) if type(value) is Dim else bool(value)


def _is_one(abstract):
    return abstract.size == 1 and len(abstract.shape) < 2


def call_op(frame, op, args, kwargs):
    """An op on values: a node (of several results, each), or a primitive if no operand is given."""
    if not any(map(_tensor_like, (*args, *kwargs.values()))):
        return _constant_call(frame, op, args, kwargs)
    if op.arity == len(args) and not (kwargs or op.attributes):
        return spread(frame, frame.add(op, args))
    operands, attributes = primitive.bind(op, tuple(args), kwargs)
    _refuse_text(op, operands)
    node = frame.add(op, operands, attributes)
    return spread(frame, node)


def _refuse_text(op, operands):
    for value in operands:
        if isinstance(value, str):
            raise errors.InvalidType(
                f'Failed calling {op.name} with "input={kind_of(value)}".', given=repr(value)
            )


def _constant_call(frame, op, args, kwargs):
    """No tensor among the arguments: a primitive with attributes, or the op on numbers."""
    prepared = binding.prepare(op, tuple(args), kwargs)
    if not isinstance(prepared, tuple):
        return prepared
    operands, attributes = prepared
    _refuse_text(op, operands)
    return spread(frame, frame.add(op, operands, attributes))


def _tensor_like(value):
    if isinstance(value, _SEQUENCES):
        return any(map(_tensor_like, value))
    return isinstance(value, _TENSORS)


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


def as_node(frame, value):
    """A Parameter, or a tensor that is written to, as what it is by now; else the value itself."""
    return frame.node(value) if isinstance(value, Tensor) and frame.varies(value) else value


def python_items(frame, value):
    """The items of a value that is unpacked or looped over."""
    value = as_node(frame, value)
    if is_object(value) and isinstance(value, Node):
        raise errors.InvalidSyntax(
            "How many items this Python object has is not known while the graph is built.",
            hint="Loop over it in a `for` statement, or unpack a known number of names.",
        )
    if isinstance(value, Node):
        if not has_axes(value):
            raise errors.InvalidType(
                "Not support len of a 0-D tensor.",
                given=f"items of {value.abstract}",
                hint="A tensor without axes has no rows.",
            )
        return [operator(frame, "getitem", (value, i)) for i in range(value.shape[0])]
    if isinstance(value, Range):
        raise errors.InvalidSyntax(
            "How long this range is, is not known while the graph is built.",
            given=str(value.stop),
            hint="Loop over it in a `for` statement.",
        )
    try:
        return list(value)
    except TypeError:
        raise errors.InvalidType(
            f"'{type(value).__name__}' object is not iterable", hint="Give a tuple, list or tensor."
        ) from None
