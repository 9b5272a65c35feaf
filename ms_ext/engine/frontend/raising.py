"""Raise and assert: at once where that is certain while the graph is built, else when it runs."""

import ast
import functools

from .. import errors
from .asking import fail
from .calls import arguments
from .expressions import truth
from .frame import has_node
from .reading import evaluate, reads
from .unsupported import own_error


class Failing(ast.stmt):
    """What an assert does when its test is false: a statement that raises."""

    _fields = ("message",)


class Known(ast.expr):
    """An expression that has been evaluated."""

    _fields = ()

    def __init__(self, value):
        super().__init__()
        self.value = value


@reads(Known)
def _known(frame, expression):
    return expression.value


def as_if(frame, statement):
    """``assert test, message`` as ``if test: pass; else: raise``; a test that holds is no more."""
    frame.current = statement
    try:
        test = truth(frame, statement.test)
    except errors.MsExtError as error:
        frame.locate(error)
        raise
    place = functools.partial(ast.copy_location, old_node=statement)
    if test is True:
        return place(ast.Pass())
    failing = place(Failing(statement.msg))
    return place(ast.If(place(Known(test)), [place(ast.Pass())], [failing]))


@reads(Failing)
def _failing(frame, statement):
    told = [evaluate(frame, statement.message)] if statement.message else []
    _fail(frame, AssertionError, told, {})


@reads(ast.Raise)
def _raise(frame, statement):
    what = statement.exc
    if isinstance(what, ast.Call):
        kind = evaluate(frame, what.func)
        args, keywords = _told(frame, what)
    else:
        nothing = RuntimeError("No active exception to reraise.")
        kind, args, keywords = evaluate(frame, what) if what else nothing, [], {}
    frame.current = statement
    if not isinstance(kind, type):
        error, kind = kind, type(kind)
        args = list(error.args)
    _fail(frame, kind, args, keywords)


def _told(frame, call):
    """What an error is made of: fullgraph lets Python put its text together."""
    reader = frame.reader
    strict, reader.strict = reader.strict, False
    try:
        return arguments(frame, call)
    finally:
        reader.strict = strict


def _fail(frame, kind, args, keywords):
    """Now, if that is certain while the graph is built; otherwise when it runs."""
    if kind.__module__ != "builtins" and not issubclass(kind, errors.MsExtError):
        raise own_error(kind)
    if frame.scope.parent is None and not frame.memory and not has_node((args, keywords)):
        raise kind(*args, **keywords)
    fail(frame, kind, args, keywords)
