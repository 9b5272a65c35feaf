"""Calls: an op becomes a node, a Python function is read in place, some have a declared meaning."""

import ast
import functools
import types

from .. import binding, errors, primitive
from ..ir import Node
from ..tensor import Tensor
from . import branches, containers, library
from .asking import ask, is_object
from .composites import in_library, overwritten, trace
from .frame import has_node
from .host import call_host, write_object
from .operators import as_node, call_op, python_items
from .parameters import check_self
from .reading import READERS, evaluate, reads
from .values import BoundMethod, Choice, Closure, HostMethod, mapped
from .words import kind_of, typed

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
    if isinstance(node.func, ast.Attribute):  # it finds this call in frame.current
        callee = READERS[ast.Attribute](frame, node.func)
    else:
        callee = evaluate(frame, node.func)
    args, kwargs = arguments(frame, node)
    frame.current = node
    return call_value(frame, callee, args, kwargs)


def arguments(frame, node):
    """The values of a call's arguments: (args, kwargs)."""
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
    if is_object(callee):
        return ask(frame, _apply, [callee, *args], kwargs)
    handler, _ = HANDLERS.get(id(callee), (None, None))
    if (is_object(args) or is_object(kwargs)) and not _takes_objects(handler or callee):
        if hasattr(callee, "writes") and isinstance(args[0], Node):
            return write_object(frame, callee, args, kwargs)
        form, args = python_form(callee), _with_owner(callee, args)
        pure, again = _is_calculation(callee), library.only_answers(callee)
        return ask(frame, form, args, kwargs, pure=pure, again=again)
    if handler is not None:
        return handler(frame, args, kwargs)
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
    special = getattr(bound, "in_graph", None)  # one that is more than a node of its op
    if special is not None:
        return special(frame, args, kwargs)
    return call_bound(frame, bound, args, kwargs)


def call_bound(frame, bound, args, kwargs):
    """A Primitive, an op with some attributes fixed, as a node."""
    op = bound.op
    operands, extra = binding.split(op, tuple(args), dict(kwargs))
    given = (operands,) if op.arity is None else operands
    return call_op(frame, op, (*given, *extra), kwargs | bound.attributes)


# functions ----------------------------------------------------------------------------------------


def _call_function(frame, function, args, kwargs):
    if hasattr(function, "writes"):
        return _call_writing(frame, function, args, kwargs)
    if hasattr(function, "of_values"):
        return function(*args, **kwargs)
    if hasattr(function, "of_elements") and _of_elements(frame, function, args, kwargs):
        return ask(frame, function, args, kwargs, pure=True)
    if in_library(function):
        return trace(frame, function, args, kwargs)
    if library.is_standard(function):
        return _call_python(frame, function, args, kwargs)
    return frame.reader.call(frame, function, args, kwargs)


def _of_elements(frame, function, args, kwargs):
    """Whether the shape of what a function gives depends on elements that are not known yet."""
    varying = []
    mapped(lambda v: varying.append(v) if frame.varies(v) else None, (args, kwargs))
    return bool(varying) and function.of_elements(args, kwargs)


def _call_writing(frame, function, args, kwargs):
    """``ops.assign(x, ...)``, ``x.add_(...)``: from here on x is what is written to it."""
    target = args[0]
    if not isinstance(target, Node | Tensor):
        return function(*args, **kwargs)
    new = call_value(frame, function.writes, args, kwargs)
    frame.write(target, overwritten(frame, target, new))
    return target


def _call_closure(frame, closure, args, kwargs):
    return frame.reader.call(frame, closure, args, kwargs)


def _call_bound(frame, method, args, kwargs):
    if isinstance(method.__self__, type) and hasattr(method.__self__, "construct"):
        raise errors.InvalidType(
            "The parameters number of the function is "
            f"{method.__func__.__code__.co_argcount}, but the number of provided arguments is "
            f"{len(args) + len(kwargs)}.",
            given=f"the classmethod {method.__name__} of a Cell",
            hint="Make it a staticmethod or a plain method: graph mode reads no classmethods.",
        )
    if hasattr(type(method.__self__), "construct"):
        check_self(method.__func__, len(args) + len(kwargs))
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
        if hasattr(callee, "__ms_class__"):
            raise errors.NotCallable(
                f"MsClassObject: '{type(callee).__name__}' has no __call__ function, please check "
                "the code."
            )
        raise errors.NotCallable(
            "The object is not callable. Please check code.",
            given=f"a call of {kind_of(callee)}",
        )
    if hasattr(callee, "__ms_class__"):
        return _call_jit_class(frame, callee, args, kwargs)
    if containers.owns(callee):
        given = {word: _given(frame, value) for word, value in kwargs.items()}  # sort(key=...)
        return containers.call(frame, callee, args, given)
    special = type(callee).__call__  # what it does if it is an object of a class of the learner's
    if isinstance(special, types.FunctionType) and library.is_learners(special):
        return call_value(frame, special, [callee, *args], kwargs)
    answers = library.only_answers(callee)
    if answers:
        args, kwargs = mapped(lambda v: as_node(frame, v), (list(args), kwargs))
    if has_node(tuple(args)) or has_node(kwargs):
        return ask(frame, callee, args, kwargs, again=answers)
    args, kwargs = mapped(lambda v: _given(frame, v), (list(args), kwargs))
    return callee(*args, **kwargs)


def _given(frame, value):
    """What Python is given at once: a function that is being read is read when it is called."""
    if not isinstance(value, Closure):
        return value

    def called(*args, **kwargs):
        answer = call_value(frame, value, list(args), kwargs)
        if has_node(answer):
            raise errors.InvalidSyntax(
                "Python asks for what is known only when the graph runs.",
                given=f"the answer of '{value.source.name}'",
                hint="Use ops, or give Python the tensor, so that it is asked when the graph runs.",
            )
        return answer

    return called


def _call_jit_class(frame, callee, args, kwargs):
    """A class with @jit_class makes an object of constants; calling the object is read."""
    if not isinstance(callee, type):
        return call_value(frame, callee.__call__, args, kwargs)
    for position, value in enumerate((*args, *kwargs.values())):
        if has_node(value):
            raise errors.InvalidType(
                f"When creating an instance of '{callee.__name__}', all arguments are required to "
                f"be constants, but input {position} is a variable, which is {typed(value)}.",
                hint="Give the tensor to the method that calculates with it.",
            )
    return callee(*args, **kwargs)


def _is_calculation(callee):
    """Whether a call is of an op, or of a function that is made of ops."""
    if isinstance(callee, types.FunctionType):
        return in_library(callee)
    return isinstance(callee, primitive.Op | primitive.Primitive | BoundMethod)


def _apply(callee, *args, **kwargs):
    return callee(*args, **kwargs)


def _takes_objects(callee):
    """Whether a call is read, or has its own meaning, also where an argument is an Object."""
    if hasattr(callee, "takes_objects") or containers.owns(callee):
        return True
    if isinstance(callee, types.MethodType):
        return _takes_objects(callee.__func__)
    if isinstance(callee, types.FunctionType):
        return not in_library(callee)
    known = (Closure, Choice, functools.partial)
    return isinstance(callee, known) or hasattr(type(callee), "graph_function")


def python_form(callee):
    """What Python calls where the graph would have an op."""
    if isinstance(callee, BoundMethod):
        return lambda owner, *args, **kwargs: callee.op(owner, *args, **kwargs)
    return callee


def _with_owner(callee, args):
    return [callee.owner, *args] if isinstance(callee, BoundMethod) else args


CALLABLE = (
    (primitive.Op, call_op),
    (primitive.Primitive, _call_primitive),
    (BoundMethod, _call_method),
    (HostMethod, call_host),
    (Closure, _call_closure),
    (Choice, _call_choice),
    (types.FunctionType, _call_function),
    (types.MethodType, _call_bound),
    (functools.partial, _call_partial),
)
