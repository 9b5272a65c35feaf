"""What is kept for the way back as one value, and how such values are added.

A graph that calls itself keeps as much as it is deep, so what one call keeps has a type of its own,
Kept: anything. A loop keeps a Stack, one value per turn. Both hold numbers, or Stacks and Kepts in
their turn; a gradient of either has the same form, and None where nothing came back.

| node | operands | results |
|---|---|---|
| Keep | *values | Kept |
| Recall | kept | the values again, of the ``types`` they had |
| AddKept | two of one type, Stack or Kept | their sum, part by part |
"""

import numpy as np

from .. import errors
from ..infer import KEPT, AbstractTensor
from .control import runs


def zeros(abstract):
    """The gradient of a value of this type that nothing came back to.

    >>> from ms_ext.dtype import float32
    >>> zeros(AbstractTensor(float32, (2,))), zeros(KEPT)
    (array([0., 0.], dtype=float32), None)
    """
    if not isinstance(abstract, AbstractTensor):
        return None
    return abstract.number(0) if abstract.weak else np.zeros(abstract.shape, abstract.dtype.numpy)


def whole(stack, item, turns):
    """A stack to be read, one ``item`` (a type) per turn: zeros where nothing came back.

    >>> whole(None, KEPT, 2), whole([1, 2], KEPT, 2)
    ([None, None], [1, 2])
    """
    return [zeros(item)] * turns if stack is None else stack


def added(one, other):
    """The sum of two values that are kept: of arrays, or part by part.

    >>> added([np.float32([1.0]), None], [np.float32([2.0]), None])
    [array([3.], dtype=float32), None]
    """
    if one is None or other is None:
        return other if one is None else one
    if isinstance(one, list | tuple):
        return type(one)(map(added, one, other))
    if isinstance(one, dict):
        return {key: added(value, other[key]) for key, value in one.items()}
    return one + other


@runs("Keep", lambda inputs, attrs, graphs: KEPT)
def KEEP(node):
    """The values together."""
    return lambda *values: values


def _infer_recall(inputs, attrs, graphs):
    if inputs[0].abstract is not KEPT:
        raise errors.GraphError("Recall needs what Keep gave.", given=str(inputs[0].abstract))
    return attrs["types"]


@runs("Recall", _infer_recall)
def RECALL(node):
    """What was kept, value by value."""
    kinds = node.attrs["types"].items

    def run(kept):
        values = (None,) * len(kinds) if kept is None else kept
        pairs = zip(values, kinds, strict=True)
        return tuple([zeros(kind) if value is None else value for value, kind in pairs])

    return run


def _infer_add(inputs, attrs, graphs):
    one, other = [node.abstract for node in inputs]
    if one is not other:
        raise errors.GraphError("AddKept adds two of one type.", given=f"{one} and {other}")
    return one


@runs("AddKept", _infer_add)
def ADD_KEPT(node):
    """The sum, part by part."""
    return added
