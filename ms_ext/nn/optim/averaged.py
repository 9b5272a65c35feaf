"""An optimizer that also keeps the mean of where the Parameters have been: ASGD.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> optimizer = ASGD([weight], learning_rate=0.5, lambd=0.0)
>>> _ = optimizer((ms.Tensor([1.0]),))
>>> weight.asnumpy(), optimizer.ax[0].asnumpy()
(array([0.5], dtype=float32), array([0.5], dtype=float32))
"""

from ... import ops
from ...common.parameter import Parameter, ParameterTuple
from ...common.tensor import Tensor
from ...dtype import float32
from ..arguments import check_number
from .optimizer import Optimizer


class ASGD(Optimizer):
    """Steps whose rate falls slowly, and in ``ax`` the mean of the Parameter since step ``t0``.

    (Polyak and Juditsky, 1992.) The rate is lr / (1 + lambd * lr * step) ** alpha.

    >>> from ms_ext import nn
    >>> [p.name for p in ASGD(nn.Dense(1, 1).trainable_params()).eta]
    ['eta_weight', 'eta_bias']
    """

    def __init__(self, params, learning_rate=0.1, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = check_number("ASGD", "lambd", lambd)
        self.alpha = check_number("ASGD", "alpha", alpha)
        self.t0 = check_number("ASGD", "t0", t0)
        self.mu, self.eta = self._numbers("mu_", 1.0), self._numbers("eta_", 0.0)
        self.ax = self.state("ax_")

    def _numbers(self, prefix, value):
        names = [prefix + each.name for each in self.parameters]
        return ParameterTuple(Parameter(Tensor(value, float32), name=name) for name in names)

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        parameter, mean = self.parameters[index], self.ax[index]
        mu, eta = self.mu[index], self.eta[index]
        step = ops.reshape(ops.cast(self.global_step, float32), ())
        ops.assign(eta, ops.where(step == 1, lr, eta))
        ops.assign(parameter, parameter * (1 - self.lambd * eta) - eta * gradient)
        ops.assign(mean, ops.where(mu == 1, parameter, mean + (parameter - mean) * mu))
        ops.assign(eta, lr / (1 + self.lambd * lr * step) ** self.alpha)
        ops.assign(mu, 1 / ops.maximum(step - self.t0, 1.0))
        return True
