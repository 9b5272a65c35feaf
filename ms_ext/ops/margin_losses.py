"""Losses that ask for a distance: between a right and a wrong answer, or between two things."""

import math

from .. import ops
from ..engine import errors
from .composite import composite
from .losses import need_tensors, reduced


def _number(function, name, value, kind=(int, float)):
    if isinstance(value, bool) or not isinstance(value, kind):
        raise errors.InvalidType(
            f"For '{function}', the type of '{name}' should be a number, "
            f"but got type '{type(value).__name__}'."
        )


@composite("margin_ranking_loss")
def margin_ranking_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """max(0, margin - target * (input1 - input2)): target 1 wants input1 larger, -1 input2.

    >>> ops.margin_ranking_loss(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    _number("margin_ranking_loss", "margin", margin, float)
    need_tensors("margin_ranking_loss", input1=input1, input2=input2, target=target)
    return reduced(ops.relu(margin - target * (input1 - input2)), reduction)


@composite("hinge_embedding_loss")
def hinge_embedding_loss(inputs, targets, margin=1.0, reduction="mean"):
    """The distance itself for target 1; max(0, margin - distance) for target -1.

    >>> ops.hinge_embedding_loss(Tensor([0.5, 0.25]), Tensor([1.0, -1.0]), reduction="none")
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  7.50000000e-01])
    """
    _number("hinge_embedding_loss", "margin", margin)
    need_tensors("hinge_embedding_loss", inputs=inputs, targets=targets)
    return reduced(ops.where(targets == -1, ops.relu(margin - inputs), inputs), reduction)


@composite("soft_margin_loss", "mint.nn.functional.soft_margin_loss")
def soft_margin_loss(input, target, reduction="mean"):
    """log(1 + exp(-target * input)), averaged; target is 1 or -1.

    >>> ops.soft_margin_loss(Tensor([-100.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """
    return ops.SoftMarginLoss(input, target, reduction=reduction)


@composite("cosine_similarity")
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosine of the angle between vectors along a dim; no length counts as less than eps.

    >>> ops.cosine_similarity(Tensor([[3.0, 4.0]]), Tensor([[8.0, -6.0]]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    inner = ops.ReduceSum(x1 * x2, axis=dim)
    one, other = (ops.ReduceSum(ops.square(x), axis=dim) for x in (x1, x2))
    least = eps * eps
    return inner / (ops.sqrt(ops.maximum(one, least)) * ops.sqrt(ops.maximum(other, least)))


@composite("cosine_embedding_loss", "mint.nn.functional.cosine_embedding_loss")
def cosine_embedding_loss(input1, input2, target, margin=0.0, reduction="mean"):
    """1 - cosine for target 1; max(0, cosine - margin) for target -1.

    >>> ops.cosine_embedding_loss(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """
    _number("cosine_embedding_loss", "margin", margin)
    if not -1 <= margin <= 1:
        raise errors.InvalidValue(f"the value of 'margin' should be in [-1, 1],but got {margin}.")
    need_tensors("cosine_embedding_loss", input1=input1, input2=input2, target=target)
    axis, least = min(input1.ndim - 1, 1), 1e-12
    one, other = (ops.ReduceSum(ops.square(x), axis=axis) + least for x in (input1, input2))
    cosine = ops.ReduceSum(input1 * input2, axis=axis) / ops.sqrt(one * other)
    unlike = ops.where(target == -1, ops.relu(cosine - margin), 0)
    return reduced(ops.where(target == 1, 1 - cosine, unlike), reduction)


@composite("triplet_margin_loss")
def triplet_margin_loss(
    anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, reduction="mean"
):
    """max(0, |anchor - positive| - |anchor - negative| + margin), with p-norms of the last axis.

    ``swap``: the negative counts by its distance from the positive, if that is shorter.

    >>> ops.triplet_margin_loss(Tensor([[0.0]]), Tensor([[3.0]]), Tensor([[3.5]]), eps=0.0)
    Tensor(shape=[], dtype=Float32, value= 0.5)
    """
    if type(p) is not int:
        raise errors.InvalidType(
            f"the type of 'p' should be 'int', but got type '{type(p).__name__}'."
        )
    if not hasattr(margin, "dtype"):
        _number("triplet_margin_loss", "margin", margin)
    near, far = _apart(anchor, positive, p, eps), _apart(anchor, negative, p, eps)
    if swap:
        far = ops.minimum(far, _apart(positive, negative, p, eps))
    return reduced(ops.relu(near - far + margin), reduction)


def _apart(x, y, p, eps):
    """The p-norm of the difference, eps added to each element."""
    far = ops.abs(x - y + eps)
    if p == 1:
        return ops.ReduceSum(far, axis=-1)
    return ops.pow(ops.ReduceSum(ops.pow(far, p), axis=-1), 1 / p)


@composite("multi_margin_loss")
def multi_margin_loss(input, target, p=1, margin=1, weight=None, reduction="mean"):
    """max(0, margin - score of the class + score)^p over the other classes, by their number.

    >>> ops.multi_margin_loss(Tensor([[0.5, 0.0]]), Tensor([0]))
    Tensor(shape=[], dtype=Float32, value= 0.25)
    """
    if p not in (1, 2) or type(p) is not int:
        raise errors.InvalidValue(
            f"the 'p' must be int and must in {{1, 2}}, but got '{p}' with type "
            f"'{type(p).__name__}'."
        )
    _number("multi_margin_loss", "margin", margin)
    place = ops.expand_dims(target, 1)
    short = ops.relu(margin - ops.GatherD(input, place, dim=1) + input)
    short = short if p == 1 else ops.square(short)
    if weight is not None:
        short = short * ops.expand_dims(ops.gather(weight, target, 0), 1)
    classes = input.shape[1]
    others = ops.reshape(ops.arange(classes), (1, classes)) != place
    return reduced(ops.ReduceSum(ops.where(others, short, 0), axis=1) / classes, reduction)


@composite("multilabel_margin_loss")
def multilabel_margin_loss(input, target, reduction="mean"):
    """max(0, 1 - score of a right class + score of a wrong one), summed over pairs, by the classes.

    Each row of ``target`` lists its right classes, up to the first -1.

    >>> ops.multilabel_margin_loss(Tensor([[0.5, 0.0]]), Tensor([[0, -1]]))
    Tensor(shape=[], dtype=Float32, value= 0.25)
    """
    if input.shape != target.shape or input.ndim not in (1, 2):
        raise errors.InvalidValue(
            "input and target must have one shape of one or two axes.",
            given=f"{list(input.shape)} and {list(target.shape)}",
        )
    ended = ops.CumSum(ops.cast(target < 0, "int32"), axis=-1)
    listed = ops.cast(ended == 0, input.dtype)
    known = ops.where(ended == 0, target, 0)
    classes = input.shape[-1]
    hot = ops.one_hot(known, classes, 1.0, 0.0) * ops.expand_dims(listed, -1)
    wrong = 1 - ops.amax(hot, -2)
    right = ops.expand_dims(ops.GatherD(input, known, dim=input.ndim - 1), -1)
    short = ops.relu(1 - right + ops.expand_dims(input, -2))
    pairs = short * ops.expand_dims(listed, -1) * ops.expand_dims(ops.cast(wrong, input.dtype), -2)
    return reduced(ops.ReduceSum(pairs, axis=(-2, -1)) / classes, reduction)


@composite("multilabel_soft_margin_loss")
def multilabel_soft_margin_loss(input, target, weight=None, reduction="mean"):
    """The binary cross entropy of each class's score with its target, averaged over the classes.

    >>> ops.multilabel_soft_margin_loss(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
    Tensor(shape=[], dtype=Float32, value= 0.693147)
    """
    need_tensors("multilabel_soft_margin_loss", input=input, target=target)
    losses = ops.SigmoidCrossEntropyWithLogits(input, target)
    losses = losses if weight is None else losses * weight
    return reduced(ops.mean(losses, -1), reduction)


@composite("gaussian_nll_loss")
def gaussian_nll_loss(x, target, var, full=False, eps=1e-6, reduction="mean"):
    """(log(var) + (x - target)^2 / var) / 2: of a bell curve around x with that variance.

    ``full`` adds log(2 pi) / 2; no variance counts as less than eps.

    >>> ops.gaussian_nll_loss(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    _number("gaussian_nll_loss", "eps", eps)
    if eps <= 0:
        raise errors.InvalidValue(
            f"For 'gaussian_nll_loss', 'eps' must be a positive float, but got {eps}."
        )
    wide = ops.maximum(var, eps)
    losses = 0.5 * (ops.log(wide) + ops.square(x - target) / wide)
    return reduced(losses + 0.5 * math.log(2 * math.pi) if full else losses, reduction)
