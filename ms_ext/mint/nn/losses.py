"""Losses with PyTorch's names and options, as Cells.

>>> from ms_ext import Tensor
>>> SmoothL1Loss()(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]))
Tensor(shape=[], dtype=Float32, value= 1.5)
"""

from ... import nn
from . import functional


class L1Loss(nn.LossBase):
    """The difference without its sign, averaged.

    >>> from ms_ext import Tensor
    >>> L1Loss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """

    def construct(self, input, target):
        """The loss."""
        return functional.l1_loss(input, target, reduction=self.reduction)


class MSELoss(nn.LossBase):
    """The squared difference, averaged.

    >>> from ms_ext import Tensor
    >>> MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def construct(self, input, target):
        """The loss."""
        return functional.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(nn.LossBase):
    """Half the squared difference over beta where it is small, the difference less beta / 2 beyond.

    >>> from ms_ext import Tensor
    >>> SmoothL1Loss("none")(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  2.50000000e+00])
    """

    def __init__(self, reduction="mean", beta=1.0):
        super().__init__(reduction)
        self.beta = beta

    def construct(self, input, target):
        """The loss."""
        return functional.smooth_l1_loss(input, target, self.reduction, self.beta)


class BCELoss(nn.LossBase):
    """-(y log x + (1 - y) log(1 - x)) of probabilities x and shares y, times weights, averaged.

    >>> from ms_ext import Tensor
    >>> BCELoss()(Tensor([0.5, 0.5]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0.693147)
    """

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, input, target):
        """The loss."""
        return functional.binary_cross_entropy(input, target, self.weight, self.reduction)


class BCEWithLogitsLoss(nn.LossBase):
    """BCELoss of sigmoid(input), without leaving the range of floats.

    >>> from ms_ext import Tensor
    >>> BCEWithLogitsLoss()(Tensor([-100.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    def __init__(self, weight=None, reduction="mean", pos_weight=None):
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, input, target):
        """The loss."""
        return functional.binary_cross_entropy_with_logits(
            input, target, self.weight, self.reduction, self.pos_weight
        )


class CrossEntropyLoss(nn.LossBase):
    """How surprised the scores are by the right class: class numbers, or a share for each class.

    >>> from ms_ext import Tensor
    >>> CrossEntropyLoss()(Tensor([[100.0, 0.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(reduction)
        self.weight, self.ignore_index = weight, ignore_index
        self.label_smoothing = label_smoothing

    def construct(self, input, target):
        """The loss."""
        return functional.cross_entropy(
            input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(nn.LossBase):
    """Minus the log-probability of the right class.

    >>> from ms_ext import Tensor
    >>> NLLLoss()(Tensor([[-1.0, -2.0]]), Tensor([1]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def __init__(self, weight=None, ignore_index=-100, reduction="mean"):
        super().__init__(reduction)
        self.weight, self.ignore_index = weight, ignore_index

    def construct(self, input, target):
        """The loss."""
        return functional.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class KLDivLoss(nn.Cell):
    """target * (log(target) - input); with ``log_target`` the target is given as its logarithm.

    >>> from ms_ext import Tensor
    >>> KLDivLoss("sum")(Tensor([0.0, 0.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 0)
    """

    def __init__(self, reduction="mean", log_target=False):
        super().__init__()
        self.reduction, self.log_target = reduction, log_target

    def construct(self, input, target):
        """The loss."""
        return functional.kl_div(input, target, self.reduction, self.log_target)
