"""Optimizers that scale each element's step by how large its gradients are: the Adam family.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="weight")
>>> _ = Adam([weight], learning_rate=0.1)((ms.Tensor([7.0, -0.1]),))
>>> weight.asnumpy().round(3)
array([0.9, 2.1], dtype=float32)
"""

from ... import ops
from ...common.initializer import initializer
from ...common.parameter import Parameter
from ...common.tensor import Tensor
from ...dtype import float32
from ...engine import errors
from ..arguments import check_flag, check_number
from .optimizer import Optimizer


class TwoMeans(Optimizer):
    """What the family shares: two rates of forgetting and a small number."""

    def keep_betas(self, beta1, beta2, eps):
        """Check and keep the three numbers."""
        owner = self.cls_name
        self.beta1 = Tensor(check_number(owner, "beta1", beta1, above=0.0, below=1.0), float32)
        self.beta2 = Tensor(check_number(owner, "beta2", beta2, above=0.0, below=1.0), float32)
        self.eps = Tensor(check_number(owner, "eps", eps, above=0.0), float32)


class Adam(TwoMeans):
    """A step of the running mean of gradients over the root of that of their squares.

    Weight decay is added to the gradient; ``AdamWeightDecay`` and ``mint.optim.AdamW`` decay apart.
    ``use_lazy`` and ``use_offload`` say where and for which rows MindSpore updates; here all rows
    of a dense gradient are updated in place, which is what both come to on one machine.

    >>> from ms_ext import nn
    >>> Adam(nn.Dense(1, 1).trainable_params()).get_lr().item()
    0.0010000000474974513
    """

    def __init__(
        self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
        use_nesterov=False, weight_decay=0.0, loss_scale=1.0, use_amsgrad=False, **kwargs,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._check_ways(use_amsgrad, **kwargs)
        self.keep_betas(beta1, beta2, eps)
        self.keep_powers()
        check_flag("Adam", "use_locking", use_locking)
        self.use_nesterov = check_flag("Adam", "use_nesterov", use_nesterov)
        self.use_amsgrad = check_flag("Adam", "use_amsgrad", use_amsgrad)
        self.moment1, self.moment2 = self.state("moment1"), self.state("moment2")
        self.opt = ops.Adam(use_locking, use_nesterov)
        if use_amsgrad:
            self.vhat = self.state("vhat")
            self.opt = ops.ApplyAdamWithAmsgradV2(use_locking)

    def _check_ways(self, use_amsgrad, **ways):
        unknown = {*ways} - {"use_lazy", "use_offload"}
        if unknown:
            raise errors.MissingKey(
                "For 'Adam', invalid keys are passed as kwargs, supported keys are 'use_lazy' "
                f"and 'use_offload', but got {sorted(ways)}."
            )
        for name, value in ways.items():
            check_flag("Adam", name, value)
        if sum(ways.values()) > 1 or use_amsgrad and any(ways.values()):
            raise errors.InvalidValue(
                "For 'Adam', only one of 'use_lazy', 'use_offload' and 'use_amsgrad' can be True."
            )

    def keep_powers(self, shape=()):
        """beta1 and beta2 to the power of the steps so far: they correct means that began at 0."""
        self.beta1_power = Parameter(initializer(1, shape, float32), name="beta1_power")
        self.beta2_power = Parameter(initializer(1, shape, float32), name="beta2_power")

    def begin_step(self):
        """Count the step, also in the powers."""
        ops.assign_add(self.global_step, 1)
        ops.assign(self.beta1_power, self.beta1_power * self.beta1)
        ops.assign(self.beta2_power, self.beta2_power * self.beta2)

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        means = self.moment1[index], self.moment2[index]
        means = (*means, self.vhat[index]) if self.use_amsgrad else means
        powers = ops.reshape(self.beta1_power, ()), ops.reshape(self.beta2_power, ())
        betas = self.beta1, self.beta2, self.eps
        self.opt(self.parameters[index], *means, *powers, lr, *betas, gradient)
        return True


class AdamWeightDecay(TwoMeans):
    """Adam whose weight decay moves the Parameter by itself (Loshchilov and Hutter, 2017).

    As in BERT the means are not corrected for beginning at 0.

    >>> from ms_ext import nn
    >>> AdamWeightDecay(nn.Dense(1, 1).trainable_params(), weight_decay=0.01).decay_flags
    (True, True)
    """

    def __init__(
        self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0
    ):
        super().__init__(learning_rate, params, weight_decay)
        self.keep_betas(beta1, beta2, eps)
        self.moments1, self.moments2 = self.state("adam_m"), self.state("adam_v")
        self.opt = ops.AdamWeightDecay()

    def prepared(self, gradients):
        """As they are: decay is no part of them."""
        self.check(gradients)
        return gradients

    def update(self, index, gradient, lr, decay):
        """The step of one Parameter."""
        decay = decay if self.decay_flags[index] else 0.0
        means = self.moments1[index], self.moments2[index]
        betas = self.beta1, self.beta2, self.eps
        gradient = ops.cast(gradient, self.parameters[index].dtype)
        self.opt(self.parameters[index], *means, lr, *betas, decay, gradient)
        return True


class AdaMax(TwoMeans):
    """Adam with the greatest gradient instead of the mean square.

    >>> from ms_ext import nn
    >>> [p.name for p in AdaMax(nn.Dense(1, 1).trainable_params()).moment2]
    ['moment2.weight', 'moment2.bias']
    """

    def __init__(
        self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-8, weight_decay=0.0,
        loss_scale=1.0,
    ):  # fmt: skip
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.keep_betas(beta1, beta2, eps)
        self.beta1_power = Parameter(initializer(1, [1], float32), name="beta1_power")
        self.moment1, self.moment2 = self.state("moment1"), self.state("moment2")
        self.opt = ops.ApplyAdaMax()

    def begin_step(self):
        """Count the step, also in the power of beta1."""
        ops.assign_add(self.global_step, 1)
        ops.assign(self.beta1_power, self.beta1_power * self.beta1)

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        power = ops.reshape(self.beta1_power, ())
        means = self.moment1[index], self.moment2[index]
        betas = self.beta1, self.beta2, self.eps
        self.opt(self.parameters[index], *means, power, lr, *betas, gradient)
        return True


class LazyAdam(Adam):
    """Adam. In MindSpore only the rows of a sparse gradient are updated; gradients here are dense.

    >>> from ms_ext import nn
    >>> LazyAdam(nn.Dense(1, 1).trainable_params()).get_lr().item()
    0.0010000000474974513
    """

    def __init__(
        self, params, learning_rate=0.001, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
        use_nesterov=False, weight_decay=0.0, loss_scale=1.0,
    ):  # fmt: skip
        super().__init__(
            params, learning_rate, beta1, beta2, eps, use_locking, use_nesterov, weight_decay,
            loss_scale,
        )  # fmt: skip
        self.keep_powers([1])  # the shape that MindSpore's LazyAdam saves
