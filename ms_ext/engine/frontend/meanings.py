"""What Python's builtins mean on values of a graph."""

import builtins
import functools

from .. import errors, mutable, primitive
from ..dims import Dim
from ..ir import Node
from ..operands import cast_dtypes
from ..tensor import Tensor
from .asking import ask, ask_number, is_object, say
from .assigning import assign_attribute
from .attributes import attribute
from .calls import handles
from .frame import has_node
from .operators import as_node, call_op, is_tensor, operator, truth_value
from .values import mapped
from .words import no_attribute, not_constant


@handles(builtins.isinstance)
def _isinstance(frame, args, kwargs):
    value, kinds = args
    if type(value) is Dim:
        return issubclass(type(value.samples[0]), kinds)
    if not all(isinstance(each, type) for each in _flat(kinds)):
        raise errors.InvalidType("isinstance() arg 2 must be a type or tuple of types.")
    if not isinstance(value, Node):
        return isinstance(value, kinds)
    if is_object(value):
        return ask_number(frame, isinstance, args, bool)
    return issubclass(getattr(value.abstract, "number", None) or Tensor, kinds)


def _flat(kinds):
    return [each for kind in kinds for each in _flat(kind)] if type(kinds) is tuple else [kinds]


@handles(builtins.type)
def _type(frame, args, kwargs):
    if frame.reader.strict and isinstance(args[0], Node):
        raise not_constant("type(x)", args[0].name)
    return Tensor if isinstance(args[0], Node) else type(*args)


@handles(builtins.bool)
def _bool(frame, args, kwargs):
    if len(args) > 1 or kwargs:
        raise errors.InvalidType("bool() requires 0 or 1 arguments.")
    return _truth(frame, args[0]) if args else False


def _truth(frame, value):
    """``bool(value)``: a number of the graph where the value is a tensor or Parameter."""
    if not frame.varies(value) or is_object(value):
        return truth_value(frame, value)
    node = frame.node(value)
    if node.abstract.weak:
        return node if node.dtype.kind == "bool" else operator(frame, "!=", (node, 0))
    if type(node.abstract.size) is int and node.abstract.size != 1:
        raise errors.InvalidValue(
            "The truth value of an array with more than one element is ambiguous.",
            given=f"bool of {node.abstract}",
            hint="Reduce it first: `x.all()` or `x.any()`.",
        )
    return ask_number(frame, _element, [bool, node], bool)


@handles(builtins.abs)
def _abs(frame, args, kwargs):
    (value,) = args
    return operator(frame, "abs", (value,)) if is_tensor(value) else abs(value)


@handles(builtins.round)
def _round(frame, args, kwargs):
    if is_tensor(args[0]):
        return call_op(frame, primitive.NAMES["round"], tuple(args), kwargs)
    return round(*args, **kwargs)


@handles(builtins.str)
def _str(frame, args, kwargs):
    if not has_node(tuple(args)):
        return str(*args, **kwargs)
    if frame.reader.strict:
        raise no_attribute(frame, args[0], "__str__")
    return ask(frame, str, args)


_str.takes_objects = True


@handles(builtins.pow)
def _pow(frame, args, kwargs):
    return operator(frame, "**", tuple(args))


@handles(Tensor)
def _tensor(frame, args, kwargs):
    """``Tensor(number)`` is a constant; of a node, the node with the dtype asked for."""
    if not has_node(tuple(args)) and not has_node(kwargs):
        return Tensor(*args, **kwargs)
    value, *others = args
    if is_object(value):
        return ask(frame, _tensor_of, args, kwargs, again=True)
    dtype = kwargs.get("dtype", others[0] if others else None)
    if isinstance(value, list | tuple):  # as outside, no gradient goes through numbers in a list
        value = call_op(frame, primitive.NAMES["stop_gradient"], (_rows(frame, value),), {})
    value = frame.node(value)
    if dtype is None and not value.abstract.weak:
        return value
    return call_op(frame, primitive.NAMES["cast"], (value, dtype or _strong(value)), {})


_tensor.takes_objects = True


def _tensor_of(value, dtype=None, **options):
    """``Tensor(value)`` of what exists when the graph runs; of a tensor, that tensor."""
    if not isinstance(value, Tensor) or options:
        return Tensor(value, dtype, **options)
    return value if dtype is None else value.astype(dtype)


def _rows(frame, value):
    """Lists in lists of numbers and tensors, as one tensor."""
    if not isinstance(value, list | tuple):
        return frame.node(value)
    rows = [_rows(frame, each) for each in value]
    return call_op(frame, primitive.NAMES["stack"], (rows,), {})


def _strong(node):
    return cast_dtypes("promote", (node.dtype.kind,))[0]


def _number(kind):
    def meaning(frame, args, kwargs):
        args = [as_node(frame, value) for value in args]
        if not has_node(tuple(args)):
            return kind(*args, **kwargs)
        _one_element(args[0])
        return ask_number(frame, _element, [kind, *args], kind)

    meaning.takes_objects = True
    return meaning


def _one_element(value):
    shape = getattr(value.abstract, "shape", ()) if is_tensor(value) else ()
    if any(type(size) is int and size > 1 for size in shape):
        raise errors.InvalidValue(
            "Can not convert Tensor with more than one element to Scalar, while the data's shape "
            f"is : ({', '.join(map(str, shape))})",
            hint="Reduce it first (x.sum(), x.any(), ...) or take one element: x[0].",
        )


def _element(kind, value, *base):
    """``int(x)`` and ``float(x)`` also of an array with one element, however many axes it has."""
    if getattr(value, "size", 0) == 1:
        value = value.reshape(())
    return kind(value, *base)


handles(builtins.int)(_number(int))
handles(builtins.float)(_number(float))


@handles(builtins.print)
def _print(frame, args, kwargs):
    for name in kwargs:
        raise errors.InvalidSyntax(
            f"Got an unexpected keyword argument '{name}'",
            hint="In graph mode print has no keywords: each argument gets a line of its own.",
        )
    say(frame, args, kwargs)


_print.takes_objects = True


@handles(builtins.getattr)
def _getattr(frame, args, kwargs):
    owner, name, *otherwise = args
    if not isinstance(owner, Node):
        return getattr(*args) if otherwise else attribute(frame, owner, name)
    if is_object(owner):
        return ask(frame, getattr, args, again=True)
    try:
        return attribute(frame, owner, name)
    except errors.UnknownAttribute:
        if otherwise:
            return otherwise[0]
        raise


@handles(builtins.hasattr)
def _hasattr(frame, args, kwargs):
    owner, name = args
    return hasattr(Tensor if isinstance(owner, Node) else owner, name)


@handles(builtins.setattr)
def _setattr(frame, args, kwargs):
    owner, name, value = args
    assign_attribute(frame, owner, name, value)


@handles(builtins.super)
def _super(frame, args, kwargs):
    """``super()`` in a method: the class it stands in, and its first argument."""
    if args:
        return super(*args)
    while frame.closure is not None:
        frame = frame.closure
    function = frame.function
    kind = function.__closure__[function.__code__.co_freevars.index("__class__")].cell_contents
    return super(kind, frame.names[function.__code__.co_varnames[0]])


@handles(mutable.mutable)
def _mutable(frame, args, kwargs):
    """``mutable(value)`` in compiled code: its numbers are nodes, which Python does not fold."""
    if not has_node(args[0]):
        mutable.mutable(*args, **kwargs)  # refuses what cannot be one
    plain = (bool, int, float)
    return mapped(lambda v: frame.node(v) if type(v) in plain else v, args[0])


@handles(functools.wraps)
def _wraps(frame, args, kwargs):
    """``@functools.wraps(f)`` gives a function another name: it stays what it is."""
    return lambda function: function


for _meaning in (_isinstance, _bool, _abs, _pow, _getattr, _setattr):
    _meaning.takes_objects = True
