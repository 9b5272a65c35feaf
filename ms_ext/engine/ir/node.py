"""What a graph is made of: parameters, constants and calls, each typed from birth.

``users`` maps a node's user to how often it uses the node. ``where`` is the line it came from,
``origin`` the id of the node it was derived from (a gradient, a rewrite), 0 for none. ``mark`` is
the number of the last walk that met the node, or ERASED.
"""

import itertools

from ..errors import place

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


class Where:
    """A place in somebody's Python source: file, line, columns and the text of the line."""

    __slots__ = ("column", "end", "file", "line", "text")

    def __init__(self, file, line, column=0, end=0, text=""):
        self.file, self.line, self.column, self.end, self.text = file, line, column, end, text

    def __str__(self):
        return place(self.file, self.line)

    def picture(self):
        """The line with carets under the part that is meant."""
        if not self.text:
            return f"    ({self})"
        indent = len(self.text) - len(self.text.lstrip())
        text = self.text.strip()
        start = max(self.column - indent, 0)
        width = max(min(self.end - self.column, len(text) - start), 1)
        return f"    {self}\n        {text}\n        {' ' * start}{'^' * width}"
