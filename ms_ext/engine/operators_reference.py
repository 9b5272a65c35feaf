"""How do Python's operators reach the ops behind them, in plain Python?"""

import numpy as np

from . import errors
from .storage_reference import Tensor, slots

_BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
_COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_UNARY = ("neg", "abs", "invert")
_NUMBERS = (Tensor, np.ndarray, np.generic, int, float)
_OPERANDS = (*_NUMBERS, list, tuple)
_NONE: dict = {}  # operators have no attributes


def methods(run):
    """The methods behind Python's operators; ``run(op, operands, attributes)`` makes the call."""
    made = {}
    for slot, name in _BINARY.items():
        made[f"__{name}__"] = _forward(slot, f"__r{name}__", run)
        made[f"__r{name}__"] = _reflected(slot, run)
    for slot, name in _COMPARE.items():
        made[f"__{name}__"] = _comparison(slot, f"__{name}__", run)
    return made | {f"__{slot}__": _unary(slot, run) for slot in _UNARY}


def _forward(slot, reflected, run):
    def forward(self, other):
        if type(other) is not Tensor and _defers(other, reflected):
            return NotImplemented
        return run(slots.get(slot) or _no_op(slot), (self, other), _NONE)

    return forward


def _reflected(slot, run):
    return lambda self, other: run(slots.get(slot) or _no_op(slot), (other, self), _NONE)


def _unary(slot, run):
    return lambda self: run(slots.get(slot) or _no_op(slot), (self,), _NONE)


def _comparison(slot, name, run):
    """What is no number differs from every tensor."""

    def compare(self, other):
        if type(other) is not Tensor and not isinstance(other, _NUMBERS):
            if slot in ("==", "!=") or _defers(other, name):
                return NotImplemented
        return run(slots.get(slot) or _no_op(slot), (self, other), _NONE)

    return compare


def _defers(other, reflected):
    """Whether ``other``, which is no operand, has a method of its own for this operator."""
    if type(other) is float or type(other) is int or isinstance(other, _OPERANDS):
        return False
    return hasattr(type(other), reflected)


def _no_op(slot):
    raise errors.InvalidType(f"No op stands behind the operator {slot!r}.")
