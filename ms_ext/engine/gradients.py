"""``grad`` and its family, in both modes: the tape when run eagerly, graphs inside compiled code.

>>> from ms_ext import Tensor
>>> grad(lambda x: x * x * x)(Tensor(2.0))
Tensor(shape=[], dtype=Float32, value= 12)
"""

from . import errors, tape
from .autodiff import differentiable, linearize, spread_like
from .frontend import handles
from .frontend.calls import call_value
from .frontend.naming import name_of, parameter_names
from .frontend.tracing import tracer_of
from .frontend.values import mapped, put_together, take_apart
from .ir import Node
from .symbol import Symbol
from .tensor import Tensor


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """The function that gives ``fn``'s gradient at some of its inputs and weights.

    Several outputs count together (their sum); with ``has_aux`` only the first one, and the others
    are returned too. ``return_ids`` pairs each gradient with its position or the parameter's name.
    """
    return Gradient(fn, grad_position, weights, has_aux, return_ids, with_value=False)


def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """As ``grad``, but ``(value, gradient)``.

    >>> from ms_ext import Tensor
    >>> value, dx = value_and_grad(lambda x: x * x)(Tensor(3.0))
    >>> float(value), float(dx)
    (9.0, 6.0)
    """
    return Gradient(fn, grad_position, weights, has_aux, return_ids, with_value=True)


class Gradient:
    """What ``grad(fn)`` returns; calling it takes the gradient."""

    def __init__(self, fn, position, weights, has_aux, return_ids, with_value):
        self.fn, self.position, self.weights = fn, position, weights
        self.has_aux, self.return_ids, self.with_value = has_aux, return_ids, with_value
        self.positions = _positions(position, weights)
        self.parameters = _parameters(weights)
        self.__name__ = f"grad_of_{name_of(fn, type(fn).__name__)}"

    def takes_as(self):
        """The function whose arguments a call takes."""
        return self.fn

    def __call__(self, *args, **kwargs):
        tracer = tracer_of(args)
        if tracer is not None:
            return tracer.graph_call(self, args, kwargs)
        self._check(len(args))
        inputs = [_as_tensor(a, i, self.positions) for i, a in enumerate(args)]
        fn = (lambda *xs: self.fn(*xs, **kwargs)) if kwargs else self.fn
        outputs, by_input, by_weight = tape.differentiate(
            fn, inputs, self.positions, self.parameters, has_aux=self.has_aux
        )
        return self._answer(outputs, list(by_input), list(by_weight))

    def _check(self, count):
        if self.positions and max(self.positions) >= count:
            raise errors.NotRunnable(
                f"Position index {max(self.positions)} is exceed input size.",
                given=f"{count} inputs",
                hint=f"grad_position counts from 0 to {count - 1}.",
            )

    def _answer(self, outputs, by_input, by_weight):
        gradients = self._shaped(by_input, by_weight)
        if self.with_value:
            return outputs, gradients
        return (gradients, tuple(outputs[1:])) if self.has_aux else gradients

    def _shaped(self, by_input, by_weight):
        """One gradient bare, several in a tuple; inputs first, then weights."""
        if self.return_ids:
            by_input = list(zip(self.positions, by_input, strict=True))
            names = [p.name for p in self.parameters]
            by_weight = list(zip(names, by_weight, strict=True))
        inputs = by_input[0] if len(self.positions) == 1 else tuple(by_input)
        if self.weights is None:
            return inputs
        weights = by_weight[0] if isinstance(self.weights, Tensor) else tuple(by_weight)
        return (inputs, weights) if self.positions else weights

    def graph_call(self, frame, args, kwargs):
        """Inside compiled code: the function becomes a graph, and its gradient is written here."""
        self._check(len(args))
        scope = frame.scope.child(f"grad_{name_of(self.fn, 'function')}")
        inner, passed = _parameters_for(scope, args, parameter_names(self.fn, len(args)))
        inside = frame.fork(scope)
        value = call_value(inside, self.fn, inner, kwargs)
        written = _written(frame, inside, passed)
        tree = scope.returns((mapped(inside.now, value), tuple(written.values())))
        passed += scope.operands(scope.captured)
        passed = [frame.node(p) for p in passed]
        outputs, back = linearize(frame.scope.graph, scope.graph, passed)
        found = back(self._seeds(frame, value, outputs))
        gradients = dict(zip(scope.graph.parameters, found, strict=True))
        result, now = put_together(tree, iter(outputs))
        frame.memory.update(zip(written, now, strict=True))
        by_input = [_gather(frame, inner[p], gradients) for p in self.positions]
        by_weight = [self._weight(frame, scope, w, gradients) for w in self.parameters]
        return self._answer(result, by_input, by_weight)

    def _seeds(self, frame, value, outputs):
        counted = len(_leaves(value))
        if self.has_aux:
            if not isinstance(value, tuple) or len(value) < 2:
                raise errors.NotRunnable(
                    "When has_aux is True, origin fn requires more than one outputs."
                )
            counted = len(_leaves(value[0]))
        graph, here = frame.scope.graph, frame.here()
        return [
            spread_like(graph, node.abstract, 1, here or node.where)
            if i < counted and differentiable(node.abstract)
            else None
            for i, node in enumerate(outputs)
        ]

    def _weight(self, frame, scope, weight, gradients):
        node = scope.free.get(id(weight), (None,))[0]
        found = gradients.get(scope.captured.get(node)) if node is not None else None
        return found or _zeros(frame, frame.node(weight))


def _leaves(value):
    leaves = []
    take_apart(value, leaves)
    return leaves


def _parameters_for(scope, args, names):
    """A parameter of the scope for every node among the arguments: (new arguments, the nodes)."""
    made, passed = [], []
    for name, value in zip(names, args, strict=True):
        leaves = []
        tree = take_apart(value, leaves)
        fresh = []
        for leaf in leaves:
            if not isinstance(leaf, Node | Tensor):
                fresh.append(leaf)
                continue
            node = leaf if isinstance(leaf, Node) else _node_of(scope, leaf)
            fresh.append(scope.graph.add_parameter(node.abstract, node.name or name))
            passed.append(node)
        made.append(put_together(tree, iter(fresh)))
    return made, passed


def _node_of(scope, tensor):
    """A tensor as a node: a Parameter as the input that it is, so that it may be written to."""
    return scope.parent.node(tensor) if type(tensor) is Tensor else scope.parameter(tensor)


def _written(frame, inside, passed):
    """What the function wrote to, as it is known out here, and what that is by now."""
    own = dict(zip(inside.scope.graph.parameters, passed, strict=False))
    changed = {own[key]: new for key, new in inside.memory.items() if key in own}
    return changed | {key: inside.recall(key) for key in frame.written_inside(inside)}


def _gather(frame, value, gradients):
    """The gradients of an argument, built as the argument is; zeros where nothing came back."""
    leaves = []
    tree = take_apart(value, leaves)
    if not any(isinstance(leaf, Node) for leaf in leaves):
        return ()  # MindSpore's answer for a number
    found = [
        (gradients.get(leaf) or _zeros(frame, leaf)) if isinstance(leaf, Node) else type(leaf)(0)
        for leaf in leaves
    ]
    return put_together(tree, iter(found))


def _zeros(frame, node):
    """The gradient of what did not count, where the gradient is asked for."""
    return spread_like(frame.scope.graph, node.abstract, 0, frame.here() or node.where)


def _positions(position, weights):
    if position is None:
        if weights is None:
            raise errors.InvalidValue(
                "`grad_position` and `weight` can not be None at the same time."
            )
        return ()
    positions = (position,) if type(position) is int else position
    if not isinstance(positions, tuple) or not all(type(p) is int for p in positions):
        raise errors.InvalidType(
            "For 'F.grad', the 'grad_position' must be int or tuple.", given=repr(position)
        )
    if min(positions, default=0) < 0:
        raise errors.InvalidValue("grad_position must be >= 0.", given=repr(position))
    if len(set(positions)) != len(positions):
        raise errors.InvalidValue(
            "There are duplicate positions in `grad_position`, please check it",
            given=repr(position),
        )
    return positions


def _parameters(weights):
    if weights is None:
        return ()
    found = (weights,) if isinstance(weights, Tensor) else tuple(weights)
    for weight in found:
        if not isinstance(weight, Tensor):
            raise errors.InvalidType("The weights must be Parameters.", given=f"{weight!r:.60}")
    return found


def _as_tensor(value, index, positions):
    if isinstance(value, Symbol):
        raise errors.NotRunnable(
            "ms.grad cannot be used inside a bprop or a pass: in compiled code they are run on "
            "symbols.",
            given=f"input {index} is a symbol of type {value.abstract}",
            hint="Write this derivative with ops. A gradient of a gradient is ms.grad(ms.grad(f)).",
        )
    if isinstance(value, Tensor) or index not in positions:
        return value
    raise errors.InvalidType(
        f"Input {index} is not a tensor, so it has no gradient.",
        given=f"{value!r:.60} of type {type(value).__name__}",
        hint="Wrap it: Tensor(...).",
    )


@handles(grad)
def _grad_in_graph(frame, args, kwargs):
    return grad(*args, **kwargs)


@handles(value_and_grad)
def _value_and_grad_in_graph(frame, args, kwargs):
    return value_and_grad(*args, **kwargs)
