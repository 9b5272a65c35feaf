"""Losses that ask for a distance, as Cells: between a right and a wrong answer, or two things.

>>> from ms_ext import Tensor
>>> MarginRankingLoss(0.5)(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
Tensor(shape=[], dtype=Float32, value= 2.5)
"""

from .. import ops
from ..engine import errors
from ..ops.losses import need_tensors
from .arguments import check_type
from .cell import Cell
from .losses import LossBase, need_reduction


def _margin(layer, margin):
    if isinstance(margin, bool) or not isinstance(margin, int | float):
        raise errors.InvalidType(f"For '{layer}', the margin must be a number.", given=repr(margin))
    return margin


class CosineEmbeddingLoss(LossBase):
    """1 - cosine for label 1; max(0, cosine - margin) for label -1.

    >>> from ms_ext import Tensor
    >>> CosineEmbeddingLoss()(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """

    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        check_type("CosineEmbeddingLoss", "margin", margin, float)
        if not -1 <= margin <= 1:
            raise errors.InvalidValue(
                "For 'CosineEmbeddingLoss', the 'margin' must be in range of [-1.0, 1.0], "
                f"but got {margin} with type 'float'."
            )
        self.margin = margin

    def construct(self, logits_x1, logits_x2, labels):
        """The loss."""
        return ops.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    """max(0, margin - target * (input1 - input2)): target 1 wants input1 larger, -1 input2.

    >>> from ms_ext import Tensor
    >>> MarginRankingLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def __init__(self, margin=0.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = _margin("MarginRankingLoss", margin)

    def construct(self, input1, input2, target):
        """The loss."""
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class HingeEmbeddingLoss(LossBase):
    """The distance itself for label 1; max(0, margin - distance) for label -1.

    >>> from ms_ext import Tensor
    >>> HingeEmbeddingLoss(reduction="none")(Tensor([0.5, 0.25]), Tensor([1.0, -1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  7.50000000e-01])
    """

    def __init__(self, margin=1.0, reduction="mean"):
        super().__init__(reduction)
        self.margin = _margin("HingeEmbeddingLoss", margin)

    def construct(self, logits, labels):
        """The loss."""
        return ops.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class MultiMarginLoss(Cell):
    """max(0, margin - score of the class + score)^p over the other classes, by their number.

    >>> from ms_ext import Tensor
    >>> MultiMarginLoss()(Tensor([[0.5, 0.0]]), Tensor([0]))
    Tensor(shape=[], dtype=Float32, value= 0.25)
    """

    def __init__(self, p=1, margin=1.0, reduction="mean", weight=None):
        super().__init__()
        if p not in (1, 2) or type(p) is not int:
            raise errors.InvalidValue(
                "For 'MultiMarginLoss', the 'p' must be int and must in {1, 2}, "
                f"but got '{p}' with type '{type(p).__name__}'."
            )
        self.p, self.margin, self.weight = p, _margin("MultiMarginLoss", margin), weight
        self.reduction = need_reduction("MultiMarginLoss", reduction)

    def construct(self, x, target, weight=None):
        """The loss."""
        need_tensors("MultiMarginLoss", x=x, target=target)
        weight = weight if self.weight is None else self.weight
        return ops.multi_margin_loss(x, target, self.p, self.margin, weight, self.reduction)


class MultilabelMarginLoss(Cell):
    """max(0, 1 - score of a right class + score of a wrong one), summed over pairs, by the classes.

    Each row of ``target`` lists its right classes, up to the first -1.

    >>> from ms_ext import Tensor
    >>> MultilabelMarginLoss()(Tensor([[0.5, 0.0]]), Tensor([[0, -1]]))
    Tensor(shape=[], dtype=Float32, value= 0.25)
    """

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = need_reduction("MultilabelMarginLoss", reduction)

    def construct(self, x, target):
        """The loss."""
        return ops.multilabel_margin_loss(x, target, self.reduction)


class MultiLabelSoftMarginLoss(LossBase):
    """The binary cross entropy of each class's score with its target, averaged over the classes.

    >>> from ms_ext import Tensor
    >>> MultiLabelSoftMarginLoss()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))
    Tensor(shape=[], dtype=Float32, value= 0.693147)
    """

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, x, target):
        """The loss."""
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class TripletMarginLoss(LossBase):
    """max(0, |x - positive| - |x - negative| + margin), with p-norms of the last axis.

    >>> from ms_ext import Tensor
    >>> TripletMarginLoss(eps=0.0)(Tensor([[0.0]]), Tensor([[3.0]]), Tensor([[3.5]]))
    Tensor(shape=[], dtype=Float32, value= 0.5)
    """

    def __init__(self, p=2, swap=False, eps=1e-6, reduction="mean", margin=1.0):
        super().__init__(reduction)
        self.p, self.swap, self.eps = p, swap, eps
        self.margin = _margin("TripletMarginLoss", margin)

    def construct(self, x, positive, negative, margin=1.0):
        """The loss; the margin of the call counts where the Cell was given none."""
        margin = margin if self.margin == 1.0 else self.margin
        return ops.triplet_margin_loss(
            x, positive, negative, margin, self.p, self.eps, self.swap, self.reduction
        )
