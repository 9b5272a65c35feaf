"""The gradient of what Python calculates when the graph runs, as where a shape is known only then.

PyPull calls the function once more while the tape records, and goes back. What is no Tensor then,
and what the tape cannot follow, has no gradient: None.

| node | operands | results |
|---|---|---|
| PyPull | *the function's values, *douts | a gradient for each value that has one |
"""

import functools
import gc
import types

import numpy as np

from .. import errors, tape
from ..frontend.effects import PYTHON, Asked, python_value
from ..frontend.values import put_together
from ..infer import OBJECT
from ..ir import packed
from ..ir.control import effect
from ..tensor import Tensor
from .linearize import rule_of
from .values import differentiable

NOTHING = None  # an Object's gradient where nothing came back
CONTAINERS = (tuple, list, dict)
ONES = 1  # ... where it is a result of the function whose gradient is taken


class Pull:
    """``f(*values, *douts)``: the gradients of ``function`` at its values; None where none is.

    The gradient of a tuple, list or dict of tensors is one of gradients.
    """

    __slots__ = ("call", "count", "function", "tree")

    def __init__(self, function, tree, count, call):
        self.function, self.tree, self.count, self.call = function, tree, count, call

    def __call__(self, *given):
        values, douts = given[: self.count], given[self.count :]
        leaves = [leaf for value in values for leaf in leaves_of(value)]
        if any(dout is not NOTHING for dout in douts):
            self.call.refuse(filter(hides_tensors, leaves))
        moving = [i for i, leaf in enumerate(leaves) if moves(leaf)]
        found = [NOTHING] * len(leaves)
        if moving and any(dout is not NOTHING for dout in douts):
            weighed = functools.partial(self._weighed, values, douts)
            gradients = tape.differentiate(weighed, leaves, moving, zeros=False)[1]
            for position, gradient in zip(moving, gradients, strict=True):
                found[position] = gradient
        found = iter(found)
        return tuple([_gathered(value, found) for value in values])

    def _weighed(self, values, douts, *leaves):
        """The sum of the function's results, each times its dout."""
        leaves = iter(leaves)
        args, kwargs = put_together(self.tree, iter([built_as(value, leaves) for value in values]))
        outputs = self.function(*args, **kwargs)
        total = Tensor(0.0)
        several = isinstance(self.function, Pull)  # it gives a tuple of results, not one object
        for out, dout in zip(outputs if several else (outputs,), douts, strict=True):
            total = sum(_products(out, dout), total)
        return total


class Lost(Pull):
    """The way back through a call that may do more than answer: it is not called once more."""

    __slots__ = ()

    def __call__(self, *given):
        values, douts = given[: self.count], given[self.count :]
        if any(dout is not NOTHING for dout in douts):
            leaves = [leaf for value in values for leaf in leaves_of(value)]
            self.call.refuse(leaf for leaf in leaves if moves(leaf) or hides_tensors(leaf))
        return (NOTHING,) * self.count


class Called:
    """What is said of a call that no gradient goes through: its text and its line."""

    __slots__ = ("text", "where")

    def __init__(self, node):
        self.text, self.where = node.attrs["asked"].text, node.where

    def refuse(self, hidden):
        """Raise if there is anything that the gradient would have to go on to."""
        for value in hidden:
            raise errors.NotRunnable(
                "A gradient cannot go through what Python calculates here when the graph runs: it "
                "would be zero where it is not.",
                given=f"{self.text}, with a {type(value).__name__}",
                hint="Use ops and methods of Tensor there. If no gradient is meant to go through, "
                "put ops.stop_gradient(...) around what comes out.",
                where=self.where,
            )


def _products(out, dout):
    """Each tensor in a result, times its dout, summed."""
    if dout is NOTHING:
        return
    if type(out) in CONTAINERS:
        douts = [dout] * len(out) if type(dout) is int else items_of(dout)
        for part, its in zip(items_of(out), douts, strict=True):
            yield from _products(part, its)
    elif moves(out):
        yield out.sum() if type(dout) is int else (out * dout).sum()


def moves(value):
    """Whether a Python object can have a gradient or a tangent."""
    return isinstance(value, Tensor) and value.dtype.kind == "float"


def hides_tensors(value, depth=4):
    """Whether an object holds tensors where a gradient does not find them.

    >>> hides_tensors({Tensor(1.0)}), hides_tensors({1.0}), hides_tensors(Tensor(1.0))
    (True, False, False)
    """
    if hasattr(value, "__next__"):  # it may: it can be gone through only once
        return True
    if isinstance(value, Tensor | np.ndarray | type | types.ModuleType) or not depth:
        return False
    if isinstance(value, types.FunctionType):  # not the names of its module
        parts = [value.__closure__, value.__defaults__]
    else:
        parts = gc.get_referents(value)
    return any(moves(part) or hides_tensors(part, depth - 1) for part in parts)


def items_of(value):
    """What a tuple, list or dict holds."""
    return value.values() if type(value) is dict else value


def leaves_of(value):
    """What a tuple, list or dict holds, and what these hold; anything else itself.

    >>> list(leaves_of((1, [2, "a"])))
    [1, 2, 'a']
    """
    if type(value) not in CONTAINERS:
        yield value
        return
    for item in items_of(value):
        yield from leaves_of(item)


def built_as(value, leaves):
    """A value as ``value``, of other leaves.

    >>> built_as((1, [2, "a"]), iter("xyz"))
    ('x', ['y', 'z'])
    """
    if type(value) not in CONTAINERS:
        return next(leaves)
    items = [built_as(item, leaves) for item in items_of(value)]
    return dict(zip(value, items, strict=True)) if type(value) is dict else type(value)(items)


def _gathered(value, found):
    """The gradients of the leaves of a value, as one; None if there is none."""
    return whole_or_nothing(built_as(value, found))


def whole_or_nothing(gradient):
    """A gradient made of parts; None if none of them is there.

    >>> whole_or_nothing([None, {"a": None}]), whole_or_nothing([None, 1])
    (None, [None, 1])
    """
    return NOTHING if all(leaf is NOTHING for leaf in leaves_of(gradient)) else gradient


@effect("PyPull", lambda inputs, attrs, graphs: packed(attrs["asked"].gives))
def PULL(node):
    """Call it; a gradient is as its value is: an array of the same type, or an object."""
    pull, kinds = node.attrs["asked"].function, [used.abstract for used in node.inputs]
    wanted = [i for i in range(pull.count) if differentiable(kinds[i])]

    def run(*values):
        found = pull(*map(python_value, values, kinds))
        gradients = tuple([_as(found[i], kinds[i], values[i]) for i in wanted])
        return gradients[0] if len(gradients) == 1 else gradients

    return run


def _as(gradient, kind, value):
    if kind is OBJECT:
        return gradient
    return np.zeros_like(value) if gradient is None else gradient.asnumpy()


@rule_of(PYTHON)
def back_python(back, node, douts):
    """The way back through PyExecute: (state, answer). What may do more than answer has none."""
    asked, dout = node.attrs["asked"], douts[1]
    if dout is not None:
        kind = Pull if asked.pure else Lost
        pull = kind(asked.function, asked.tree, _count(node) - 1, Called(node))
        _pulled(back, node, node.inputs[1:], pull, [dout])


@rule_of(PULL)
def back_pull(back, node, douts):
    """The way back through PyPull, for a gradient of a gradient."""
    pull = node.attrs["asked"].function
    tree = (list, None, ((list, None, ("leaf",) * _count(node)), (dict, (), ())))
    wanted = iter(douts)
    kinds = [used.abstract for used in node.inputs[: pull.count]]
    given = [next(wanted) if differentiable(kind) else None for kind in kinds]
    nothing = back.target.constant(NOTHING, OBJECT)
    again = Pull(pull, tree, _count(node), pull.call)
    _pulled(back, node, node.inputs, again, [d or nothing for d in given])


def _count(node):
    return len(node.inputs)


def _pulled(back, node, receivers, pull, douts):
    """Write the PyPull and give its results to the values."""
    wanted = [used for used in receivers if differentiable(used.abstract)]
    if not wanted:
        return
    asked = Asked(
        pull, None, f"gradient of {node.attrs['asked'].text}", [n.abstract for n in wanted]
    )
    inputs = (*[back.reading(back.at(used)) for used in receivers], *douts)
    gradients = back.write(PULL, inputs, {"asked": asked}, (), node)
    for used, gradient in zip(wanted, gradients, strict=True):
        back.give(used, gradient)
