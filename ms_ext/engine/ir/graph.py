"""FuncGraph: a function as data. A few functions change it; what Return does not reach is not.

>>> from ms_ext import ops
>>> from ms_ext.dtype import float32
>>> from ms_ext.engine.infer import AbstractTensor
>>> graph = FuncGraph("double")
>>> x = graph.add_parameter(AbstractTensor(float32, (2,)), "x")
>>> graph.returns(graph.add(ops.Add, (x, x)))
>>> [node.primitive.name for node in graph.order()]
['Add']
"""

import itertools

from .. import errors
from ..infer import abstract_of, infer
from .control import CALL, RETURN, ControlPrimitive
from .node import ERASED, CNode, Node, Parameter, ValueNode, no_node

_ids = itertools.count(1)
_marks = itertools.count(1)


class FuncGraph:
    """Parameters, constants and calls that lead to one Return.

    ``version`` grows with every change. ``writes`` says which results the caller stores where,
    ``references`` which inputs are Parameter objects: position -> name.
    """

    __slots__ = (
        "_order",
        "constants",
        "derived",
        "id",
        "journal",
        "name",
        "parameters",
        "references",
        "result",
        "version",
        "where",
        "writes",
    )

    def __init__(self, name, where=None):
        self.id = next(_ids)
        self.name, self.where = name, where
        self.parameters, self.constants, self.writes, self.references = [], {}, {}, {}
        self.version, self._order, self.journal, self.derived = 0, None, None, None
        self.result = CNode(self, None, RETURN, (), None, (), None, None, 0)

    def __repr__(self):
        from .text import lines  # printing is a leaf

        return "".join([f"{line}\n" for line, _ in lines(self)])

    @property
    def outputs(self):
        """The nodes that are returned."""
        return self.result.inputs

    # building ---------------------------------------------------------------------------------

    def add_parameter(self, abstract, name=None, where=None):
        """A new input, last in order."""
        node = Parameter(self, abstract, name or f"x{len(self.parameters)}", where)
        self.parameters.append(node)
        self._changed("add", node)
        return node

    def constant(self, value, abstract=None):
        """The node of a constant; the same type and value give the same node."""
        abstract = abstract or abstract_of(value)
        if hasattr(value, "asnumpy"):
            value = value.asnumpy().copy()  # the tensor may be written to later
        key = (abstract, content(value))
        node = self.constants.get(key)
        if node is None:
            node = self.constants[key] = ValueNode(self, abstract, value)
            self._changed("add", node)
        return node

    def add(self, primitive, inputs, attrs=None, graphs=(), *, name=None, where=None, origin=0):
        """A new call. Its type is inferred here, so a wrong program fails at the line it is
        written."""
        if type(inputs) is not tuple:
            inputs = self._listed(inputs, "graph.add(op, [x])")
        try:
            if isinstance(primitive, ControlPrimitive):
                abstract = primitive.infer_node(inputs, attrs or {}, graphs)
            else:
                abstract = infer(primitive, tuple([n.abstract for n in inputs]), attrs or {})
        except AttributeError:
            self._only_nodes(inputs, "graph.add(op, [a, b])")
            raise
        node = CNode(self, abstract, primitive, inputs, attrs, tuple(graphs), name, where, origin)
        try:
            for used in inputs:
                used.users[node] = used.users.get(node, 0) + 1
        except AttributeError:  # a symbol: it has a type and is no node
            for used in inputs:
                getattr(used, "users", {}).pop(node, None)
            self._only_nodes(inputs, "graph.add(op, [a, b])")
            raise
        self.version += 1
        self._order = None
        if self.journal is not None:
            self._journal_call(node)
        return node

    def _only_nodes(self, values, flat):
        for value in values:
            if not isinstance(value, Node):
                raise no_node(value, self, flat)

    def _listed(self, inputs, call):
        """The operands as a tuple; ``call`` shows how they are given."""
        try:
            return tuple(inputs)
        except TypeError:
            raise errors.GraphError(
                f"The operands are a list, and {inputs!r:.60} is none.",
                hint=f"One operand is a list too: {call}.",
            ) from None

    def _journal_call(self, node):
        self.journal.line("add", node)
        if node.primitive is not CALL:
            for region in node.graphs:
                region.watched_by(self.journal, announce=True)

    def returns(self, *outputs):
        """Set what the graph returns."""
        self._only_nodes(outputs, "graph.returns(a, b)")
        self._rewrite(self.result, outputs, None, RETURN.infer_node(outputs, {}, ()))

    # editing ----------------------------------------------------------------------------------

    def replace(self, old, new):
        """Make every user of ``old`` use ``new``."""
        if getattr(new, "graph", None) is not self or getattr(old, "graph", None) is not self:
            self._only_nodes((old, new), "graph.replace(old, new)")
            raise errors.GraphError(f"{old} and {new} are not both nodes of '{self.name}'.")
        if new is old:
            return
        for user, count in old.users.items():
            before, user.inputs = user.inputs, tuple([new if n is old else n for n in user.inputs])
            new.users[user] = new.users.get(user, 0) + count
            if self.journal is not None:
                self.journal.rewired((user, before, user.attrs, user.abstract), user)
        old.users = {}
        self.version += 1
        self._order = None

    def set_inputs(self, node, inputs):
        """Give ``node`` other inputs of the same types (``replace`` for one user only)."""
        self._only_nodes((node,), "graph.set_inputs(node, [a, b])")
        inputs = self._listed(inputs, "graph.set_inputs(node, [x])")
        self._only_nodes(inputs, "graph.set_inputs(node, [a, b])")
        self._rewrite(node, inputs, node.attrs, node.abstract)

    def alter(self, node, inputs, attrs):
        """Give a control node other operands and attributes, to fit its changed regions; it keeps
        its id."""
        abstract = node.primitive.infer_node(inputs, attrs or {}, node.graphs)
        self._rewrite(node, tuple(inputs), attrs, abstract)

    def erase(self, node):
        """Remove a node nobody uses; its regions go with it."""
        if not isinstance(node, Node):
            raise no_node(node, self, "graph.erase(node)")
        if node.users:
            raise errors.GraphError(
                f"{node} is still used by {', '.join(map(str, node.users))}.",
                hint="Replace its uses first.",
            )
        self.version += 1
        self._order = None
        if self.journal is not None:
            self.journal.line("erase", node)
        for used in node.inputs:
            used.users.pop(node, None)
        node.mark = ERASED
        if node.graphs or node.kind != "call":
            self._let_go(node)

    def _let_go(self, node):
        if node.kind == "parameter":
            self.parameters.remove(node)
        elif node.kind == "constant":
            self.constants.pop((node.abstract, content(node.value)), None)
        elif node.primitive is not CALL:
            for region in node.graphs:
                region.dissolve()

    def dissolve(self):
        """Journal the end of a graph that no node owns or calls any more."""
        if self.journal is None:
            return
        for node in [self.result, *reversed(self.order()), *self.parameters]:
            self.journal.line("erase", node)
            for region in node.graphs if node.graphs and node.primitive is not CALL else ():
                region.dissolve()
        for node in self.constants.values():
            self.journal.line("erase", node)
        self.journal = None

    def _rewrite(self, node, inputs, attrs, abstract):
        old = (node, node.inputs, node.attrs, node.abstract)
        for used in node.inputs:
            left = used.users[node] - 1
            if left:
                used.users[node] = left
            else:
                del used.users[node]
        node.inputs, node.attrs, node.abstract = inputs, attrs, abstract
        for used in inputs:
            used.users[node] = used.users.get(node, 0) + 1
        self.version += 1
        self._order = None
        if self.journal is not None:
            self.journal.rewired(old, node)

    def _changed(self, verb, node):
        self.version += 1
        self._order = None
        if self.journal is not None:
            self.journal.line(verb, node)

    # looking ----------------------------------------------------------------------------------

    def order(self):
        """The calls that Return reaches, inputs before users; Return itself is not among them."""
        if self._order is None:
            self._order = _walk(self.result)
        return self._order

    def all_graphs(self):
        """This graph, its regions and the graphs it calls, each once, outermost first."""
        found, waiting = {self: None}, [self]
        while waiting:
            for node in waiting.pop().order():
                for graph in node.graphs:
                    if graph not in found:
                        found[graph] = None
                        waiting.append(graph)
        return list(found)

    def from_line(self, line, file=None):
        """The calls that come from a line of Python, of the function's own file if no other one is
        given; ``node.where`` leads back."""
        file = file or getattr(self.where, "file", None)
        calls = [node for each in self.all_graphs() for node in each.order() if node.where]
        return [n for n in calls if n.where.line == line and file in (None, n.where.file)]

    def watched_by(self, journal, announce=False):
        """Write every later change of this graph and its regions into ``journal``."""
        self.journal = journal
        if announce:
            journal.announce(self)
        for node in self.order():
            for graph in node.graphs:
                if graph.journal is not journal:
                    graph.watched_by(journal, announce)


def _walk(root):
    """Depth first from ``root`` without recursion; a finished node carries the walk's mark."""
    mark, found, stack = next(_marks), [], [(root, iter(root.inputs))]
    while stack:
        node, inputs = stack[-1]
        for used in inputs:
            if used.mark != mark and type(used) is CNode:
                used.mark = mark
                stack.append((used, iter(used.inputs)))
                break
        else:
            stack.pop()
            found.append(node)
    found.pop()
    return found


_NUMBERS = frozenset((bool, int, float))


def content(value):
    """A key under which equal constants are equal, and 0.0 and -0.0, 1 and True are not."""
    if type(value) in _NUMBERS:
        return type(value), repr(value)
    if hasattr(value, "tobytes") or hasattr(value, "asnumpy"):
        array = value.asnumpy() if hasattr(value, "asnumpy") else value
        return array.shape, array.tobytes()
    if isinstance(value, tuple):
        return tuple([content(v) for v in value])
    return type(value), repr(value)
