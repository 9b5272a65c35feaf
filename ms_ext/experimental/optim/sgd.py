"""Steps along the gradient, with PyTorch's arguments.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> _ = SGD([weight], lr=0.5, maximize=True)((ms.Tensor([1.0]),))
>>> weight.asnumpy()
array([1.5], dtype=float32)
"""

from ... import ops
from ...engine import errors
from .optimizer import Optimizer, not_below_zero


class SGD(Optimizer):
    """``ops.SGD`` for each Parameter.

    >>> from ms_ext import nn
    >>> SGD(nn.Dense(1, 1).trainable_params(), 0.1, momentum=0.9).param_groups[0]["momentum"]
    0.9
    """

    def __init__(
        self, params, lr, momentum=0, dampening=0, weight_decay=0.0, nesterov=False, *,
        maximize=False,
    ):  # fmt: skip
        not_below_zero("momentum value", momentum)
        not_below_zero("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise errors.InvalidValue(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        super().__init__(
            params,
            {
                "lr": lr, "momentum": momentum, "dampening": dampening,
                "weight_decay": weight_decay, "nesterov": nesterov, "maximize": maximize,
            },
        )  # fmt: skip
        self.accum, self.stat = self.state("accum"), self.state("stat", "ones")

    def update(self, index, gradient, lr, group):
        """The step of one Parameter."""
        parameter = self.parameters[index]
        if group["momentum"] == 0:
            decay = group["weight_decay"]
            ops.assign_sub(parameter, lr * (gradient + decay * parameter if decay else gradient))
            return
        step = ops.SGD(group["dampening"], group["weight_decay"], group["nesterov"])
        accum, stat = self.accum[index], self.stat[index]
        step(parameter, gradient, lr, accum, group["momentum"], stat)
