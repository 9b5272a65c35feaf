"""An optimizer whose steps are as long as the Parameter is large, for large batches: Lamb.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([3.0, 4.0]), name="weight")
>>> _ = Lamb([weight], learning_rate=0.5)((ms.Tensor([0.0, 2.0]),))
>>> weight.asnumpy().round(3)
array([3. , 1.5], dtype=float32)
"""

from ... import ops
from ...dtype import float32
from .adam import TwoMeans


class Lamb(TwoMeans):
    """Adam's step with decay, scaled to the length of the Parameter (You and others, 2019).

    >>> from ms_ext import nn
    >>> [p.name for p in Lamb(nn.Dense(1, 1).trainable_params(), 0.1).moments1]
    ['lamb_m.weight', 'lamb_m.bias']
    """

    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        self.keep_betas(beta1, beta2, eps)
        self.moments1, self.moments2 = self.state("lamb_m"), self.state("lamb_v")

    def prepared(self, gradients):
        """Centralized; decay is part of the step."""
        self.check(gradients)
        return self.gradients_centralization(gradients)

    def update(self, index, gradient, lr, decay):
        """The step of one Parameter."""
        parameter = self.parameters[index]
        first, second = self.moments1[index], self.moments2[index]
        m = ops.assign(first, first * self.beta1 + gradient * (1 - self.beta1))
        v = ops.assign(second, second * self.beta2 + ops.square(gradient) * (1 - self.beta2))
        step = ops.reshape(ops.cast(self.global_step, float32), ())
        mean, square = m / (1 - self.beta1**step), v / (1 - self.beta2**step)
        move = mean / (ops.sqrt(square) + self.eps)
        move = move + decay * parameter if self.decay_flags[index] else move
        ops.assign(parameter, parameter - lr * _ratio(parameter, move) * move)
        return True


def _ratio(parameter, move):
    """How much longer the Parameter is than the step; 1 where one of them is 0."""
    lengths = ops.sqrt(ops.sum(ops.square(parameter))), ops.sqrt(ops.sum(ops.square(move)))
    some = ops.logical_and(lengths[0] > 0, lengths[1] > 0)
    return ops.where(some, lengths[0] / ops.where(some, lengths[1], 1.0), 1.0)
