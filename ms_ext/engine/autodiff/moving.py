"""Which results of a graph have a tangent, if some of its parameters have one?

Asked before a region is written: both branches of an If return the same tangents, and what a loop
carries in some turn has a tangent from the first turn on. Each answer is a bool per value.
"""

from ..frontend.effects import PYTHON
from ..infer import AbstractTuple
from ..ir import (
    ADD_KEPT,
    CALL,
    DEPEND,
    FOR,
    IF,
    KEEP,
    MAKE_TUPLE,
    RECALL,
    TUPLE_GET_ITEM,
    WHILE,
    ControlPrimitive,
)
from .objects import PULL
from .tangent_rule import placed_rule, transposed_of
from .values import differentiable


class Moving:
    """What moves in the graphs that one tangent is taken through; every answer is remembered.

    >>> from ms_ext.engine.ir import load
    >>> graph = load(
    ...     "ms_ext graph 1\\n"
    ...     "graph f@1(%1 x: f32[], %2 y: f32[]) {\\n"
    ...     "  %3 = Sin(%1) : f32[]\\n  %4 = Floor(%2) : f32[]\\n  return %3, %4\\n}\\n"
    ... )
    >>> Moving().results(graph, (True, True)), Moving().results(graph, (False, True))
    ((True, False), (False, False))
    """

    def __init__(self):
        self.known, self.settled, self.passing = {}, set(), None

    def results(self, graph, moving):
        """For each result whether it has a tangent, where these parameters are ``moving``."""
        if self.passing is not None:
            return self._visit(graph, moving)
        while (graph, moving) not in self.settled:
            self.passing, self.assumed, self.grown = set(), set(), False
            self._visit(graph, moving)
            if not self.grown:  # no graph that calls itself was taken for less than it is
                self.settled |= self.passing
            self.passing = None
        return self.known[graph, moving]

    def branches(self, node, moving):
        """The results of If that move in some branch, where these of its operands do."""
        both = [self.results(graph, moving) for graph in node.graphs]
        return tuple(map(any, zip(*both, strict=True)))

    def loop(self, node, moving):
        """(the operands of a loop that move in some turn, its results that do)."""
        body, first = node.graphs[-1], int(node.primitive is FOR)
        end = first + node.attrs["carried"]
        moving = tuple([m and i >= first for i, m in enumerate(moving)])
        while True:
            found = self.results(body, moving)
            carried = tuple(map(any, zip(moving[first:end], found, strict=False)))
            if carried == moving[first:end]:
                return moving, carried + found[len(carried) :]
            moving = moving[:first] + carried + moving[end:]

    def _visit(self, graph, moving):
        key = graph, moving
        if key in self.passing or key in self.settled:
            self.assumed.add(key)
            return self.known.get(key) or (False,) * len(graph.outputs)
        self.passing.add(key)
        found = dict(zip(graph.parameters, moving, strict=True))
        for node in graph.order():
            given = [found.get(used, False) for used in node.inputs]
            found[node] = any(given) and self._through(node, given)
        results = tuple([bool(found.get(node)) for node in graph.outputs])
        if results != self.known.get(key):
            self.known[key] = results
            self.grown = self.grown or key in self.assumed
        return results

    def _through(self, node, given):
        """Whether the node's result has a tangent; of several results, a tuple."""
        kind = node.primitive
        if kind is TUPLE_GET_ITEM:
            return given[0][node.attrs["index"]]
        if isinstance(kind, ControlPrimitive):
            found = _CONTROL.get(kind, _nothing)(self, node, given)
            return found if isinstance(node.abstract, AbstractTuple) else found[0]
        rule = placed_rule(node, tuple(given))
        moves = rule.moves if rule else (False,)
        return moves[0] if len(moves) == 1 else tuple(moves)


def _call(moving, node, given):
    """Call(g): as g; Call(g; b): what the transpose of b reaches."""
    if len(node.graphs) == 1:
        return moving.results(node.graphs[0], tuple(given))
    moves = iter(transposed_of(node, tuple(given))[1])
    outputs = node.graphs[0].outputs
    return tuple([differentiable(out.abstract) and next(moves) for out in outputs])


def _python(moving, node, given):
    """PyExecute: (state, answer)."""
    asked = node.attrs["asked"]
    return False, differentiable(asked.gives)


#: What a graph has besides ops. What is not here has an effect and no result with a tangent.
_CONTROL = {
    MAKE_TUPLE: lambda moving, node, given: tuple(given),
    IF: lambda moving, node, given: moving.branches(node, tuple(given[1:])),
    WHILE: lambda moving, node, given: moving.loop(node, tuple(given))[1],
    FOR: lambda moving, node, given: moving.loop(node, tuple(given))[1],
    CALL: _call,
    PYTHON: _python,
    PULL: lambda moving, node, given: (True,) * len(node.attrs["asked"].gives),
    KEEP: lambda moving, node, given: (any(given),),
    RECALL: lambda moving, node, given: tuple(map(differentiable, node.abstract.items)),
    ADD_KEPT: lambda moving, node, given: (any(given),),
    DEPEND: lambda moving, node, given: tuple(given),
}


def _nothing(moving, node, given):
    return (False,)
