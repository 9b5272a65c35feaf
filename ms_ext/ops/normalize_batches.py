"""Normalization over batches, groups and instances, and by the size of neighbours.

>>> x = Tensor([[1.0], [3.0]])
>>> y, mean, variance, *_ = ops.BatchNorm(is_training=True)(x, *map(Tensor, ([1.0], [0.0]) * 2))
>>> y.asnumpy().round(2).ravel().tolist(), mean.asnumpy().tolist(), variance.asnumpy().tolist()
([-1.0, 1.0], [2.0], [2.0])
"""

import math

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .composite import composite
from .precision import like, widened
from .shapes import shaped
from .windows import needs_float, needs_layout


def _axes(x):
    """All axes but that of the channels, and the shape of one number per channel."""
    others = tuple(i for i in range(len(x.shape)) if i != 1)
    return others, (1, x.shape[1], *(1,) * (len(x.shape) - 2))


def _checked(x, per_channel, data_format):
    needs_layout(data_format)
    needs_float(x)
    if x.ndim < 2 or any(p.shape != (x.shape[1],) for p in per_channel):
        shapes = ", ".join(str(list(p.shape)) for p in per_channel)
        raise errors.InvalidValue(
            "scale, bias, mean and variance must have one number per channel, on axis 1 of x.",
            given=f"x {list(x.shape)}; {shapes}",
        )


@op()
class BatchNorm:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, with one of each number per channel.

    Five results: y, then the mean and the variance, then what the gradient reads, the mean and
    1 / sqrt(variance + epsilon). With ``is_training`` mean and variance are those of x, and the
    variance in the third result is the unbiased one, that a moving variance is made of; the
    operands ``mean`` and ``variance`` are not read, and nothing is written to them (MindSpore
    does; here ``nn.BatchNorm2d`` and ``ops.batch_norm`` do).

    >>> one, zero = Tensor([1.0]), Tensor([0.0])
    >>> ops.BatchNorm(epsilon=0.0)(Tensor([[1.0], [3.0]]), one, zero, one, one * 4)[0]
    Tensor(shape=[2, 1], dtype=Float32, value=
    [[ 0.00000000e+00],
     [ 1.00000000e+00]])
    """

    outputs = 5

    def infer(x, scale, bias, mean, variance, *, is_training, epsilon, momentum, data_format):
        _checked(x, (scale, bias, mean, variance), data_format)
        one = AbstractTensor(scale.dtype, scale.shape)
        return shaped(x, x.shape), one, one, one, one

    def compute(
        x, scale, bias, mean, variance, *, is_training=False, epsilon=1e-5, momentum=0.1,
        data_format="NCHW",
    ):  # fmt: skip
        _checked(x, (scale, bias, mean, variance), data_format)
        (others, shape), wide = _axes(x), widened(x)
        if is_training:
            count = max(math.prod(x.shape[i] for i in others), 1)
            mean = np.mean(wide, others)
            centred = wide - mean.reshape(shape)
            variance = np.mean(np.square(centred), others)
            unbiased = variance * (count / max(count - 1, 1))
        else:
            mean, variance = widened(mean), widened(variance)
            centred, unbiased = wide - mean.reshape(shape), variance
        inverse = 1 / np.sqrt(variance + variance.dtype.type(epsilon))
        factor = (widened(scale) * inverse).reshape(shape)
        y = like(centred * factor + widened(bias).reshape(shape), x)
        return (y, *(like(each, scale) for each in (mean, unbiased, mean, inverse)))

    def bprop(x, scale, _bias, _mean, _variance, out, dout, *, is_training):
        others, shape = _axes(x)
        dy, inverse = dout[0], out[4]
        centred, factor = x - ops.reshape(out[3], shape), scale * inverse
        dbias = ops.ReduceSum(dy, axis=others)
        dscale = ops.ReduceSum(dy * centred, axis=others) * inverse
        dmean = dout[1] + dout[3] - factor * dbias
        dvariance = -0.5 * inverse * (factor * dscale + inverse * inverse * dout[4])
        dx = dy * ops.reshape(factor, shape)
        if not is_training:
            return dx, dscale, dbias, dmean, dvariance + dout[2]
        count = math.prod(x.shape[i] for i in others)
        dvariance = dvariance + dout[2] * (count / max(count - 1, 1))
        along = centred * ops.reshape(dvariance * (2 / count), shape)
        return dx + along + ops.reshape(dmean / count, shape), dscale, dbias, None, None

    def samples(rng):
        for shape, training in (((4, 3), True), ((2, 3, 2, 2), True), ((2, 3, 2, 2), False)):
            per_channel = [rng.uniform(0.5, 1.5, (3,)) for _ in range(4)]
            how = {"is_training": training, "epsilon": 1e-3}
            yield rng.uniform(-2, 2, shape), *per_channel, how

    def cost(_out, x, *_rest, **_attributes):
        return 8 * x.size


def follow(moving, batch, momentum):
    """Move a moving mean or variance towards that of a batch: by a share of ``momentum``.

    >>> mean = Tensor([0.0])
    >>> follow(mean, Tensor([10.0]), 0.1)
    >>> mean
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    batch = ops.cast(ops.stop_gradient(batch), moving.dtype)
    ops.assign(moving, moving * (1 - momentum) + batch * momentum)


@composite("batch_norm")
def batch_norm(
    input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5
):
    """(x - mean) / sqrt(variance + eps) * weight + bias, with one number of each per channel.

    ``training``: with the mean and variance of the batch, which the running ones are moved towards,
    by a share of ``momentum``; else with the running ones. They have no gradient.

    >>> one, zero = Tensor([1.0]), Tensor([0.0])
    >>> ops.batch_norm(Tensor([[3.0]]), one, one * 4, one, zero, eps=0.0).asnumpy().tolist()
    [[1.0]]
    """
    known = map(ops.stop_gradient, (running_mean, running_var))
    how = {"is_training": training, "epsilon": eps, "momentum": momentum}
    y, mean, variance, *_ = ops.BatchNorm(input_x, weight, bias, *known, **how)
    if training:
        follow(running_mean, mean, momentum)
        follow(running_var, variance, momentum)
    return y


@composite("mint.nn.functional.batch_norm")
def batch_norm_ext(
    input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5
):
    """``ops.batch_norm``, where None stands for a weight of ones, a bias of zeros, no running mean.

    >>> x = Tensor([[1.0], [3.0]])
    >>> mint.nn.functional.batch_norm(x, None, None, training=True, eps=0.0).asnumpy().tolist()
    [[-1.0], [1.0]]
    """
    ones = ops.ones((input.shape[1],), input.dtype)
    weight, bias = ones if weight is None else weight, ones * 0 if bias is None else bias
    known = running_mean is not None and running_var is not None
    if not known and not training:
        raise errors.InvalidValue(
            "without running statistics it can only be training.", given="training=False"
        )
    mean, variance = (running_mean, running_var) if known else (ones, ones)
    how = {"is_training": training, "epsilon": eps}
    held = map(ops.stop_gradient, (mean, variance))
    y, found, spread, *_ = ops.BatchNorm(input, weight, bias, *held, **how)
    if training and known:
        follow(running_mean, found, momentum)
        follow(running_var, spread, momentum)
    return y
