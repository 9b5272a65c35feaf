"""One graph forwards and backwards, written into another.

Forwards the calls are copied; While and For are copied so that they also stack what each turn
started from. Backwards each call's own ``bprop`` runs on symbols; control nodes have a rule in
``control``.
"""

import numpy as np

from .. import errors, primitive
from ..infer import AbstractStack, AbstractTensor, AbstractTuple
from ..ir import MAKE_TUPLE, TUPLE_GET_ITEM, ControlPrimitive, Node, copy_node
from ..symbol import Builder, Symbol
from . import control


def differentiable(abstract):
    """Whether a value of this type has a gradient: tensors of numbers, and stacks of them."""
    if isinstance(abstract, AbstractStack):
        return differentiable(abstract.item)
    if isinstance(abstract, AbstractTensor):
        return not abstract.weak and abstract.dtype.kind != "bool"
    return False


def linearize(target, graph, arguments):
    """Copy ``graph`` into ``target`` on ``arguments``: (results, back)."""
    new = dict(zip(graph.parameters, arguments, strict=True))
    for constant in graph.constants.values():
        if constant.users:
            new[constant] = target.constant(constant.value, constant.abstract)
    kept = {}
    for node in graph.order():
        inputs = [new[n] for n in node.inputs]
        rule = control.FORWARD.get(node.primitive)
        if rule is None:
            new[node] = copy_node(node, target, inputs)
        else:
            new[node], kept[node] = rule(target, node, inputs)
    outputs = tuple([new[n] for n in graph.outputs])
    return outputs, Back(target, graph, new, kept)


class Back:
    """The way back through one linearized graph. Called with one dout per result (None: zero).

    Returns one gradient per parameter of the graph, None where there is none.
    """

    def __init__(self, target, graph, new, kept):
        self.target, self.graph, self.new, self.kept = target, graph, new, kept
        self.douts, self.turns = {}, {}

    def __call__(self, douts):
        self.douts = {}
        for node, dout in zip(self.graph.outputs, douts, strict=True):
            self.give(node, dout)
        with Builder(self.target) as self.builder:
            for node in reversed(self.graph.order()):
                dout = self.douts.pop(node, None)
                if dout is not None:
                    self._through(node, dout)
        return [self.douts.get(p) for p in self.graph.parameters]

    def give(self, node, dout):
        """Add ``dout`` to what has come back to ``node``."""
        if dout is None or not differentiable(node.abstract):
            return
        before = self.douts.get(node)
        self.douts[node] = dout if before is None else self._sum(before, dout)

    def _sum(self, one, other):
        if isinstance(one.abstract, AbstractStack):
            return control.add_stacks(self, one, other)
        return self.target.add(primitive.slot_op("+"), (one, other), origin=one.origin)

    def _through(self, node, dout):
        self.builder.where, self.builder.origin = node.where, node.id
        op = node.primitive
        if op is TUPLE_GET_ITEM:
            parts = self.douts.setdefault(
                node.inputs[0], [None] * len(node.inputs[0].abstract.items)
            )
            index = node.attrs["index"]
            before = parts[index]
            parts[index] = dout if before is None else self._sum(before, dout)
        elif op is MAKE_TUPLE:
            for used, part in zip(node.inputs, dout, strict=True):
                self.give(used, part)
        elif isinstance(op, ControlPrimitive):
            parts = dout if isinstance(dout, list) else [dout]
            control.BACKWARD[op](self, node, parts)
        else:
            self._op(node, dout)

    def _op(self, node, dout):
        for used, gradient in zip(node.inputs, self._gradients(node, dout), strict=True):
            if gradient is not None and differentiable(used.abstract):
                self.give(used, fitted(self.builder, node, gradient, used.abstract))

    def _gradients(self, node, dout):
        op, builder = node.primitive, self.builder
        if op.bprop is None:
            return [None] * len(node.inputs)
        operands = [Symbol(self.new[n]) for n in node.inputs]
        out = self.new[node]
        if isinstance(node.abstract, AbstractTuple):
            parts = zip(dout, node.abstract.items, strict=True)
            dout = tuple([Symbol(d or spread_like(self.target, a, 0)) for d, a in parts])
            out = builder.wrap(out)
        else:
            out, dout = Symbol(out), Symbol(dout)
        arguments = (tuple(operands),) if op.arity is None else tuple(operands)
        named = {key: node.attrs[key] for key in op.bprop_attributes}
        gradients = op.bprop(*arguments, out, dout, **named)
        gradients = gradients if isinstance(gradients, tuple | list) else (gradients,)
        if len(gradients) != len(node.inputs):
            raise _wrong_count(node, gradients)
        return gradients


def _wrong_count(node, gradients):
    return errors.NotRunnable(
        f"For '{node.primitive.name}', bprop returned {len(gradients)} gradients but the op has "
        f"{len(node.inputs)} inputs.",
        given=f"inputs {', '.join(str(n.abstract) for n in node.inputs)}",
        hint="Return one gradient per input, in order: `return dx, dy`.",
        where=node.where,
    )


def fitted(builder, node, gradient, abstract):
    """A gradient with its operand's shape and dtype: summed over broadcast axes, cast."""
    found = builder.node(gradient)
    if found.abstract.weak:
        found = spread_like(builder.graph, abstract, gradient)
    if found.shape != abstract.shape:
        found = builder.node(_summed(node, Symbol(found), abstract.shape))
    if found.dtype is not abstract.dtype:
        found = builder.node(primitive.NAMES["cast"](Symbol(found), abstract.dtype))
    return found


def _summed(node, gradient, shape):
    try:
        return primitive.OPS["SumTo"](gradient, shape=shape)
    except errors.MsExtError:
        raise errors.InvalidValue(
            f"For '{node.primitive.name}', bprop returned a gradient of the wrong shape.",
            given=f"{list(gradient.shape)} for an operand of shape {list(shape)}",
            hint="Return a gradient of the operand's shape (or one that broadcasting came from).",
            where=node.where,
        ) from None


def spread_like(graph, abstract, number):
    """A tensor of type ``abstract`` filled with ``number``: a constant, spread by broadcasting."""
    if isinstance(number, Node):
        return number
    one = graph.constant(np.array(number, abstract.dtype.numpy))
    if abstract.shape == ():
        return one
    return graph.add(primitive.OPS["BroadcastTo"], (one,), {"shape": abstract.shape})
