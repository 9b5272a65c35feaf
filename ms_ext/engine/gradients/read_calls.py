"""A call of a function in compiled code, in a graph of its own: what a gradient is written from.

>>> import ms_ext as ms
>>> graph = ms.jit(ms.grad(lambda x: x * x)).graph(ms.Tensor(3.0))
>>> [node.primitive.name for node in graph.order()]
['Add']
"""

import copy

from .. import hooks
from ..autodiff import differentiable, linearize, split, spread_like
from ..frontend.calls import call_value
from ..frontend.naming import name_of, parameter_names
from ..frontend.values import mapped, put_together, take_apart
from ..infer import AbstractTensor
from ..ir import Node, inline
from ..primitive import OPS
from ..tensor import Tensor
from .options import check_input
from .seeds import check_type, leaves_with_sens


class ReadCall:
    """``fn(*args, **kwargs)`` read into a graph of its own; each tensor among them is an input.

    ``value``: what it returned, of nodes of that graph. ``inputs``: the arguments and keywords in
    order, as the function has them; ``passed``: the nodes of the frame that the graph is given.
    """

    def __init__(self, frame, fn, args, kwargs):
        self.frame, self.given = frame, [*args, *kwargs.values()]
        self.scope = scope = frame.scope.child(f"grad_{name_of(fn, 'function')}")
        names = [*parameter_names(fn, len(args)), *kwargs]
        self.inputs, passed = _parameters_for(scope, self.given, names)
        inside = frame.fork(scope)
        own, named = self.inputs[: len(args)], self.inputs[len(args) :]
        value = call_value(inside, fn, own, dict(zip(kwargs, named, strict=True)))
        self.value = mapped(inside.now, value)
        self.written = _written(frame, inside, passed)
        self.tree = scope.returns((self.value, tuple(self.written.values())))
        passed += scope.operands(scope.captured)
        self.passed = [frame.node(node) for node in passed]
        self.plain = {}  # parameter -> what alone came back to it and is no tensor
        self.graph = scope.graph

    def results(self, outputs):
        """The Python result, made of the nodes that the graph's results are out here by now."""
        value, now = put_together(self.tree, iter(outputs))
        self.frame.memory.update(zip(self.written, now, strict=True))
        return value

    def seen_from(self, frame):
        """The same call, of which a gradient is written into the graph of another frame."""
        other = copy.copy(self)
        other.frame = frame
        return other

    def pulled(self, seeds):
        """Write the call and its way back: (the nodes of its results, gradients by parameter).

        ``seeds``: what comes back to the graph's first results, None where nothing does.
        """
        back = linearize(self.frame.scope.graph, self.graph, self.passed)
        found = back([*seeds, *[None] * (len(self.graph.outputs) - len(seeds))])
        self.plain = back.plain
        return back.results, dict(zip(self.graph.parameters, found, strict=True))

    # where a gradient begins and ends -------------------------------------------------------------

    def seeds(self, value, sens=None):
        """What ``value``, the first of the results, is weighed with: ones, or ``sens``."""
        leaves = []
        take_apart(value, leaves)
        weights = [1] * len(leaves) if sens is None else leaves_with_sens(value, sens)
        outputs = self.graph.outputs[: len(leaves)]
        return [
            self._seed(node, weight, sens) if differentiable(node.abstract) else None
            for node, weight in zip(outputs, weights, strict=True)
        ]

    def _seed(self, node, weight, sens):
        if sens is None or not isinstance(node.abstract, AbstractTensor):
            return self.filled(node, weight)
        weight = self.frame.node(weight)
        check_type(weight.abstract, node.abstract)
        if weight.shape == node.shape:
            return weight
        return self.frame.add(OPS["BroadcastTo"], (weight,), {"shape": node.shape})

    def filled(self, node, number):
        """A node out here of the type of ``node``, filled with a number."""
        here = self.frame.here() or node.where
        return spread_like(self.frame.scope.graph, node.abstract, number, here)

    def of_input(self, place, gradients):
        """The gradient of an input, built as the input is; None if there is no tensor in it."""
        leaves = []
        check_input(self.inputs[place], place)
        tree = take_apart(self.inputs[place], leaves)
        if not any(isinstance(leaf, Node) for leaf in leaves):
            return None
        if id(self.given[place]) in self.frame.reader.given:  # a tuple that is a constant there
            return None
        return put_together(tree, iter([self._of_leaf(leaf, gradients) for leaf in leaves]))

    def is_plain(self, place):
        """Whether what came back to an input is no tensor, and stays what it is: even None."""
        return isinstance(self.inputs[place], Node) and self.inputs[place] in self.plain

    def _of_leaf(self, leaf, gradients):
        if not isinstance(leaf, Node):
            return type(leaf)(0)
        if leaf in self.plain:
            return self.plain[leaf]
        return gradients.get(leaf) or self.filled(leaf, 0)

    def of_weight(self, weight, gradients):
        """The gradient of a Parameter; zeros if the function does not read it."""
        node = self.scope.free.get(id(weight), (None,))[0]
        inside = self.scope.captured.get(node) if node is not None else None
        found = gradients.get(inside)
        if found is None:
            return self.filled(self.frame.node(weight), 0)
        return self._hooked(weight, found) if hooks.are_there() else found

    def _hooked(self, weight, gradient):
        """The gradient of a Parameter as the hooks leave it that it has by now."""
        for hook in hooks.hooks(weight):
            found = call_value(self.frame, hook, [gradient], {})
            gradient = gradient if found is None else self.frame.node(found)
        return gradient


class SplitCall:
    """A call that is written once, and whose way back can be written any number of times.

    ``result``: the Python result; ``kept``: the nodes of the frame that the way back reads.
    """

    def __init__(self, call, counted):
        outputs, leaves = call.graph.outputs, []
        take_apart(counted, leaves)
        wanted = [i < len(leaves) and differentiable(n.abstract) for i, n in enumerate(outputs)]
        halves = split(call.graph, wanted)
        found = inline(halves.forward, call.frame.scope.graph, call.passed)
        self.call, self.backward = call, halves.backward
        self.result = call.results(found[: len(outputs)])
        self.kept = [*[call.passed[i] for i in halves.read], *found[len(outputs) :]]

    def pulled(self, target, kept, seeds):
        """Write the way back into ``target``, where ``kept`` are these nodes: the gradients."""
        found = inline(self.backward, target, [*kept, *[s for s in seeds if s is not None]])
        moving = [p for p in self.call.graph.parameters if differentiable(p.abstract)]
        return dict(zip(moving, found, strict=True))


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
