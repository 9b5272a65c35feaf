"""Losses that compare shares and probabilities, as primitives: divergence, binary cross entropy.

>>> ops.BinaryCrossEntropy("sum")(Tensor([1.0, 0.0]), Tensor([1.0, 0.0]))
Tensor(shape=[], dtype=Float32, value= 0)
"""

import numpy as np

from .. import ops
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
from .shapes import common_shape

DIVERGENCES = (*REDUCTIONS, "batchmean")


def _divergence(x, y, *, reduction):
    known_reduction(reduction, DIVERGENCES)
    same_shapes(x, y)
    return loss_type(x, y, reduction=reduction)


def _divergence_samples(rng):
    for reduction in DIVERGENCES:
        pair = rng.uniform(-2, 0, (2, 3)), rng.uniform(0.1, 1, (2, 3))
        yield (*pair, {"reduction": reduction})
    yield rng.uniform(-2, 0, (3, 2)).T, rng.uniform(0.1, 1, (2, 3)), {"reduction": "none"}


@op(operands="float")
class KLDivLoss:
    """labels * (log(labels) - logits), and 0 where labels is 0: the distance from exp(logits).

    >>> ops.KLDivLoss("sum")(Tensor([0.0, 5.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0)
    """

    infer = _divergence
    samples = _divergence_samples

    def compute(logits, labels, *, reduction="mean"):
        checked(_divergence, logits, labels, reduction=reduction)
        wide = widened(labels)
        losses = np.where(wide > 0, wide * (np.log(np.where(wide > 0, wide, 1)) - logits), 0)
        if reduction == "batchmean":
            return like(np.sum(losses) / (len(losses) if losses.ndim else 1), logits)
        return gathered(losses, reduction, logits)

    def bprop(logits, labels, _out, dout, *, reduction):
        batch = logits.shape[0] if logits.shape else 1
        logits, labels = ops.cast(logits, dout.dtype), ops.cast(labels, dout.dtype)
        each = dout / batch if reduction == "batchmean" else spread(dout, logits.shape, reduction)
        some = labels > 0
        steep = ops.log(ops.where(some, labels, 1)) + 1 - logits
        return ops.where(some, -labels, 0) * each, ops.where(some, steep, 0) * each


_LEAST = 1e-12


def _binary_samples(rng):
    for reduction in REDUCTIONS:
        pair = rng.uniform(0.1, 0.9, (2, 3)), rng.uniform(0, 1, (2, 3))
        yield (*pair, {"reduction": reduction})
        yield (*pair, rng.uniform(0.5, 2, (2, 3)), {"reduction": reduction})
    yield rng.uniform(0.1, 0.9, (3, 2)).T, rng.uniform(0, 1, (2, 3)), rng.uniform(0, 1, (3,))


@op(operands="float")
class BinaryCrossEntropy:
    """-(y log x + (1 - y) log(1 - x)) of probabilities x and shares y; a third operand is weights.

    The logarithms stop at log(1e-12).

    >>> ops.BinaryCrossEntropy("none")(Tensor([0.5, 0.5]), Tensor([1.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 6.93147182e-01,  6.93147182e-01])
    """

    infer = alike
    samples = _binary_samples

    def compute(*operands, reduction="mean"):
        checked(alike, *operands, reduction=reduction)
        x, y, *weight = map(widened, operands)
        losses = -(y * np.log(np.maximum(x, _LEAST)) + (1 - y) * np.log(np.maximum(1 - x, _LEAST)))
        return gathered(losses * weight[0] if weight else losses, reduction, operands[0])

    def bprop(operands, _out, dout, *, reduction):
        x, y, *weight = operands
        shape = common_shape(*(each.shape for each in operands))
        each = spread(dout, shape, reduction)
        part = each * weight[0] if weight else each
        yes, no = ops.log(ops.maximum(x, _LEAST)), ops.log(ops.maximum(1 - x, _LEAST))
        found = (x - y) / ops.maximum(x * (1 - x), _LEAST) * part, (no - yes) * part
        return (*found, -(y * yes + (1 - y) * no) * each) if weight else found


def _score_samples(rng):
    for reduction in REDUCTIONS:
        pair = rng.uniform(-2, 2, (2, 3)), rng.uniform(0, 1, (2, 3))
        yield (*pair, {"reduction": reduction})
        yield (*pair, rng.uniform(0.5, 2, (2, 3)), {"reduction": reduction})
        weights = rng.uniform(0.5, 2, (3,)), rng.uniform(0.5, 2, (2, 1))
        yield (*pair, *weights, {"reduction": reduction})


@op(operands="float")
class BCEWithLogitsLoss:
    """BinaryCrossEntropy of sigmoid(x), from x itself; then weights, and weights of the positives.

    >>> ops.BCEWithLogitsLoss("none")(Tensor([200.0, -200.0]), Tensor([1.0, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+02])
    """

    infer = alike
    samples = _score_samples

    def compute(*operands, reduction="mean"):
        checked(alike, *operands, reduction=reduction)
        x, y, *weights = map(widened, operands)
        more = 1 + (weights[1] - 1) * y if len(weights) > 1 else 1
        losses = (1 - y) * x + more * softplus(-x)
        return gathered(losses * weights[0] if weights else losses, reduction, operands[0])

    def bprop(operands, _out, dout, *, reduction):
        x, y, *weights = [ops.cast(each, dout.dtype) for each in operands]
        each = spread(dout, common_shape(*(each.shape for each in operands)), reduction)
        part = each * weights[0] if weights else each
        soft, share = ops.Softplus(-x), ops.sigmoid(-x)
        if len(weights) < 2:
            found = (1 - y - share) * part, -x * part
            return (*found, ((1 - y) * x + soft) * each) if weights else found
        more = 1 + (weights[1] - 1) * y
        dx, dy = (1 - y - more * share) * part, ((weights[1] - 1) * soft - x) * part
        return dx, dy, ((1 - y) * x + more * soft) * each, y * soft * part


def _one_pair(rng):
    yield rng.uniform(-2, 2, (2, 3)), rng.uniform(0, 1, (2, 3))
    yield rng.uniform(-2, 2, (3, 2)).T, rng.uniform(0, 1, (2, 3))
    yield rng.uniform(-2, 2, (0, 3)), rng.uniform(0, 1, (0, 3))


def _unreduced(x, y):
    return alike(x, y, reduction="none")


@op(operands="float")
class SigmoidCrossEntropyWithLogits:
    """The binary cross entropy of sigmoid(logits), for each element.

    >>> ops.SigmoidCrossEntropyWithLogits()(Tensor([200.0, -200.0]), Tensor([1.0, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+02])
    """

    infer = _unreduced
    samples = _one_pair

    def compute(logits, label):
        checked(_unreduced, logits, label)
        x, y = widened(logits), widened(label)
        return like((1 - y) * x + softplus(-x), logits)

    def bprop(logits, label, _out, dout):
        logits, label = ops.cast(logits, dout.dtype), ops.cast(label, dout.dtype)
        return (ops.sigmoid(logits) - label) * dout, -logits * dout
