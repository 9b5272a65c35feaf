"""Losses that compare two values, as primitives: each with its reduction and its gradient.

>>> ops.SmoothL1Loss(reduction="sum")(Tensor([0.0, 3.0]), Tensor([0.0, 0.0]))
Tensor(shape=[], dtype=Float32, value= 2.5)
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .loss_reduction import (
    REDUCTIONS,
    alike,
    checked,
    gathered,
    known_reduction,
    loss_type,
    same_shapes,
    softplus,
    spread,
)  # fmt: skip
from .precision import like, widened
from .shapes import float_dtype, settled


def _pairs(low, high):
    """Two operands of one shape, for each reduction."""

    def samples(rng):
        for reduction in REDUCTIONS:
            pair = rng.uniform(low, high, (2, 3)), rng.uniform(low, high, (2, 3))
            yield (*pair, {"reduction": reduction})
        last = {"reduction": "sum"}
        yield rng.uniform(low, high, (3, 2)).T, rng.uniform(low, high, (2, 3)), last
        yield rng.uniform(low, high, (0, 2)), rng.uniform(low, high, (0, 2)), {"reduction": "none"}

    return samples


def _smooth(x, y, *, beta, reduction):
    known_reduction(reduction)
    same_shapes(x, y)
    if beta < 0:
        raise errors.NotRunnable("beta must be 0 or more.", given=f"beta {beta}")
    return loss_type(x, y, reduction=reduction)


@op(operands="float")
class SmoothL1Loss:
    """Half the squared difference over beta where it is small, the difference less beta / 2 beyond.

    >>> ops.SmoothL1Loss()(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  2.50000000e+00])
    """

    infer = _smooth
    samples = _pairs(-2, 2)

    def compute(prediction, target, *, beta=1.0, reduction="none"):
        checked(_smooth, prediction, target, beta=beta, reduction=reduction)
        far = np.abs(widened(prediction) - widened(target))
        near = far * far * (0.5 / beta) if beta else far
        return gathered(np.where(far < beta, near, far - 0.5 * beta), reduction, prediction)

    def bprop(prediction, target, _out, dout, *, beta, reduction):
        apart = prediction - target
        bent = ops.minimum(ops.maximum(apart / beta, -1), 1) if beta else ops.sign(apart)
        dx = bent * spread(dout, prediction.shape, reduction)
        return dx, -dx


@op(operands="float")
class SoftMarginLoss:
    """log(1 + exp(-target * input)): small where both have one sign and the input is large.

    >>> ops.SoftMarginLoss("sum")(Tensor([100.0, -100.0]), Tensor([1.0, 1.0]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    infer = alike
    samples = _pairs(-2, 2)

    def compute(input, target, *, reduction="mean"):
        checked(alike, input, target, reduction=reduction)
        z = -widened(input) * widened(target)
        return gathered(softplus(z), reduction, input)

    def bprop(input, target, _out, dout, *, reduction):
        input, target = ops.cast(input, dout.dtype), ops.cast(target, dout.dtype)
        steep = -ops.sigmoid(-input * target) * spread(dout, input.shape, reduction)
        return steep * target, steep * input


@op(operands="float")
class L2Loss:
    """Half the sum of the squares.

    >>> ops.L2Loss()(Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 12.5)
    """

    def infer(x):
        return AbstractTensor(float_dtype(settled(x.dtype, x.weak)), ())

    def compute(input_x):
        return like(np.sum(np.square(widened(input_x))) / 2, input_x)

    def bprop(input_x, _out, dout):
        return (input_x * dout,)

    def samples(rng):
        yield (rng.uniform(-2, 2, (2, 3)),)
        yield (rng.uniform(-2, 2, (0, 3)),)
