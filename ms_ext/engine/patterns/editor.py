"""What does a pass change a graph with? An Editor: the graph's edits, without leftovers, on record.

>>> from ms_ext import ops
>>> from ms_ext.dtype import float32
>>> from ms_ext.engine.infer import AbstractTensor
>>> from ms_ext.engine.ir import FuncGraph
>>> graph = FuncGraph("twice")
>>> x = graph.add_parameter(AbstractTensor(float32, (2,)), "x")
>>> graph.returns(graph.add(ops.Neg, [graph.add(ops.Neg, [x])]))
>>> Editor(graph).replace(graph.outputs[0], x)
>>> graph.order()
[]
"""

from ..ir import ERASED
from .records import Record


class Editor:
    """Edits one graph for one pass. ``record`` is kept only while somebody watches."""

    __slots__ = ("_made", "done", "graph", "pass_name", "record", "seen")

    def __init__(self, graph, pass_name="", record=None, seen=None):
        self.graph, self.pass_name, self.record = graph, pass_name, record
        self.seen = {} if seen is None else seen
        self._made, self.done = [], 0

    def add(self, primitive, inputs, attrs=None, graphs=(), *, of=None):
        """A new call; ``of`` is the node it is derived from (its line in the source, its origin)."""
        where, origin = (of.where, of.id) if of is not None else (None, 0)
        node = self.graph.add(primitive, inputs, attrs, graphs, where=where, origin=origin)
        self._made.append(node)
        return node

    def constant(self, value, abstract=None):
        """The node of a constant."""
        return self.graph.constant(value, abstract)

    def replace(self, old, new, rule=None, **bindings):
        """Let every user of ``old`` use ``new``, and remove what nobody uses any more."""
        made, self._made = self._made, []
        self.graph.replace(old, new)
        self.matched(rule, old, lambda: bindings, self.sweep(old), made)

    def sweep(self, node):
        """Remove ``node`` and what only it used, if nobody uses it; the nodes that went."""
        graph, gone, waiting = self.graph, [], [node]
        while waiting:
            node = waiting.pop()
            if node.users or node.mark == ERASED or node is graph.result or node.kind == "parameter":
                continue
            graph.erase(node)
            gone.append(node)
            waiting.extend(node.inputs)
        return gone

    def matched(self, rule, root, bindings, removed=(), added=()):
        """Note a rewriting; ``bindings`` is called when somebody looks."""
        self.done += 1
        if self.record is not None:
            self.record.matched(rule or self.pass_name, root, bindings, removed, added)

    def refuse(self, node, sentence, rule=None):
        """Note why ``node`` was left alone."""
        if self.record is not None:
            self.record.refused(rule or self.pass_name, node, "said", sentence)

    def finished(self, graph):
        """Say that the pass has nothing more to do in ``graph`` (a region it went into by itself)."""
        self.seen[self.pass_name, graph] = graph.version


def prune(graph):
    """Remove what Return does not reach from ``graph``, its regions and the graphs it calls.

    A frontend leaves values behind that nobody reads; passes count users, so they must not be there.
    """
    for each in graph.all_graphs():
        _prune(each, Editor(each, record=Record()))


def _prune(graph, editor):
    reached = {*graph.order(), graph.result}
    left = [u for n in (*reached, *graph.parameters, *graph.constants.values()) for u in n.users]
    waiting = [u for u in left if u not in reached]
    while waiting:
        node = waiting.pop()
        waiting.extend(u for u in node.users if u not in reached)
        if not node.users and node.mark != ERASED:
            editor.sweep(node)
    for node in list(graph.constants.values()):
        editor.sweep(node)
