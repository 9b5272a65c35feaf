"""What holds for all pipelines: the seed, how far ahead workers go, how many there are.

>>> settings.prefetch_size
16
"""

import os
import secrets
import sys
from dataclasses import dataclass

UNSET = 5489  # what ``config.get_seed()`` tells when nobody set one, as in MindSpore


@dataclass
class Settings:
    """The values; ``ms.dataset.config`` sets them."""

    seed: int | None = None  # of data alone; without it ms.set_seed's, else one from the system
    seedings: int = 0  # how often the seed was set
    prefetch_size: int = 16  # rows, or blocks of rows, that each worker may be ahead
    workers: int = 1  # threads of a node that names no number
    debug: bool = False  # no workers at all
    patience: float = 5.0  # seconds that a thread gets to finish its row when nobody wants more


settings = Settings()


def set_seed(number):
    """Begin anew with a seed."""
    settings.seed = number
    settings.seedings += 1


def seeding():
    """Which setting of the seeds this is: it changes whenever one of them is set."""
    return settings.seedings, _of_ops()


def seed():
    """The seed of data, or else of ``ms.set_seed``, or else one that the system draws.

    >>> set_seed(3)
    >>> seed()
    3
    >>> set_seed(None)
    """
    if settings.seed is not None:
        return settings.seed
    (of_ops, _) = _of_ops()
    return of_ops if of_ops is not None else secrets.randbits(32)


def shared_seed():
    """The seed that was set, or a number that is the same in every process.

    >>> shared_seed() == shared_seed()
    True
    """
    given = settings.seed if settings.seed is not None else _of_ops()[0]
    return UNSET if given is None else given


def _of_ops():
    ops = sys.modules.get("ms_ext.ops.randomness")  # not imported only to hear that nobody set it
    return ops.seed_that_was_set() if ops else (None, 0)


def usable_cores():
    """The largest number of workers that makes sense here.

    >>> usable_cores() >= 1
    True
    """
    return os.cpu_count() or 1
