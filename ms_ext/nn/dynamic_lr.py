"""Learning rates as a list with one number for each step, for an optimizer's ``learning_rate``.

>>> piecewise_constant_lr([2, 4], [0.1, 0.05])
[0.1, 0.1, 0.05, 0.05]
"""

import math

from ..engine import errors
from .arguments import check_flag, check_from_zero, check_number, check_positive


def piecewise_constant_lr(milestone, learning_rates):
    """Each rate until its milestone, a number of steps.

    >>> piecewise_constant_lr([1, 3], [0.1, 0.01])
    [0.1, 0.01, 0.01]
    """
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        if not isinstance(value, tuple | list):
            raise errors.InvalidType(
                f"For 'piecewise_constant_lr', the type of '{name}' should be one of "
                f"'list' and 'tuple', but got type '{type(value).__name__}'."
            )
    if len(milestone) != len(learning_rates):
        raise errors.InvalidValue(
            "For 'piecewise_constant_lr', 'milestone' and 'learning_rates' must have the same "
            f"length, but got {len(milestone)} and {len(learning_rates)}."
        )
    rates, last = [], 0
    for end, rate in zip(milestone, learning_rates, strict=True):
        check_positive("piecewise_constant_lr", "milestone", end)
        check_number("piecewise_constant_lr", "learning_rates", rate, least=0.0)
        if end <= last and last:
            raise errors.InvalidValue(
                "For 'piecewise_constant_lr', every element of 'milestone' must be greater than "
                f"the one before, but got {list(milestone)}."
            )
        rates += [rate] * (end - last)
        last = end
    return rates


def _epochs(owner, total_step, step_per_epoch):
    """The epoch of each step."""
    check_positive(owner, "total_step", total_step)
    check_positive(owner, "step_per_epoch", step_per_epoch)
    return [step // step_per_epoch for step in range(total_step)]


def _decay(owner, learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair):
    """How many times ``decay_epoch`` has passed, at each step."""
    check_number(owner, "learning_rate", learning_rate, above=0.0)
    check_number(owner, "decay_rate", decay_rate, above=0.0)
    check_positive(owner, "decay_epoch", decay_epoch)
    check_flag(owner, "is_stair", is_stair)
    epochs = _epochs(owner, total_step, step_per_epoch)
    return [epoch // decay_epoch if is_stair else epoch / decay_epoch for epoch in epochs]


def exponential_decay_lr(
    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False
):
    """rate * decay_rate ** (epoch / decay_epoch)

    >>> exponential_decay_lr(0.1, 0.5, total_step=4, step_per_epoch=2, decay_epoch=1)
    [0.1, 0.1, 0.05, 0.05]
    """
    given = learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair
    return [learning_rate * decay_rate**t for t in _decay("exponential_decay_lr", *given)]


def natural_exp_decay_lr(
    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False
):
    """rate * exp(-decay_rate * epoch)

    >>> natural_exp_decay_lr(0.1, 1.0, total_step=2, step_per_epoch=2, decay_epoch=1)
    [0.1, 0.1]
    """
    given = learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair
    times = _decay("natural_exp_decay_lr", *given)
    return [learning_rate * math.exp(-decay_rate * t * decay_epoch) for t in times]


def inverse_decay_lr(
    learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair=False
):
    """rate / (1 + decay_rate * epoch / decay_epoch)

    >>> inverse_decay_lr(0.1, 1.0, total_step=2, step_per_epoch=1, decay_epoch=1)
    [0.1, 0.05]
    """
    given = learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair
    return [learning_rate / (1 + decay_rate * t) for t in _decay("inverse_decay_lr", *given)]


def cosine_decay_lr(min_lr, max_lr, total_step, step_per_epoch, decay_epoch):
    """Half a wave from ``max_lr`` down to ``min_lr``, which stays.

    >>> cosine_decay_lr(0.0, 0.1, total_step=3, step_per_epoch=1, decay_epoch=2)
    [0.1, 0.05, 0.0]
    """
    check_number("cosine_decay_lr", "min_lr", min_lr, least=0.0)
    check_number("cosine_decay_lr", "max_lr", max_lr, above=0.0)
    check_positive("cosine_decay_lr", "decay_epoch", decay_epoch)
    if min_lr >= max_lr:
        raise errors.InvalidValue(
            "For 'cosine_decay_lr', the 'max_lr' must be greater than the 'min_lr', "
            f"but got 'max_lr' value: {max_lr}, 'min_lr' value: {min_lr}."
        )
    epochs = _epochs("cosine_decay_lr", total_step, step_per_epoch)
    waves = [1 + math.cos(math.pi * min(epoch, decay_epoch) / decay_epoch) for epoch in epochs]
    return [min_lr + 0.5 * (max_lr - min_lr) * wave for wave in waves]


def polynomial_decay_lr(
    learning_rate, end_learning_rate, total_step, step_per_epoch, decay_epoch, power,
    update_decay_epoch=False,
):  # fmt: skip
    """From ``learning_rate`` to ``end_learning_rate``, by (1 - epoch / decay_epoch) ** power.

    >>> polynomial_decay_lr(0.1, 0.0, total_step=3, step_per_epoch=1, decay_epoch=2, power=1.0)
    [0.1, 0.05, 0.0]
    """
    owner = "polynomial_decay_lr"
    check_number(owner, "learning_rate", learning_rate, above=0.0)
    check_number(owner, "end_learning_rate", end_learning_rate, least=0.0)
    check_number(owner, "power", power, above=0.0)
    check_positive(owner, "decay_epoch", decay_epoch)
    check_flag(owner, "update_decay_epoch", update_decay_epoch)
    rates = []
    for epoch in _epochs(owner, total_step, step_per_epoch):
        longer = max(math.ceil(epoch / decay_epoch), 1) if update_decay_epoch else 1
        left = 1 - min(epoch, decay_epoch * longer) / (decay_epoch * longer)
        rates.append((learning_rate - end_learning_rate) * left**power + end_learning_rate)
    return rates


def warmup_lr(learning_rate, total_step, step_per_epoch, warmup_epoch):
    """Evenly from 0 to the rate, within ``warmup_epoch`` epochs.

    >>> warmup_lr(0.1, total_step=3, step_per_epoch=1, warmup_epoch=2)
    [0.0, 0.05, 0.1]
    """
    check_number("warmup_lr", "learning_rate", learning_rate, least=0.0)
    check_from_zero("warmup_lr", "warmup_epoch", warmup_epoch)
    epochs = _epochs("warmup_lr", total_step, step_per_epoch)
    if warmup_epoch == 0:
        return [learning_rate for _ in epochs]
    return [learning_rate * min(epoch, warmup_epoch) / warmup_epoch for epoch in epochs]
