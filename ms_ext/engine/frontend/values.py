"""What a name may stand for while Python is read: nodes, plain constants, and these few others.

A structure (tuple, list, dict) of values is taken apart into a tree and its leaves where it has to
cross the border of a region, and put together again behind it.
"""

import numpy as np

from .. import errors
from ..dims import Dim
from ..infer import AbstractTensor, abstract_of
from ..ir import Node
from ..operands import python_number
from ..tensor import Tensor

NUMPY_NUMBER = np.integer | np.floating | np.bool_


class Closure:
    """A function defined inside a compiled one: its source, its frame, its defaults."""

    __slots__ = ("defaults", "frame", "source")

    def __init__(self, source, frame, defaults):
        self.source, self.frame, self.defaults = source, frame, defaults

    def __call__(self, *args, **kwargs):
        raise errors.InvalidSyntax(
            f"Python called '{self.source.name}', a function that was defined in compiled code.",
            hint="Define it outside, or call it in compiled code.",
        )


class BoundMethod:
    """``x.sum``: an op that waits for the rest of its arguments."""

    __slots__ = ("op", "owner")

    def __init__(self, op, owner):
        self.op, self.owner = op, owner


class HostMethod:
    """``x.asnumpy``: a method of tensors in Python's hands, asked when the graph runs."""

    __slots__ = ("name", "owner")

    def __init__(self, name, owner):
        self.name, self.owner = name, owner


class Place:
    """An attribute that is written to, as a key of memory."""

    __slots__ = ("name", "owner")

    def __init__(self, owner, name):
        self.owner, self.name = owner, name

    def __eq__(self, other):
        return type(other) is Place and self.owner is other.owner and self.name == other.name

    def __hash__(self):
        return hash((id(self.owner), self.name))


class Choice:
    """One of two functions, chosen by a tensor: a call of it becomes an If."""

    __slots__ = ("condition", "one", "other")

    def __init__(self, condition, one, other):
        self.condition, self.one, self.other = condition, one, other


class Unusable:
    """A name without a value on this path; reading it raises ``error``."""

    __slots__ = ("error",)

    def __init__(self, error):
        self.error = error


class Range:
    """``range(...)`` that becomes a loop of the graph: a bound is a node, or the turns are many."""

    __slots__ = ("start", "step", "stop")

    def __init__(self, start, stop, step):
        self.start, self.stop, self.step = start, stop, step


# trees --------------------------------------------------------------------------------------------

LEAF = "leaf"


_LEAVES = Node | Tensor | np.ndarray | bool | int | float | NUMPY_NUMBER | Dim


def is_leaf(value):
    """Whether a value can be a node of a graph."""
    return isinstance(value, _LEAVES)


#: What of NumPy's stays NumPy's in a result; its floats are Python's.
ARRAYS = np.ndarray | np.integer | np.bool_


def take_apart(value, leaves, kept=()):
    """The tree of ``value``; what can be a node, and is not ``kept``, is appended to ``leaves``.

    >>> leaves = []
    >>> take_apart({"a": 2.0, "b": None}, leaves), leaves
    ((<class 'dict'>, ('a', 'b'), ('leaf', ('constant', None))), [2.0])
    """
    if kept and isinstance(value, kept):
        return "copied", value
    if is_leaf(value):
        leaves.append(value)
        return LEAF
    if type(value) in (tuple, list):
        return type(value), None, tuple([take_apart(v, leaves, kept) for v in value])
    if type(value) is range:  # what it counts, as a tuple
        return take_apart(tuple(value), leaves, kept)
    if type(value) is dict:
        return dict, tuple(value), tuple([take_apart(v, leaves, kept) for v in value.values()])
    return "constant", value


def put_together(tree, leaves):
    """The value of a tree; ``leaves`` is an iterator."""
    if tree is LEAF:
        return next(leaves)
    if tree[0] == "constant":
        return tree[1]
    if tree[0] == "copied":  # whoever gets it may write to it
        return tree[1].copy()
    kind, keys, branches = tree
    items = [put_together(b, leaves) for b in branches]
    return dict(zip(keys, items, strict=True)) if kind is dict else kind(items)


def mapped(f, value):
    """A structure built like ``value``, with ``f`` of everything in it.

    >>> mapped(abs, (-1, [{"a": -2.0}]))
    (1, [{'a': 2.0}])
    """
    if type(value) in (tuple, list):
        return type(value)([mapped(f, v) for v in value])
    if type(value) is dict:
        return {k: mapped(f, v) for k, v in value.items()}
    return f(value)


def same_constant(one, other):
    """Whether two leaves are one constant (1 and True are not, nor 0.0 and -0.0)."""
    if one is other:
        return True
    plain = type(one) is type(other) and isinstance(one, bool | int | float | NUMPY_NUMBER)
    return plain and repr(one) == repr(other)


# types --------------------------------------------------------------------------------------------


def type_of(value):
    """The abstract of a node or a constant."""
    return value.abstract if isinstance(value, Node) else abstract_of(python_number(value))


CANNOT_JOIN = (
    "Cannot join the return values of different branches, perhaps you need to make them equal."
)


def cannot_join(one, other, what=""):
    """MindSpore's error for two values that cannot be one; ``what`` tells whose values."""
    return errors.InvalidType(
        f"{CANNOT_JOIN} {what}{_reason(one, other)}",
        given=f"{one} and {other}",
        hint="Give both the same dtype and shape, for example with .astype or a Tensor(...).",
    )


def _reason(one, other):
    tensors = isinstance(one, AbstractTensor) and isinstance(other, AbstractTensor)
    if tensors and one.weak == other.weak and one.dtype is not other.dtype:
        return f"Type Join Failed: dtype1 = {one.dtype}, dtype2 = {other.dtype}."
    return f"Abstract type {_kind(one)} cannot join with {_kind(other)}."


def _kind(abstract):
    weak = getattr(abstract, "weak", None)
    if weak is None:
        return type(abstract).__name__
    return "AbstractScalar" if weak else "AbstractTensor"
