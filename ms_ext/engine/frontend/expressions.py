"""Expressions: Python values fold as they are met, anything with a node in it becomes nodes."""

import ast
import operator as python

from .. import errors
from ..dims import settled
from ..ir import Node
from . import branches
from .asking import ask, ask_number, is_object
from .frame import has_node
from .indexing import item
from .operators import (
    BINARY,
    COMPARE,
    UNARY,
    is_tensor,
    operator,
    truth_value,
)
from .reading import evaluate, reads
from .values import Closure

# truth --------------------------------------------------------------------------------------------


def truth(frame, node):
    """The truth of an expression: a bool if Python knows it, else a node."""
    return truth_value(frame, evaluate(frame, node))


def _not(frame, value):
    value = truth_value(frame, value)
    if not isinstance(value, Node):
        return not value
    return operator(frame, "==", (value, False if value.dtype.kind == "bool" else 0))


@reads(ast.BoolOp)
def _bool_op(frame, node):
    """``and``/``or`` stop early on Python values; on tensors both sides are read."""
    first, rest = node.values[0], node.values[1:]
    value = evaluate(frame, first)
    if not rest:
        return value
    known = truth_value(frame, value)
    is_and = isinstance(node.op, ast.And)
    tail = ast.copy_location(ast.BoolOp(node.op, rest), node) if len(rest) > 1 else rest[0]
    if type(known) is bool:
        return evaluate(frame, tail) if known is is_and else value
    return both(frame, known, value, tail, is_and)


def both(frame, known, value, tail, is_and):
    """``value and tail`` where only the graph knows ``value``: ``&`` of two truths, else an If."""
    second = evaluate(frame, tail)
    if _is_bool(value) and _is_bool(second):
        return operator(frame, "&" if is_and else "|", (value, second))
    one, other = (second, value) if is_and else (value, second)
    return branches.chosen(frame, known, lambda _: one, lambda _: other)


def _is_bool(value):
    known = is_tensor(value) and not is_object(value)
    return type(value) is bool or (known and value.dtype.kind == "bool")


@reads(ast.IfExp)
def _if_expression(frame, node):
    test = truth(frame, node.test)
    if type(test) is bool:
        return evaluate(frame, node.body if test else node.orelse)

    return branches.chosen(
        frame,
        test,
        lambda inner: evaluate(inner, node.body),
        lambda inner: evaluate(inner, node.orelse),
    )


# operators ----------------------------------------------------------------------------------------


@reads(ast.BinOp)
def _binary(frame, node):
    left, right = evaluate(frame, node.left), evaluate(frame, node.right)
    frame.current = node
    return operator(frame, BINARY[type(node.op)][0], (left, right))


@reads(ast.UnaryOp)
def _unary(frame, node):
    value = evaluate(frame, node.operand)
    frame.current = node
    if isinstance(node.op, ast.Not):
        return _not(frame, value)
    if isinstance(node.op, ast.UAdd):
        return value
    symbol, plain = UNARY[type(node.op)]
    return operator(frame, symbol, (value,)) if is_tensor(value) else plain(value)


@reads(ast.Compare)
def _compare(frame, node):
    left = evaluate(frame, node.left)
    result = True
    for kind, right in zip(node.ops, node.comparators, strict=True):
        right = evaluate(frame, right)
        frame.current = node
        one = _compare_one(frame, kind, left, right)
        result = one if result is True else _both_true(frame, result, one)
        left = right
    return result


def _both_true(frame, one, other):
    if is_tensor(one) or is_tensor(other):
        return operator(frame, "&", (one, other))
    return one and other


def _compare_one(frame, kind, left, right):
    if isinstance(kind, ast.Is | ast.IsNot):
        return (left is right) is isinstance(kind, ast.Is)
    if isinstance(kind, ast.In | ast.NotIn):
        if has_node((left, right)):
            found = ask_number(frame, python.contains, [right, left], bool)
            return found if isinstance(kind, ast.In) else _not(frame, found)
        return (left in right) is isinstance(kind, ast.In)
    symbol, plain = COMPARE[type(kind)]
    if is_object((left, right)):
        return ask(frame, plain, [left, right], pure=True)
    if is_tensor(left) or is_tensor(right):
        if left is None or right is None:  # a tensor never equals None
            return isinstance(kind, ast.NotEq)
        return operator(frame, symbol, (left, right))
    return operator(frame, symbol, (left, right))


# names, parts -----------------------------------------------------------------------------------


@reads(ast.Name)
def _name(frame, node):
    return frame.lookup(node.id)


@reads(ast.Subscript)
def _subscript(frame, node):
    owner = evaluate(frame, node.value)
    index = evaluate(frame, node.slice)
    frame.current = node
    return item(frame, owner, index)


@reads(ast.Slice)
def _slice(frame, node):
    parts = (node.lower, node.upper, node.step)
    return slice(*(None if p is None else evaluate(frame, p) for p in parts))


@reads(ast.Tuple)
def _tuple(frame, node):
    return tuple(_items(frame, node))


@reads(ast.List)
def _list(frame, node):
    return frame.reader.made(_items(frame, node), frame.scope)


def _items(frame, node):
    items = []
    for part in node.elts:
        if isinstance(part, ast.Starred):
            items.extend(_iterable(evaluate(frame, part.value)))
        else:
            items.append(evaluate(frame, part))
    return items


def _iterable(value):
    if isinstance(value, tuple | list | dict | range):
        return value
    raise errors.InvalidType(f"Cannot unpack {type(value).__name__} in graph mode.")


@reads(ast.Dict)
def _dict(frame, node):
    found = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:  # **value
            found.update(_unpacked(evaluate(frame, value)))
        else:
            found[settled(evaluate(frame, key))] = evaluate(frame, value)
    return frame.reader.made(found, frame.scope)


def _unpacked(value):
    if isinstance(value, dict):
        return value
    raise errors.InvalidType(f"'{type(value).__name__}' object is not a mapping")


@reads(ast.Constant)
def _constant(frame, node):
    if isinstance(node.value, complex):
        raise errors.InvalidType(
            f"Unsupported Constant type : {node.value}", hint="Use two tensors, or NumPy outside."
        )
    return node.value


@reads(ast.Lambda)
def _lambda(frame, node):
    return closure(frame, node, "<lambda>")


def closure(frame, node, name):
    """The function value of a nested ``def`` or ``lambda``."""
    arguments = node.args
    defaults = [evaluate(frame, d) for d in arguments.defaults]
    keyword = [None if d is None else evaluate(frame, d) for d in arguments.kw_defaults]
    return Closure(frame.source.nested(node, name), frame, (defaults, keyword))


@reads(ast.JoinedStr)
def _joined_string(frame, node):
    parts = [evaluate(frame, part) for part in node.values]
    return ask(frame, _together, parts) if has_node(parts) else _together(*parts)


def _together(*parts):
    return "".join(parts)


@reads(ast.FormattedValue)
def _formatted(frame, node):
    value = evaluate(frame, node.value)
    spec = evaluate(frame, node.format_spec) if node.format_spec else ""
    how = [value, node.conversion, spec]
    return ask(frame, _shaped, how) if has_node(how) else _shaped(*how)


def _shaped(value, conversion, spec):
    """A value in an f-string: ``{value!conversion:spec}``."""
    change = {-1: None, ord("s"): str, ord("r"): repr, ord("a"): ascii}[conversion]
    return format(change(value) if change else value, spec)
