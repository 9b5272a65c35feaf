"""The gradient of a graph as a graph, ``(*parameters, *douts) -> *gradients``, or as two."""

from typing import NamedTuple

from ..ir import FuncGraph, clone
from .linearize import Back, linearize
from .silent import silent
from .values import differentiable, spread_like


def vjp(graph, wanted=None, watch=None):
    """``graph``'s gradient: one result per parameter that has a gradient.

    ``wanted`` says for which results a dout is passed (default: all that have a gradient);
    ``watch`` looks on, as ``Back`` says, and is told ``begins(new)`` first: which node stands for
    which of ``graph``.

    >>> import ms_ext.ops
    >>> from ms_ext.engine.ir import load
    >>> square = load(
    ...     "ms_ext graph 1\\n"
    ...     "graph square@1(%1 x: f32[]) {\\n  %2 = Mul(%1, %1) : f32[]\\n  return %2\\n}\\n"
    ... )
    >>> [node.primitive.name for node in vjp(square).order()]
    ['Mul', 'Mul', 'Add']
    """
    graph = silent(graph)
    whole = FuncGraph(f"{graph.name}_vjp", graph.where)
    arguments = [whole.add_parameter(p.abstract, p.name, p.where) for p in graph.parameters]
    douts = _douts(whole, graph, wanted)
    back = linearize(whole, graph, arguments)
    if watch is not None:
        back.watch = watch
        watch.begins(back.new)
    _return(whole, graph, back(douts))
    return whole


class Split(NamedTuple):
    """A graph's gradient in two graphs.

    ``forward(*parameters) -> *results, *kept``; ``backward(*inputs read, *kept, *douts) ->
    *gradients``, one per parameter that has a gradient. ``read``: positions of the inputs that
    ``backward`` takes.
    """

    forward: FuncGraph
    backward: FuncGraph
    read: list


def split(graph, wanted=None):
    """``graph``'s gradient in two graphs, so that the forward is calculated once.

    >>> import ms_ext.ops
    >>> from ms_ext.engine.ir import load
    >>> root = load(
    ...     "ms_ext graph 1\\n"
    ...     "graph root@1(%1 x: f32[]) {\\n  %2 = Sqrt(%1) : f32[]\\n  return %2\\n}\\n"
    ... )
    >>> halves = split(root)
    >>> len(halves.forward.outputs), halves.read, [p.name for p in halves.backward.parameters]
    (2, [], ['kept', 'dout'])
    """
    forward = clone(graph, f"{graph.name}_forward")
    backward = FuncGraph(f"{graph.name}_back", graph.where)
    way = Back.apart(forward, backward)
    douts = _douts(backward, forward, wanted)
    _return(backward, forward, way(douts))
    kept, places = way.kept(), {p: i for i, p in enumerate(forward.parameters)}
    read = [value for value in kept if value in places]
    values = [value for value in kept if value not in places]
    forward.returns(*forward.outputs, *values)
    given = [dout for dout in douts if dout is not None]
    backward.parameters[:] = [*map(kept.get, read), *map(kept.get, values), *given]
    return Split(forward, backward, [places[value] for value in read])


def _douts(target, graph, wanted):
    if wanted is None:
        wanted = [differentiable(node.abstract) for node in graph.outputs]
    return [
        target.add_parameter(node.abstract, "dout") if want else None
        for node, want in zip(graph.outputs, wanted, strict=True)
    ]


def _return(target, graph, gradients):
    target.returns(
        *[
            gradient or spread_like(target, parameter.abstract, 0, parameter.where or graph.where)
            for parameter, gradient in zip(graph.parameters, gradients, strict=True)
            if differentiable(parameter.abstract)
        ]
    )
