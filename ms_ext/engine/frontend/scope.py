"""One graph under construction, and how values of outer graphs get into it.

A value of an outer graph becomes a parameter at its first use; when the region closes, the captured
values are its operands. This one rule serves branches, loops, recursion and gradients.
"""

from .. import errors
from ..infer import abstract_of
from ..ir import FuncGraph, Node
from ..operands import python_number
from ..tensor import Tensor
from .values import take_apart


class Scope:
    """A FuncGraph and the nodes of outer graphs that it uses (node -> parameter)."""

    def __init__(self, name, parent=None, where=None, free=None):
        self.graph = FuncGraph(name, where)
        self.parent, self.captured = parent, {}
        self.free = parent.free if parent else (free if free is not None else {})

    def child(self, name, where=None):
        """A scope for a region inside this one."""
        return Scope(name, self, where)

    @property
    def root(self):
        """The outermost scope."""
        return self if self.parent is None else self.parent.root

    def local(self, node):
        """``node`` as a node of this graph."""
        if node.graph is self.graph:
            return node
        found = self.captured.get(node)
        if found is None:
            if self.parent is None:
                raise errors.GraphError(f"{node} belongs to another function's graph.")
            found = self.graph.add_parameter(node.abstract, node.name, node.where)
            self.captured[node] = found
        return found

    def node(self, value, where=None):
        """Any value that can be a node, as a node of this graph; ``where`` it is used."""
        if isinstance(value, Node):
            return value if value.graph is self.graph else self.local(value)
        if isinstance(value, Tensor):
            return self._tensor(value, where)
        return self.graph.constant(python_number(value))

    def _tensor(self, tensor, where):
        """A Parameter is an input of the root graph; any other tensor a constant, frozen now."""
        if type(tensor) is not Tensor:
            return self.local(self.parameter(tensor, where))
        found = self.free.get(id(tensor))
        if found is None:
            found = self.free[id(tensor)] = (tensor.asnumpy().copy(), tensor)
        return self.graph.constant(found[0])

    def parameter(self, tensor, where=None):
        """The input of the root graph that a Parameter is."""
        found = self.free.get(id(tensor))
        if found is None:
            node = self.root.graph.add_parameter(abstract_of(tensor), tensor.name, where)
            found = self.free[id(tensor)] = (node, tensor)
        return found[0]

    def returns(self, value):
        """End the graph: its results are the leaves of ``value``. The tree they were taken from."""
        leaves = []
        tree = take_apart(value, leaves)
        self.graph.returns(*[self.node(leaf) for leaf in leaves])
        return tree

    def operands(self, captured):
        """The captured nodes as seen from the parent: what the control node is given."""
        return [self.parent.local(node) for node in captured]


def align(scopes, fixed):
    """Give sister regions the same captured parameters in the same order, after ``fixed`` own ones.

    Returns the captured nodes in that order.
    """
    captured = list(dict.fromkeys(node for scope in scopes for node in scope.captured))
    for scope in scopes:
        own = scope.graph.parameters[:fixed]
        for node in captured:
            scope.local(node)
        scope.graph.parameters[:] = own + [scope.captured[node] for node in captured]
    return captured
