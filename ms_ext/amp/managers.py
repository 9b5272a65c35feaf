"""Loss scale managers, for ``Model`` and ``build_train_network``.

>>> FixedLossScaleManager(512.0).get_loss_scale()
512.0
"""

from .. import nn
from ..engine import errors


class LossScaleManager:
    """The parent of loss scale managers.

    >>> isinstance(FixedLossScaleManager(), LossScaleManager)
    True
    """

    def get_loss_scale(self):
        """The scale by now."""

    def update_loss_scale(self, overflow):
        """Change the scale, after a step with or without an overflow."""

    def get_update_cell(self):
        """The Cell that changes the scale in a training Cell; None for none."""


class FixedLossScaleManager(LossScaleManager):
    """A scale that stays; ``drop_overflow_update``: no update where a gradient is not finite.

    >>> FixedLossScaleManager(drop_overflow_update=False).get_update_cell() is None
    True
    """

    def __init__(self, loss_scale=128.0, drop_overflow_update=True):
        if loss_scale < 1:
            raise errors.InvalidValue(
                f"The argument 'loss_scale' must be >= 1, but got {loss_scale}"
            )
        self._loss_scale, self._drop_overflow_update = loss_scale, drop_overflow_update

    def get_loss_scale(self):
        """The scale."""
        return self._loss_scale

    def get_drop_overflow_update(self):
        """Whether there is no update where a gradient is not finite."""
        return self._drop_overflow_update

    def get_update_cell(self):
        """The Cell that looks for overflows, if they are looked for."""
        return nn.FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A scale that falls after an overflow, and grows after ``scale_window`` steps without.

    >>> manager = DynamicLossScaleManager(16, 2, 1)
    >>> manager.update_loss_scale(True)
    >>> manager.get_loss_scale()
    8.0
    """

    def __init__(self, init_loss_scale=2**24, scale_factor=2, scale_window=2000):
        if init_loss_scale < 1:
            raise errors.InvalidValue(
                f"The argument 'init_loss_scale' must be > 1, but got {init_loss_scale}"
            )
        if type(scale_window) is not int:
            raise errors.InvalidType("scale_window must be an int.", given=repr(scale_window))
        if scale_window <= 0:
            raise errors.InvalidValue(
                f"For 'DynamicLossScaleManager', the 'scale_window' must > 0, got {scale_window}."
            )
        if scale_factor <= 0:
            raise errors.InvalidValue(
                f"The argument 'scale_factor' must be > 0, but got {scale_factor}"
            )
        self.loss_scale, self.scale_factor = init_loss_scale, scale_factor
        self.scale_window, self.cur_iter, self.last_overflow_iter = scale_window, 1, 0
        self.bad_step, self.bad_step_max = 0, 1000

    def get_loss_scale(self):
        """The scale by now."""
        return self.loss_scale

    def update_loss_scale(self, overflow):
        """Change the scale. RuntimeError after a thousand overflows in a row."""
        if overflow:
            self.loss_scale = max(self.loss_scale / self.scale_factor, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.scale_factor
            self.bad_step = 0
        if self.bad_step > self.bad_step_max:
            raise errors.NotRunnable(
                f"Dynamic loss scale Continuous overflow {self.bad_step} times, has exceeded "
                "maximum threshold.",
                hint="Look for a loss that is not finite, or lower the learning rate.",
            )
        self.cur_iter += 1

    def get_drop_overflow_update(self):
        """True: there is no update where a gradient is not finite."""
        return True

    def get_update_cell(self):
        """The Cell that changes the scale in a training Cell."""
        return nn.DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
