"""Optimizers that go on in the direction they had: SGD and Momentum.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> optimizer = Momentum([weight], learning_rate=0.1, momentum=0.5)
>>> for _ in range(2):
...     _ = optimizer((ms.Tensor([1.0]),))
>>> weight.asnumpy()
array([0.75], dtype=float32)
"""

from ... import ops
from ...common.parameter import Parameter
from ...common.tensor import Tensor
from ...dtype import float32
from ...engine import errors
from ..arguments import check_flag, check_number
from .optimizer import Optimizer


class SGD(Optimizer):
    """Steps along the gradient; with momentum, along what it was so far as well (``ops.SGD``).

    The first step with momentum is the gradient itself; ``dampening`` makes the later ones smaller.

    >>> from ms_ext import nn
    >>> [p.name for p in SGD(nn.Dense(1, 1).trainable_params(), 0.1).parameters]
    ['weight', 'bias']
    """

    def __init__(
        self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0,
        nesterov=False, loss_scale=1.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum = check_number("SGD", "momentum", momentum, least=0.0, whole_too=True)
        self.dampening = check_number("SGD", "dampening", dampening, least=0.0, whole_too=True)
        self.nesterov = check_flag("SGD", "nesterov", nesterov)
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise errors.InvalidValue(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must "
                f"equal to 0.0, but got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        if self.dynamic_weight_decay:
            raise errors.InvalidType(
                "For 'SGD', dynamic weight decay is currently not supported, the argument "
                "'weight_decay' or 'weight_decay' set in grouped 'params' must be float or int "
                "type."
            )
        self.momentum = Parameter(Tensor(momentum, float32), name="momentum")
        self.accum, self.stat = self.state("accum"), self.state("stat", "ones")
        self.remembers = momentum > 0.0
        self.opt = ops.SGD(self.dampening, 0.0, nesterov)

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        if self.remembers:
            accum, stat = self.accum[index], self.stat[index]
            self.opt(self.parameters[index], gradient, lr, accum, self.momentum, stat)
        else:
            ops.ApplyGradientDescent()(self.parameters[index], lr, gradient)
        return True


class Momentum(Optimizer):
    """Steps along a running sum of the gradients, of which ``momentum`` stays each time.

    >>> from ms_ext import nn
    >>> optimizer = Momentum(nn.Dense(1, 1).trainable_params(), learning_rate=0.1, momentum=0.9)
    >>> [p.name for p in optimizer.moments]
    ['moments.weight', 'moments.bias']
    """

    def __init__(
        self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum = check_number("Momentum", "momentum", momentum, least=0.0)
        self.momentum = Parameter(Tensor(momentum, float32), name="momentum")
        self.use_nesterov = check_flag("Momentum", "use_nesterov", use_nesterov)
        self.moments = self.state("moments")
        self.opt = ops.ApplyMomentum(use_nesterov=use_nesterov)

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        self.opt(self.parameters[index], self.moments[index], lr, gradient, self.momentum)
        return True
