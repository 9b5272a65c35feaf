"""What is a pattern? A small tree of calls, variables and constants, read from a function.

The function is run once on symbols without a type; every op it calls becomes a Call. Parameters are
variables: an operand where they are used as one, an attribute's value where they are given as that.

>>> from ms_ext import ops
>>> def source(x, y):
...     return ops.Add(x, ops.Neg(y))
>>> read(source)
Add(x, Neg(y))
"""

import math
from dataclasses import dataclass

import numpy as np

from .. import errors, primitive
from ..ir import MAKE_TUPLE, TUPLE_GET_ITEM
from ..symbol import Symbol
from ..tensor import Tensor

VARIADIC, KEYWORDS = 0x04, 0x08  # flags of a code object


class Untyped(errors.InvalidType):
    """A type was asked for while a pattern is read: there is no value yet."""


@dataclass(frozen=True)
class _NoType:
    name: str

    def __getattr__(self, field):
        raise Untyped(
            f"{self.name} is any value while the pattern is read: it has no {field} yet.",
            hint="Ask for it in `when` or in the target: there the variable is the matched value.",
        )

    def __repr__(self):
        return f"any {self.name}"


class _Part:
    __slots__ = ()

    @property
    def abstract(self):
        """A pattern has no type: asking for one says so."""
        return _NoType(repr(self))


@dataclass(frozen=True, eq=False, slots=True)
class Var(_Part):
    """Any value; ``accepts(node)`` may narrow that. Used twice, it must be the same node twice."""

    name: str
    accepts: object = None

    def __repr__(self):
        return self.name


@dataclass(frozen=True, eq=False, slots=True)
class Rest(_Part):
    """All further operands of a call."""

    name: str
    accepts: object = None

    def __repr__(self):
        return f"*{self.name}"


@dataclass(frozen=True, eq=False, slots=True)
class Const(_Part):
    """A constant: a Python number stands for every constant whose elements all equal it."""

    value: object

    def __repr__(self):
        return f"{self.value}"


@dataclass(frozen=True, eq=False, slots=True)
class Call(_Part):
    """A call of ``primitive``, compared by name; of the attributes only those in ``attrs``
    count."""

    primitive: object
    inputs: tuple
    attrs: dict
    label: str = ""

    @property
    def name(self):
        """The primitive's name."""
        return self.primitive.name

    def __repr__(self):
        defaults = dict(self.primitive.attributes)
        unusual = [f"{k}={v}" for k, v in self.attrs.items() if not same_value(v, defaults.get(k))]
        return f"{self.name}({', '.join([*map(repr, self.inputs), *unusual])})"


def read(function, known=None):
    """The pattern that ``function`` returns; ``known``: the parts its parameters stand for, by
    name."""
    mine = variables(function)
    symbols = [Symbol((known or mine)[name]) for name in mine]
    with primitive.interpreting(_write):
        return part_of(function(*symbols), function)


def variables(function):
    """The variables of a function's parameters by name; ``*xs`` is the rest of a call's
    operands."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & KEYWORDS or code.co_kwonlyargcount:
        raise errors.InvalidType(
            "A pattern is an ordinary function of its variables.",
            given=getattr(function, "__qualname__", repr(function)),
            hint="def source(x, y): return ops.Add(x, ops.Neg(y))",
        )
    found = {name: Var(name) for name in code.co_varnames[: code.co_argcount]}
    if code.co_flags & VARIADIC:
        name = code.co_varnames[code.co_argcount]
        found[name] = Rest(name)
    return found


def _write(op, operands, attributes):
    """The interpreter while a pattern is read: an op call becomes a Call."""
    if not any(isinstance(o, Symbol) for o in operands):
        return primitive.default(op, operands, attributes)
    attrs = {key: _attribute(v) for key, v in attributes.items()}
    call = Call(op, tuple(map(part_of, operands)), attrs)
    if op.outputs == 1:
        return Symbol(call)
    return tuple([Symbol(Call(TUPLE_GET_ITEM, (call,), {"index": i})) for i in range(op.outputs)])


def _attribute(value):
    if isinstance(value, Symbol) and isinstance(value.node, Var):
        return value.node
    if isinstance(value, Symbol) or (
        isinstance(value, tuple) and any(isinstance(v, Symbol) for v in value)
    ):
        raise Untyped(
            "In a pattern, an attribute is a plain value or one variable for the whole of it.",
            given=f"{value!r:.60}",
        )
    return value


def part_of(value, function=None):
    """The pattern of a symbol, a number, a tensor, or a tuple of these."""
    if isinstance(value, Symbol):
        return value.node
    if isinstance(value, bool | int | float):
        return Const(value)
    if isinstance(value, Tensor):
        return Const(value.asnumpy().copy())
    if isinstance(value, np.ndarray):
        return Const(value)
    if isinstance(value, tuple | list) and function is None:
        return Call(MAKE_TUPLE, tuple(map(part_of, value)), {})
    raise errors.InvalidType(
        f"{function.__name__ if function else 'A pattern'} must return an op call on variables.",
        given=f"{value!r:.60} of type {type(value).__name__}",
        hint="def source(x, y): return ops.Add(x, ops.Neg(y))",
    )


def same_value(one, other):
    """Whether two attribute values are the same; 1, 1.0 and True are not."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same_value, one, other))
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)


def equals_constant(wanted, value):
    """Whether a constant's value is ``wanted``. A zero must have the sign that is wanted.

    >>> equals_constant(1, np.ones(3)), equals_constant(0, -0.0), equals_constant(1, True)
    (True, False, False)
    """
    if isinstance(value, int | float) and isinstance(wanted, int | float):
        same = value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
        return same and (wanted != 0 or math.copysign(1, value) == math.copysign(1, wanted))
    if value is None or isinstance(value, str):
        return False
    return _equals_array(wanted, np.asarray(value))


def _equals_array(wanted, array):
    if isinstance(wanted, np.ndarray):
        return array.dtype == wanted.dtype and np.array_equal(array, wanted)
    if (array.dtype == np.bool_) is not isinstance(wanted, bool) or array.size == 0:
        return False
    equal = bool((array == wanted).all())
    return equal and (wanted != 0 or not np.any(np.signbit(array) != np.signbit(wanted)))
