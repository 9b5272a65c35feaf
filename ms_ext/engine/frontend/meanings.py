"""What Python's builtins mean on values of a graph."""

import builtins

from .. import errors, primitive
from ..ir import Node
from ..operands import cast_dtypes
from ..tensor import Tensor
from .calls import call_value, handles
from .frame import has_node
from .operators import call_op, is_tensor, operator, python_items, truth_value
from .values import Range


@handles(builtins.range)
def _range(frame, args, kwargs):
    if not any(map(is_tensor, args)):
        return range(*args)
    start, stop, step = {1: (0, *args, 1), 2: (*args, 1), 3: tuple(args)}[len(args)]
    return Range(start, stop, step)


@handles(builtins.len)
def _len(frame, args, kwargs):
    (value,) = args
    if not isinstance(value, Node):
        return len(value)
    if not value.shape:
        raise errors.InvalidType("object of type 'Tensor' without axes has no len()")
    return value.shape[0]


@handles(builtins.isinstance)
def _isinstance(frame, args, kwargs):
    value, kinds = args
    if not isinstance(value, Node):
        return isinstance(value, kinds)
    return issubclass(getattr(value.abstract, "number", None) or Tensor, kinds)


@handles(builtins.type)
def _type(frame, args, kwargs):
    return Tensor if isinstance(args[0], Node) else type(*args)


@handles(builtins.bool)
def _bool(frame, args, kwargs):
    return truth_value(frame, args[0]) if args else False


@handles(builtins.abs)
def _abs(frame, args, kwargs):
    (value,) = args
    return operator(frame, "abs", (value,)) if is_tensor(value) else abs(value)


@handles(builtins.pow)
def _pow(frame, args, kwargs):
    return operator(frame, "**", tuple(args))


@handles(builtins.sum)
def _sum(frame, args, kwargs):
    items = python_items(frame, args[0])
    total = args[1] if len(args) > 1 else kwargs.get("start", 0)
    for item in items:
        total = operator(frame, "+", (total, item))
    return total


def _extreme(name, plain):
    def meaning(frame, args, kwargs):
        items = list(args) if len(args) > 1 else python_items(frame, args[0])
        if not any(map(is_tensor, items)):
            return plain(items, **kwargs)
        best = items[0]
        for item in items[1:]:
            best = call_op(frame, primitive.NAMES[name], (best, item), {})
        return best

    return meaning


handles(builtins.max)(_extreme("maximum", max))
handles(builtins.min)(_extreme("minimum", min))


@handles(builtins.zip)
def _zip(frame, args, kwargs):
    columns = [python_items(frame, a) for a in args]
    return list(zip(*columns, **kwargs))  # noqa: B905 - strict is the caller's, in kwargs


@handles(builtins.enumerate)
def _enumerate(frame, args, kwargs):
    return list(enumerate(python_items(frame, args[0]), *args[1:], **kwargs))


@handles(builtins.reversed)
def _reversed(frame, args, kwargs):
    return python_items(frame, args[0])[::-1]


@handles(builtins.tuple)
def _tuple(frame, args, kwargs):
    return tuple(python_items(frame, args[0])) if args else ()


@handles(builtins.list)
def _list(frame, args, kwargs):
    return python_items(frame, args[0]) if args else []


@handles(builtins.map)
def _map(frame, args, kwargs):
    columns = zip(*(python_items(frame, a) for a in args[1:]), strict=False)
    return [call_value(frame, args[0], list(row), {}) for row in columns]


@handles(builtins.all)
def _all(frame, args, kwargs):
    return _fold(frame, args[0], "&", True)


@handles(builtins.any)
def _any(frame, args, kwargs):
    return _fold(frame, args[0], "|", False)


def _fold(frame, items, symbol, value):
    for item in python_items(frame, items):
        value = operator(frame, symbol, (value, truth_value(frame, item)))
    return value


@handles(Tensor)
def _tensor(frame, args, kwargs):
    """``Tensor(number)`` is a constant; of a node, the node with the dtype asked for."""
    if not has_node(tuple(args)) and not has_node(kwargs):
        return Tensor(*args, **kwargs)
    dtype = kwargs.get("dtype", args[1] if len(args) > 1 else None)
    value = frame.node(args[0])
    if dtype is None and not value.abstract.weak:
        return value
    return call_op(frame, primitive.NAMES["cast"], (value, dtype or _strong(value)), {})


def _strong(node):
    return cast_dtypes("promote", (node.dtype.kind,))[0]


def _number(kind):
    def meaning(frame, args, kwargs):
        if not has_node(tuple(args)):
            return kind(*args, **kwargs)
        raise errors.InvalidSyntax(
            "The elements of a tensor are not known while the graph is built.",
            hint="Keep it a tensor (.astype changes its dtype), "
            "or convert outside the compiled function.",
        )

    return meaning


handles(builtins.int)(_number(int))
handles(builtins.float)(_number(float))


@handles(builtins.print)
def _print(frame, args, kwargs):
    if has_node(tuple(args)):
        raise errors.InvalidSyntax(
            "print of a tensor inside a compiled function is not available.",
            hint="Return the value and print it outside, or run the function without jit.",
        )
    print(*args, **kwargs)
