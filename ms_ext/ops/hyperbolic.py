"""The inverse hyperbolic functions; the hyperbolic ones stand beside the sine."""

import numpy as np

from .. import ops
from ..engine.primitive import op
from .sampling import unary
from .shapes import floating, like_first


@op(names=("acosh", "arccosh", "Tensor.acosh", "Tensor.arccosh"), operands="float")
class Acosh:
    """The number of 1 or more whose hyperbolic cosine is x; NaN for x below 1.

    >>> ops.acosh(Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.arccosh
    infer = floating(like_first)
    elementwise = True
    samples = unary(1.2, 4)

    def bprop(x, _out, dout):
        return (dout * ops.rsqrt(x * x - 1),)


@op(names=("asinh", "arcsinh", "Tensor.asinh", "Tensor.arcsinh"), operands="float")
class Asinh:
    """The number whose hyperbolic sine is x.

    >>> ops.asinh(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.arcsinh
    infer = floating(like_first)
    elementwise = True
    samples = unary(-3, 3)

    def bprop(x, _out, dout):
        return (dout * ops.rsqrt(x * x + 1),)


@op(
    names=("atanh", "arctanh", "Tensor.atanh", "Tensor.arctanh", "mint.atanh", "mint.arctanh"),
    operands="float",
)
class Atanh:
    """The number whose hyperbolic tangent is x; infinite at -1 and 1, NaN beyond.

    >>> ops.atanh(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.arctanh
    infer = floating(like_first)
    elementwise = True
    samples = unary(-0.9, 0.9)

    def bprop(x, _out, dout):
        return (dout / (1 - x * x),)
