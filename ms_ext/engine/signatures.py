"""What a compiled function is remembered by: the signature of a call, and the types it stands for.

>>> leaves = []
>>> signature((Tensor([1.0, 2.0]), 3), leaves)
(<class 'tuple'>, (mindspore.float32, (2,)), (<class 'int'>, 3))
"""

import numpy as np

from . import mutable
from .infer import AbstractTensor, abstract_of
from .symbol import Symbol
from .tensor import Tensor


def of_call(args, kwargs, leaves):
    """The signature of a call: (arguments, keywords or None); its tensors are put in ``leaves``."""
    return signature(args, leaves), signature(kwargs, leaves) if kwargs else None


def signature(value, leaves):
    """The part of the key that ``value`` stands for; its tensors are appended to ``leaves``."""
    kind = type(value)
    if isinstance(value, Tensor):
        leaves.append(value)
        return value.dtype, value.shape
    if kind is tuple or kind is list:
        return (kind, *[signature(v, leaves) for v in value])
    if kind is dict:
        return (kind, *[(k, signature(v, leaves)) for k, v in value.items()])
    if kind is np.ndarray:
        return kind, value.dtype.str, value.shape, value.tobytes()  # a constant of Python's
    if kind in _EXACT:
        return kind, value
    if kind is float or isinstance(value, np.generic):
        return kind, repr(value)  # for == is 0.0 the same as -0.0, and nan not even as nan
    if kind in mutable.MADE:
        return mutable.signature(value, leaves, signature)
    return kind, id(value), _Alive(value)


_EXACT = frozenset((int, bool, str, type(None)))


class _Alive:
    """Keeps an object of a signature alive, so that its id is not reused; never decides a key."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def kind_of(value):
    """What graph mode reads for an argument: the type of a tensor, any other value itself."""
    if type(value) in mutable.MADE:
        return mutable.abstract(value, kind_of)
    return abstract_of(value) if isinstance(value, Tensor) else value


def kinds_with(shapes):
    """As ``kind_of``, with shapes from an iterator."""

    def kind(value):
        if type(value) in mutable.MADE:
            return mutable.abstract(value, kind)
        if isinstance(value, Tensor):
            return AbstractTensor(abstract_of(value).dtype, next(shapes))
        return value

    return kind


def has_symbol(value):
    """Whether a part of a value is a Symbol: the call is made in a function that is traced."""
    if isinstance(value, tuple | list):
        return any(map(has_symbol, value))
    if isinstance(value, dict):
        return any(map(has_symbol, value.values()))
    return isinstance(value, Symbol)
