"""A function being read: its names, the graph it writes to, and how a name is looked up.

Among the names is how the block ended: CODE is 0 (ran through), 1 (break), 2 (return) or 3
(continue), or an Exit when only the running graph knows; VALUE is what was returned.
"""

import builtins

from .. import errors
from ..ir import Node
from .values import Unusable

THROUGH, BREAK, RETURN, CONTINUE = range(4)
#: They live among the names, so that branches join them like any other.
CODE, VALUE, RESULT = "<code>", "<value>", "<result>"


class Exit:
    """How a block ended, as a node, and which codes it can be."""

    __slots__ = ("node", "possible")

    def __init__(self, node, possible):
        self.node, self.possible = node, frozenset(possible)


class Frame:
    """Names of one call of one function, the scope its nodes go to, and the calls that led here."""

    __slots__ = ("closure", "current", "function", "names", "path", "reader", "scope", "source")

    def __init__(self, reader, source, scope, names, path, closure=None, function=None):
        self.reader, self.source, self.scope, self.path = reader, source, scope, path
        self.names, self.closure, self.function = names, closure, function
        self.current = source.node
        names.setdefault(CODE, THROUGH)

    def fork(self, scope, path=None):
        """The same function with a copy of its names, writing to another scope."""
        names, path = dict(self.names), path or self.path
        copy = Frame(self.reader, self.source, scope, names, path, self.closure, self.function)
        copy.current = self.current
        return copy

    def add(self, op, inputs, attrs=None, graphs=()):
        """A new node in this frame's graph, with the place of the syntax being read."""
        scope, where = self.scope, self.here()
        nodes = [scope.node(value, where) for value in inputs]
        return scope.graph.add(op, nodes, attrs or None, graphs, where=where)

    def here(self):
        """The place of the syntax being read; None in what nobody wrote as Python."""
        return self.source.where(self.current, self.path.text)

    def node(self, value):
        """A value as a node of this frame's graph."""
        return self.scope.node(value)

    def locate(self, error):
        """Give an error without a place that of the syntax being read."""
        if error.where is None:
            error.where = self.source.where(self.current)

    @property
    def code(self):
        """How the block ended so far."""
        return self.names[CODE]

    def lookup(self, name):
        """The value of a name: local, enclosing, global, built in."""
        value = self.find(name)
        if type(value) is Unusable:
            raise value.error
        return value

    def find(self, name):
        """As ``lookup``, but a name without a value on this path gives the reason instead."""
        if name in self.names:
            return self.names[name]
        if self.closure is not None:
            return self.closure.find(name)
        return self._from_python(name)

    def _from_python(self, name):
        function = self.function
        code = function.__code__
        if name in code.co_freevars:
            cell = function.__closure__[code.co_freevars.index(name)]
            try:
                return cell.cell_contents
            except ValueError:
                raise errors.NotDefined(f"The name '{name}' has no value yet.") from None
        if name in code.co_varnames:
            message = f"local variable '{name}' referenced before assignment"
            raise errors.UnboundName(message, hint=f"Give '{name}' a value before this line.")
        return self._global(function.__globals__, name)

    def _global(self, module, name):
        if name in module:
            return module[name]
        if hasattr(builtins, name):
            return getattr(builtins, name)
        known = [*self.names, *(k for k in module if not k.startswith("_"))]
        hint = errors.did_you_mean(name, (k for k in known if not k.startswith("<")))
        raise errors.NotDefined(
            f"The name '{name}' is not defined, or not supported in graph mode.", hint=hint
        )


def has_node(value):
    """Whether any part of a value is a node."""
    if isinstance(value, Node):
        return True
    if isinstance(value, tuple | list):
        return any(map(has_node, value))
    return isinstance(value, dict) and any(map(has_node, value.values()))
