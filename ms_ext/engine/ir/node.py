"""What a graph is made of: parameters, constants and calls, each typed from birth.

``users`` maps a node's user to how often it uses the node. ``where`` is the line it came from,
``origin`` the id of the node it was derived from (a gradient, a rewrite), 0 for none. ``scope``
says in which calls of functions and Cells it was read. ``mark`` is the number of the last walk that
met the node, or ERASED.
"""

import itertools
import linecache

from ..errors import GraphError, place

_ids = itertools.count(1)
ERASED = -1


class Node:
    """A value in a FuncGraph. Compared by identity; ids are never used twice."""

    __slots__ = ("abstract", "graph", "id", "mark", "name", "origin", "users", "where")

    kind = "node"
    inputs: tuple = ()
    graphs: tuple = ()
    attrs: dict | None = None

    def __init__(self, graph, abstract, name=None, where=None, origin=0):
        self.id = next(_ids)
        self.graph, self.abstract = graph, abstract
        self.name, self.where, self.origin = name, where, origin
        self.users = {}
        self.mark = 0

    @property
    def shape(self):
        """Shape, where the value is a tensor."""
        return self.abstract.shape

    @property
    def dtype(self):
        """Dtype, where the value is a tensor."""
        return self.abstract.dtype

    @property
    def scope(self):
        """The calls of functions and Cells that led here, as "encoder/layers.0"; "" outermost."""
        return getattr(self.where, "scope", "")

    def __repr__(self):
        return f"%{self.id}"


class Parameter(Node):
    """An input of its graph."""

    __slots__ = ()
    kind = "parameter"


class ValueNode(Node):
    """A constant; a graph holds one per type and value."""

    __slots__ = ("value",)
    kind = "constant"

    def __init__(self, graph, abstract, value):
        super().__init__(graph, abstract)
        self.value = value


class CNode(Node):
    """A call of ``primitive`` on ``inputs``; control nodes own ``graphs`` (regions)."""

    __slots__ = ("attrs", "graphs", "inputs", "primitive")
    kind = "call"

    def __init__(self, graph, abstract, primitive, inputs, attrs, graphs, name, where, origin):
        self.id = next(_ids)  # written out, as this is where compiling spends its time
        self.graph, self.abstract = graph, abstract
        self.primitive, self.inputs = primitive, inputs
        self.attrs, self.graphs = attrs, graphs
        self.name, self.where, self.origin = name, where, origin
        self.users = {}
        self.mark = 0

    @property
    def attributes(self):
        """The attributes as a dictionary, empty if there are none."""
        return self.attrs or {}


def no_node(value, graph, flat):
    """The error for a value where a node of ``graph`` is wanted.

    ``flat``: how the call is written that takes nodes one by one, for who gives a list.
    """
    if isinstance(value, list | tuple):
        hint = f"Give the nodes one by one: {flat}."
    elif isinstance(value, str):
        hint = f"A name is no node: look up the node that {value!r:.40} stands for."
    elif value is None:
        hint = "Nothing was found or returned where this value was made."
    elif hasattr(value, "node"):
        hint = "This is a symbol; its field `node` is a node."
    elif hasattr(value, "shape"):
        hint = "graph.constant(...) makes one of a tensor or an array."
    elif isinstance(value, bool | int | float):
        hint = f"graph.constant({value!r:.40}) makes one of a number."
    else:
        hint = "Nodes come from graph.add_parameter, graph.constant and graph.add."
    shown = " ".join(f"{value!r:.60}".split())
    return GraphError(f"{shown} is not a node of the graph '{graph.name}'.", hint=hint)


class Where:
    """A place in somebody's Python source: file, line, columns, the text of the line, and the
    ``scope``, which calls of functions and Cells led there."""

    __slots__ = ("column", "end", "file", "line", "scope", "text")

    def __init__(self, file, line, column=0, end=0, text="", scope=""):
        self.file = file  # one by one: every node that is read has a place
        self.line = line
        self.column = column
        self.end = end
        self.text = text
        self.scope = scope

    def __str__(self):
        return place(self.file, self.line)

    @classmethod
    def running(cls, frame, instruction=None, scope=""):
        """The place where a frame of Python is now, or was at the ``instruction``."""
        code, at = frame.f_code, frame.f_lasti if instruction is None else instruction
        line, last, column, end = next(itertools.islice(code.co_positions(), at // 2, None))
        text = linecache.getline(code.co_filename, line, frame.f_globals).rstrip("\n")
        end = end if last == line else len(text)
        return cls(code.co_filename, line or frame.f_lineno, column or 0, end or 0, text, scope)

    def picture(self):
        """The line with carets under the part that is meant."""
        if not self.text:
            return f"    ({self})"
        indent = len(self.text) - len(self.text.lstrip())
        text = self.text.strip()
        start = max(self.column - indent, 0)
        width = max(min(self.end - self.column, len(text) - start), 1)
        return f"    {self}\n        {text}\n        {' ' * start}{'^' * width}"
