"""An optimizer that looks at the signs of gradients only: Rprop.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0, 1.0]), name="weight")
>>> optimizer = Rprop([weight], learning_rate=0.1)
>>> for _ in range(2):
...     _ = optimizer((ms.Tensor([5.0, 0.001]),))
>>> weight.asnumpy()
array([0.78, 0.78], dtype=float32)
"""

from ... import ops
from ...engine import errors
from ..arguments import check_number
from .optimizer import Optimizer


class Rprop(Optimizer):
    """A step of its own for each element: longer while the sign stays, shorter where it changed.

    (Riedmiller and Braun, 1993.) Where the sign changed, the element waits for one step.

    >>> from ms_ext import nn
    >>> Rprop(nn.Dense(1, 1).trainable_params(), etas=(0.5, 1.5)).etaplus
    1.5
    """

    def __init__(
        self, params, learning_rate=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), weight_decay=0.0
    ):
        super().__init__(learning_rate, params, weight_decay)
        _check_pair("etas", etas)
        _check_pair("step_sizes", step_sizes)
        if step_sizes[0] > step_sizes[1]:
            raise errors.InvalidValue(
                "For Rprop, maximal step size should not be less than minimal step size, "
                f"but got {step_sizes[0]} > {step_sizes[1]}."
            )
        self.etaminus = check_number("Rprop", "etaminus", etas[0], above=0.0, below=1.0)
        self.etaplus = check_number("Rprop", "etaplus", etas[1], above=1.0)
        self.shortest, self.longest = [check_number("Rprop", "step_sizes", s) for s in step_sizes]
        self.prev, self.step_size = self.state("prev"), self.state("step_size")

    def update(self, index, gradient, lr, _decay):
        """The step of one Parameter."""
        parameter, before = self.parameters[index], self.prev[index]
        first = self.global_step == 1
        size = ops.where(first, ops.ones_like(gradient) * lr, self.step_size[index])
        agreed = ops.sign(gradient * before)
        factor = ops.where(agreed < 0, self.etaminus, ops.where(agreed > 0, self.etaplus, 1.0))
        size = ops.clip_by_value(size * factor, self.shortest, self.longest)
        moving = ops.where(agreed < 0, ops.zeros_like(gradient), gradient)
        ops.assign(parameter, parameter - ops.sign(moving) * size)
        ops.assign(before, moving)
        ops.assign(self.step_size[index], size)
        return True


def _check_pair(name, value):
    if not isinstance(value, tuple):
        raise errors.InvalidType(f"For Rprop, {name} must be a tuple, but got {type(value)}.")
    if len(value) != 2:
        raise errors.InvalidValue(
            f"For Rprop, {name} must be a tuple with the size of 2, but got {len(value)}."
        )
