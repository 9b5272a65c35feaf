"""Expressions: Python values fold as they are met, anything with a node in it becomes nodes."""

import ast
import operator as python

from .. import errors, primitive
from ..infer import AbstractTensor
from ..ir import Node
from ..tensor import Tensor
from . import branches, calls
from .frame import has_node
from .values import BoundMethod, Choice, Closure, Unusable

BINARY = {
    ast.Add: ("+", python.add), ast.Sub: ("-", python.sub), ast.Mult: ("*", python.mul),
    ast.Div: ("/", python.truediv), ast.FloorDiv: ("//", python.floordiv), ast.Mod: ("%", python.mod),
    ast.Pow: ("**", python.pow), ast.MatMult: ("@", python.matmul), ast.BitAnd: ("&", python.and_),
    ast.BitOr: ("|", python.or_), ast.BitXor: ("^", python.xor), ast.LShift: ("<<", python.lshift),
    ast.RShift: (">>", python.rshift),
}  # fmt: skip
COMPARE = {
    ast.Eq: ("==", python.eq), ast.NotEq: ("!=", python.ne), ast.Lt: ("<", python.lt),
    ast.LtE: ("<=", python.le), ast.Gt: (">", python.gt), ast.GtE: (">=", python.ge),
}  # fmt: skip
BY_SYMBOL = {symbol: f for symbol, f in (*BINARY.values(), *COMPARE.values())}
UNARY = {ast.USub: ("neg", python.neg), ast.Invert: ("invert", python.invert)}
SUPPORTED = "Graph mode reads: operators, calls, attributes, indexing, comparisons, tuples, lists, dicts, lambda."


def evaluate(frame, node):
    """The value of an expression."""
    handler = EXPRESSIONS.get(type(node))
    frame.current = node
    if handler is None:
        raise errors.InvalidSyntax(
            f"Unsupported expression '{type(node).__name__}'.", hint=SUPPORTED
        )
    return handler(frame, node)


def is_tensor(value):
    """Whether a value takes part in a calculation as a node: a node, or a tensor met by name."""
    return isinstance(value, Node | Tensor)


def operator(frame, symbol, operands):
    """An operator on values: Python's on plain ones, the op behind it otherwise."""
    if any(map(is_tensor, operands)):
        if symbol in ("getitem", "neg", "invert", "abs"):
            return calls.call_op(frame, primitive.slot_op(symbol), operands, {})
        return frame.add(primitive.slot_op(symbol), operands)
    return BY_SYMBOL[symbol](*operands)


def compare(frame, symbol, one, other):
    """A comparison of two values."""
    return operator(frame, symbol, (one, other))


# truth ---------------------------------------------------------------------------------------------


def truth(frame, node):
    """The truth of an expression: a bool if Python knows it, else a node."""
    return truth_value(frame, evaluate(frame, node))


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


def _not(frame, value):
    value = truth_value(frame, value)
    if not isinstance(value, Node):
        return not value
    return compare(frame, "==", value, 0 if value.dtype.kind != "bool" else False)


def _bool_op(frame, node):
    """``and``/``or`` stop early on Python values; on tensors the rest becomes an arm of an If."""
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
    """``value and tail`` where only the graph knows ``value``: both if they are truths, else an If."""
    second = evaluate(frame, tail)
    truths = [_is_bool(v) for v in (value, second)]
    if all(truths):
        return operator(frame, "&" if is_and else "|", (value, second))
    keep = lambda arm: arm.names.__setitem__(RESULT, value)  # noqa: E731
    take = lambda arm: arm.names.__setitem__(RESULT, second)  # noqa: E731
    branches.if_else(frame, known, take if is_and else keep, keep if is_and else take)
    return frame.names.pop(RESULT)


def _is_bool(value):
    return type(value) is bool or (is_tensor(value) and value.dtype.kind == "bool")


RESULT = "<result>"


def _if_expression(frame, node):
    test = truth(frame, node.test)
    if type(test) is bool:
        return evaluate(frame, node.body if test else node.orelse)

    def arm(expression):
        def read(inner):
            inner.names[RESULT] = evaluate(inner, expression)

        return read

    branches.if_else(frame, test, arm(node.body), arm(node.orelse))
    value = frame.names.pop(RESULT)
    if type(value) is Unusable:
        raise value.error
    return value


# operators -----------------------------------------------------------------------------------------


def _binary(frame, node):
    left, right = evaluate(frame, node.left), evaluate(frame, node.right)
    frame.current = node
    return operator(frame, BINARY[type(node.op)][0], (left, right))


def _unary(frame, node):
    value = evaluate(frame, node.operand)
    frame.current = node
    if isinstance(node.op, ast.Not):
        return _not(frame, value)
    if isinstance(node.op, ast.UAdd):
        return value
    symbol, plain = UNARY[type(node.op)]
    return operator(frame, symbol, (value,)) if is_tensor(value) else plain(value)


def _compare(frame, node):
    left = evaluate(frame, node.left)
    result = True
    for kind, right in zip(node.ops, node.comparators, strict=True):
        right = evaluate(frame, right)
        frame.current = node
        one = _compare_one(frame, kind, left, right)
        result = one if result is True else operator(frame, "&", (result, one)) if is_tensor(one) or is_tensor(result) else (result and one)
        left = right
    return result


def _compare_one(frame, kind, left, right):
    if isinstance(kind, ast.Is | ast.IsNot):
        return (left is right) is isinstance(kind, ast.Is)
    if isinstance(kind, ast.In | ast.NotIn):
        if is_tensor(left) or has_node(right):
            raise errors.InvalidSyntax("`in` on tensors is not known while the graph is built.")
        return (left in right) is isinstance(kind, ast.In)
    symbol, plain = COMPARE[type(kind)]
    if is_tensor(left) or is_tensor(right):
        if left is None or right is None:  # a tensor never equals None
            return isinstance(kind, ast.NotEq)
        return operator(frame, symbol, (left, right))
    return plain(left, right)


# names, attributes, parts ---------------------------------------------------------------------------


def _name(frame, node):
    return frame.lookup(node.id)


def _attribute(frame, node):
    owner = evaluate(frame, node.value)
    frame.current = node
    if is_tensor(owner):
        return _tensor_attribute(frame, owner, node.attr)
    if isinstance(owner, Closure | Choice):
        raise errors.UnknownAttribute(f"A function in graph mode has no attribute {node.attr!r}.")
    try:
        return getattr(owner, node.attr)
    except AttributeError as error:
        if isinstance(error, errors.MsExtError):
            raise
        known = [k for k in dir(owner) if not k.startswith("_")]
        hint = errors.did_you_mean(node.attr, known)
        message = f"'{type(owner).__name__}' object has no attribute {node.attr!r}"
        raise errors.UnknownAttribute(message, hint=hint) from None


def _tensor_attribute(frame, owner, name):
    if name in ("shape", "dtype", "ndim", "size"):
        return getattr(owner.abstract if isinstance(owner, Node) else owner, name)
    if name == "T":
        return calls.call_op(frame, primitive.slot_op("T"), (owner,), {})
    op = primitive.METHODS.get(name)
    if op is not None:
        return BoundMethod(op, owner)
    hint = errors.did_you_mean(name, [*primitive.METHODS, "shape", "dtype", "ndim", "size"])
    raise errors.UnknownAttribute(f"'Tensor' object has no attribute {name!r}", hint=hint)


def _subscript(frame, node):
    owner = evaluate(frame, node.value)
    index = evaluate(frame, node.slice)
    frame.current = node
    if is_tensor(owner) and has_node(index):
        from ...ops.dynamic import item_at

        return calls.call_value(frame, item_at, [owner, index], {})
    if is_tensor(owner):
        return calls.call_op(frame, primitive.slot_op("getitem"), (owner, index), {})
    if has_node(index):
        raise errors.InvalidSyntax(
            f"A {type(owner).__name__} cannot be indexed by a tensor while the graph is built.",
            hint="Use ops.stack and index the tensor.",
        )
    return owner[index]


def _slice(frame, node):
    parts = (node.lower, node.upper, node.step)
    return slice(*(None if p is None else evaluate(frame, p) for p in parts))


def _sequence(kind):
    def read(frame, node):
        items = []
        for item in node.elts:
            if isinstance(item, ast.Starred):
                items.extend(_iterable(evaluate(frame, item.value)))
            else:
                items.append(evaluate(frame, item))
        return kind(items)

    return read


def _iterable(value):
    if isinstance(value, tuple | list | dict | range):
        return value
    raise errors.InvalidType(f"Cannot unpack {type(value).__name__} in graph mode.")


def _dict(frame, node):
    if None in node.keys:
        raise errors.InvalidSyntax("Unsupported expression '**' in a dict.")
    keys = [evaluate(frame, k) for k in node.keys]
    return dict(zip(keys, [evaluate(frame, v) for v in node.values], strict=True))


def _constant(frame, node):
    return node.value


def _lambda(frame, node):
    from .statements import closure

    return closure(frame, node, "<lambda>")


def _joined_string(frame, node):
    return "".join(str(evaluate(frame, part)) for part in node.values)


def _formatted(frame, node):
    value = evaluate(frame, node.value)
    if has_node(value):
        raise errors.InvalidSyntax("The elements of a tensor are not known while the graph is built.")
    spec = evaluate(frame, node.format_spec) if node.format_spec else ""
    return format(value, spec)


def _comprehension(frame, node):
    """A list comprehension: its turns are written out."""
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise errors.InvalidSyntax("A comprehension in graph mode has one `for`.")
    part, items = node.generators[0], []
    inner = frame.fork(frame.scope)
    for item in calls.python_items(frame, evaluate(frame, part.iter)):
        assign(inner, part.target, item)
        tests = [truth(inner, test) for test in part.ifs]
        if any(isinstance(t, Node) for t in tests):
            raise errors.InvalidSyntax("A comprehension cannot filter by a tensor.")
        if all(tests):
            items.append(evaluate(inner, node.elt))
    return items


EXPRESSIONS = {
    ast.Name: _name, ast.Constant: _constant, ast.Attribute: _attribute, ast.Call: calls.call,
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _compare, ast.BoolOp: _bool_op,
    ast.IfExp: _if_expression, ast.Subscript: _subscript, ast.Slice: _slice,
    ast.Tuple: _sequence(tuple), ast.List: _sequence(list), ast.Dict: _dict, ast.Lambda: _lambda,
    ast.JoinedStr: _joined_string, ast.FormattedValue: _formatted, ast.ListComp: _comprehension,
    ast.GeneratorExp: _comprehension,
}  # fmt: skip


# assigning -----------------------------------------------------------------------------------------


def assign(frame, target, value):
    """Give a name, or a tuple of them, a value."""
    if isinstance(target, ast.Name):
        branches.call_it(target.id, value)
        frame.names[target.id] = value
        return
    if isinstance(target, ast.Tuple | ast.List):
        items = list(calls.python_items(frame, value))
        _assign_items(frame, target.elts, items)
        return
    frame.current = target
    raise errors.InvalidSyntax(
        f"Graph mode cannot assign to {ast.unparse(target)}.",
        hint="Only names can be assigned here; for parts of a tensor make a new one, with ops.select.",
    )


def _assign_items(frame, targets, items):
    starred = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
    if starred:
        at, after = starred[0], len(targets) - starred[0] - 1
        middle = items[at : len(items) - after]
        items = [*items[:at], middle, *items[len(items) - after :]]
        targets = [t.value if isinstance(t, ast.Starred) else t for t in targets]
    if len(items) != len(targets):
        word = "too many" if len(items) > len(targets) else "not enough"
        raise errors.InvalidValue(f"{word} values to unpack (expected {len(targets)}, got {len(items)})")
    for target, item in zip(targets, items, strict=True):
        assign(frame, target, item)
