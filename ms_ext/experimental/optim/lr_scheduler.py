"""Schedules that step: each ``step()`` writes new learning rates into an optimizer's groups.

>>> import ms_ext as ms
>>> from ms_ext.experimental.optim import SGD
>>> optimizer = SGD([ms.Parameter(ms.Tensor([1.0]), name="weight")], lr=0.5)
>>> schedule = StepLR(optimizer, step_size=2, gamma=0.5)
>>> rates = []
>>> for _ in range(4):
...     schedule.step()
...     rates.append(schedule.get_last_lr()[0].item())
>>> rates
[0.5, 0.25, 0.25, 0.125]
"""

import math
from bisect import bisect_right

from ...common.tensor import Tensor
from ...dtype import float32
from ...engine import errors
from .optimizer import Optimizer


class LRScheduler:
    """The parent: a subclass writes ``rate(base)``, the learning rate of a group now.

    ``base``: the group's rate at the beginning; ``self.last_epoch``: how many steps were made.
    """

    def __init__(self, optimizer, last_epoch=-1):
        if not isinstance(optimizer, Optimizer):
            raise errors.InvalidType(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer, self.last_epoch = optimizer, last_epoch
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", group["lr"].asnumpy().item())
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def rate(self, base):
        """The learning rate of a group whose first one was ``base``."""
        raise errors.NotOffered(
            f"A {type(self).__name__} has no rate(base).",
            hint="Write one that gives the learning rate of a group now.",
        )

    def get_lr(self):
        """The rate of each group now."""
        return [self.rate(base) for base in self.base_lrs]

    def get_last_lr(self):
        """The rates that were written last, as Tensors."""
        return [group["lr"].value() for group in self.optimizer.param_groups]

    def step(self, epoch=None):
        """One step further (or at ``epoch``): write the rates."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        _write(self.optimizer, self.get_lr())


def _write(optimizer, rates):
    for group, rate in zip(optimizer.param_groups, rates, strict=True):
        group["lr"].set_data(Tensor(rate, float32))


class StepLR(LRScheduler):
    """Times ``gamma`` after every ``step_size`` steps."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, base):
        """base * gamma ** (steps // step_size)"""
        return base * self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(LRScheduler):
    """Times ``gamma`` at each milestone."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, base):
        """base * gamma ** (milestones passed)"""
        return base * self.gamma ** bisect_right(self.milestones, self.last_epoch)


class ExponentialLR(LRScheduler):
    """Times ``gamma`` at every step."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, base):
        """base * gamma ** steps"""
        return base * self.gamma**self.last_epoch


class ConstantLR(LRScheduler):
    """Times ``factor`` for the first ``total_iters`` steps."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        _check_share("factor", factor)
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def rate(self, base):
        """base * factor, then base"""
        return base * (self.factor if self.last_epoch < self.total_iters else 1.0)


class LinearLR(LRScheduler):
    """From ``start_factor`` to ``end_factor`` of the rate, evenly within ``total_iters`` steps."""

    def __init__(
        self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1
    ):
        _check_share("start_factor", start_factor)
        _check_share("end_factor", end_factor, least=0.0)
        self.ends, self.total_iters = (start_factor, end_factor), total_iters
        super().__init__(optimizer, last_epoch)

    def rate(self, base):
        """base * (start + (end - start) * steps / total_iters)"""
        start, end = self.ends
        share = min(self.last_epoch, self.total_iters) / self.total_iters
        return base * (start + (end - start) * share)


class PolynomialLR(LRScheduler):
    """Down to 0 within ``total_iters`` steps, by a power."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def rate(self, base):
        """base * (1 - steps / total_iters) ** power"""
        share = min(self.last_epoch, self.total_iters) / self.total_iters
        return base * (1 - share) ** self.power


class CosineAnnealingLR(LRScheduler):
    """Waves between the rate and ``eta_min``, half a wave in ``T_max`` steps."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):  # noqa: N803 (its name)
        self.half, self.least = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def rate(self, base):
        """eta_min + (base - eta_min) * (1 + cos(pi * steps / T_max)) / 2"""
        wave = 1 + math.cos(math.pi * self.last_epoch / self.half)
        return self.least + (base - self.least) * wave / 2


class LambdaLR(LRScheduler):
    """Times what a function of the steps gives; one function, or one for each group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lambdas = _one_each(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """base * lr_lambda(steps)"""
        pairs = zip(self.base_lrs, self.lambdas, strict=True)
        return [base * function(self.last_epoch) for base, function in pairs]


class MultiplicativeLR(LRScheduler):
    """At every step the rate times what a function of the steps gives."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lambdas = _one_each(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """the last rate * lr_lambda(steps)"""
        rates = [rate.asnumpy().item() for rate in self.get_last_lr()]
        if self.last_epoch == 0:
            return rates
        pairs = zip(rates, self.lambdas, strict=True)
        return [rate * function(self.last_epoch) for rate, function in pairs]


class SequentialLR:
    """One schedule after another; each milestone is where the next one begins."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if len(schedulers) != len(milestones) + 1:
            raise errors.InvalidValue(
                "For 'SequentialLR', there must be one milestone less than schedulers.",
                given=f"{len(schedulers)} schedulers and {len(milestones)} milestones",
            )
        self.optimizer, self.schedulers = optimizer, schedulers
        self.milestones, self.last_epoch = list(milestones), last_epoch + 1
        _write(optimizer, [group["initial_lr"] for group in optimizer.param_groups])
        schedulers[0].step(0)

    def step(self):
        """One step further."""
        self.last_epoch += 1
        place = bisect_right(self.milestones, self.last_epoch)
        begins = place > 0 and self.milestones[place - 1] == self.last_epoch
        self.schedulers[place].step(0 if begins else None)

    def get_last_lr(self):
        """The rates that were written last, as Tensors."""
        return [group["lr"].value() for group in self.optimizer.param_groups]


class ReduceLROnPlateau:
    """Times ``factor`` where a number has not become better for more than ``patience`` steps.

    ``mode``: "min" or "max" is better; ``threshold``: by how much, as a share (``"rel"``) or plain
    (``"abs"``); ``cooldown``: how many steps are not counted after a change; ``min_lr``: where the
    rates stop, one for all groups or one for each.
    """

    def __init__(
        self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel",
        cooldown=0, min_lr=0, eps=1e-8,
    ):  # fmt: skip
        if factor >= 1.0:
            raise errors.InvalidValue(f"Factor should be < 1.0, but got {factor}.")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise errors.InvalidValue(
                "For 'ReduceLROnPlateau', the mode or the threshold_mode is unknown.",
                given=f"{mode!r} and {threshold_mode!r}",
                hint="mode is 'min' or 'max', threshold_mode 'rel' or 'abs'.",
            )
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown = threshold, threshold_mode, cooldown
        self.min_lrs, self.eps = _one_each(optimizer, min_lr, "min_lrs"), eps
        self.best, self.bad, self.resting = math.inf if mode == "min" else -math.inf, 0, 0

    def step(self, metrics):
        """Tell the number that was reached."""
        value = float(metrics)
        better = self._better(value)
        self.best, self.bad = (value, 0) if better else (self.best, self.bad + 1)
        if self.resting > 0:
            self.resting, self.bad = self.resting - 1, 0
        if self.bad > self.patience:
            self._reduce()
            self.resting, self.bad = self.cooldown, 0

    def _better(self, value):
        change = -self.threshold if self.mode == "min" else self.threshold
        bound = self.best * (1 + change) if self.threshold_mode == "rel" else self.best + change
        return value < bound if self.mode == "min" else value > bound

    def _reduce(self):
        rates = [rate.asnumpy().item() for rate in self.get_last_lr()]
        pairs = zip(rates, self.min_lrs, strict=True)
        lower = [max(rate * self.factor, least) for rate, least in pairs]
        pairs = zip(rates, lower, strict=True)
        _write(self.optimizer, [low if rate - low > self.eps else rate for rate, low in pairs])

    def get_last_lr(self):
        """The rates that were written last, as Tensors."""
        return [group["lr"].value() for group in self.optimizer.param_groups]


def _one_each(optimizer, given, name="lr_lambdas"):
    """One for each group: what was given, or a list of them."""
    count = len(optimizer.param_groups)
    if not isinstance(given, list | tuple):
        return [given] * count
    if len(given) != count:
        raise errors.InvalidValue(f"Expected {count} {name}, but got {len(given)}")
    return list(given)


def _check_share(name, value, least=None):
    if not (0.0 < value <= 1.0 if least is None else least <= value <= 1.0):
        raise errors.InvalidValue(f"The '{name}' must be from 0 to 1.", given=str(value))
