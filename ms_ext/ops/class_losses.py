"""Losses over classes, as primitives: scores against a class number, or against shares.

One primitive holds softmax, logarithm and the choice of the class, so that nothing leaves the range
of floats and the gradient is one step: ``softmax(x) - one_hot(class)``.
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .loss_reduction import REDUCTIONS, known_reduction
from .precision import like, widened
from .shapes import float_dtype, needs_places, settled

_LARGEST, _SUM = np.maximum.reduce, np.add.reduce


def class_axis(rank):
    """The axis of the classes: 1, or the only one."""
    return min(rank - 1, 1)


def fits(x, target):
    """Refuse targets that are no class numbers for the scores x."""
    needs_places(target)
    axis = class_axis(x.ndim)
    wanted = x.shape[:axis] + x.shape[axis + 1 :]
    if x.ndim < 1 or target.shape != wanted:
        raise errors.InvalidValue(
            "there must be one class number for each row of scores.",
            given=f"scores {list(x.shape)}, classes {list(target.shape)}",
            hint=f"The classes are on axis {axis}; the targets' shape must be {list(wanted)}.",
        )


def _loss(x, target, *, ignore_index, reduction):
    known_reduction(reduction)
    fits(x, target)
    dtype = float_dtype(settled(x.dtype, x.weak))
    return AbstractTensor(dtype, target.shape if reduction == "none" else ())


def picking(target, counted, rank):
    """What picks the element of each row's class out of the scores; class 0 where none counts."""
    known = target if counted is None else np.where(counted, target, 0)
    if rank == 2:
        return np.arange(len(known)), known
    places = list(np.ogrid[tuple(slice(n) for n in known.shape)])
    places.insert(class_axis(rank), known)
    return tuple(places)


def picked(scores, index):
    """The score of each row's class; none beyond the classes."""
    try:
        return scores[index]
    except IndexError:
        classes = scores.shape[class_axis(scores.ndim)]
        raise errors.IndexOutOfRange(
            "a class number is out of range.",
            given=f"{classes} classes",
            hint="Give numbers from 0 to the number of classes less one, or the ignore_index.",
        ) from None


def counted_rows(target, ignore_index):
    """Where a row counts; None if all do."""
    counted = target != ignore_index
    return None if counted.all() else counted


def number_of(counted, target):
    """How many rows count."""
    return target.size if counted is None else np.count_nonzero(counted)


def _class_samples(rng):
    for reduction in REDUCTIONS:
        last = {"reduction": reduction, "ignore_index": 2}
        yield rng.uniform(-2, 2, (4, 3)), np.array([0, 2, 1, -1]), last
        yield rng.uniform(-2, 2, (3, 4)).T, np.array([0, 1, 1, 0]), last
    yield rng.uniform(-2, 2, (2, 3, 2)), np.array([[0, 1], [2, -100]])
    yield rng.uniform(-2, 2, (3,)), np.array(1)
    yield rng.uniform(-2, 2, (0, 3)), np.zeros((0,), np.int64), {"reduction": "sum"}


@op(operands=("float", "as given"))
class CrossEntropyLoss:
    """-log(softmax(x)[class]): how surprised the scores are by the right class, on axis 1.

    Rows of the class ``ignore_index`` count for nothing, also not for the mean.

    >>> ops.CrossEntropyLoss(Tensor([[100.0, 0.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    infer = _loss
    samples = _class_samples

    def compute(x, target, *, ignore_index=-100, reduction="mean"):
        _loss_checked(x, target, reduction)
        wide, axis = widened(x), class_axis(x.ndim)
        counted = counted_rows(target, ignore_index)
        shifted = wide - _LARGEST(wide, axis, keepdims=True, initial=-np.inf)
        losses = np.log(_SUM(np.exp(shifted), axis))
        losses = losses - picked(shifted, picking(target, counted, x.ndim))
        if counted is not None:
            losses = np.where(counted, losses, 0)
        if reduction == "none":
            return like(losses, x)
        number = 1 if reduction == "sum" else number_of(counted, target)
        return like(np.sum(losses) / number if number else np.nan, x)

    def bprop(x, target, _out, dout, *, ignore_index, reduction):
        dx = ops.CrossEntropyLossGrad(
            x, target, dout, ignore_index=ignore_index, reduction=reduction
        )
        return dx, None

    def cost(out, x, _target, **_attributes):
        return 5 * x.size


def _loss_checked(x, target, reduction):
    known_reduction(reduction)
    fits(x, target)


def _like_scores(x, target, dout, *, ignore_index, reduction):
    _loss_checked(x, target, reduction)
    return AbstractTensor(float_dtype(settled(x.dtype, x.weak)), x.shape)


def _gradient_samples(rng):
    for sample in _class_samples(rng):
        x, target, *last = sample
        reduction = last[0].get("reduction", "mean") if last else "mean"
        yield x, target, rng.uniform(0.5, 2, target.shape if reduction == "none" else ()), *last


@op(operands=("float", "as given", "float"))
class CrossEntropyLossGrad:
    """(softmax(x) - one_hot(class)) * dout: the gradient of CrossEntropyLoss.

    >>> ops.CrossEntropyLossGrad(Tensor([[0.0, 0.0]]), Tensor([1]), Tensor(1.0))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 5.00000000e-01, -5.00000000e-01]])
    """

    infer = _like_scores
    samples = _gradient_samples

    def compute(x, target, dout, *, ignore_index=-100, reduction="mean"):
        _loss_checked(x, target, reduction)
        wide, axis = widened(x), class_axis(x.ndim)
        counted = counted_rows(target, ignore_index)
        slope = np.exp(wide - _LARGEST(wide, axis, keepdims=True, initial=-np.inf))
        slope /= _SUM(slope, axis, keepdims=True)
        index = picking(target, counted, x.ndim)
        slope[index] = picked(slope, index) - 1
        share = widened(dout)
        if reduction == "mean":
            share = share / max(number_of(counted, target), 1)
        if counted is not None:
            share = np.where(counted, share, 0)
        return like(slope * (np.expand_dims(share, axis) if share.ndim else share), x)

    def bprop(x, target, dout, _out, ddout, *, ignore_index, reduction):
        axis, given = class_axis(len(x.shape)), {"reduction": "none", "ignore_index": ignore_index}
        one = ops.CrossEntropyLossGrad(x, target, ops.ones(target.shape, x.dtype), **given)
        counted = ops.cast(target != ignore_index, x.dtype)
        share = counted / ops.maximum(ops.sum(counted), 1) if reduction == "mean" else counted
        soft, part = ops.Softmax(x, axis=axis), ddout * ops.expand_dims(share * dout, axis)
        dx = soft * (part - ops.ReduceSum(soft * part, axis=axis, keep_dims=True))
        along = ops.ReduceSum(one * ddout, axis=axis) * share
        return dx, None, along if reduction == "none" else ops.sum(along)

    def cost(out, *_operands, **_attributes):
        return 5 * out.size


@op(operands=("float", "as given"))
class SparseSoftmaxCrossEntropyWithLogits:
    """The mean of -log(softmax(logits)[label]); with ``is_grad`` its gradient instead.

    >>> ops.SparseSoftmaxCrossEntropyWithLogits()(Tensor([[100.0, 0.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    def infer(logits, labels, *, is_grad):
        loss = _loss(logits, labels, ignore_index=None, reduction="mean")
        return AbstractTensor(loss.dtype, logits.shape if is_grad else ())

    def compute(logits, labels, *, is_grad=False):
        options = {"ignore_index": np.iinfo(np.int64).min, "reduction": "mean"}
        if not is_grad:
            return ops.CrossEntropyLoss.compute(logits, labels, **options)
        one = np.ones((), logits.dtype)
        return ops.CrossEntropyLossGrad.compute(logits, labels, one, **options)

    def bprop(logits, labels, _out, dout, *, is_grad):
        options = {"ignore_index": -(2**63), "reduction": "mean"}
        one = ops.ones((), logits.dtype)
        if not is_grad:
            return ops.CrossEntropyLossGrad(logits, labels, dout, **options), None
        axis = 1
        soft, part = ops.Softmax(logits, axis=axis), dout * one / max(logits.shape[0], 1)
        return soft * (part - ops.ReduceSum(soft * part, axis=axis, keep_dims=True)), None

    def samples(rng):
        yield rng.uniform(-2, 2, (4, 3)), np.array([0, 2, 1, 2])
        yield rng.uniform(-2, 2, (3, 4)).T, np.array([0, 2, 1, 2]), {"is_grad": True}


def _softened(logits, labels):
    if logits.shape != labels.shape or logits.ndim != 2:
        raise errors.InvalidValue(
            "logits and labels must be matrices of one shape.",
            given=f"{list(logits.shape)} and {list(labels.shape)}",
            hint="Give a share for each class, or use class numbers: sparse=True.",
        )
    dtype = float_dtype(settled(logits.dtype, logits.weak))
    return AbstractTensor(dtype, logits.shape[:1]), AbstractTensor(dtype, logits.shape)


@op(operands="float")
class SoftmaxCrossEntropyWithLogits:
    """Two results: -sum(labels * log(softmax(logits))) of each row, and softmax(logits) - labels.

    >>> x, shares = Tensor([[0.0, 0.0]]), Tensor([[0.0, 1.0]])
    >>> ops.SoftmaxCrossEntropyWithLogits()(x, shares)[1]
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 5.00000000e-01, -5.00000000e-01]])
    """

    infer = _softened
    outputs = 2

    def compute(logits, labels):
        if logits.shape != labels.shape or logits.ndim != 2:
            _softened(logits, labels)
        wide, shares = widened(logits), widened(labels)
        shifted = wide - np.max(wide, 1, keepdims=True, initial=-np.inf)
        powers = np.exp(shifted)
        total = np.sum(powers, 1, keepdims=True)
        losses = np.sum(shares * (np.log(total) - shifted), 1)
        return like(losses, logits), like(powers / total - shares, logits)

    def bprop(logits, labels, _out, dout):
        soft, each = ops.Softmax(logits, axis=1), ops.expand_dims(dout[0], 1)
        whole = ops.ReduceSum(labels, axis=1, keep_dims=True)
        inner = ops.ReduceSum(soft * dout[1], axis=1, keep_dims=True)
        dx = each * (soft * whole - labels) + soft * (dout[1] - inner)
        return dx, -ops.LogSoftmax(logits, axis=1) * each - dout[1]

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(0, 1, (2, 3))
        yield rng.uniform(-2, 2, (3, 2)).T, rng.uniform(0, 1, (2, 3))
        yield rng.uniform(-2, 2, (0, 3)), rng.uniform(0, 1, (0, 3))
