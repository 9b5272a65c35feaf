"""Losses as functions: how far an answer is from the right one, element by element or by class."""

from .. import ops
from ..engine import errors
from .class_losses import class_axis
from .composite import composite
from .loss_reduction import known_reduction


def reduced(losses, reduction, count=None):
    """The losses as they are, their sum, or their mean: over ``count`` if that is given."""
    known_reduction(reduction)
    if reduction == "none":
        return losses
    if reduction == "mean" and count is None:
        return ops.mean(losses)
    total = ops.ReduceSum(losses)
    return total if reduction == "sum" else total / count


def need_tensors(function, **named):
    """Refuse what is no tensor."""
    for name, value in named.items():
        if not hasattr(value, "dtype"):
            raise errors.InvalidType(
                f"For '{function}', the '{name}' must be a Tensor, but got "
                f"'{type(value).__name__}'."
            )


@composite("l1_loss", "mint.nn.functional.l1_loss")
def l1_loss(input, target, reduction="mean"):
    """The difference without its sign, averaged.

    >>> ops.l1_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """
    need_tensors("l1_loss", input=input, target=target)
    return reduced(ops.abs(input - target), reduction)


@composite("mse_loss", "mint.nn.functional.mse_loss")
def mse_loss(input, target, reduction="mean"):
    """The squared difference, averaged.

    >>> ops.mse_loss(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    need_tensors("mse_loss", input=input, target=target)
    return reduced(ops.square(input - target), reduction)


@composite("smooth_l1_loss")
def smooth_l1_loss(input, target, beta=1.0, reduction="none"):
    """Half the squared difference over beta where it is small, the difference less beta / 2 beyond.

    >>> ops.smooth_l1_loss(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  2.50000000e+00])
    """
    return ops.SmoothL1Loss(input, target, beta=beta, reduction=reduction)


@composite("mint.nn.functional.smooth_l1_loss")
def smooth_l1_loss_ext(input, target, reduction="mean", beta=1.0):
    """Half the squared difference over beta where it is small, the difference less beta / 2 beyond.

    >>> mint.nn.functional.smooth_l1_loss(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 1.5)
    """
    return ops.SmoothL1Loss(input, target, beta=beta, reduction=reduction)


@composite("huber_loss")
def huber_loss(input, target, reduction="mean", delta=1.0):
    """Half the squared difference up to delta, from there on a straight line of slope delta.

    >>> ops.huber_loss(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]), "none")
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  2.50000000e+00])
    """
    need_tensors("huber_loss", input=input, target=target)
    if isinstance(delta, bool) or not isinstance(delta, int | float):
        raise errors.InvalidType("delta must be a number.", given=repr(delta))
    if delta <= 0:
        raise errors.InvalidValue(
            f"For 'huber_loss', the argument 'delta' must > 0.0, but got {delta}."
        )
    far = ops.abs(input - target)
    near = 0.5 * ops.square(far)
    return reduced(ops.where(far <= delta, near, delta * (far - 0.5 * delta)), reduction)


@composite("binary_cross_entropy")
def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
    """-(y log x + (1 - y) log(1 - x)) of probabilities x and shares y, times weights, averaged.

    >>> ops.binary_cross_entropy(Tensor([0.5, 0.5]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0.693147)
    """
    need_tensors("binary_cross_entropy", logits=logits, labels=labels)
    given = (logits, labels) if weight is None else (logits, labels, weight)
    return ops.BinaryCrossEntropy(given, reduction=reduction)


@composite("mint.nn.functional.binary_cross_entropy")
def binary_cross_entropy_ext(input, target, weight=None, reduction="mean"):
    """-(y log x + (1 - y) log(1 - x)) of probabilities x and shares y, times weights, averaged.

    >>> mint.nn.functional.binary_cross_entropy(Tensor([0.5, 0.5]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0.693147)
    """
    return binary_cross_entropy(input, target, weight, reduction)


@composite("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction="mean"):
    """``binary_cross_entropy`` of sigmoid(x), without leaving the range of floats.

    ``pos_weight`` multiplies what the positive share adds.

    >>> ops.binary_cross_entropy_with_logits(Tensor([-100.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """
    need_tensors("binary_cross_entropy_with_logits", input=input, target=target)
    given = [input, target]
    if weight is not None or pos_weight is not None:
        given.append(ops.ones((), input.dtype) if weight is None else weight)
    if pos_weight is not None:
        given.append(pos_weight)
    return ops.BCEWithLogitsLoss(tuple(given), reduction=reduction)


@composite("mint.nn.functional.binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits_ext(
    input, target, weight=None, reduction="mean", pos_weight=None
):
    """``binary_cross_entropy`` of sigmoid(x), without leaving the range of floats.

    >>> mint.nn.functional.binary_cross_entropy_with_logits(Tensor([-100.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """
    return binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


@composite("kl_div")
def kl_div(logits, labels, reduction="mean"):
    """labels * (log(labels) - logits): how far the shares are from exp(logits).

    "mean" divides by the number of elements, "batchmean" by that of rows.

    >>> ops.kl_div(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]), "batchmean")
    Tensor(shape=[], dtype=Float32, value= 0)
    """
    need_tensors("kl_div", logits=logits, labels=labels)
    return ops.KLDivLoss(logits, labels, reduction=reduction)


@composite("mint.nn.functional.kl_div")
def kl_div_ext(input, target, reduction="mean", log_target=False):
    """target * (log(target) - input); with ``log_target`` the target is given as its logarithm.

    >>> mint.nn.functional.kl_div(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]), "sum")
    Tensor(shape=[], dtype=Float32, value= 0)
    """
    if not log_target:
        return kl_div(input, target, reduction)
    losses = ops.exp(target) * (target - input)
    batch = input.shape[0] if reduction == "batchmean" and input.shape else 1
    return (
        reduced(losses, "sum") / batch if reduction == "batchmean" else reduced(losses, reduction)
    )


@composite("nll_loss")
def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Minus the log-probability of the right class; the classes are on axis 1 of ``inputs``.

    >>> ops.nll_loss(Tensor([[-1.0, -2.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    _need_classes(target)
    axis = class_axis(inputs.ndim)
    counted = target != ignore_index
    known = ops.where(counted, target, 0)
    share = ops.cast(counted, inputs.dtype)
    if weight is not None:
        share = share * ops.gather(weight, known, 0)
    picked = ops.squeeze(ops.GatherD(inputs, ops.expand_dims(known, axis), dim=axis), axis)
    loss = -picked * share
    if label_smoothing:
        per_class = inputs if weight is None else inputs * _on_axis(weight, inputs, axis)
        spread = ops.ReduceSum(per_class, axis=axis) * ops.cast(counted, inputs.dtype)
        loss = loss * (1 - label_smoothing) - spread * (label_smoothing / inputs.shape[axis])
    return reduced(loss, reduction, ops.sum(share))


@composite("mint.nn.functional.nll_loss")
def nll_loss_ext(input, target, weight=None, ignore_index=-100, reduction="mean"):
    """Minus the log-probability of the right class; the classes are on axis 1 of the input.

    >>> mint.nn.functional.nll_loss(Tensor([[-1.0, -2.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    return nll_loss(input, target, weight, ignore_index, reduction)


def _need_classes(target):
    if target.dtype.kind == "bool":
        raise errors.InvalidType(
            "Bool is neither a class number nor a share.",
            hint="Cast the target: target.astype(ms.int32).",
        )


def _on_axis(weight, x, axis):
    """``weight``, one number per class, shaped to multiply ``x``."""
    return ops.reshape(weight, tuple(n if i == axis else 1 for i, n in enumerate(x.shape)))


@composite("cross_entropy", "mint.nn.functional.cross_entropy")
def cross_entropy(
    input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0
):
    """How surprised the scores are by the right class: class numbers, or a probability per class.

    The classes are on axis 1. ``weight``: one number per class; the mean is over the weights of
    the rows. ``label_smoothing``: the part of the target that is spread over all classes.

    >>> ops.cross_entropy(Tensor([[100.0, 0.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """
    numbered = target.dtype.kind == "int"
    if input.dtype.kind != "float":
        raise errors.InvalidType("the scores must be floating numbers.", given=str(input.dtype))
    _need_classes(target)
    if numbered and weight is None and not label_smoothing:
        return ops.CrossEntropyLoss(input, target, ignore_index=ignore_index, reduction=reduction)
    axis = class_axis(input.ndim)
    scores = ops.LogSoftmax(input, axis=axis)
    if numbered:
        return nll_loss(scores, target, weight, ignore_index, reduction, label_smoothing)
    classes = input.shape[axis]
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    scores = scores if weight is None else scores * _on_axis(weight, scores, axis)
    loss = -ops.ReduceSum(scores * target, axis=axis)
    return reduced(loss, reduction, max(input.size // max(classes, 1), 1))
