"""The gradient of what Python calculates when the graph runs, as where a shape is known only then.

PyPull calls the function once more while the tape records, and goes back. What is no Tensor then,
and what the tape cannot follow, has no gradient: None.

| node | operands | results |
|---|---|---|
| PyPull | *the function's values, *douts | a gradient for each value that has one |
"""

import functools

import numpy as np

from .. import tape
from ..frontend.effects import Asked, python_value
from ..frontend.values import put_together
from ..infer import OBJECT
from ..ir import packed
from ..ir.control import effect
from ..primitive import slot_op
from ..tensor import Tensor
from . import linearize as parts

NOTHING = None  # an Object's gradient where nothing came back
ONES = 1  # ... where it is a result of the function whose gradient is taken


class Pull:
    """``f(*values, *douts)``: the gradients of ``function`` at its values; None where none is."""

    __slots__ = ("count", "function", "tree")

    def __init__(self, function, tree, count):
        self.function, self.tree, self.count = function, tree, count

    def __call__(self, *given):
        values, douts = given[: self.count], given[self.count :]
        moving = [i for i, value in enumerate(values) if _moves(value)]
        found = [None] * len(values)
        if moving and any(dout is not NOTHING for dout in douts):
            weighed = functools.partial(self._weighed, douts)
            gradients = tape.differentiate(weighed, values, moving)[1]
            for position, gradient in zip(moving, gradients, strict=True):
                found[position] = gradient
        return tuple(found)

    def _weighed(self, douts, *values):
        """The sum of the function's results, each times its dout."""
        args, kwargs = put_together(self.tree, iter(values))
        outputs = self.function(*args, **kwargs)
        total = Tensor(0.0)
        for out, dout in zip(outputs if type(outputs) is tuple else (outputs,), douts, strict=True):
            if _moves(out) and dout is not NOTHING:
                total = total + (out.sum() if type(dout) is int else (out * dout).sum())
        return total


def _moves(value):
    return isinstance(value, Tensor) and value.dtype.kind == "float"


@effect("PyPull", lambda inputs, attrs, graphs: packed(attrs["asked"].gives))
def PULL(node):
    """Call it; a gradient is as its value is: an array of the same type, or an object."""
    pull, kinds = node.attrs["asked"].function, [used.abstract for used in node.inputs]
    wanted = [i for i in range(pull.count) if parts.differentiable(kinds[i])]

    def run(*values):
        found = pull(*map(python_value, values, kinds))
        gradients = tuple([_as(found[i], kinds[i], values[i]) for i in wanted])
        return gradients[0] if len(gradients) == 1 else gradients

    return run


def _as(gradient, kind, value):
    if kind is OBJECT:
        return gradient
    return np.zeros_like(value) if gradient is None else gradient.asnumpy()


def back_python(back, node, douts):
    """The way back through PyExecute: (state, answer); what only has an effect gives nothing."""
    asked, dout = node.attrs["asked"], douts[1]
    if dout is not None and asked.pure:
        _pulled(
            back, node, node.inputs[1:], Pull(asked.function, asked.tree, _count(node) - 1), [dout]
        )


def back_pull(back, node, douts):
    """The way back through PyPull, for a gradient of a gradient."""
    pull = node.attrs["asked"].function
    tree = (list, None, ((list, None, ("leaf",) * _count(node)), (dict, (), ())))
    wanted = iter(douts)
    kinds = [used.abstract for used in node.inputs[: pull.count]]
    given = [next(wanted) if parts.differentiable(kind) else None for kind in kinds]
    nothing = back.target.constant(NOTHING, OBJECT)
    _pulled(back, node, node.inputs, Pull(pull, tree, _count(node)), [d or nothing for d in given])


def _count(node):
    return len(node.inputs)


def _pulled(back, node, receivers, pull, douts):
    """Write the PyPull and give its results to the values."""
    wanted = [used for used in receivers if parts.differentiable(used.abstract)]
    if not wanted:
        return
    asked = Asked(
        pull, None, f"gradient of {node.attrs['asked'].text}", [n.abstract for n in wanted]
    )
    inputs = (*[back.new[used] for used in receivers], *douts)
    found = back.target.add(PULL, inputs, {"asked": asked}, where=node.where, origin=node.id)
    gradients = parts.control.items(back.target, found, len(wanted))
    for used, gradient in zip(wanted, gradients, strict=True):
        back.give(used, gradient)


def added(one, other):
    """The sum of two gradients of an Object."""
    if one is NOTHING or other is NOTHING:
        return one if other is NOTHING else other
    return one + other


@effect("PySum", lambda inputs, attrs, graphs: OBJECT)
def SUM(node):
    """Two gradients of an Object, added."""
    return added


def back_sum(back, node, douts):
    """The way back through PySum: to both."""
    for used in node.inputs:
        back.give(used, douts[0])


def sum_of(back, node, one, other):
    """The sum of two gradients of an Object, as a node."""
    asked = Asked(slot_op("+"), None, "sum of gradients")
    return back.target.add(SUM, (one, other), {"asked": asked}, where=node.where, origin=one.origin)
