"""The functions of one number, applied element by element."""

import math

import numpy as np

from .. import ops
from ..engine.primitive import op
from .precision import like, widened
from .sampling import unary
from .shapes import floating, like_first, needs_number, numeric


@op(
    names=("neg", "negative", "Tensor.neg", "Tensor.negative", "mint.neg", "mint.negative"),
    operands="promote",
    slot="neg",
)
class Neg:
    """-x, element by element.

    >>> ops.neg(Tensor([1.0, -2.0]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  2.00000000e+00])
    """

    compute = np.negative
    infer = numeric(like_first)
    kernel = bprop_kernel = "neg"
    expr = "(-{0})"
    samples = unary(-2, 2)

    def bprop(_x, _out, dout):
        return (-dout,)


@op(
    names=("abs", "absolute", "Tensor.abs", "Tensor.absolute", "mint.abs"),
    operands="promote",
    slot="abs",
)
class Abs:
    """The size of x without its sign. The derivative at 0 is 0.

    >>> ops.abs(Tensor([1.0, -2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """

    compute = np.absolute
    infer = like_first
    kernel = "abs"
    expr = "fabs({0})"
    samples = unary(-2, 2)

    def bprop(x, _out, dout):
        return (dout * ops.sign(x),)


@op(names=("sign", "Tensor.sign", "mint.sign"), operands="promote")
class Sign:
    """-1, 0 or 1, as x is negative, zero or positive.

    >>> ops.sign(Tensor([3.0, 0.0, -2.0]))
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  0.00000000e+00, -1.00000000e+00])
    """

    compute = np.sign
    infer = numeric(like_first)
    kernel = "sign"
    samples = unary(-2, 2)

    def bprop(_x, _out, _dout):
        return (None,)


@op(names=("square", "Tensor.square", "mint.square"), operands="promote")
class Square:
    """x * x, element by element.

    >>> ops.square(Tensor([1.0, 2.0, 3.0]))
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  4.00000000e+00,  9.00000000e+00])
    """

    infer = numeric(like_first)
    kernel = "square"
    expr = "({0} * {0})"
    samples = unary(-2, 2)

    def compute(x):
        needs_number(x)
        return np.square(x)

    def bprop(x, _out, dout):
        return (2 * x * dout,)


@op(names=("sqrt", "Tensor.sqrt", "mint.sqrt"), operands="float")
class Sqrt:
    """The square root. The derivative at 0 is infinite.

    >>> ops.sqrt(Tensor([4.0, 9.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  3.00000000e+00])
    """

    compute = np.sqrt
    infer = floating(like_first)
    kernel = "sqrt"
    expr = "sqrt({0})"
    samples = unary(0.5, 3)

    def bprop(_x, out, dout):
        return (dout / (2 * out),)


@op(names=("rsqrt", "Tensor.rsqrt", "mint.rsqrt"), operands="float")
class Rsqrt:
    """1 / sqrt(x).

    >>> ops.rsqrt(Tensor([4.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """

    infer = floating(like_first)
    kernel = "rsqrt"
    expr = "(1 / sqrt({0}))"
    samples = unary(0.5, 3)

    def compute(x):
        return like(1 / np.sqrt(widened(x)), x)

    def bprop(_x, out, dout):
        return (-0.5 * dout * out * out * out,)


@op(names=("reciprocal", "Tensor.reciprocal", "mint.reciprocal"), operands="float")
class Reciprocal:
    """1 / x; integers give Float32.

    >>> ops.reciprocal(Tensor([4.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 2.50000000e-01])
    """

    infer = floating(like_first)
    kernel = "reciprocal"
    expr = "(1 / {0})"
    samples = unary(0.5, 3)

    def compute(x):
        return like(1 / x, x)

    def bprop(_x, out, dout):
        return (-dout * out * out,)


@op(names=("exp", "Tensor.exp", "mint.exp"), operands="float")
class Exp:
    """e to the power x.

    >>> ops.exp(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    compute = np.exp
    infer = floating(like_first)
    kernel = "exp"
    expr = "exp({0})"
    samples = unary(-2, 2)

    def bprop(_x, out, dout):
        return (dout * out,)


@op(names=("log", "Tensor.log", "mint.log"), operands="float")
class Log:
    """The natural logarithm.

    >>> ops.log(Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.log
    infer = floating(like_first)
    kernel = "log"
    expr = "log({0})"
    samples = unary(0.5, 3)

    def bprop(x, _out, dout):
        return (dout / x,)


@op(names=("log1p", "Tensor.log1p", "mint.log1p", "mint.special.log1p"), operands="float")
class Log1p:
    """log(1 + x), exact for small x.

    >>> ops.log1p(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.log1p
    infer = floating(like_first)
    kernel = "log1p"
    expr = "log1p({0})"
    samples = unary(-0.5, 3)

    def bprop(x, _out, dout):
        return (dout / (1 + x),)


@op(names=("expm1", "Tensor.expm1", "mint.expm1", "mint.special.expm1"), operands="float")
class Expm1:
    """exp(x) - 1, exact for small x.

    >>> ops.expm1(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.expm1
    infer = floating(like_first)
    kernel = "expm1"
    expr = "expm1({0})"
    samples = unary(-2, 2)

    def bprop(_x, out, dout):
        return (dout * (out + 1),)


@op(names=("erf", "Tensor.erf", "mint.erf"), operands="float")
class Erf:
    """The error function: the share of a bell curve between -x and x (times sqrt 2).

    >>> ops.erf(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    infer = floating(like_first)
    kernel = "erf"
    expr = "erf({0})"
    samples = unary(-2, 2)

    def compute(x):
        return error_function(x)

    def bprop(x, _out, dout):
        return (dout * (2 / math.sqrt(math.pi)) * ops.exp(-1.0 * x * x),)


_erf = np.frompyfunc(math.erf, 1, 1)


def error_function(x):
    """erf of every element of an array; NumPy has none, the standard library has one for a number.

    >>> error_function(np.zeros(2))
    array([0., 0.])
    """
    return like(_erf(x.astype(np.float64)), x)
