"""What is a function called, and its parameters? A graph is read with its author's words.

It holds for whatever can be read as a graph: a gradient takes what its function takes, a Cell what
``construct`` takes, a compiled function, a bound method or a partial what lies behind it.

>>> parameter_names(lambda x, *rest: x, 3), parameter_names(primitive.Primitive, 1)
(['x', 'rest0', 'rest1'], ['x0'])
"""

import functools
import types

from .. import primitive
from .values import Closure

VARIADIC = 0x04  # a flag of code objects: there is a *args


def name_of(function, otherwise="graph"):
    """A function's name, an op's, or a Cell's class; ``otherwise`` for what has none."""
    if isinstance(function, functools.partial):
        return name_of(function.func, otherwise)
    if isinstance(function, primitive.Op):
        return function.name
    if isinstance(function, Closure):
        return function.source.name
    if hasattr(function, "construct"):
        otherwise = type(function).__name__
    return getattr(function, "__name__", otherwise)


def parameter_names(function, count):
    """What ``function`` calls its first ``count`` arguments; x0, x1 where nobody knows."""
    behind, skipped = _behind(function)
    known, rest = _own_names(behind)
    names = [*known, *(f"{rest}{at}" for at in range(count + skipped - len(known)))]
    if rest:
        return names[skipped : skipped + count]
    wanted = known[skipped : skipped + count]
    return [*wanted, *(f"x{at}" for at in range(len(wanted), count))]


def _behind(function):
    """What takes the arguments in the end, and how many of its first ones are given already."""
    given = 0
    while True:
        kind = type(function)
        if isinstance(function, functools.partial):
            given += len(function.args)
            function = function.func
        elif isinstance(function, types.MethodType):
            given += 1
            function = function.__func__
        elif hasattr(kind, "takes_as"):  # a gradient, an op made of a function
            function = kind.takes_as(function)
        elif hasattr(kind, "graph_function"):
            function = kind.graph_function(function)
        else:
            return function, given


def _own_names(function):
    """(names of the parameters, name of what takes the rest or "")."""
    if isinstance(function, primitive.Primitive):
        function = function.op
    if isinstance(function, primitive.Op):
        return list(function.operand_names), ""
    if isinstance(function, Closure):
        given = function.source.args
        rest = given.vararg.arg if given.vararg else ""
        return [each.arg for each in (*given.posonlyargs, *given.args)], rest
    code = getattr(function, "__code__", None)
    if code is None:
        return [], ""
    named = list(code.co_varnames[: code.co_argcount])
    if not code.co_flags & VARIADIC:
        return named, ""
    return named, code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
