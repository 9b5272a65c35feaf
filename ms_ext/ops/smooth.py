"""Smooth activations: softplus, mish, softsign, log-sigmoid, and gelu by one exp."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .composite import composite
from .precision import like, widened
from .sampling import unary
from .shapes import like_first, needs_float, only_floating


def _softplus(wide):
    return np.maximum(wide, 0) + np.log1p(np.exp(-np.abs(wide)))


@op()
class Softplus:
    """log(1 + exp(x)), without leaving the range of floats: relu with its corner rounded.

    >>> ops.Softplus(Tensor([100.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+02])
    """

    infer = only_floating(like_first)
    expr = "({0} < 0 ? log1p(exp({0})) : {0} + log1p(exp(-{0})))"
    samples = unary(-3, 3)

    def compute(x):
        needs_float(x)
        return like(_softplus(widened(x)), x)

    def bprop(x, _out, dout):
        return (dout * ops.sigmoid(x),)


@composite("softplus", "mint.nn.functional.softplus")
def softplus(input, beta=1, threshold=20):
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is above the threshold.

    >>> ops.softplus(Tensor([30.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 3.00000000e+01])
    """
    scaled = input if beta == 1 else input * _number("softplus", "beta", beta)
    smooth = ops.Softplus(scaled) if beta == 1 else ops.Softplus(scaled) / beta
    return ops.where(scaled > threshold, input, smooth)


def _number(function, name, value):
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise errors.InvalidType(
            f"For '{function}', the type of '{name}' should be one of '['float', 'int']', "
            f"but got type '{type(value).__name__}'."
        )
    return value


@op(names=("mish", "mint.nn.functional.mish"))
class Mish:
    """x * tanh(softplus(x)).

    >>> ops.mish(Tensor([0.0, 30.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  3.00000000e+01])
    """

    infer = only_floating(like_first)
    samples = unary(-3, 3)

    def compute(x):
        needs_float(x)
        wide = widened(x)
        return like(wide * np.tanh(_softplus(wide)), x)

    def bprop(x, _out, dout):
        t = ops.tanh(ops.Softplus(x))
        return (dout * (t + x * (1 - t * t) * ops.sigmoid(x)),)


@op(names=("softsign",))
class Softsign:
    """x / (1 + |x|): from -1 to 1.

    >>> ops.softsign(Tensor([-1.0, 3.0]))
    Tensor(shape=[2], dtype=Float32, value= [-5.00000000e-01,  7.50000000e-01])
    """

    infer = only_floating(like_first)
    expr = "({0} / (1 + fabs({0})))"
    samples = unary(-3, 3)

    def compute(x):
        needs_float(x)
        wide = widened(x)
        return like(wide / (1 + np.abs(wide)), x)

    def bprop(x, _out, dout):
        return (dout / ops.square(1 + ops.abs(x)),)


@op()
class FastGeLU:
    """x * sigmoid(1.702 x): gelu by one exp.

    >>> ops.FastGeLU()(Tensor([0.0, 100.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+02])
    """

    infer = only_floating(like_first)
    samples = unary(-3, 3)

    def compute(x):
        needs_float(x)
        wide = widened(x)
        far = np.exp(-1.702 * np.abs(wide))
        return like(wide / (1 + far) * np.where(wide > 0, 1, far), x)

    def bprop(x, _out, dout):
        share = ops.sigmoid(1.702 * x)
        return (dout * share * (1 + 1.702 * x * (1 - share)),)


@composite("logsigmoid", "mint.nn.functional.logsigmoid")
def logsigmoid(x):
    """log(sigmoid(x)), without leaving the range of floats.

    >>> ops.logsigmoid(Tensor([-100.0]))
    Tensor(shape=[1], dtype=Float32, value= [-1.00000000e+02])
    """
    return -ops.Softplus(-x)


@composite("tanhshrink")
def tanhshrink(input):
    """x - tanh(x).

    >>> ops.tanhshrink(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    if input.dtype.kind == "int":
        input = ops.cast(input, "float32")
    return input - ops.tanh(input)
