"""Where do random numbers come from? From a key, so that it does not matter who draws, and when.

A node draws from the key (seed, its place in the pipeline, epoch, ...). A transform that draws,
such as RandomCrop, uses ``here``: inside a pipeline that is the key of its row, so a row gets the
same crop whether one worker or four are at it. The order that a seed gives is not MindSpore's order
for that seed, which comes from another generator.

>>> with keyed((1, 2)):
...     first = here().random()
>>> with keyed((1, 2)):
...     here().random() == first
True
"""

import contextlib
import threading

import numpy as np

from . import settings


def generator(key) -> np.random.Generator:
    """NumPy's generator for a key of whole numbers.

    >>> bool(generator((1, 2)).random() == generator((1, 2)).random())
    True
    """
    return np.random.default_rng([number % 2**64 for number in key])


class _Place(threading.local):
    """In this thread: the key of the row that is being made, and its generator once it draws."""

    key, made = None, None


_place = _Place()
_outside = {}  # the generator for draws outside of a pipeline, and the seeding it belongs to


@contextlib.contextmanager
def keyed(key):
    """Inside, this thread draws from ``key``."""
    before = _place.key, _place.made
    _place.key, _place.made = key, None
    try:
        yield
    finally:
        _place.key, _place.made = before


def here() -> np.random.Generator:
    """The generator of the row that is being made; outside of a pipeline, one from the seed."""
    if _place.key is None:
        seeding = settings.seeding()
        if _outside.get("seeding") != seeding:
            _outside.update(seeding=seeding, made=generator((settings.seed(),)))
        return _outside["made"]
    if _place.made is None:
        _place.made = generator(_place.key)
    return _place.made
