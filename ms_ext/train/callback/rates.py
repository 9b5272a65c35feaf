"""The learning rate changes while training goes on: by a function, or when nothing gets better."""

import math

from ... import ops
from ...common.parameter import Parameter
from ...common.tensor import Tensor
from ...dtype import float32
from ...engine import errors
from ...nn.arguments import check_from_zero, check_type
from ..arguments import check_bool
from .calling import Callback
from .monitored import Monitored


class LearningRateScheduler(Callback):
    """Asks ``learning_rate_function(rate, step)`` after each step, and sets what it answers.

    >>> halved = LearningRateScheduler(lambda rate, step: rate / 2 if step % 100 == 0 else rate)
    >>> halved.learning_rate_function(0.5, 100)
    0.25
    """

    def __init__(self, learning_rate_function):
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context):
        """Ask and set."""
        asked = run_context.original_args()
        rate = asked.optimizer.learning_rate
        now = float(str(rate.asnumpy()))  # 0.1, not 0.10000000149011612
        new = self.learning_rate_function(now, asked.cur_step_num)
        if not math.isclose(now, new, rel_tol=1e-10):
            ops.assign(rate, Tensor(new, float32))


class ReduceLROnPlateau(Callback):
    """The learning rate times ``factor`` when ``monitor`` got no better in ``patience`` epochs.

    It waits ``cooldown`` epochs before it counts again, and does not go below ``min_lr``.

    >>> ReduceLROnPlateau("loss", factor=0.5, patience=3).factor
    0.5
    """

    def __init__(
        self,
        monitor="eval_loss",
        factor=0.1,
        patience=10,
        verbose=False,
        mode="auto",
        min_delta=0.0001,
        cooldown=0,
        min_lr=0,
    ):
        owner = "ReduceLROnPlateau"
        self._watched = Monitored(owner, monitor, mode, min_delta)
        self.factor = check_type(owner, "factor", factor, float)
        if not 0.0 < factor < 1.0:
            raise errors.InvalidValue(
                f"For '{owner}', the 'factor' must be in range of (0.0, 1.0), but got {factor}."
            )
        self.patience = check_from_zero(owner, "patience", patience)
        self.verbose = check_bool(verbose)
        self.cooldown = check_from_zero(owner, "cooldown", cooldown)
        self.min_lr = check_type(owner, "min_lr", min_lr, float, int)
        self.cooldown_counter = self.wait = 0

    def on_train_begin(self, run_context):
        """Begin anew."""
        self._watched.forget()
        self.cooldown_counter = self.wait = 0

    def on_train_epoch_end(self, run_context):
        """Look, and lower the rate or leave it."""
        asked = run_context.original_args()
        rate = asked.optimizer.learning_rate
        if not isinstance(rate, Parameter):
            raise errors.InvalidValue(
                "ReduceLROnPlateau does not support dynamic learning rate and group learning rate "
                "now."
            )
        value = self._watched.value(asked)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
        if self._watched.better(value):
            self.wait = 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._lower(rate, asked.cur_epoch_num)

    def _lower(self, rate, epoch):
        self.cooldown_counter, self.wait = self.cooldown, 0
        if float(rate.asnumpy()) <= self.min_lr:
            return
        ops.assign(rate, Tensor(max(float(rate.asnumpy()) * self.factor, self.min_lr), float32))
        if self.verbose:
            print(
                f"Epoch {epoch:05d}: ReduceLROnPlateau reducing learning rate to {rate.asnumpy()}."
            )
