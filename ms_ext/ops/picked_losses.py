"""Minus the log-probability of the right class, weighed: NLLLoss, as MindSpore's primitive."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .class_losses import counted_rows, fits, picked, picking
from .loss_reduction import REDUCTIONS, known_reduction
from .precision import like, widened
from .shapes import float_dtype, settled


def _checked(logits, labels, weight, reduction):
    known_reduction(reduction)
    fits(logits, labels)
    if weight.shape != logits.shape[-1:]:
        raise errors.InvalidValue(
            "there must be one weight for each class.",
            given=f"logits {list(logits.shape)}, weight {list(weight.shape)}",
        )


def _weighed(logits, labels, weight, *, reduction, ignore_index):
    _checked(logits, labels, weight, reduction)
    dtype = float_dtype(settled(logits.dtype, logits.weak))
    loss = AbstractTensor(dtype, labels.shape if reduction == "none" else ())
    return loss, AbstractTensor(float_dtype(settled(weight.dtype, weight.weak)), ())


@op(operands=("float", "as given", "float"))
class NLLLoss:
    """-weight[class] * logits[class] of each row, reduced; and the sum of the weights.

    The mean is divided by that sum. Rows of the class ``ignore_index`` count for nothing.

    >>> loss, total = ops.NLLLoss()(Tensor([[-1.0, -2.0]]), Tensor([1]), Tensor([1.0, 4.0]))
    >>> loss, total
    (Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Float32, value= 4))
    """

    infer = _weighed
    outputs = 2

    def compute(logits, labels, weight, *, reduction="mean", ignore_index=-100):
        _checked(logits, labels, weight, reduction)
        counted = counted_rows(labels, ignore_index)
        index = picking(labels, counted, logits.ndim)
        scores = picked(widened(logits), index)
        shares = widened(weight)[index[-1]]
        if counted is not None:
            shares = np.where(counted, shares, 0)
        losses, total = -scores * shares, np.sum(shares)
        if reduction != "none":
            number = total if reduction == "mean" else 1
            losses = np.sum(losses) / number if number else np.nan
        return like(losses, logits), like(total, weight)

    def bprop(logits, labels, weight, out, dout, *, reduction, ignore_index):
        axis, counted = len(logits.shape) - 1, labels != ignore_index
        logits, weight = ops.cast(logits, out[0].dtype), ops.cast(weight, out[0].dtype)
        known = ops.where(counted, labels, 0)
        shares = ops.gather(weight, known, 0) * ops.cast(counted, weight.dtype)
        place = ops.expand_dims(known, axis)
        scores = ops.squeeze(ops.GatherD(logits, place, dim=axis), axis)
        each = dout[0] / out[1] if reduction == "mean" else dout[0]
        steep = -(scores + out[0]) if reduction == "mean" else -scores
        along = (each * steep + dout[1]) * ops.cast(counted, weight.dtype)
        dx = ops.GatherDGrad(
            ops.expand_dims(-shares * each, axis), place, shape=logits.shape, dim=axis
        )
        return dx, None, ops.GatherGrad(along, known, shape=weight.shape, axis=0)

    def samples(rng):
        for reduction in REDUCTIONS:
            last = {"reduction": reduction, "ignore_index": 2}
            weight = rng.uniform(0.5, 2, (3,))
            yield rng.uniform(-2, 2, (4, 3)), np.array([0, 2, 1, 0]), weight, last
        yield rng.uniform(-2, 2, (3, 4)).T, np.array([0, 2, 1, 0]), rng.uniform(0.5, 2, (3,))
        yield rng.uniform(-2, 2, (3,)), np.array(1), rng.uniform(0.5, 2, (3,))
