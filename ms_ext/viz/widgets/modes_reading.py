"""What was read? Every piece of syntax with its values, as the front end tells them while it reads.

An expression that is a node belongs to the graph. Any other was worked out by Python, once: it is
baked in, and its cause is the argument, global, attribute, type or call that it comes from.
"""

import ast
import builtins
import contextlib
import functools
import types

import numpy as np

from ...dtype import DType
from ...engine import errors, primitive
from ...engine.dims import Dim
from ...engine.frontend.frame import has_node
from ...engine.frontend.reading import watching
from ...engine.frontend.source import source_of
from ...engine.frontend.values import Closure
from ...engine.ir import Node
from ...engine.tensor import Tensor

MOST = 60  # values of one expression that are kept
_PLAIN = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    range,
    np.generic,
    np.ndarray,
    DType,
    Dim,
)
_OF_A_TYPE = ("shape", "dtype", "ndim", "size", "itemsize", "nbytes")
_ASK_A_TYPE = (len, isinstance, type)  # of a tensor they need no elements


class Read:
    """One piece of syntax that was read: its values in order, its cause, whose source it is in."""

    __slots__ = ("cause", "node", "source", "values")

    def __init__(self, node, source):
        self.node, self.source, self.values, self.cause = node, source, [], ""

    @property
    def folded(self):
        """Whether Python knew all of its values, and they are something to look at."""
        return bool(self.values) and all(map(is_data, self.values))


class Watch:
    """Listens to one reading: ``reads`` has every piece of syntax by its place and kind."""

    def __init__(self):
        self.reads, self.sources, self.outermost, self.arguments = {}, {}, None, {}
        self.told = True  # False where only the lines of the nodes are known

    def during(self):
        """The context manager inside which is listened."""
        return watching(self.hear)

    def hear(self, frame, node, value):
        """One piece of syntax has been read."""
        source = frame.source
        if not hasattr(node, "lineno"):
            return
        if self.outermost is None:
            self.outermost, self.arguments = source, _arguments(frame)
        self.sources.setdefault(id(source.node), source)
        key = place(source, node)
        found = self.reads.get(key)
        if found is None:
            found = self.reads[key] = Read(node, source)
            if isinstance(node, ast.expr):
                found.cause = self._cause(frame, node, value)
        if isinstance(node, ast.expr) and len(found.values) < MOST:
            found.values.append(value)

    def only_lines(self, function, told):
        """A function of which nothing was heard; not ``told``: it was run, and Python decided."""
        while isinstance(function, functools.partial):
            function = function.func
        function = getattr(function, "construct", function)
        with contextlib.suppress(errors.MsExtError, AttributeError):
            source = source_of(getattr(function, "__func__", function))
            self.sources[id(source.node)], self.told = source, told

    def at(self, source, node):
        """The Read of a piece of syntax, or None."""
        return self.reads.get(place(source, node))

    # why a value was known ------------------------------------------------------------------------

    def _cause(self, frame, node, value):
        if not is_data(value):
            return ""
        if isinstance(node, ast.Name):
            return self._of_name(frame, node.id, node)
        if isinstance(node, ast.Attribute):
            return self._of_attribute(frame, node)
        return self._of_call(frame, node) if isinstance(node, ast.Call) else ""

    def _of_name(self, frame, name, node):
        holder = frame
        while name not in holder.names and holder.closure is not None:
            holder = holder.closure
        if name in holder.names:
            return self._of_local(holder.source, name, node)
        function = holder.function
        if function is not None and name in function.__code__.co_freevars:
            return "enclosing"
        inside = function is not None and name in function.__globals__
        return "global" if inside and not hasattr(builtins, name) else ""

    def _of_local(self, source, name, node):
        stores = [each for each in ast.walk(source.node) if _writes(each, name)]
        if any(isinstance(each, ast.For | ast.comprehension) for each in stores):
            return "turn"
        if any(each.lineno < node.lineno for each in stores):
            return "local"
        return "argument" if source.node is self.outermost.node else "parameter"

    def _of_attribute(self, frame, node):
        owner = self.at(frame.source, node.value)
        if owner is None or not owner.values:
            return ""
        value = owner.values[-1]
        if isinstance(value, Node):
            return "type" if node.attr in _OF_A_TYPE else ""
        if isinstance(value, Tensor | types.ModuleType | type | DType):
            return ""  # the cause is what the tensor or the module came from
        return "attribute"

    def _of_call(self, frame, node):
        """A Python function that is neither read nor an op was called while the graph was read."""
        callee = self.at(frame.source, node.func)
        function = callee.values[-1] if callee and callee.values else None
        if any(function is each for each in _ASK_A_TYPE):
            return "type"
        read = types.FunctionType | types.MethodType | Closure | primitive.Op
        if function is None or isinstance(function, read) or _is_builtin(function):
            return ""
        return "called"


def _arguments(frame):
    """The outermost function's arguments by name, before any of its lines has run."""
    spec = frame.source.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    return {name: frame.names[name] for name in names if name in frame.names}


def place(source, node):
    """Where a piece of syntax stands, and its kind: the same each time it is read."""
    line, margin = source.start - 1, source.margin
    return (
        source.file, node.lineno + line, node.col_offset + margin, node.end_lineno + line,
        node.end_col_offset + margin, type(node).__name__,
    )  # fmt: skip


def is_data(value):
    """Whether a value is something to look at: a number, a text, a tensor, a list of such.

    >>> is_data((1, "a")), is_data(len), is_data(np)
    (True, False, False)
    """
    if isinstance(value, tuple | list | set | frozenset):
        return not has_node(list(value)) and all(map(is_data, value))
    if isinstance(value, dict):
        return not has_node(value) and all(map(is_data, value.values()))
    if isinstance(value, Tensor):
        return type(value) is Tensor  # a Parameter is an input
    return isinstance(value, _PLAIN)


def _writes(node, name):
    if isinstance(node, ast.For | ast.comprehension):
        return any(_writes(each, name) for each in ast.walk(node.target))
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def _is_builtin(function):
    return getattr(function, "__module__", None) == "builtins"
