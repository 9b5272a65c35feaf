"""Powers and logarithms of other bases, sums of what is known by its logarithm, and hypotenuses."""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .composite import composite
from .precision import like
from .sampling import binary, unary
from .shapes import broadcast, floating, like_first

_LN2, _LN10 = math.log(2), math.log(10)


@op(names=("exp2", "Tensor.exp2", "mint.exp2", "mint.special.exp2"), operands="float")
class Exp2:
    """2 to the power x.

    >>> ops.exp2(Tensor([3.0, -1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 8.00000000e+00,  5.00000000e-01])
    """

    infer = floating(like_first)
    elementwise = True
    samples = unary(-2, 2)

    def compute(x):
        return like(np.exp2(x), x)

    def bprop(_x, out, dout):
        return (dout * out * _LN2,)


@op(names=("log2", "Tensor.log2", "mint.log2"), operands="float")
class Log2:
    """The logarithm to the base 2.

    >>> ops.log2(Tensor([8.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00, -1.00000000e+00])
    """

    compute = np.log2
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def bprop(x, _out, dout):
        return (dout / (x * _LN2),)


@op(names=("log10", "Tensor.log10", "mint.log10"), operands="float")
class Log10:
    """The logarithm to the base 10.

    >>> ops.log10(Tensor([100.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])
    """

    compute = np.log10
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def bprop(x, _out, dout):
        return (dout / (x * _LN10),)


@op(names=("logaddexp", "Tensor.logaddexp", "mint.logaddexp"), operands="float")
class LogAddExp:
    """log(exp(x) + exp(y)), without leaving the range of floats.

    >>> ops.logaddexp(Tensor([100.0]), Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+02])
    """

    compute = np.logaddexp
    infer = floating(broadcast)
    elementwise = True
    samples = binary(-2, 2)

    def bprop(x, y, out, dout):
        return dout * ops.exp(x - out), dout * ops.exp(y - out)


@op(names=("logaddexp2", "Tensor.logaddexp2", "mint.logaddexp2"), operands="float")
class LogAddExp2:
    """log2(2 ** x + 2 ** y), without leaving the range of floats.

    >>> ops.logaddexp2(Tensor([2.0]), Tensor([2.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+00])
    """

    compute = np.logaddexp2
    infer = floating(broadcast)
    elementwise = True
    samples = binary(-2, 2)

    def bprop(x, y, out, dout):
        return dout * ops.exp2(x - out), dout * ops.exp2(y - out)


@op(names=("hypot", "Tensor.hypot"), operands="float")
class Hypot:
    """sqrt(x * x + y * y), without leaving the range of floats on the way.

    >>> ops.hypot(Tensor([3.0]), Tensor([4.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e+00])
    """

    compute = np.hypot
    infer = floating(broadcast)
    elementwise = True
    samples = binary(0.5, 2)

    def bprop(x, y, out, dout):
        return dout * (x / out), dout * (y / out)


@op(names=("xlogy", "Tensor.xlogy", "mint.xlogy"), operands="float")
class Xlogy:
    """x * log(y), and 0 where x is 0 (but NaN where y is).

    >>> ops.xlogy(Tensor([2.0, 0.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  0.00000000e+00])
    """

    infer = floating(broadcast)
    elementwise = True
    samples = binary(0.5, 2, 0.5, 3)

    def compute(x, y):
        empty = (x == 0) & ~np.isnan(y)
        return np.where(empty, x.dtype.type(0), x * np.log(np.where(empty, y.dtype.type(1), y)))

    def bprop(x, y, _out, dout):
        return dout * ops.xlogy(ops.cast(x != 0, dout.dtype), y), dout * ops.xdivy(x, y)


@op(names=("xdivy", "Tensor.xdivy"), operands="float")
class Xdivy:
    """x / y, and 0 where x is 0.

    >>> ops.xdivy(Tensor([2.0, 0.0]), Tensor([4.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  0.00000000e+00])
    """

    infer = floating(broadcast)
    elementwise = True
    samples = binary(0.5, 2, 0.5, 3)

    def compute(x, y):
        return np.where(x == 0, x.dtype.type(0), x / np.where(x == 0, y.dtype.type(1), y))

    def bprop(x, y, out, dout):
        return dout * ops.xdivy(ops.cast(x != 0, dout.dtype), y), -dout * ops.xdivy(out, y)


@composite("float_power", "Tensor.float_power", "mint.float_power")
def float_power(input, exponent):
    """``input`` to the power ``exponent``, calculated in Float64.

    >>> ops.float_power(Tensor([2]), -1)
    Tensor(shape=[1], dtype=Float64, value= [ 5.00000000e-01])
    """
    if not hasattr(input, "shape") and not hasattr(exponent, "shape"):
        raise errors.InvalidType("one of the two must be a tensor.", given=f"{input}, {exponent}")
    return ops.pow(_double(input), _double(exponent))


def _double(x):
    return ops.cast(x, dtypes.float64) if hasattr(x, "shape") else float(x)


@composite("ldexp", "Tensor.ldexp")
def ldexp(x, other):
    """x * 2 ** other: what a float is made of.

    >>> ops.ldexp(Tensor([1.5]), Tensor([3]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.20000000e+01])
    """
    return x * 2.0**other
