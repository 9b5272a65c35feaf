"""Adam and AdamW, with PyTorch's arguments.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> _ = Adam([weight], lr=0.5)((ms.Tensor([-3.0]),))
>>> weight.asnumpy().round(4)
array([1.5], dtype=float32)
"""

from ... import ops
from ...dtype import float32
from ...engine import errors
from .optimizer import Optimizer, not_below_zero


class _TwoMeans(Optimizer):
    """What both share: they differ in what weight decay moves."""

    def __init__(self, params, lr, betas, eps, weight_decay, amsgrad, maximize):
        not_below_zero("epsilon value", eps)
        not_below_zero("weight_decay value", weight_decay)
        for place, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise errors.InvalidValue(f"Invalid beta parameter at index {place}: {beta}")
        super().__init__(
            params,
            {
                "lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay,
                "amsgrad": amsgrad, "maximize": maximize,
            },
        )  # fmt: skip
        self.exp_avg, self.exp_avg_sq = self.state("exp_avg"), self.state("exp_avg_sq")
        self.max_exp_avg_sq = self.state("max_exp_avg_sq")

    def moved(self, index, parameter, gradient, lr, group):
        """``parameter`` after Adam's step."""
        (beta1, beta2), step = group["betas"], ops.cast(self.state_step, float32)
        mean, square = self.exp_avg[index], self.exp_avg_sq[index]
        ops.assign(mean, mean * beta1 + gradient * (1 - beta1))
        ops.assign(square, square * beta2 + ops.square(gradient) * (1 - beta2))
        largest = square
        if group["amsgrad"]:
            largest = self.max_exp_avg_sq[index]
            ops.assign(largest, ops.maximum(largest, square))
        root = ops.sqrt(largest) / ops.sqrt(1 - beta2**step) + group["eps"]
        return parameter - lr / (1 - beta1**step) * mean / root


class Adam(_TwoMeans):
    """Weight decay is added to the gradient (Kingma and Ba, 2014).

    >>> from ms_ext import nn
    >>> Adam(nn.Dense(1, 1).trainable_params()).param_groups[0]["betas"]
    (0.9, 0.999)
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, amsgrad=False, *,
        maximize=False,
    ):  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def update(self, index, gradient, lr, group):
        """The step of one Parameter."""
        parameter, decay = self.parameters[index], group["weight_decay"]
        gradient = gradient + decay * parameter if decay else gradient
        ops.assign(parameter, self.moved(index, parameter, gradient, lr, group))


class AdamW(_TwoMeans):
    """Weight decay makes the Parameter smaller by itself (Loshchilov and Hutter, 2017).

    >>> from ms_ext import nn
    >>> AdamW(nn.Dense(1, 1).trainable_params()).param_groups[0]["weight_decay"]
    0.01
    """

    def __init__(
        self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2, amsgrad=False, *,
        maximize=False,
    ):  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def update(self, index, gradient, lr, group):
        """The step of one Parameter."""
        parameter = self.parameters[index]
        smaller = parameter * (1 - lr * group["weight_decay"])
        ops.assign(parameter, self.moved(index, smaller, gradient, lr, group))
