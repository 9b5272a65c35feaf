"""Where do random numbers come from? One seed, and an offset that grows with every draw.

>>> set_seed(1)
>>> first = ops.randn(2)
>>> set_seed(1)
>>> bool((ops.randn(2) == first).all())
True
"""

import itertools
import os

from .. import ops
from ..engine import errors
from .composite import composite


class _Source:
    """The seed, and the next offset, which threads take without a lock."""

    def __init__(self):
        self.seed, self.offsets = None, itertools.count()


_source = _Source()


def set_seed(seed):
    """Begin the stream of random numbers that belongs to ``seed``.

    >>> set_seed(7)
    """
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise errors.InvalidType("The seed must be an integer.", given=repr(seed))
    if seed < 0:
        raise errors.InvalidValue("The seed must be 0 or more.", given=repr(seed))
    _source.seed, _source.offsets = seed, itertools.count()


def next_draw():
    """The seed, and an offset that no other draw has had."""
    if _source.seed is None:
        _source.seed = int.from_bytes(os.urandom(6), "little")
    return _source.seed, next(_source.offsets)


def _drawn(op, size, dtype, seed):
    shape = size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size
    seed, offset = next_draw() if seed is None else (seed, 0)
    return op(seed=seed, offset=offset, shape=tuple(shape), dtype=dtype or "float32")


@composite("randn", "mint.randn")
def randn(*size, dtype=None, seed=None):
    """Numbers from the bell curve around 0.

    >>> ops.randn(2, 3, seed=1).shape
    (2, 3)
    """
    return _drawn(ops.StandardNormal, size, dtype, seed)


@composite("rand", "mint.rand")
def rand(*size, dtype=None, seed=None):
    """Numbers spread evenly from 0 to 1.

    >>> ops.rand((4,), seed=1).shape
    (4,)
    """
    return _drawn(ops.UniformReal, size, dtype, seed)
