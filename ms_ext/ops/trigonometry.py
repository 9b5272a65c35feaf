"""Sine and its relatives, and the hyperbolic functions."""

import numpy as np

from .. import ops
from ..engine.primitive import op
from .sampling import unary
from .shapes import floating, like_first


@op(names=("sin", "Tensor.sin", "mint.sin"), operands="float")
class Sin:
    """The sine of an angle in radians.

    >>> ops.sin(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.sin
    infer = floating(like_first)
    kernel = "sin"
    expr = "sin({0})"
    samples = unary(-3, 3)

    def bprop(x, _out, dout):
        return (dout * ops.cos(x),)


@op(names=("cos", "Tensor.cos", "mint.cos"), operands="float")
class Cos:
    """The cosine of an angle in radians.

    >>> ops.cos(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    compute = np.cos
    infer = floating(like_first)
    kernel = "cos"
    expr = "cos({0})"
    samples = unary(-3, 3)

    def bprop(x, _out, dout):
        return (-dout * ops.sin(x),)


@op(names=("tan", "Tensor.tan", "mint.tan"), operands="float")
class Tan:
    """The tangent of an angle in radians.

    >>> ops.tan(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.tan
    infer = floating(like_first)
    kernel = "tan"
    expr = "tan({0})"
    samples = unary(-1, 1)

    def bprop(_x, out, dout):
        return (dout * (1 + out * out),)


@op(
    names=("asin", "arcsin", "Tensor.asin", "Tensor.arcsin"),
    operands="float",
)
class Asin:
    """The angle whose sine is x.

    >>> ops.asin(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.arcsin
    infer = floating(like_first)
    kernel = "asin"
    expr = "asin({0})"
    samples = unary(-0.9, 0.9)

    def bprop(x, _out, dout):
        return (dout * ops.rsqrt(1 - x * x),)


@op(
    names=("acos", "arccos", "Tensor.acos", "Tensor.arccos"),
    operands="float",
)
class ACos:
    """The angle whose cosine is x.

    >>> ops.acos(Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.arccos
    infer = floating(like_first)
    kernel = "acos"
    expr = "acos({0})"
    samples = unary(-0.9, 0.9)

    def bprop(x, _out, dout):
        return (-dout * ops.rsqrt(1 - x * x),)


@op(
    names=("atan", "arctan", "Tensor.atan", "Tensor.arctan"),
    operands="float",
)
class Atan:
    """The angle whose tangent is x.

    >>> ops.atan(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.arctan
    infer = floating(like_first)
    kernel = "atan"
    expr = "atan({0})"
    samples = unary(-2, 2)

    def bprop(x, _out, dout):
        return (dout / (1 + x * x),)


@op(names=("sinh", "Tensor.sinh", "mint.sinh"), operands="float")
class Sinh:
    """The hyperbolic sine.

    >>> ops.sinh(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.sinh
    infer = floating(like_first)
    kernel = "sinh"
    expr = "sinh({0})"
    samples = unary(-2, 2)

    def bprop(x, _out, dout):
        return (dout * ops.cosh(x),)


@op(names=("cosh", "Tensor.cosh", "mint.cosh"), operands="float")
class Cosh:
    """The hyperbolic cosine.

    >>> ops.cosh(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    compute = np.cosh
    infer = floating(like_first)
    kernel = "cosh"
    expr = "cosh({0})"
    samples = unary(-2, 2)

    def bprop(x, _out, dout):
        return (dout * ops.sinh(x),)


@op(names=("tanh", "Tensor.tanh", "mint.tanh", "mint.nn.functional.tanh"), operands="float")
class Tanh:
    """The hyperbolic tangent: from -1 to 1, steepest at 0.

    >>> ops.tanh(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.tanh
    infer = floating(like_first)
    kernel = "tanh"
    expr = "tanh({0})"
    samples = unary(-2, 2)

    def bprop(_x, out, dout):
        return (dout * (1 - out * out),)
