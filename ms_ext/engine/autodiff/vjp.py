"""The gradient of a graph as a graph: ``(*parameters, *douts) -> *gradients``."""

from ..ir import FuncGraph
from .linearize import differentiable, linearize, spread_like
from .silent import silent


def vjp(graph, wanted=None, into=None):
    """``graph``'s gradient: one result per parameter that has a gradient.

    ``wanted`` says for which results a dout is passed (default: all that have a gradient);
    ``into`` is the empty graph to write, where it has to be known before.

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
    if wanted is None:
        wanted = [differentiable(node.abstract) for node in graph.outputs]
    back = into or FuncGraph(f"{graph.name}_vjp", graph.where)
    arguments = [back.add_parameter(p.abstract, p.name, p.where) for p in graph.parameters]
    douts = [
        back.add_parameter(node.abstract, "dout") if want else None
        for node, want in zip(graph.outputs, wanted, strict=True)
    ]
    _, pull = linearize(back, graph, arguments)
    gradients = pull(douts)
    back.returns(
        *[
            gradient or spread_like(back, parameter.abstract, 0, parameter.where or graph.where)
            for parameter, gradient in zip(graph.parameters, gradients, strict=True)
            if differentiable(parameter.abstract)
        ]
    )
    return back


def vjp_of_called(graph, wanted):
    """The one vjp of a graph that Call nodes share, which ends recursion; new if it has changed."""
    version, known = graph.derived or (None, None)
    if version != graph.version:
        version, known = graph.derived = (graph.version, {})
    if wanted not in known:
        known[wanted] = FuncGraph(f"{graph.name}_vjp", graph.where)
        vjp(graph, wanted, known[wanted])
    return known[wanted]
