"""Which dtype is each operand cast to before an op computes?

An operand is described by its DType (a tensor) or by "bool", "int", "float" (a Python number).

>>> list(map(str, cast_dtypes(("promote", "promote"), (dtypes.int32, "float"))))
['Float32', 'Float32']
>>> list(map(str, cast_dtypes(("as given", "float", "float"), (dtypes.bool_, dtypes.int8, "int"))))
['Bool', 'Float32', 'Float32']
"""

import functools
import math

import numpy as np

from .. import dtype as dtypes
from . import errors
from .quiet import quietly

_ORDER = ("bool", "int", "float")
_NUMBER = {"bool": dtypes.bool_, "int": dtypes.int64, "float": dtypes.float32}


def cast_dtypes(rules, kinds):
    """One dtype per operand, by the op's rules: a tuple, or one rule for all."""
    return _cast_dtypes(rules, tuple(kinds))


@functools.lru_cache(1024)
def _cast_dtypes(rules, kinds):
    if isinstance(rules, str):
        rules = (rules,) * len(kinds)
    common = {rule: _common(rule, rules, kinds) for rule in set(rules) if rule != "as given"}
    return tuple(common.get(r) or _NUMBER.get(k, k) for r, k in zip(rules, kinds, strict=True))


def _common(rule, rules, kinds):
    together = [k for r, k in zip(rules, kinds, strict=True) if r == rule]
    numbers = [k for k in together if isinstance(k, str)]
    found = None
    for dtype in together:
        if not isinstance(dtype, str):
            found = dtype if found is None else dtypes.promote(found, dtype)
    if numbers:
        widest = max(numbers, key=_ORDER.index)
        found = _NUMBER[widest] if found is None else dtypes.SCALAR_PROMOTION[widest][found]
    return dtypes.float32 if rule == "float" and found.kind != "float" else found


def number_kind(value):
    """ "bool", "int" or "float" of a Python number."""
    if isinstance(value, float):
        return "float"
    return "bool" if isinstance(value, bool) else "int"


_PYTHON = frozenset((bool, int, float))


def python_number(value):
    """A NumPy number as Python's: beside a tensor both take its dtype. The rest as it is.

    >>> python_number(np.float32(0.5)), python_number(np.int8(3)), python_number("x")
    (0.5, 3, 'x')
    """
    if type(value) in _PYTHON:
        return value
    if isinstance(value, np.floating):
        return float(value)
    if isinstance(value, np.integer):
        return int(value)
    return bool(value) if isinstance(value, np.bool_) else value


def number_array(value, dtype):
    """A Python number as a 0-d array; integers wrap as in C.

    >>> number_array(300, dtypes.int8)
    array(44, dtype=int8)
    """
    if dtype.kind != "int":
        return quietly(np.array, value, dtype.numpy)
    try:
        return np.array(value, np.int64).astype(dtype.numpy)
    except OverflowError:
        raise errors.InvalidValue(
            "The integer does not fit into 64 bits.", given=f"{value}", hint="Use a float."
        ) from None


def not_an_operand(name, value):
    """The error for a value that no op can take."""
    return errors.InvalidType(
        f"For '{name}', an operand is neither a tensor nor a number.",
        given=f"{value!r:.60} of type {type(value).__name__}",
        hint="Pass tensors, NumPy arrays or numbers.",
    )


class Form:
    """What is known of an operand without its elements: for ``infer``, and for a bprop's ``x_``.

    >>> Form(dtypes.float32, (2, 3)), Form(dtypes.int64, (), weak=True)
    (f32[2,3], int)
    """

    __slots__ = ("dtype", "shape", "weak")

    def __init__(self, dtype, shape, weak=False):
        self.dtype, self.shape, self.weak = dtype, shape, weak

    def __repr__(self):
        sizes = ",".join(map(str, self.shape))
        return self.dtype.kind if self.weak else f"{self.dtype.short}[{sizes}]"

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)


def _form_of(value):
    if hasattr(value, "shape"):
        return Form(value.dtype, value.shape)
    return Form(_NUMBER[number_kind(value)], (), True)


def refusal(op, values, attributes):
    """What ``infer`` has against operands that ``compute`` refused; None if it accepts them."""
    try:
        if op.infer is not None:
            op.infer(*map(_form_of, values), **attributes)
    except errors.MsExtError as clearer:
        return clearer
    except (TypeError, ValueError, AttributeError, LookupError):
        return None  # infer stumbles too: what compute said is the error
    return None
