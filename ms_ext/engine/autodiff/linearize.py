"""One graph forwards and backwards, written into another.

Forwards the calls are copied; While and For are copied so that they also stack what each turn
started from. Backwards each call's own ``bprop`` runs on symbols; control nodes have a rule in
``control``.
"""

import numpy as np

from .. import errors, primitive
from ..infer import OBJECT, AbstractStack, AbstractTensor, AbstractTuple
from ..ir import MAKE_TUPLE, TUPLE_GET_ITEM, ControlPrimitive, Node, Where, copy_node
from ..symbol import UNKNOWN, Builder, Symbol
from . import control


def differentiable(abstract):
    """Whether a value of this type has a gradient: tensors of numbers, stacks of them, Objects."""
    if abstract is OBJECT:
        return True
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
        self.douts[node] = dout if before is None else self._sum(node, before, dout)

    def _sum(self, node, one, other):
        """Two gradients of ``node``, added."""
        if isinstance(one.abstract, AbstractStack):
            return control.add_stacks(self, one, other)
        if one.abstract is OBJECT:
            return control.objects.sum_of(self, node, one, other)
        plus = primitive.slot_op("+")
        where = node.where or one.where or other.where or node.graph.where
        return self.target.add(plus, (one, other), where=where, origin=one.origin)

    def _through(self, node, dout):
        self.builder.where, self.builder.origin = node.where, node.id
        op = node.primitive
        if op is TUPLE_GET_ITEM:
            parts = self.douts.setdefault(
                node.inputs[0], [None] * len(node.inputs[0].abstract.items)
            )
            index = node.attrs["index"]
            before = parts[index]
            parts[index] = dout if before is None else self._sum(node, before, dout)
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
            parts, at = zip(dout, node.abstract.items, strict=True), node.where
            dout = tuple([Symbol(d or spread_like(self.target, a, 0, at)) for d, a in parts])
            out = builder.wrap(out)
        else:
            out, dout = Symbol(out), Symbol(dout)
        arguments = (tuple(operands),) if op.arity is None else tuple(operands)
        named = {key: node.attrs[key] for key in op.bprop_attributes}
        ours = op.module.startswith("ms_ext.")
        builder.caller = None if ours else _returned.__code__  # whose lines are looked for
        gradients = _returned(node, (*arguments, out, dout), named)
        builder.caller = None
        gradients = gradients if isinstance(gradients, tuple | list) else (gradients,)
        if len(gradients) != len(node.inputs):
            raise _wrong_count(node, gradients)
        return gradients


def _returned(node, arguments, named):
    """What the bprop of a node gives on symbols; an error of its is placed in its own line."""
    try:
        return node.primitive.bprop(*arguments, **named)
    except errors.MsExtError as error:
        error.where = error.where or _own_line(error.__traceback__) or node.where
        if error.message == UNKNOWN:
            raise _wants_elements(node, error) from None
        raise


def _own_line(traceback):
    """The innermost line of an error that is somebody's own, None if all are this package's."""
    found = None
    while traceback is not None:
        frame = traceback.tb_frame
        numpys = frame.f_globals.get("__name__", "").startswith("numpy.")
        if not numpys and not errors.inside(frame.f_code.co_filename):
            found = traceback
        traceback = traceback.tb_next
    return found and Where.running(found.tb_frame, found.tb_lasti)


def _wants_elements(node, error):
    return errors.NotRunnable(
        f"For '{node.primitive.name}', the bprop asks for elements, and they are not known while "
        "a graph is built.",
        given=error.given,
        hint="A bprop that is compiled runs once, while the graph is built. It sees symbols: "
        "shape and dtype, no values.\nUse ops and Tensor methods instead of NumPy, `if` and "
        "float(): ops.where(x > 0, dout, 0.0).",
        where=error.where,
    )


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
        found = spread_like(builder.graph, abstract, gradient, builder.where)
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


def spread_like(graph, abstract, number, where=None):
    """A tensor of type ``abstract`` filled with ``number``: a constant, spread by broadcasting."""
    if isinstance(number, Node):
        return number
    if abstract is OBJECT:
        return graph.constant(number or None, OBJECT)
    one = graph.constant(np.array(number, abstract.dtype.numpy))
    if abstract.shape == ():
        return one
    return graph.add(primitive.OPS["BroadcastTo"], (one,), {"shape": abstract.shape}, where=where)
