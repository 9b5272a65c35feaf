"""Losses over classes and shares as Cells: cross entropy in all its forms, dice, focal.

>>> from ms_ext import Tensor, int32
>>> CrossEntropyLoss()(Tensor([[100.0, 0.0]]), Tensor([1], int32))
Tensor(shape=[], dtype=Float32, value= 100)
"""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..ops.losses import need_tensors
from .arguments import check_type
from .losses import LossBase

_SCORES = (dtypes.float16, dtypes.float32)


def _check_dtype(layer, name, value, *allowed):
    if value.dtype in allowed:
        return
    wanted = allowed[0] if len(allowed) == 1 else f"one of {list(allowed)}"
    raise errors.InvalidType(
        f"For '{layer}', the '{name}' should be {wanted}, but got '{value.dtype!r}'.",
        hint=f"Cast it first: {name}.astype(ms.{allowed[-1].public}).",
    )


def _check_labels(layer, logits, labels):
    """Refuse labels that are neither a share for each score nor an Int32 for each row."""
    need_tensors(layer, logits=logits, labels=labels)
    _check_dtype(layer, "logits", logits, *_SCORES)
    given, rank = f"logits {list(logits.shape)}, labels {list(labels.shape)}", labels.ndim
    if logits.ndim - rank not in (0, 1):
        raise errors.InvalidValue(
            f"For '{layer}', 'logits' and 'labels' must have as many axes (a share per class), "
            "or 'labels' one less (class numbers).",
            given=given,
        )
    shares = logits.ndim == rank
    _check_dtype(layer, "labels", labels, *(_SCORES if shares else (dtypes.int32,)))
    if shares and logits.shape != labels.shape:
        raise errors.InvalidValue(f"For '{layer}', each score needs one share.", given=given)


def _weight(layer, weight):
    if weight is not None and not hasattr(weight, "dtype"):
        raise errors.InvalidType(
            f"For '{layer}', the type of 'weight' should be 'Tensor', "
            f"but got type '{type(weight).__name__}'."
        )
    return weight


def _class_weight(layer, weight):
    if _weight(layer, weight) is not None:
        _check_dtype(layer, "weight", weight, *_SCORES)
    return weight


class CrossEntropyLoss(LossBase):
    """How surprised the scores are by the right class: class numbers, or a share for each class.

    Scores are Float16 or Float32, class numbers Int32, shares Float16 or Float32; nothing else.

    >>> from ms_ext import Tensor, int32
    >>> CrossEntropyLoss()(Tensor([[100.0, 0.0]]), Tensor([1], int32))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(reduction)
        self.weight = _class_weight("CrossEntropyLoss", weight)
        self.ignore_index = check_type("CrossEntropyLoss", "ignore_index", ignore_index, int)
        check_type("CrossEntropyLoss", "label_smoothing", label_smoothing, float)
        if not 0 <= label_smoothing <= 1:
            raise errors.InvalidValue(
                "For 'CrossEntropyLoss', the 'label_smoothing' must be in range of [0.0, 1.0], "
                f"but got {label_smoothing} with type 'float'."
            )
        self.label_smoothing = label_smoothing

    def construct(self, logits, labels):
        """The loss."""
        _check_labels("CrossEntropyLoss", logits, labels)
        return ops.cross_entropy(
            logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(LossBase):
    """Minus the log-probability of the right class.

    >>> from ms_ext import Tensor
    >>> NLLLoss()(Tensor([[-1.0, -2.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def __init__(self, weight=None, ignore_index=-100, reduction="mean"):
        super().__init__(reduction)
        self.weight = _class_weight("NLLLoss", weight)
        self.ignore_index = check_type("NLLLoss", "ignore_index", ignore_index, int)

    def construct(self, logits, labels):
        """The loss."""
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """How surprised the scores are: by class numbers (``sparse``), or by a share for each class.

    As in MindSpore the losses of the rows are not reduced unless that is asked for.

    >>> from ms_ext import Tensor
    >>> SoftmaxCrossEntropyWithLogits(sparse=True)(Tensor([[100.0, 0.0]]), Tensor([1]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+02])
    """

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        if not isinstance(sparse, bool):
            raise errors.InvalidType(
                "For 'SoftmaxCrossEntropyWithLogits', the 'sparse' must be a bool, "
                f"but got {type(sparse).__name__}."
            )
        self.sparse = sparse

    def construct(self, logits, labels):
        """The loss."""
        need_tensors("SoftmaxCrossEntropyWithLogits", logits=logits, labels=labels)
        if self.sparse and self.reduction == "mean":
            return ops.SparseSoftmaxCrossEntropyWithLogits(logits, labels)
        if self.sparse:
            labels = ops.one_hot(labels, logits.shape[-1], 1.0, 0.0)
        elif labels.dtype.kind != "float":
            raise errors.InvalidType(
                "For 'SoftmaxCrossEntropyWithLogits', the labels must be shares, of floats.",
                given=str(labels.dtype),
                hint="For class numbers say sparse=True.",
            )
        return self.get_loss(ops.SoftmaxCrossEntropyWithLogits(logits, labels)[0])


class BCELoss(LossBase):
    """-(y log x + (1 - y) log(1 - x)) of probabilities x and shares y, times weights, averaged.

    >>> from ms_ext import Tensor
    >>> BCELoss()(Tensor([0.5, 0.5]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0.693147)
    """

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits, labels):
        """The loss."""
        need_tensors("BCELoss", logits=logits, labels=labels)
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """BCELoss of sigmoid(input), without leaving the range of floats.

    >>> from ms_ext import Tensor
    >>> BCEWithLogitsLoss()(Tensor([-100.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    def __init__(self, reduction="mean", weight=None, pos_weight=None):
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, input, target):
        """The loss."""
        need_tensors("BCEWithLogitsLoss", input=input, target=target)
        return ops.binary_cross_entropy_with_logits(
            input, target, self.weight, self.pos_weight, self.reduction
        )


class KLDivLoss(LossBase):
    """labels * (log(labels) - logits): how far the shares are from exp(logits).

    "mean" divides by the number of elements, "batchmean" by that of rows.

    >>> from ms_ext import Tensor
    >>> KLDivLoss("sum")(Tensor([0.0, 0.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0)
    """

    def __init__(self, reduction="mean"):
        super().__init__("mean" if reduction == "batchmean" else reduction)
        self.reduction = reduction

    def construct(self, logits, labels):
        """The loss."""
        need_tensors("KLDivLoss", logits=logits, labels=labels)
        return ops.kl_div(logits, labels, self.reduction)


class CTCLoss(LossBase):
    """-log of the probability of labels, over all places in time where they may stand.

    >>> from ms_ext import Tensor, ops
    >>> x = ops.log_softmax(ops.zeros((2, 1, 2)), 2)
    >>> CTCLoss()(x, Tensor([[1]]), Tensor([2]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 0.287682)
    """

    def __init__(self, blank=0, reduction="mean", zero_infinity=False):
        super().__init__(reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def construct(self, log_probs, targets, input_lengths, target_lengths):
        """The loss."""
        return ops.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
            self.zero_infinity,
        )[0]  # fmt: skip


class DiceLoss(LossBase):
    """1 - 2 * sum(x y) / (sum(x x) + sum(y y) + smooth): how little two areas overlap.

    >>> from ms_ext import Tensor
    >>> DiceLoss(2.0)(Tensor([1.0, 0.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0.5)
    """

    def __init__(self, smooth=1e-5):
        super().__init__()
        if type(smooth) is not float:
            raise errors.InvalidType(
                f"The 'smooth' must be float, but got '{type(smooth).__name__}'"
            )
        if smooth <= 0:
            raise errors.InvalidValue(
                f"The 'smooth' must be float and must > 0, but got '{smooth}' with type 'float'."
            )
        self.smooth = smooth

    def construct(self, logits, label):
        """The loss."""
        need_tensors("DiceLoss", logits=logits, label=label)
        if logits.shape != label.shape:
            raise errors.InvalidValue(
                f"For 'DiceLoss', the 'logits_shape' should be = label_shape: {label.shape}, "
                f"but got {logits.shape}."
            )
        shared = ops.ReduceSum(logits * label)
        whole = ops.ReduceSum(ops.square(logits)) + ops.ReduceSum(ops.square(label))
        return 1 - 2 * shared / (whole + self.smooth)


class FocalLoss(LossBase):
    """-(1 - p)^gamma * log(p), with the probability p of the right class: hard rows count more.

    >>> from ms_ext import Tensor
    >>> FocalLoss(gamma=1.0)(Tensor([[0.0, 0.0]]), Tensor([[1]]))
    Tensor(shape=[], dtype=Float32, value= 0.346574)
    """

    def __init__(self, weight=None, gamma=2.0, reduction="mean"):
        super().__init__(reduction)
        self.weight = _weight("FocalLoss", weight)
        self.gamma = check_type("FocalLoss", "gamma", gamma, float)
        if weight is not None and weight.ndim != 1:
            raise errors.InvalidValue(
                f"For 'FocalLoss', the dimension of 'weight' must be 1, but got {weight.ndim}."
            )

    def construct(self, logits, labels):
        """The loss."""
        need_tensors("FocalLoss", logits=logits, labels=labels)
        if logits.ndim != labels.ndim or not 2 <= labels.ndim <= 4:
            raise errors.InvalidValue(
                "For 'FocalLoss', 'logits' and 'labels' must have 2, 3 or 4 axes.",
                given=f"{list(logits.shape)} and {list(labels.shape)}",
            )
        places = (logits.shape[0], logits.shape[1], -1)
        scores = ops.LogSoftmax(ops.reshape(logits, places), axis=1)
        each = ops.reshape(labels, (labels.shape[0], labels.shape[1], -1))
        share = ops.ones(scores.shape, scores.dtype)
        if self.weight is not None:
            share = share * ops.reshape(self.weight, (1, -1, 1))
        if labels.shape[1] == 1:
            each = ops.cast(each, dtypes.int32)
            scores, share = (ops.GatherD(x, each, dim=1) for x in (scores, share))
            each = 1
        hard = ops.pow(1 - ops.exp(scores), self.gamma)
        losses = ops.mean(-hard * each * scores * share, -1)
        return self.get_loss(ops.squeeze(losses, 1) if labels.shape[1] == 1 else losses)
