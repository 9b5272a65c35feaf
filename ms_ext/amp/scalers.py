"""Loss scalers, for training steps that are written as functions.

>>> from ms_ext import Tensor
>>> scaler = StaticLossScaler(4.0)
>>> scaler.unscale((scaler.scale(Tensor(3.0)),))
(Tensor(shape=[], dtype=Float32, value= 3),)
"""

import abc

from .. import ops
from ..common import jit_class
from ..common.parameter import Parameter
from ..dtype import float32, int32
from ..engine import errors
from ..engine.tensor import Tensor
from ..ops.finite import overflowed, scaled_all, unscaled_all


def all_finite(inputs):
    """Whether all elements of a tensor, or of several, are finite: a Bool tensor.

    >>> from ms_ext import Tensor
    >>> bool(all_finite((Tensor([1.0]), Tensor([float("nan")]))))
    False
    """
    return ops.logical_not(overflowed(inputs))


def _first_scale(value):
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise errors.InvalidType("scale_value must be a number.", given=repr(value))
    if value < 1:
        raise errors.InvalidValue(f"The argument 'scale_value' must be > 1, but got {value}")
    return Parameter(Tensor(value, float32), name="scale_value")


def _count(name, value):
    if type(value) is not int:
        raise errors.InvalidType(f"The '{name}' must be int.", given=repr(value))
    if value <= 0:
        raise errors.InvalidValue(
            f"The '{name}' must be int and must > 0, but got '{value}' with type 'int'."
        )
    return value


@jit_class
class LossScaler(abc.ABC):
    """The parent of loss scalers: ``scale`` before gradients are taken, ``unscale`` after.

    >>> issubclass(StaticLossScaler, LossScaler)
    True
    """

    @abc.abstractmethod
    def scale(self, inputs):
        """A loss, or several, times the scale."""

    @abc.abstractmethod
    def unscale(self, inputs):
        """Gradients, divided by the scale."""

    @abc.abstractmethod
    def adjust(self, grads_finite):
        """Change the scale, as the gradients of this step were finite or not."""


@jit_class
class StaticLossScaler(LossScaler):
    """A scale that stays as it is.

    >>> from ms_ext import Tensor
    >>> StaticLossScaler(8).scale(Tensor(2.0))
    Tensor(shape=[], dtype=Float32, value= 16)
    """

    def __init__(self, scale_value):
        self.scale_value = _first_scale(scale_value)

    def scale(self, inputs):
        """A loss, or several, times the scale."""
        return scaled_all(self.scale_value, inputs)

    def unscale(self, inputs):
        """Gradients, divided by the scale."""
        return unscaled_all(self.scale_value, inputs)

    def adjust(self, grads_finite):
        """False: nothing is changed."""
        return False


@jit_class
class DynamicLossScaler(LossScaler):
    """A scale that falls where gradients are not finite, and grows after ``scale_window`` steps.

    >>> from ms_ext import Tensor
    >>> scaler = DynamicLossScaler(16, 2, 1)
    >>> scaler.adjust(Tensor(False)), float(scaler.scale_value)
    (True, 8.0)
    """

    def __init__(self, scale_value, scale_factor, scale_window):
        self.scale_value = _first_scale(scale_value)
        self.scale_window = _count("scale_window", scale_window)
        self.scale_factor = _count("scale_factor", scale_factor)
        self.counter = Parameter(Tensor(0, int32), name="counter")

    def scale(self, inputs):
        """A loss, or several, times the scale."""
        return scaled_all(self.scale_value, inputs)

    def unscale(self, inputs):
        """Gradients, divided by the scale."""
        return unscaled_all(self.scale_value, inputs)

    def adjust(self, grads_finite):
        """True; the scale was made smaller or larger, or kept until ``scale_window`` steps."""
        good = ops.logical_and(grads_finite, True)
        grown = self.scale_value * self.scale_factor
        due = ops.logical_and(self.counter == self.scale_window - 1, ops.isfinite(grown))
        fallen = ops.maximum(self.scale_value / self.scale_factor, 1.0)
        kept = ops.where(due, grown, self.scale_value)
        ops.assign(self.scale_value, ops.where(good, kept, fallen))
        steps = (self.counter + 1) % self.scale_window
        ops.assign(self.counter, ops.where(good, steps, 0))
        return True
