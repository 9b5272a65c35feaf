"""Division whose quotient is rounded, what is left over by it, and reciprocals."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .composite import composite
from .precision import is_float, like
from .sampling import binary, unary
from .shapes import broadcast, floating, like_first, needs_number, numeric

_ROUNDINGS = (None, "floor", "trunc")


def _known(rounding_mode):
    if rounding_mode not in _ROUNDINGS:
        raise errors.InvalidValue(
            "rounding_mode must be None, 'floor' or 'trunc'.", given=repr(rounding_mode)
        )


def _quotient(x, y, *, rounding_mode):
    _known(rounding_mode)
    return (floating if rounding_mode is None else numeric)(broadcast)(x, y)


@op(operands="promote")
class DivMod:
    """x / y, rounded down ("floor") or towards zero ("trunc"), in the common dtype.

    >>> ops.DivMod(Tensor([7, -7]), Tensor([2, 2]), "trunc")
    Tensor(shape=[2], dtype=Int64, value= [ 3, -3])
    """

    infer = _quotient

    def compute(x, y, *, rounding_mode):
        _known(rounding_mode)
        if rounding_mode is None:
            kind = np.float32 if not is_float(x) else x.dtype
            return np.true_divide(x, y, dtype=kind)
        needs_number(x)
        if rounding_mode == "floor":
            return like(np.floor_divide(x, y), x)
        return _truncated(x, y)

    def bprop(x, y, out, dout, *, rounding_mode):
        return (dout / y, -dout * out / y) if rounding_mode is None else (None, None)

    def samples(rng):
        for mode in ("floor", "trunc", None):
            for sample in binary(-9, 9, 1, 3)(rng):
                yield *sample, {"rounding_mode": mode}


def _truncated(x, y):
    """x / y without what comes behind the point; of integers exactly."""
    if is_float(x):
        return like(np.trunc(np.true_divide(x, y)), x)
    return like(np.floor_divide(x - np.fmod(x, y), y), x)


@composite("div", "divide", "Tensor.div", "Tensor.divide", "mint.div", "mint.divide")
def div(input, other, *, rounding_mode=None):
    """``input`` / ``other``; with ``rounding_mode`` "floor" or "trunc" rounded, dtype kept.

    >>> ops.div(Tensor([7]), Tensor([2]))
    Tensor(shape=[1], dtype=Float32, value= [ 3.50000000e+00])
    >>> ops.div(Tensor([7]), Tensor([2]), rounding_mode="floor")
    Tensor(shape=[1], dtype=Int64, value= [3])
    """
    if rounding_mode is None:
        return ops.Div(input, other)
    return ops.DivMod(input, other, rounding_mode)


@op(names=("truncate_div",), operands="promote")
class TruncateDiv:
    """x / y rounded towards zero.

    >>> ops.truncate_div(Tensor([7, -7]), Tensor([2, 2]))
    Tensor(shape=[2], dtype=Int64, value= [ 3, -3])
    """

    infer = numeric(broadcast)
    samples = binary(-9, 9, 1, 3)

    def compute(x, y):
        needs_number(x)
        return _truncated(x, y)

    def bprop(_x, _y, _out, _dout):
        return None, None


@op(names=("fmod", "Tensor.fmod", "mint.fmod"), operands="promote")
class FmodTensor:
    """x - y * trunc(x / y): the remainder with the sign of x, as C's ``fmod``.

    >>> ops.fmod(Tensor([7, -7]), Tensor([2, 2]))
    Tensor(shape=[2], dtype=Int64, value= [ 1, -1])
    """

    infer = numeric(broadcast)
    elementwise = True
    samples = binary(-9, 9, 1, 3)

    def compute(x, y):
        needs_number(x)
        return np.fmod(x, y)

    def bprop(x, y, _out, dout):
        return dout, -dout * ops.trunc(x / y)


@op(names=("truncate_mod",), same_as=FmodTensor)
class TruncateMod:
    """x - y * trunc(x / y), as ``fmod``.

    >>> ops.truncate_mod(Tensor([7, -7]), Tensor([2, 2]))
    Tensor(shape=[2], dtype=Int64, value= [ 1, -1])
    """


@op(names=("inv", "Tensor.inv"), operands="as given")
class Inv:
    """1 / x; an integer's is rounded towards zero, and that of 0 is 0.

    >>> ops.inv(Tensor([4.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 2.50000000e-01])
    """

    infer = numeric(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def compute(x):
        needs_number(x)
        return like(1 / x, x) if is_float(x) else like(np.where(np.abs(x) == 1, x, 0), x)

    def bprop(_x, out, dout):
        return (-dout * out * out,)


@op(names=("mint.frac",), operands="as given")
class Frac:
    """What stands behind the point, with the sign of x.

    >>> mint.frac(Tensor([1.5, -1.25]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01, -2.50000000e-01])
    """

    infer = like_first
    elementwise = True
    samples = unary(-3, 3)

    def compute(x):
        return like(x - np.trunc(x), x) if is_float(x) else np.zeros_like(x)

    def bprop(_x, _out, dout):
        return (dout,)


@composite("frac", "Tensor.frac")
def frac(x):
    """What stands behind the point, with the sign of x.

    >>> ops.frac(Tensor([1.5, -1.25]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01, -2.50000000e-01])
    """
    return x - ops.trunc(x)
