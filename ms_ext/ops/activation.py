"""The functions that make a network more than one matrix: relu, gelu, silu, softmax and others."""

import math

import numpy as np

from .. import ops
from ..engine.primitive import op
from .axes import normal_axis
from .elementary import error_function
from .precision import like, widened
from .sampling import rows, unary
from .shapes import broadcast, floating, like_first


@op(names=("relu", "mint.nn.functional.relu"))
class ReLU:
    """x where it is positive, else 0. The derivative at 0 is 0.

    >>> ops.relu(Tensor([-1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    infer = like_first
    kernel = "relu"
    expr = "({0} < 0 ? 0 : {0})"
    samples = unary(-2, 2)

    def compute(x):
        return np.maximum(x, x.dtype.type(0))

    def bprop(_x, out, dout):
        return (ops.ReluGrad(dout, out),)


@op(operands="promote")
class ReluGrad:
    """x where y is positive, else 0: from the gradient of relu's result to that of its operand.

    >>> ops.ReluGrad(Tensor([5.0, 7.0]), Tensor([0.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  7.00000000e+00])
    """

    kernel = "relu_grad"
    expr = "({1} > 0 ? {0} : 0)"
    infer = broadcast

    def compute(x, y):
        return np.where(y > 0, x, x.dtype.type(0))

    def bprop(_x, y, _out, dout):
        return ops.ReluGrad(dout, y), ops.zeros_like(y)

    def samples(rng):
        yield rng.uniform(-1, 1, (2, 3)), rng.uniform(-1, 1, (2, 3))
        yield rng.uniform(-1, 1, (2, 1)), np.array([-1.0, 0.5, 1.0])


@op(names=("hardswish", "mint.nn.functional.hardswish"))
class HSwish:
    """x * (x + 3) / 6 between -3 and 3, below that 0, above it x: silu of straight lines.

    >>> ops.hardswish(Tensor([-3.0, 1.5, 3.0]))
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  1.12500000e+00,  3.00000000e+00])
    """

    infer = like_first
    expr = "({0} <= -3 ? 0 : {0} > 3 ? {0} : {0} * ({0} + 3) / 6)"
    samples = unary(-4, 4)

    def compute(x):
        wide = widened(x)
        between = wide * (np.clip(wide, -3, 3) + 3) / 6
        return np.where(x > 3, x, np.where(x <= -3, x.dtype.type(0), like(between, x)))

    def bprop(x, _out, dout):
        slope = ops.where(x > 3, 1.0, x / 3 + 0.5)
        return (ops.where(x < -3, 0.0, dout * slope),)


@op(
    names=("sigmoid", "Tensor.sigmoid", "mint.sigmoid", "mint.nn.functional.sigmoid"),
    operands="float",
)
class Sigmoid:
    """1 / (1 + exp(-x)): from 0 to 1.

    >>> ops.sigmoid(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """

    infer = floating(like_first)
    kernel = "sigmoid"
    expr = "(1 / (1 + exp(-{0})))"
    samples = unary(-3, 3)

    def compute(x):
        return like(1 / (1 + np.exp(-widened(x))), x)

    def bprop(_x, out, dout):
        return (dout * out * (1 - out),)


@op(names=("silu", "mint.nn.functional.silu"), operands="float")
class SiLU:
    """x * sigmoid(x).

    >>> ops.silu(Tensor([0.0, 100.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+02])
    """

    infer = floating(like_first)
    kernel = "silu"
    expr = "({0} / (1 + exp(-{0})))"
    samples = unary(-3, 3)

    def compute(x):
        wide = widened(x)
        return like(wide / (1 + np.exp(-wide)), x)

    def bprop(x, _out, dout):
        s = ops.sigmoid(x)
        return (dout * s * (1 + x * (1 - s)),)


_SLOPE, _CUBIC = math.sqrt(2 / math.pi), 0.044715


@op(operands="float")
class GeLU:
    """gelu by its tanh formula: x times (nearly) the share of a bell curve below x.

    >>> ops.GeLU(Tensor([0.0, 100.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+02])
    """

    infer = floating(like_first)
    kernel = "gelu_tanh"
    expr = f"(0.5 * {{0}} * (1 + tanh({_SLOPE!r} * ({{0}} + {_CUBIC} * {{0}} * {{0}} * {{0}}))))"
    samples = unary(-2, 2)

    def compute(x):
        wide = widened(x)
        return like(0.5 * wide * (1 + np.tanh(_SLOPE * (wide + _CUBIC * wide * wide * wide))), x)

    def bprop(x, _out, dout):
        t = ops.tanh(_SLOPE * (x + _CUBIC * x * x * x))
        inner = _SLOPE * (1 + 3 * _CUBIC * x * x)
        return (dout * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner),)


@op(operands="float")
class GeluExt:
    """gelu by its definition: x times the share of a bell curve below x.

    >>> ops.GeluExt(Tensor([0.0, 100.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+02])
    """

    infer = floating(like_first)
    kernel = "gelu"
    expr = f"(0.5 * {{0}} * (1 + erf({{0}} * {math.sqrt(0.5)!r})))"
    samples = unary(-2, 2)

    def compute(x):
        wide = widened(x)
        return like(0.5 * wide * (1 + error_function(wide * math.sqrt(0.5))), x)

    def bprop(x, _out, dout):
        below = 0.5 * (1 + ops.erf(x * math.sqrt(0.5)))
        height = ops.exp(-0.5 * x * x) * (1 / math.sqrt(2 * math.pi))
        return (dout * (below + x * height),)


def _along(x, *, axis):
    """The type of x, if it has that axis."""
    normal_axis(axis, x.ndim)
    return x


@op(operands="float")
class Softmax:
    """exp(x), scaled to add up to 1 along an axis.

    >>> ops.Softmax(-1)(Tensor([0.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  5.00000000e-01])
    """

    infer = floating(_along)
    samples = rows(axis=-1)

    def compute(x, *, axis=-1):
        wide = widened(x)
        e = np.exp(wide - np.max(wide, axis, keepdims=True, initial=-np.inf))
        return like(e / np.sum(e, axis, keepdims=True), x)

    def bprop(_x, out, dout, *, axis):
        inner = ops.ReduceSum(dout * out, axis=axis, keep_dims=True)
        return (out * (dout - inner),)

    def cost(out, _x, *, axis):
        return 5 * out.size


@op(names=("log_softmax",), operands="float")
class LogSoftmax:
    """log(softmax(x)), without leaving the range of floats.

    >>> ops.log_softmax(Tensor([[5.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 0.00000000e+00]])
    """

    infer = floating(_along)
    samples = rows(axis=0)

    def compute(x, *, axis=-1):
        wide = widened(x)
        shifted = wide - np.max(wide, axis, keepdims=True, initial=-np.inf)
        return like(shifted - np.log(np.sum(np.exp(shifted), axis, keepdims=True)), x)

    def bprop(_x, out, dout, *, axis):
        return (dout - ops.exp(out) * ops.ReduceSum(dout, axis=axis, keep_dims=True),)

    def cost(out, _x, *, axis):
        return 5 * out.size
