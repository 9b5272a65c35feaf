"""Losses as Cells: how far an answer is from the right one, as one number.

>>> from ms_ext import Tensor
>>> MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
Tensor(shape=[], dtype=Float32, value= 2)
"""

import math

from .. import ops
from ..engine import errors
from ..ops.loss_reduction import REDUCTIONS
from ..ops.losses import need_tensors, reduced
from .cell import Cell


def need_reduction(layer, reduction):
    """``reduction``, if it is a known one."""
    if reduction not in REDUCTIONS:
        raise errors.InvalidValue(
            f"For '{layer}', the 'reduction' must be in {[*REDUCTIONS]}, but got {reduction}."
        )
    return reduction


class LossBase(Cell):
    """The parent of losses: ``get_loss`` weighs the losses of elements and reduces them.

    >>> from ms_ext import Tensor
    >>> class Far(LossBase):
    ...     def construct(self, logits, labels):
    ...         return self.get_loss((logits - labels).abs(), weights=2.0)
    >>> Far("sum")(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 4)
    """

    def __init__(self, reduction="mean"):
        super().__init__()
        self.reduction = need_reduction(self.cls_name, reduction)
        self.reduce, self.average = reduction != "none", reduction != "sum"

    def construct(self, logits, labels):
        """The loss; each loss has its own."""
        raise errors.NotOffered(
            f"A {type(self).__name__} has no construct(self, logits, labels).",
            hint="Write one; self.get_loss reduces the losses of elements.",
        )

    def get_axis(self, x):
        """All axes of x."""
        return tuple(range(x.ndim))

    def get_loss(self, x, weights=1.0):
        """The losses of elements times weights, reduced; calculated in Float32, in the dtype of x.

        >>> from ms_ext import Tensor
        >>> LossBase().get_loss(Tensor([1.0, 2.0]), Tensor([2.0, 0.0]))
        Tensor(shape=[], dtype=Float32, value= 1)
        """
        weighed = ops.cast(x, "float32") * ops.cast(weights, "float32")
        how = ("mean" if self.average else "sum") if self.reduce else "none"
        return ops.cast(reduced(weighed, how), x.dtype)


class L1Loss(LossBase):
    """The difference without its sign, averaged.

    >>> from ms_ext import Tensor
    >>> L1Loss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """

    def construct(self, logits, labels):
        """The loss."""
        return ops.l1_loss(logits, labels, self.reduction)


class MAELoss(LossBase):
    """The difference without its sign, averaged.

    >>> from ms_ext import Tensor
    >>> MAELoss("none")(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    def construct(self, logits, label):
        """The loss."""
        return ops.l1_loss(logits, label, self.reduction)


class MSELoss(LossBase):
    """The squared difference, averaged.

    >>> from ms_ext import Tensor
    >>> MSELoss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def construct(self, logits, labels):
        """The loss."""
        return ops.mse_loss(logits, labels, self.reduction)


class RMSELoss(LossBase):
    """The square root of the mean squared difference.

    >>> from ms_ext import Tensor
    >>> RMSELoss()(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def __init__(self):
        super().__init__()
        self.MSELoss = MSELoss()

    def construct(self, logits, label):
        """The loss."""
        return ops.sqrt(self.MSELoss(logits, label))


class SmoothL1Loss(LossBase):
    """Half the squared difference over beta where it is small, the difference less beta / 2 beyond.

    As in MindSpore the losses of the elements are not reduced unless that is asked for.

    >>> from ms_ext import Tensor
    >>> SmoothL1Loss()(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  2.50000000e+00])
    """

    def __init__(self, beta=1.0, reduction="none"):
        super().__init__(reduction)
        if not isinstance(beta, bool | int | float):
            raise errors.InvalidType(
                "For 'SmoothL1Loss', the type of 'beta' should be one of '[bool, int, float]', "
                f"but got {type(beta)}."
            )
        self.beta = beta

    def construct(self, logits, labels):
        """The loss."""
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """Half the squared difference up to delta, from there on a straight line of slope delta.

    >>> from ms_ext import Tensor
    >>> HuberLoss("sum")(Tensor([0.0, 3.0]), Tensor([1.0, 0.0]))
    Tensor(shape=[], dtype=Float32, value= 3)
    """

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits, labels):
        """The loss."""
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


class SoftMarginLoss(LossBase):
    """log(1 + exp(-labels * logits)), averaged; the labels are 1 and -1.

    >>> from ms_ext import Tensor
    >>> SoftMarginLoss()(Tensor([-100.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 100)
    """

    def construct(self, logits, labels):
        """The loss."""
        return ops.SoftMarginLoss(logits, labels, reduction=self.reduction)


class PoissonNLLLoss(LossBase):
    """Of counts whose mean is exp(input), or with ``log_input=False`` input: their surprise.

    ``full`` adds what does not depend on the input, by Stirling's formula.

    >>> from ms_ext import Tensor
    >>> PoissonNLLLoss()(Tensor([0.0]), Tensor([3.0]))
    Tensor(shape=[], dtype=Float32, value= 1)
    """

    def __init__(self, log_input=True, full=False, eps=1e-8, reduction="mean"):
        super().__init__(reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def construct(self, input, target):
        """The loss."""
        need_tensors("PoissonNLLLoss", input=input, target=target)
        target = ops.cast(target, input.dtype)
        if self.log_input:
            losses = ops.exp(input) - target * input
        else:
            losses = input - target * ops.log(input + self.eps)
        return reduced(losses + _stirling(target) if self.full else losses, self.reduction)


def _stirling(count):
    """The logarithm of count!, nearly; 0 for counts up to 1."""
    many = ops.where(count > 1, count, 1)
    term = (many + 0.5) * ops.log(many) - many + 0.5 * math.log(2 * math.pi)
    return ops.where(count > 1, term, 0)


class GaussianNLLLoss(LossBase):
    """(log(var) + (logits - labels)^2 / var) / 2: of a bell curve around the logits.

    >>> from ms_ext import Tensor
    >>> GaussianNLLLoss()(Tensor([1.0]), Tensor([3.0]), Tensor([1.0]))
    Tensor(shape=[], dtype=Float32, value= 2)
    """

    def __init__(self, *, full=False, eps=1e-6, reduction="mean"):
        super().__init__(reduction)
        self.full, self.eps = full, eps

    def construct(self, logits, labels, var):
        """The loss."""
        need_tensors("GaussianNLLLoss", logits=logits, labels=labels, var=var)
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)
