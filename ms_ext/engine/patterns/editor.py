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

import numpy as np

from ..ir import ERASED, MAKE_TUPLE, TUPLE_GET_ITEM
from ..primitive import REQUIRED


class Editor:
    """Edits one graph for one pass. ``record`` is kept only while somebody watches."""

    __slots__ = ("_made", "done", "graph", "pass_name", "record", "seen")

    def __init__(self, graph, pass_name="", record=None, seen=None):
        self.graph, self.pass_name, self.record = graph, pass_name, record
        self.seen = {} if seen is None else seen  # (pass, graph) -> version when the pass was done
        self._made, self.done = [], 0

    # editing --------------------------------------------------------------------------------------

    def add(self, primitive, inputs, attrs=None, graphs=(), *, of=None):
        """A new call; ``of`` is the node it is derived from (its line in the source, its
        origin)."""
        where, origin = (of.where, of.id) if of is not None else (None, 0)
        if primitive.attributes:
            attrs = {
                **{k: v for k, v in primitive.attributes if v is not REQUIRED},
                **(attrs or {}),
            }
        node = self.graph.add(primitive, inputs, attrs, graphs, where=where, origin=origin)
        self._made.append(node)
        return node

    def constant(self, value, abstract=None):
        """The node of a constant."""
        return self.graph.constant(value, abstract)

    def replace(self, old, new, **bindings):
        """Let every user of ``old`` use ``new``, and remove what nobody uses any more."""
        self.graph.replace(old, new)
        self.matched(None, old, {"by": new, **bindings}, self.sweep(old), self._taken())

    def replace_results(self, node, values):
        """Replace results of a control node: ``values`` maps an index to the node that is used
        instead."""
        count, gone = len(node.graphs[-1].outputs), []
        for user in list(node.users) if count > 1 else ():
            if user.primitive is TUPLE_GET_ITEM and user.attrs["index"] in values:
                self.graph.replace(user, values[user.attrs["index"]])
                gone += self.sweep(user)
        if node.users and len(values) == count:
            parts = [values[k] for k in range(count)]
            self.graph.replace(
                node, parts[0] if count == 1 else self.add(MAKE_TUPLE, parts, of=node)
            )
            gone += self.sweep(node)
        if gone:
            self.matched(
                None, node, {f"result {k}": v for k, v in values.items()}, gone, self._taken()
            )

    def fits(self, node, abstract):
        """Whether ``node`` has this type, or is a constant that can be given it."""
        if node.abstract is abstract:
            return True
        tensors = hasattr(abstract, "dtype") and hasattr(node.abstract, "dtype")
        return node.kind == "constant" and tensors and node.shape == abstract.shape

    def fitting(self, node, abstract):
        """``node`` in this type (a constant is converted), or None if it does not fit."""
        if node.abstract is abstract or not self.fits(node, abstract):
            return node if node.abstract is abstract else None
        value = np.asarray(node.value).astype(abstract.dtype.numpy)
        return self.constant(value.item() if abstract.weak else value, abstract)

    def sweep(self, node):
        """Remove ``node`` and what only it used, if nobody uses it; the nodes that went."""
        graph, gone, waiting = self.graph, [], [node]
        while waiting:
            node = waiting.pop()
            if (
                not node.users
                and node.mark != ERASED
                and node.kind != "parameter"
                and node is not graph.result
            ):
                graph.erase(node)
                gone.append(node)
                waiting += [used for used in node.inputs if not used.users]
        return gone

    def prune(self):
        """Remove what Return does not reach; a frontend leaves behind what nobody reads."""
        graph = self.graph
        reached = {*graph.order(), graph.result}
        known = (*reached, *graph.parameters, *graph.constants.values())
        recorded, used = (
            sum([len(n.users) for n in known]),
            sum([len({*n.inputs}) for n in reached]),
        )
        waiting = []
        if recorded != used:
            waiting = [user for node in known for user in node.users if user not in reached]
        while waiting:
            node = waiting.pop()
            waiting.extend(node.users)
            self.sweep(node)
        for node in [n for n in graph.constants.values() if not n.users]:
            self.sweep(node)

    # telling --------------------------------------------------------------------------------------

    def matched(self, rule, root, found, removed=(), added=()):
        """Note a rewriting; ``found`` says what names stand for."""
        self.done += 1
        if self.record is not None:
            self.record.matched(rule or self.pass_name, root, found, removed, added)

    def refuse(self, node, sentence):
        """Note why ``node`` was left alone."""
        if self.record is not None:
            self.record.refused(self.pass_name, node, "said", sentence)

    def _taken(self):
        made, self._made = self._made, []
        return [node for node in made if node.mark != ERASED]

    # regions --------------------------------------------------------------------------------------

    def inside(self, region):
        """An editor of a region of this graph, for the same pass and on the same record."""
        return Editor(region, self.pass_name, self.record, self.seen)

    def finished(self):
        """Say that the pass has nothing more to do in this graph until it changes."""
        self.seen[self.pass_name, self.graph] = self.graph.version

    def has_finished(self, graph):
        """Whether the pass had nothing more to do in ``graph``, which has not changed since."""
        return self.seen.get((self.pass_name, graph)) == graph.version


def prune(graph):
    """Remove what cannot be reached from ``graph``, its regions and the graphs it calls.

    >>> from ms_ext.engine.ir import FuncGraph
    >>> graph = FuncGraph("g")
    >>> _ = graph.constant(2.0)
    >>> prune(graph)
    >>> graph.constants
    {}
    """
    for each in graph.all_graphs():
        Editor(each).prune()
