"""Relatives of relu: x where it is large enough, and something small elsewhere."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .precision import like, widened
from .sampling import unary
from .shapes import like_first, needs_float, needs_number, numeric, only_floating

_ALPHA, _SCALE = 1.67326324235437728, 1.05070098735548049


def _exponential(wide, alpha):
    """alpha * (exp(x) - 1) where x is 0 or less, x above."""
    return np.where(wide > 0, wide, alpha * np.expm1(np.minimum(wide, 0)))


def _alpha_is_one(x, *, alpha):
    if alpha != 1:
        raise errors.InvalidValue(
            "alpha must be 1.0.",
            given=f"alpha {alpha}",
            hint="mint.nn.functional.elu takes any alpha.",
        )
    needs_float(x)
    return x


@op(names=("elu",))
class Elu:
    """exp(x) - 1 where x is negative, x above.

    >>> ops.elu(Tensor([0.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    infer = _alpha_is_one
    samples = unary(-2, 2)

    def compute(x, *, alpha=1.0):
        _alpha_is_one(x, alpha=alpha)
        return like(_exponential(widened(x), alpha), x)

    def bprop(_x, out, dout):
        return (ops.where(out > 0, dout, dout * (out + 1)),)


@op()
class EluExt:
    """alpha * (exp(x) - 1) where x is negative, x above.

    >>> ops.EluExt(Tensor([0.0, 2.0]), 3.0)
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    infer = only_floating(like_first)
    samples = unary(-2, 2, alpha=1.5)

    def compute(x, *, alpha=1.0):
        needs_float(x)
        return like(_exponential(widened(x), alpha), x)

    def bprop(x, _out, dout, *, alpha):
        return (ops.where(x > 0, dout, dout * alpha * ops.exp(ops.where(x > 0, 0, x))),)


def _alpha_is_not_zero(x, *, alpha):
    if alpha == 0:
        raise errors.InvalidValue("alpha must not be 0.", given=f"alpha {alpha}")
    needs_float(x)
    return x


@op(names=("celu",))
class CeLU:
    """alpha * (exp(x / alpha) - 1) where x is negative, x above: smooth at 0.

    >>> ops.celu(Tensor([0.0, 2.0]), 3.0)
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    infer = _alpha_is_not_zero
    samples = unary(-2, 2, alpha=1.5)

    def compute(x, *, alpha=1.0):
        wide = widened(_alpha_is_not_zero(x, alpha=alpha))
        return like(np.where(wide > 0, wide, alpha * np.expm1(np.minimum(wide, 0) / alpha)), x)

    def bprop(x, _out, dout, *, alpha):
        return (ops.where(x > 0, dout, dout * ops.exp(ops.where(x > 0, 0, x) / alpha)),)


@op(names=("selu", "mint.nn.functional.selu"))
class SeLU:
    """1.0507 * (x above 0, 1.6733 * (exp(x) - 1) below): keeps mean 0 and variance 1.

    >>> ops.selu(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    infer = only_floating(like_first)
    samples = unary(-2, 2)

    def compute(x):
        needs_float(x)
        return like(_SCALE * _exponential(widened(x), _ALPHA), x)

    def bprop(_x, out, dout):
        return (dout * ops.where(out > 0, _SCALE, out + _SCALE * _ALPHA),)


@op(names=("relu6",))
class ReLU6:
    """x between 0 and 6, else the nearer of the two.

    >>> ops.relu6(Tensor([-1.0, 2.0, 7.0]))
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00,  6.00000000e+00])
    """

    infer = only_floating(like_first)
    expr = "({0} < 0 ? 0 : {0} > 6 ? 6 : {0})"
    samples = unary(-2, 8)

    def compute(x):
        needs_float(x)
        return like(np.clip(widened(x), 0, 6), x)

    def bprop(x, _out, dout):
        return (ops.where(ops.logical_and(x > 0, x <= 6), dout, 0),)


@op()
class LeakyReLUExt:
    """x where it is positive, x * negative_slope elsewhere.

    >>> ops.LeakyReLUExt(Tensor([-1.0, 2.0]), 0.5)
    Tensor(shape=[2], dtype=Float32, value= [-5.00000000e-01,  2.00000000e+00])
    """

    infer = only_floating(like_first)
    samples = unary(-2, 2, negative_slope=0.25)

    def compute(x, *, negative_slope=0.01):
        needs_float(x)
        return np.where(x > 0, x, x * x.dtype.type(negative_slope))

    def bprop(x, _out, dout, *, negative_slope):
        return (ops.where(x > 0, dout, dout * negative_slope),)


def _slopes_fit(x, weight):
    channels = x.shape[1] if x.ndim > 1 else 1
    if weight.ndim != 1 or weight.shape[0] not in (1, channels):
        raise errors.InvalidValue(
            "weight must hold one number, or one for each channel (axis 1 of the input).",
            given=f"input {list(x.shape)}, weight {list(weight.shape)}",
            hint=f"Its shape must be [1] or [{channels}].",
        )
    needs_float(x, weight)
    return x


def _on_channels(rank, count):
    return (1, count, *[1] * (rank - 2)) if rank > 1 else (count,) * rank


@op(names=("prelu", "mint.nn.functional.prelu"))
class PReLU:
    """x where it is positive, elsewhere x times a weight of its channel (axis 1), or of all.

    >>> ops.prelu(Tensor([[-1.0, -1.0]]), Tensor([0.5, 2.0]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[-5.00000000e-01, -2.00000000e+00]])
    """

    infer = _slopes_fit

    def compute(input, weight):
        _slopes_fit(input, weight)
        slopes = widened(weight).reshape(_on_channels(input.ndim, len(weight)))
        return like(np.where(input > 0, widened(input), widened(input) * slopes), input)

    def bprop(input, weight, _out, dout):
        count, rank = weight.shape[0], len(input.shape)
        slopes = ops.reshape(weight, _on_channels(rank, count))
        dx = ops.where(input > 0, dout, dout * slopes)
        dw = ops.where(input > 0, 0, dout * input)
        axes = tuple(i for i in range(rank) if i != 1 or count == 1)
        return dx, ops.reshape(ops.ReduceSum(dw, axis=axes) if axes else dw, (count,))

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(0.1, 1, (3,))
        yield rng.uniform(-2, 2, (3, 2)).T, rng.uniform(0.1, 1, (1,))
        yield rng.uniform(-2, 2, (2, 2, 2, 3)), rng.uniform(0.1, 1, (2,))
        yield rng.uniform(-2, 2, (4,)), rng.uniform(0.1, 1, (1,))
        yield rng.uniform(-2, 2, ()), rng.uniform(0.1, 1, (1,))
        yield rng.uniform(-2, 2, (0, 2)), rng.uniform(0.1, 1, (2,))


@op(names=("hardsigmoid", "mint.nn.functional.hardsigmoid"))
class HSigmoid:
    """x / 6 + 1 / 2, but no less than 0 and no more than 1.

    >>> ops.hardsigmoid(Tensor([-4.0, 0.0, 4.0]))
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  5.00000000e-01,  1.00000000e+00])
    """

    infer = numeric(like_first)
    samples = unary(-4, 4)

    def compute(x):
        needs_number(x)
        return like(np.clip(widened(x) / 6 + 0.5, 0, 1), x)

    def bprop(x, _out, dout):
        return (ops.where(ops.logical_and(x > -3, x < 3), dout / 6, 0),)


@op(
    names=("hardshrink", "Tensor.hardshrink", "mint.nn.functional.hardshrink"),
)
class HShrink:
    """x where it is further than lambd from 0, else 0.

    >>> ops.hardshrink(Tensor([-1.0, 0.5, 2.0]))
    Tensor(shape=[3], dtype=Float32, value= [-1.00000000e+00,  0.00000000e+00,  2.00000000e+00])
    """

    infer = only_floating(like_first)
    samples = unary(-2, 2)

    def compute(x, *, lambd=0.5):
        needs_float(x)
        return np.where((x < -lambd) | (x > lambd), x, x.dtype.type(0))

    def bprop(x, _out, dout, *, lambd):
        return (ops.where(ops.logical_or(x < -lambd, x > lambd), dout, 0),)


def _shrinks(x, *, lambd):
    if lambd < 0:
        raise errors.NotRunnable(
            "lambd must be 0 or more.", given=f"lambd {lambd}", hint="Give a distance from 0."
        )
    needs_float(x)
    return x


@op(names=("softshrink", "mint.nn.functional.softshrink"))
class SoftShrink:
    """x, moved towards 0 by lambd, and 0 where it gets there.

    >>> ops.softshrink(Tensor([-1.5, 0.25, 2.5]))
    Tensor(shape=[3], dtype=Float32, value= [-1.00000000e+00,  0.00000000e+00,  2.00000000e+00])
    """

    infer = _shrinks
    samples = unary(-2, 2)

    def compute(x, *, lambd=0.5):
        wide = widened(_shrinks(x, lambd=lambd))
        return like(wide - np.clip(wide, -lambd, lambd), x)

    def bprop(x, _out, dout, *, lambd):
        return (ops.where(ops.logical_or(x < -lambd, x > lambd), dout, 0),)
