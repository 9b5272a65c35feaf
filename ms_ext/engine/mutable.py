"""Numbers that stay inputs of a compiled function, alone or in a tuple, list or dict.

A plain number is a constant: the function is compiled again for another one.

>>> from ms_ext import Tensor, jit
>>> @jit
... def scaled(x, by):
...     return x * by
>>> [float(scaled(Tensor(2.0), mutable(n))) for n in (3, 4)], scaled.compiled
([6.0, 8.0], 1)
"""

from . import errors
from .infer import abstract_of
from .tensor import Tensor


class Int(int):
    """An int that is an input of a graph."""


class Float(float):
    """A float that is an input of a graph."""


class Tuple(tuple):
    """A tuple whose numbers are inputs of a graph."""

    __slots__ = ()


class List(list):
    """A list whose numbers are inputs of a graph."""


class Dict(dict):
    """A dict whose numbers are inputs of a graph."""


KINDS = {int: Int, float: Float, tuple: Tuple, list: List, dict: Dict}
MADE = {made: plain for plain, made in KINDS.items()}


def mutable(input_data, dynamic_len=False):
    """The same number, tuple, list or dict, whose numbers are inputs where it is an argument.

    A Tensor is one anyway. ``dynamic_len`` (a sequence of any length) is not built: each length is
    compiled for itself.
    """
    if isinstance(input_data, Tensor) or type(input_data) in MADE:
        return input_data
    kind = KINDS.get(type(input_data))
    if kind is None:
        raise errors.InvalidType(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, "
            "list, dict) or their nested structures with no self-reference, but got "
            f"{type(input_data).__name__}: {input_data!s:.60}."
        )
    if dynamic_len and kind not in (Tuple, List):
        raise errors.InvalidType(
            "For 'mutable', when the variable_len is True, the first input should be list or "
            f"tuple, but got: {type(input_data).__name__}"
        )
    return kind(input_data)


def signature(value, leaves, plain):
    """The part of a cache key that a mutable value stands for: kinds; its leaves are appended.

    ``plain(value, leaves)`` does the same for what is no number.
    """
    kind = MADE.get(type(value), type(value))
    if kind in (int, float):
        leaves.append(kind(value))
        return "mutable", kind
    if kind is dict:
        return (kind, *[(k, signature(v, leaves, plain)) for k, v in value.items()])
    if kind in (tuple, list):
        return (kind, *[signature(v, leaves, plain) for v in value])
    return plain(value, leaves)


def abstract(value, plain):
    """What graph mode reads for a mutable value: types where inputs are, in what is mutable too."""
    kind = MADE.get(type(value), type(value))
    if kind in (int, float):
        return abstract_of(kind(value))
    if kind is dict:
        return Dict({key: abstract(item, plain) for key, item in value.items()})
    if kind in (tuple, list):
        return KINDS[kind]([abstract(item, plain) for item in value])
    return plain(value)
