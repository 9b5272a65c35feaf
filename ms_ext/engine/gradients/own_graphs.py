"""A call in a graph that has a gradient of its own: ``Call(g; b)``, two graphs.

| graph | takes | gives |
|---|---|---|
| g | *operands | its results |
| b | *operands, *results of the function, *their douts | a gradient for each operand |

``Cell.bprop`` is read as b; a hook on x is the gradient of a g that gives x back. Such a call is
never written in place, for then its own gradient would be lost.
"""

import inspect

from .. import errors
from ..autodiff import differentiable, spread_like
from ..autodiff.bprops import fitted
from ..frontend.asking import fail
from ..frontend.calls import call_value
from ..frontend.effects import BEGIN
from ..frontend.values import mapped, put_together, take_apart
from ..infer import STATE, AbstractTensor
from ..ir import CALL, DEPEND, TUPLE_GET_ITEM, FuncGraph, Node
from ..ir.copying import unpacked
from ..symbol import Builder
from ..tensor import Tensor
from .read_calls import ReadCall

NO_TUPLE = "For bprop function, output should be a tuple, but got "
ARGUMENTS = (
    "The params of function 'bprop' of Primitive or Cell requires the forward inputs as well as "
    "the 'out' and 'dout'."
)


def with_own_gradient(frame, cell, function, inputs, bprop):
    """``function(*inputs)`` as one Call whose way back is ``bprop(*inputs, out, dout)``.

    What is wrong with the bprop is said when a gradient is taken.
    """
    call = ReadCall(frame, function, inputs, {})

    def gradients(inner, values, out, dout):
        _check_arguments(bprop, len(inputs))
        found = call_value(inner, bprop, [*values, out, dout], {})
        _refuse_parameters(inner.scope)
        return _checked(cell, found, values)

    node = _written(frame, call.graph, call.inputs, call.value, gradients, call.passed)
    return call.results(unpacked(frame.scope.graph, node))


def with_hook(frame, value, hook, name):
    """``value``, tensors, as they are; their gradients are what ``hook`` makes of what arrives.

    What is wrong with the hook is said when a gradient is taken.
    """
    leaves = []
    tree = take_apart(value, leaves)
    nodes = [frame.node(leaf) for leaf in leaves]
    graph = FuncGraph(name, frame.here())
    inside = [graph.add_parameter(node.abstract, node.name) for node in nodes]
    graph.returns(*inside)
    given = put_together(tree, iter(inside))

    def gradients(inner, values, out, dout):
        found = call_value(inner, hook, [dout], {})
        return [dout if found is None else _built_alike(found, dout)]

    node = _written(frame, graph, [given], given, gradients, nodes)
    return put_together(tree, iter(unpacked(frame.scope.graph, node)))


def _written(frame, graph, inputs, value, gradients, passed):
    """The Call; a way back that cannot be read raises its error when it is gone."""
    own = Own(frame, graph, inputs, value)
    try:
        captured = own.read(gradients)
    except errors.MsExtError as error:
        error.where = error.where or frame.here()
        own = Own(frame, graph, inputs, value)
        captured = own.read(_failing(error))
    return own.call(passed, captured)


class Own:
    """The graph b of a call of ``graph``, whose function has these inputs and gives ``value``."""

    def __init__(self, frame, graph, inputs, value):
        self.frame, self.forward, self.inputs = frame, graph, inputs
        self.scope = frame.scope.child(f"{graph.name}_bprop")
        self.graph, self.leaves = self.scope.graph, []
        self.tree = take_apart(value, self.leaves)
        passed = [p for p in graph.parameters if p.abstract is not STATE]
        self.copies = {p: self._parameter(p, p.name) for p in passed}

    def _parameter(self, node, name):
        return self.graph.add_parameter(node.abstract, name)

    def read(self, gradients):
        """Read ``gradients(frame, inputs, out, dout)``: the nodes of the frame that it captures."""
        results = [node for node in self.forward.outputs if node.abstract is not STATE]
        outs = [self._parameter(node, "out") for node in results]
        douts = [
            self._parameter(node, "dout")
            if differentiable(node.abstract)
            else spread_like(self.graph, node.abstract, 0)
            for node in results
        ]
        inner = self.frame.fork(self.scope)
        begin = inner.memory[STATE] = self.graph.constant(BEGIN, STATE)
        before = dict(inner.memory)
        values = mapped(lambda v: self.copies.get(v, v) if isinstance(v, Node) else v, self.inputs)
        out, dout = [put_together(self.tree, iter(nodes)) for nodes in (outs, douts)]
        found = gradients(inner, values, out, dout)
        _refuse_writing(inner, before)
        self._return(inner, values, found, None if inner.memory[STATE] is begin else STATE)
        return self._ordered(outs, [d for d in douts if d.kind == "parameter"])

    def _return(self, inner, values, gradients, state):
        given = {}
        for value, gradient in zip(values, gradients, strict=False):
            _pair(value, gradient, given)
        with Builder(self.graph) as builder:
            results = [
                self._fitted(builder, inner, p, given.get(self.copies[p]))
                for p in self.forward.parameters
                if differentiable(p.abstract)
            ]
        if state is not None:
            results = self._waiting(results, inner.memory[state])
        self.graph.returns(*results)

    def _waiting(self, results, state):
        """The gradients once the effects have happened: whichever of them is used."""
        found = []
        for result in results:
            both = self.graph.add(DEPEND, (result, state))
            items = [self.graph.add(TUPLE_GET_ITEM, (both,), {"index": i}) for i in range(2)]
            found.append(items[0])
            state = items[1]
        return found

    def _fitted(self, builder, inner, parameter, gradient):
        if gradient is None or isinstance(gradient, int | float):
            return spread_like(self.graph, parameter.abstract, gradient or 0)
        node = inner.node(gradient)
        return fitted(builder, _Named(self.forward), node, parameter.abstract)

    def _ordered(self, outs, douts):
        """Order the parameters; what is captured becomes an operand of both graphs."""
        captured = [node for node in self.scope.captured if node.abstract is not STATE]
        for node in captured:
            self.forward.add_parameter(node.abstract, node.name)
        more = [self.scope.captured[node] for node in captured]
        self.graph.parameters[:] = [*self.copies.values(), *more, *outs, *douts]
        results = self.graph.outputs
        zeros = [
            spread_like(self.graph, node.abstract, 0)
            for node in captured
            if differentiable(node.abstract)
        ]
        self.graph.returns(*results, *zeros)
        return captured

    def call(self, passed, captured):
        """Write the Call."""
        operands = (*passed, *self.scope.operands(captured))
        graph, here = self.frame.scope.graph, self.frame.here()
        return graph.add(CALL, operands, None, [self.forward, self.graph], where=here)


class _Named:
    """What an error about a gradient names."""

    def __init__(self, graph):
        self.primitive, self.name, self.where = self, graph.name, graph.where


def _pair(value, gradient, given):
    """Note the gradient of each node in an input: that of a tuple is built as the tuple is."""
    if isinstance(value, Node):
        given[value] = gradient
    elif isinstance(value, tuple | list) and isinstance(gradient, tuple | list):
        for one, part in zip(value, gradient, strict=False):
            _pair(one, part, given)


def _built_alike(found, dout):
    """What a hook returned, if it is built and shaped as what it got."""
    if isinstance(dout, tuple | list):
        if not isinstance(found, tuple | list) or len(found) != len(dout):
            raise _no_gradient(found)
        return [_built_alike(one, other) for one, other in zip(found, dout, strict=True)]
    kind = getattr(found, "abstract", found)
    if not isinstance(kind, AbstractTensor | Tensor) or getattr(kind, "weak", False):
        raise _no_gradient(found)
    if kind.shape != dout.abstract.shape:
        raise errors.InvalidValue(
            "A hook returned a gradient of another shape.",
            given=f"{list(kind.shape)} for a gradient of shape {list(dout.abstract.shape)}",
            hint="Return a gradient of the shape that came in.",
        )
    return found


def _no_gradient(found):
    kind = errors.InvalidType if isinstance(found, int | float) else errors.NotRunnable
    return kind(
        f"Tensor hook should be return Tensor, but get type: {type(found).__name__}.",
        given=f"{found!r:.60}",
        hint="Return the new gradient, or nothing.",
    )


# what a bprop must be -----------------------------------------------------------------------------


def _check_arguments(bprop, count):
    try:
        inspect.signature(bprop).bind(*[None] * (count + 2))
    except TypeError as error:
        raise errors.InvalidType(
            ARGUMENTS,
            given=f"{count} inputs, and a bprop{inspect.signature(bprop)}: {error}",
            hint="Write `def bprop(self, x, out, dout):` with one parameter for each input.",
        ) from None


def _checked(cell, found, values):
    if not isinstance(found, tuple):
        raise errors.InvalidType(
            f"{NO_TUPLE}{_kind(found)}",
            given=f"the bprop of {type(cell).__name__}",
            hint="Return one gradient per input in a tuple: `return (dx,)`.",
        )
    if len(found) < len(values):
        raise errors.NotRunnable(
            "The output size of the 'bprop' must match the number of parameters in its "
            f"corresponding primal function '{cell!r}' : {len(found)} vs. {len(values)}.",
            given=f"the bprop of {type(cell).__name__}",
            hint="Return one gradient per input, in order: `return dx, dy`.",
        )
    return found


def _kind(found):
    return f"{found.abstract}" if isinstance(found, Node) else f"{found!r:.60}"


def _refuse_parameters(scope):
    known = [node for node, owner in scope.free.values() if isinstance(owner, Tensor)]
    if any(node in known for node in scope.captured):
        raise errors.NotRunnable(
            "The user defined 'bprop' function in scope Default does not support using Parameter.",
            hint="Give the Parameter to construct as an input, then bprop gets it too.",
        )


def _refuse_writing(inner, before):
    for key, value in inner.memory.items():
        if key is not STATE and before.get(key) is not value:
            raise errors.NotRunnable(
                "A function that is called on the way back cannot write to what is outside of it.",
                given=f"{key}",
                hint="Return the new gradient instead.",
            )


def _failing(error):
    """A bprop that raises this error when the graph runs."""

    def gradients(inner, values, out, dout):
        fail(inner, lambda: error, [], {})
        return [None] * len(values)

    return gradients
