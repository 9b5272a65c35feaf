"""Optimizers that remember squares of gradients: Adagrad and what came of it.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> _ = Adagrad([weight], accum=0.0, learning_rate=0.5)((ms.Tensor([4.0]),))
>>> weight.asnumpy()
array([0.5], dtype=float32)
"""

from ... import ops
from ...engine import errors
from ..arguments import check_flag, check_number
from .optimizer import Optimizer


class Adagrad(Optimizer):
    """The gradient over the root of the sum of its squares, which begins with ``accum``.

    >>> from ms_ext import nn
    >>> [p.name for p in Adagrad(nn.Dense(1, 1).trainable_params()).accum]
    ['accum.weight', 'accum.bias']
    """

    def __init__(
        self, params, accum=0.1, learning_rate=0.001, update_slots=True, loss_scale=1.0,
        weight_decay=0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.accum = self.state("accum", check_number("Adagrad", "accum", accum, least=0.0))
        self.opt = ops.ApplyAdagrad(check_flag("Adagrad", "update_slots", update_slots))

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        self.opt(self.parameters[index], self.accum[index], lr, gradient)
        return True


class Adadelta(Optimizer):
    """Steps whose size comes from the sizes of earlier steps and gradients.

    >>> from ms_ext import nn
    >>> Adadelta(nn.Dense(1, 1).trainable_params()).get_lr().item()
    1.0
    """

    def __init__(
        self, params, learning_rate=1.0, rho=0.9, epsilon=1e-6, loss_scale=1.0, weight_decay=0.0
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho = check_number("Adadelta", "rho", rho, least=0.0)
        if rho > 1:
            raise errors.InvalidValue(
                f"For 'Adadelta', the 'rho' must be in range of [0.0, 1.0], but got {rho}."
            )
        self.epsilon = check_number("Adadelta", "epsilon", epsilon, least=0.0)
        self.accum, self.accum_update = self.state("accum"), self.state("accum_update")
        self.opt = ops.ApplyAdadelta()

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        memories = self.accum[index], self.accum_update[index]
        self.opt(self.parameters[index], *memories, lr, self.rho, self.epsilon, gradient)
        return True


class RMSProp(Optimizer):
    """The gradient over the root of the running mean of its squares, which begins with 1.

    ``centered``: over the root of its variance.

    >>> from ms_ext import nn
    >>> [p.name for p in RMSProp(nn.Dense(1, 1).trainable_params()).ms]
    ['mean_square.weight', 'mean_square.bias']
    """

    def __init__(
        self, params, learning_rate=0.1, decay=0.9, momentum=0.0, epsilon=1e-10, use_locking=False,
        centered=False, loss_scale=1.0, weight_decay=0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay = check_number("RMSProp", "decay", decay, least=0.0)
        self.momentum = check_number("RMSProp", "momentum", momentum, least=0.0)
        self.epsilon = check_number("RMSProp", "epsilon", epsilon, above=0.0)
        check_flag("RMSProp", "use_locking", use_locking)
        self.centered = check_flag("RMSProp", "centered", centered)
        self.mg = self.state("mean_grad") if centered else None
        self.ms, self.moment = self.state("mean_square", "ones"), self.state("moment")
        kind = ops.ApplyCenteredRMSProp if centered else ops.ApplyRMSProp
        self.opt = kind(use_locking)

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        memories, rest = (self.ms[index], self.moment[index]), (self.momentum, self.epsilon)
        if self.centered:
            memories = self.mg[index], *memories
            self.opt(self.parameters[index], *memories, gradient, lr, self.decay, *rest)
        else:
            self.opt(self.parameters[index], *memories, lr, gradient, self.decay, *rest)
        return True


class FTRL(Optimizer):
    """Follow the regularized leader: weights whose gradients say little become 0.

    >>> from ms_ext import nn
    >>> [p.name for p in FTRL(nn.Dense(1, 1).trainable_params()).linear]
    ['linear.weight', 'linear.bias']
    """

    def __init__(
        self, params, initial_accum=0.1, learning_rate=0.001, lr_power=-0.5, l1=0.0, l2=0.0,
        use_locking=False, loss_scale=1.0, weight_decay=0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise errors.InvalidValue(
                "For 'FTRL', dynamic learning rate and group learning rate are currently not "
                "supported."
            )
        start = check_number("FTRL", "initial_accum", initial_accum, least=0.0)
        if not isinstance(lr_power, float) or lr_power > 0:
            raise errors.InvalidValue(
                f"For 'FTRL', the 'lr_power' must be float and must <= 0, but got {lr_power!r}."
            )
        self.lr_power = lr_power
        self.l1 = check_number("FTRL", "l1", l1, least=0.0)
        self.l2 = check_number("FTRL", "l2", l2, least=0.0)
        self.moments, self.linear = self.state("moments", start), self.state("linear")
        self.opt = ops.ApplyFtrl(check_flag("FTRL", "use_locking", use_locking))

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        memories = self.moments[index], self.linear[index]
        rest = lr, self.l1, self.l2, self.lr_power
        self.opt(self.parameters[index], *memories, gradient, *rest)
        return True


class ProximalAdagrad(Optimizer):
    """Adagrad's step, and then toward 0 by what large weights cost.

    >>> from ms_ext import nn
    >>> [p.name for p in ProximalAdagrad(nn.Dense(1, 1).trainable_params()).accum]
    ['accum.weight', 'accum.bias']
    """

    def __init__(
        self, params, accum=0.1, learning_rate=0.001, l1=0.0, l2=0.0, use_locking=False,
        loss_scale=1.0, weight_decay=0.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        owner = "ProximalAdagrad"
        self.l1 = check_number(owner, "l1", l1, least=0.0)
        self.l2 = check_number(owner, "l2", l2, least=0.0)
        self.accum = self.state("accum", check_number(owner, "accum", accum, least=0.0))
        self.opt = ops.ApplyProximalAdagrad(check_flag(owner, "use_locking", use_locking))

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        self.opt(self.parameters[index], self.accum[index], lr, self.l1, self.l2, gradient)
        return True
