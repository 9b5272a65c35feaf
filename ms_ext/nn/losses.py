"""Losses as Cells: how far an answer is from the right one, as one number."""

from .. import ops
from .cell import Cell


class MSELoss(Cell):
    """The squared difference, averaged.

    >>> from ms_ext import Tensor
    >>> MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = reduction

    def construct(self, logits, labels):
        """The loss."""
        return ops.mse_loss(logits, labels, self.reduction)


class CrossEntropyLoss(Cell):
    """How surprised the scores are by the right class.

    >>> from ms_ext import Tensor
    >>> CrossEntropyLoss()(Tensor([[100.0, 0.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__()
        self.weight, self.ignore_index = weight, ignore_index
        self.reduction, self.label_smoothing = reduction, label_smoothing

    def construct(self, logits, labels):
        """The loss."""
        return ops.cross_entropy(
            logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )
