"""The tangent of what Python calculates when the graph runs, as where a shape is known only then.

One more PyExecute calls the function with the tangents, by ``pushforward_eager``. Objects may be
lists and tuples of tensors: their tangents are the same, with None where nothing moves.
"""

import functools

import numpy as np

from ..forward_eager import pushforward_eager
from ..frontend.effects import BEGIN, PYTHON, Asked
from ..frontend.values import put_together
from ..infer import OBJECT, STATE
from ..ir import TUPLE_GET_ITEM
from ..tensor import Tensor
from .forward import pushes
from .objects import (
    CONTAINERS,
    NOTHING,
    PULL,
    Called,
    built_as,
    hides_tensors,
    items_of,
    leaves_of,
    moves,
    whole_or_nothing,
)
from .values import differentiable


class Push:
    """``f(*values, *tangents)``: the tangent of what ``function`` gives.

    ``moving`` says which of the values, that ``tree`` puts together, have a tangent. Where nothing
    moves when it runs it gives None, or zeros if it ``gives`` a tensor of known type.
    """

    __slots__ = ("call", "function", "gives", "moving", "tree")

    def __init__(self, function, tree, moving, gives, call):
        self.function, self.tree, self.moving, self.gives = function, tree, moving, gives
        self.call = call

    def __call__(self, *given):
        values, coming = given[: len(self.moving)], iter(given[len(self.moving) :])
        self.call.refuse(filter(hides_tensors, _leaves(values)))
        inputs, tangents = [], []
        for value, moving in zip(values, self.moving, strict=True):
            leaves = list(leaves_of(value))
            inputs += leaves
            tangents += _tangents_of(value, next(coming) if moving else NOTHING, leaves)
        if all(tangent is NOTHING for tangent in tangents):
            return self._nothing()

        def called(*leaves):
            leaves = iter(leaves)
            built = iter([built_as(value, leaves) for value in values])
            args, kwargs = put_together(self.tree, built)
            return self.function(*args, **kwargs)

        outputs, found = pushforward_eager(called, inputs, tangents)
        tangent = _of_tensors(outputs, iter(found))
        return self._nothing() if tangent is NOTHING else tangent

    def _nothing(self):
        if self.gives is OBJECT:
            return NOTHING
        return Tensor.from_numpy(np.zeros(self.gives.shape, self.gives.dtype.numpy))


class LostPush(Push):
    """``f(answer, *values, *tangents)`` for a call that may do more than answer: nothing moves."""

    __slots__ = ()

    def __call__(self, answer, *given):
        values, coming = given[: len(self.moving)], given[len(self.moving) :]
        if any(moves(leaf) or hides_tensors(leaf) for leaf in leaves_of(answer)):
            moved, leaves = any(t is not NOTHING for t in coming), _leaves(values)
            self.call.refuse(v for v in leaves if hides_tensors(v) or (moved and moves(v)))
        return self._nothing()


def _leaves(values):
    return [leaf for value in values for leaf in leaves_of(value)]


def _tangents_of(value, tangent, leaves):
    """The tangent of each leaf of a value, where it can have one."""
    if tangent is NOTHING:
        return [NOTHING] * len(leaves)
    parts = _parts(value, tangent)
    return [part if moves(leaf) else NOTHING for leaf, part in zip(leaves, parts, strict=True)]


def _parts(value, tangent):
    """The parts of a tangent, one per leaf of its value."""
    if type(value) not in CONTAINERS:
        yield tangent
        return
    parts = [NOTHING] * len(value) if tangent is NOTHING else items_of(tangent)
    for item, part in zip(items_of(value), parts, strict=True):
        yield from _parts(item, part)


def _of_tensors(value, found):
    """The tangents found, one per tensor, as the value holds its tensors."""
    leaves = (next(found) if isinstance(leaf, Tensor) else NOTHING for leaf in leaves_of(value))
    return whole_or_nothing(built_as(value, leaves))


def _one_of(pull, index, *values):
    """One of the gradients that a Pull gives."""
    return pull(*values)[index]


@pushes(PYTHON)
def _python(walk, node, inputs, tangents):
    """PyExecute: (state, answer)."""
    asked = node.attrs["asked"]
    walk.again(node, inputs)
    if not differentiable(asked.gives):
        return
    kind, values = Push if asked.pure else LostPush, inputs[1:]
    moving = [t is not None for t in tangents[1:]]
    push = kind(asked.function, asked.tree, moving, asked.gives, Called(node))
    if not asked.pure:
        answer = walk.target.add(TUPLE_GET_ITEM, (walk.new[node],), {"index": 1}, where=node.where)
        values = [answer, *values]
    walk.tangents[node] = [None, _pushed(walk, node, values, tangents, push)]


def _pushed(walk, node, values, tangents, push):
    """PyExecute that calls ``push``; a State of its own, for no effect happens again."""
    target, text = walk.target, f"tangent of {node.attrs['asked'].text}"
    asked = Asked(push, _flat(values, tangents), text, push.gives, True)
    own = f"{BEGIN} {walk.new[node].id} {len(target.constants)}"
    state = target.constant(own, STATE)
    given = [t for t in tangents if t is not None]
    both = walk.add(node, PYTHON, (state, *values, *given), {"asked": asked}, ())
    return target.add(TUPLE_GET_ITEM, (both,), {"index": 1}, where=node.where)


def _flat(values, tangents):
    """How these are put together as arguments: one after the other."""
    leaves = len(values) + sum(t is not None for t in tangents)
    return (list, None, ((list, None, ("leaf",) * leaves), (dict, (), ())))


@pushes(PULL)
def _pull(walk, node, inputs, tangents):
    """PyPull: a tangent for each gradient."""
    pull, gives = node.attrs["asked"].function, node.attrs["asked"].gives
    walk.again(node, inputs)
    kinds = [used.abstract for used in node.inputs[: pull.count]]
    places = [i for i, kind in enumerate(kinds) if differentiable(kind)]
    tree, moving = _flat(inputs, ()), [t is not None for t in tangents]
    parts = [
        Push(functools.partial(_one_of, pull, i), tree, moving, kind, pull.call)
        for i, kind in zip(places, gives, strict=True)
    ]
    found = [_pushed(walk, node, inputs, tangents, push) for push in parts]
    walk.tangents[node] = found[0] if len(found) == 1 else found
