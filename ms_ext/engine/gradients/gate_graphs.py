"""Two gates around a call in a graph: the gradients of its inputs and results meet on the way back.

The gate in front gives the inputs and, for each result, a *token*: zeros of its type. The gate
behind takes results and tokens and gives the results; the gradient of a result is that of its token
as well. So it arrives at the gate in front together with the gradients of the inputs.
"""

from ..autodiff import differentiable, spread_like
from ..frontend.values import take_apart
from ..ir import FuncGraph, Node, inline
from ..ir.copying import unpacked
from .own_graphs import Own
from .read_calls import ReadCall


def gated(frame, function, args, kwargs, change):
    """``function(*args, **kwargs)``, whose gradients pass ``change``.

    ``change(frame, gradients, douts)``: those of the arguments that are tensors, and those of the
    tensors of the result; it gives as many as there are arguments.
    """
    call = ReadCall(frame, function, args, kwargs)
    leaves = []
    take_apart(call.value, leaves)
    outputs = call.graph.outputs
    moving = [i for i in range(len(leaves)) if differentiable(outputs[i].abstract)]
    places = list(_places(call.inputs[: len(args)]))
    passed = list(call.passed)
    fronts = [passed[place] for place in places]
    before, tokens = _front(frame, fronts, [outputs[i] for i in moving], change)
    for place, node in zip(places, before, strict=True):
        passed[place] = node
    found = list(inline(call.graph, frame.scope.graph, passed))
    behind = _behind(frame, [found[i] for i in moving], tokens)
    for i, node in zip(moving, behind, strict=True):
        found[i] = node
    return call.results(tuple(found))


def _places(arguments):
    """Where, among the nodes that a graph is given, those arguments are that are tensors."""
    place = 0
    for argument in arguments:
        leaves = []
        take_apart(argument, leaves)
        if isinstance(argument, Node) and differentiable(argument.abstract):
            yield place
        place += sum(isinstance(leaf, Node) for leaf in leaves)


def _front(frame, nodes, results, change):
    """The gate in front: (the nodes to go on with, the tokens)."""
    graph, count = FuncGraph("backward_hook", frame.here()), len(nodes)
    inside = [graph.add_parameter(node.abstract, node.name) for node in nodes]
    tokens = [spread_like(graph, node.abstract, 0) for node in results]
    graph.returns(*inside, *tokens)
    own = Own(frame, graph, inside, (*inside, *tokens))

    def gradients(inner, values, out, dout):
        return change(inner, dout[:count], dout[count:])

    given = _called(frame, own, nodes, gradients)
    return given[:count], given[count:]


def _behind(frame, results, tokens):
    """The gate behind: the results to go on with."""
    graph = FuncGraph("grad_output", frame.here())
    inside = [graph.add_parameter(node.abstract, node.name) for node in results]
    unused = [graph.add_parameter(node.abstract, "token") for node in tokens]
    graph.returns(*inside)
    own = Own(frame, graph, [*inside, *unused], tuple(inside))

    def gradients(inner, values, out, dout):
        return [*dout, *dout]

    return _called(frame, own, [*results, *tokens], gradients)


def _called(frame, own, nodes, gradients):
    if not own.forward.outputs:
        return ()
    return unpacked(frame.scope.graph, own.call(nodes, own.read(gradients)))
