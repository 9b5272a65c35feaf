"""Functions that are made of ops: they are run on symbols, where others are read.

What such a function writes to its arguments is written to what they stand for.
"""

from .. import primitive
from ..infer import UNKNOWN
from ..ir import Node
from ..symbol import Builder, Symbol, drawing_from, writing_to
from . import drawing, tracing
from .operators import call_op
from .values import Closure, mapped


def in_library(function):
    """Whether a function is ms_ext's own composition of ops: it is run on symbols, not read.

    Cells are read, as those of users: what they read of their Parameters is read at each run.
    """
    module = function.__module__ or ""
    if module.startswith("ms_ext.mint.nn."):
        return False
    return module.startswith(("ms_ext.ops", "ms_ext.mint", "ms_ext.engine"))


def trace(frame, function, args, kwargs):
    """Run a function that is made of ops on symbols; what it writes to its arguments is written.

    What a recursion gives is not known while it is read first: what is made of it is not, either.
    """
    unknown = []
    mapped(lambda v: _is_unknown(v) and unknown.append(v), (args, kwargs))
    if unknown:
        return unknown[0]
    scope, path = frame.scope, frame.path.called(function.__name__, function, args)
    where = frame.source.where(frame.current, path.text)
    build = Builder(scope.graph, where=where, free=lambda t: frame.node(t, where))
    written = Written(frame)
    with build as builder, drawing_from(lambda: map(Symbol, drawing.drawn(frame))), written:
        symbols = mapped(lambda v: _symbolic(frame, builder, where, v, written), (args, kwargs))
        result = function(*symbols[0], **symbols[1])
    return mapped(written.value, result)


def _is_unknown(value):
    return isinstance(value, Node) and value.abstract is UNKNOWN


class Written(writing_to):
    """What a function that runs on symbols writes to: the tensors that its arguments stand for."""

    def __init__(self, frame):
        super().__init__(self._write)
        self.frame, self.given = frame, {}  # id of a symbol -> (it, what it stands for)

    def value(self, result):
        """A result as what it stands for: an argument that comes back is that argument."""
        if not isinstance(result, Symbol):
            return result
        return self.given.get(id(result), (None, result.node))[1]

    def _write(self, target, value):
        _, given = self.given.get(id(target), (None, target))
        new = overwritten(self.frame, given, value.node if isinstance(value, Symbol) else value)
        self.frame.write(given, new)
        if not isinstance(target, Symbol):  # a constant so far
            target = Symbol(new)
            self.given[id(target)] = target, given
        target.node = new
        return target


def _symbolic(frame, builder, where, value, written):
    if isinstance(value, Closure):
        from .calls import call_value

        return tracing.callable_of(value, call_value, frame, builder)
    if not frame.varies(value):
        return value
    found = builder.wrap(frame.node(value, where))
    written.given[id(found)] = found, value
    return found


def overwritten(frame, old, value):
    """``value`` as what ``old``, a tensor, is by now: of the same shape and dtype."""
    old, new = frame.node(old), frame.node(value)
    if _is_unknown(new):  # of a recursive function that is being read
        return new
    if new.abstract.shape != old.abstract.shape:
        new = call_op(frame, primitive.NAMES["broadcast_to"], (new, old.abstract.shape), {})
    if new.abstract is not old.abstract:
        new = call_op(frame, primitive.NAMES["cast"], (new, old.abstract.dtype), {})
    return new
