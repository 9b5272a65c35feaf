"""Learning rates that change: a schedule is a Cell, from the global step to the rate.

>>> from ms_ext import Tensor
>>> ExponentialDecayLR(0.1, decay_rate=0.5, decay_steps=2)(Tensor(4))
Tensor(shape=[], dtype=Float32, value= 0.025)
"""

import math

from .. import ops
from ..common.parameter import Parameter
from ..common.tensor import Tensor
from ..dtype import float32
from ..engine import errors
from .arguments import check_flag, check_number, check_positive
from .cell import Cell


class LearningRateSchedule(Cell):
    """The parent of schedules; write ``construct(self, global_step)``, which gives the rate.

    >>> class Halved(LearningRateSchedule):
    ...     def construct(self, global_step):
    ...         return 0.1 * 0.5**global_step
    >>> Halved()(Tensor(1.0))
    Tensor(shape=[], dtype=Float32, value= 0.05)
    """

    def construct(self, global_step):
        """The rate after ``global_step`` steps."""
        raise errors.NotOffered(
            f"A {type(self).__name__} has no construct(self, global_step).",
            hint="Write one that gives the learning rate.",
        )


class IteratorLearningRate(LearningRateSchedule):
    """A rate per step, as a list or a Tensor; where the list ends, training ends with an error.

    >>> IteratorLearningRate([0.5, 0.25])(Tensor([1]))
    Tensor(shape=[1], dtype=Float32, value= [ 2.50000000e-01])
    """

    def __init__(self, learning_rate, name="learning_rate"):
        super().__init__()
        given = learning_rate if isinstance(learning_rate, Tensor) else list(learning_rate)
        self.learning_rate = Parameter(Tensor(given, float32), name)

    def construct(self, global_step):
        """The rate of this step."""
        return ops.gather(self.learning_rate, global_step, 0)


class _Decay(LearningRateSchedule):
    """What the three schedules share that fall by a factor."""

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        owner = type(self).__name__
        self.learning_rate = check_number(owner, "learning_rate", learning_rate, above=0.0)
        self.decay_rate = check_number(owner, "decay_rate", decay_rate, above=0.0)
        self.decay_steps = check_positive(owner, "decay_steps", decay_steps)
        self.is_stair = check_flag(owner, "is_stair", is_stair)

    def passed(self, global_step):
        """How many times ``decay_steps`` has passed; whole times on a stair."""
        times = ops.cast(global_step, float32) / self.decay_steps
        return ops.floor(times) if self.is_stair else times


class ExponentialDecayLR(_Decay):
    """rate * decay_rate ** (step / decay_steps)

    >>> ExponentialDecayLR(0.1, 0.5, 2, is_stair=True)(Tensor(3))
    Tensor(shape=[], dtype=Float32, value= 0.05)
    """

    def construct(self, global_step):
        """The rate after ``global_step`` steps."""
        return self.learning_rate * self.decay_rate ** self.passed(global_step)


class NaturalExpDecayLR(_Decay):
    """rate * exp(-decay_rate * step)

    >>> NaturalExpDecayLR(0.1, 1.0, 2)(Tensor(0))
    Tensor(shape=[], dtype=Float32, value= 0.1)
    """

    def construct(self, global_step):
        """The rate after ``global_step`` steps."""
        steps = self.passed(global_step) * self.decay_steps
        return self.learning_rate * ops.exp(-self.decay_rate * steps)


class InverseDecayLR(_Decay):
    """rate / (1 + decay_rate * step / decay_steps)

    >>> InverseDecayLR(0.1, 1.0, 2)(Tensor(2))
    Tensor(shape=[], dtype=Float32, value= 0.05)
    """

    def construct(self, global_step):
        """The rate after ``global_step`` steps."""
        return self.learning_rate / (1 + self.decay_rate * self.passed(global_step))


class CosineDecayLR(LearningRateSchedule):
    """Half a wave from ``max_lr`` down to ``min_lr``, which stays.

    >>> CosineDecayLR(0.0, 0.1, decay_steps=4)(Tensor(2))
    Tensor(shape=[], dtype=Float32, value= 0.05)
    """

    def __init__(self, min_lr, max_lr, decay_steps):
        super().__init__()
        self.min_lr = check_number("CosineDecayLR", "min_lr", min_lr, least=0.0)
        self.max_lr = check_number("CosineDecayLR", "max_lr", max_lr, above=0.0)
        self.decay_steps = check_positive("CosineDecayLR", "decay_steps", decay_steps)
        if min_lr >= max_lr:
            raise errors.InvalidValue(
                "For 'CosineDecayLR', the 'max_lr' must be greater than the 'min_lr', "
                f"but got 'max_lr' value: {max_lr}, 'min_lr' value: {min_lr}."
            )

    def construct(self, global_step):
        """The rate after ``global_step`` steps."""
        step = ops.minimum(ops.cast(global_step, float32), float(self.decay_steps))
        wave = 1 + ops.cos(step * (math.pi / self.decay_steps))
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * wave


class PolynomialDecayLR(LearningRateSchedule):
    """From ``learning_rate`` to ``end_learning_rate``, by (1 - step / decay_steps) ** power.

    ``update_decay_steps``: where the steps are over, they are doubled, tripled, ...

    >>> PolynomialDecayLR(0.1, 0.0, decay_steps=4, power=1.0)(Tensor(1))
    Tensor(shape=[], dtype=Float32, value= 0.075)
    """

    def __init__(
        self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps=False
    ):
        super().__init__()
        owner = "PolynomialDecayLR"
        self.learning_rate = check_number(owner, "learning_rate", learning_rate, above=0.0)
        self.end = check_number(owner, "end_learning_rate", end_learning_rate, least=0.0)
        if self.learning_rate <= self.end:
            raise errors.InvalidValue(
                f"For '{owner}', the 'learning_rate' must be greater than the 'end_learning_rate'.",
                given=f"{learning_rate} and {end_learning_rate}",
            )
        self.decay_steps = check_positive(owner, "decay_steps", decay_steps)
        self.power = check_number(owner, "power", power, above=0.0)
        self.update_decay_steps = check_flag(owner, "update_decay_steps", update_decay_steps)

    def construct(self, global_step):
        """The rate after ``global_step`` steps."""
        step = ops.cast(global_step, float32)
        if self.update_decay_steps:
            steps = ops.maximum(ops.ceil(step / self.decay_steps), 1.0) * self.decay_steps
        else:
            steps = float(self.decay_steps)
        left = 1 - ops.minimum(step, steps) / steps
        return (self.learning_rate - self.end) * left**self.power + self.end


class WarmUpLR(LearningRateSchedule):
    """Evenly from 0 to the rate, within ``warmup_steps``.

    >>> WarmUpLR(0.1, warmup_steps=4)(Tensor(1))
    Tensor(shape=[], dtype=Float32, value= 0.025)
    """

    def __init__(self, learning_rate, warmup_steps):
        super().__init__()
        self.learning_rate = check_number("WarmUpLR", "learning_rate", learning_rate, least=0.0)
        self.warmup_steps = check_positive("WarmUpLR", "warmup_steps", warmup_steps)

    def construct(self, global_step):
        """The rate after ``global_step`` steps."""
        step = ops.minimum(ops.cast(global_step, float32), float(self.warmup_steps))
        return self.learning_rate * step / self.warmup_steps
