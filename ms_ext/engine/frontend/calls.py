"""Calls: an op becomes a node, a Python function is read in place, some have a declared meaning."""

import ast
import functools
import types

from .. import binding, errors, primitive
from ..ir import Node
from ..symbol import Builder, Symbol
from . import branches
from .frame import has_node
from .operators import call_op, python_items
from .reading import evaluate, reads
from .values import BoundMethod, Choice, Closure, mapped

#: id of a Python object -> (f(frame, args, kwargs), the object): what calling it means here.
HANDLERS: dict = {}


def handles(*callables):
    """Declare what calling a Python object means while a graph is built."""

    def enter(handler):
        for each in callables:
            HANDLERS[id(each)] = (handler, each)
        return handler

    return enter


@reads(ast.Call)
def call(frame, node):
    """The value of a call expression."""
    callee = evaluate(frame, node.func)
    args, kwargs = _arguments(frame, node)
    frame.current = node
    return call_value(frame, callee, args, kwargs)


def _arguments(frame, node):
    args, kwargs = [], {}
    for item in node.args:
        if isinstance(item, ast.Starred):
            args.extend(python_items(frame, evaluate(frame, item.value)))
        else:
            args.append(evaluate(frame, item))
    for item in node.keywords:
        value = evaluate(frame, item.value)
        if item.arg is None:
            kwargs.update(value)
        else:
            kwargs[item.arg] = value
    return args, kwargs


def call_value(frame, callee, args, kwargs):
    """Call any value that graph mode knows how to call."""
    handler = HANDLERS.get(id(callee))
    if handler is not None:
        return handler[0](frame, args, kwargs)
    for kind, meaning in CALLABLE:
        if isinstance(callee, kind):
            return meaning(frame, callee, args, kwargs)
    inner = getattr(type(callee), "graph_function", None)  # a Cell, a jit-compiled function, ...
    if inner is not None:
        return call_value(frame, inner(callee), args, kwargs)
    special = getattr(type(callee), "graph_call", None)  # a gradient
    if special is not None:
        return special(callee, frame, args, kwargs)
    return _call_python(frame, callee, args, kwargs)


# ops ----------------------------------------------------------------------------------------------


def _call_method(frame, method, args, kwargs):
    return call_value(frame, method.op, [method.owner, *args], kwargs)


def _call_primitive(frame, bound, args, kwargs):
    op = bound.op
    operands, extra = binding.split(op, tuple(args), dict(kwargs))
    given = (operands,) if op.arity is None else operands
    return call_op(frame, op, (*given, *extra), kwargs | bound.attributes)


# functions ----------------------------------------------------------------------------------------


def _call_function(frame, function, args, kwargs):
    if in_library(function):
        return trace(frame, function, args, kwargs)
    return frame.reader.call(frame, function, args, kwargs)


def in_library(function):
    """Whether a function is ms_ext's own composition of ops: it is run on symbols, not read."""
    module = function.__module__ or ""
    return module.startswith(("ms_ext.ops", "ms_ext.mint", "ms_ext.engine"))


def trace(frame, function, args, kwargs):
    """Run a function that is made of ops on symbols."""
    scope, path = frame.scope, frame.path.called(function.__name__, function, args)
    where = frame.source.where(frame.current, path.text)
    with Builder(scope.graph, where=where, free=lambda t: scope.node(t, where)) as builder:
        symbols = mapped(
            lambda v: builder.wrap(frame.node(v)) if isinstance(v, Node) else v, (args, kwargs)
        )
        result = function(*symbols[0], **symbols[1])
    return mapped(lambda v: v.node if isinstance(v, Symbol) else v, result)


def _call_closure(frame, closure, args, kwargs):
    return frame.reader.call(frame, closure, args, kwargs)


def _call_bound(frame, method, args, kwargs):
    return call_value(frame, method.__func__, [method.__self__, *args], kwargs)


def _call_partial(frame, partial, args, kwargs):
    return call_value(frame, partial.func, [*partial.args, *args], {**partial.keywords, **kwargs})


def _call_choice(frame, choice, args, kwargs):
    return branches.chosen(
        frame,
        choice.condition,
        lambda inner: call_value(inner, choice.one, args, kwargs),
        lambda inner: call_value(inner, choice.other, args, kwargs),
    )


def _call_python(frame, callee, args, kwargs):
    """Anything else: a plain Python call if no tensor is among its arguments."""
    if not callable(callee):
        raise errors.InvalidType(f"'{type(callee).__name__}' object is not callable")
    name = getattr(callee, "__name__", type(callee).__name__)
    if has_node(tuple(args)) or has_node(kwargs):
        what = f"{name}, a {type(callee).__name__}"
        raise errors.InvalidType(
            f"Graph mode cannot call '{name}' on a tensor: its Python text cannot be read.",
            given=ast.unparse(frame.current) if frame.current else what,
            hint="Use ops and Tensor methods, or call it outside the compiled function.",
        )
    return callee(*args, **kwargs)


CALLABLE = (
    (primitive.Op, call_op),
    (primitive.Primitive, _call_primitive),
    (BoundMethod, _call_method),
    (Closure, _call_closure),
    (Choice, _call_choice),
    (types.FunctionType, _call_function),
    (types.MethodType, _call_bound),
    (functools.partial, _call_partial),
)
