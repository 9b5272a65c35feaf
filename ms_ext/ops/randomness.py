"""Where do random numbers come from? One seed, and an offset that grows with every draw.

>>> set_seed(1)
>>> first = ops.randn(2)
>>> set_seed(1)
>>> bool((ops.randn(2) == first).all())
True
"""

import contextlib
import itertools
import os
import threading

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.symbol import drawn
from .composite import composite
from .shapes import as_dtype


class _Source:
    """The seed, and the next offset, which threads take without a lock."""

    def __init__(self):
        self.seed, self.offsets = None, itertools.count()
        self.given = None, 0  # the seed that was set, and how often one was


_source = _Source()


class _Noting(threading.local):
    """In this thread: the draws that somebody keeps, and those that come once more."""

    def __init__(self):
        self.kept, self.again = None, None


_noting = _Noting()


@contextlib.contextmanager
def drawing():
    """A list of what this thread draws inside, for ``drawing_again``."""
    before, _noting.kept = _noting.kept, []
    try:
        yield _noting.kept
    finally:
        if before is not None:
            before.extend(_noting.kept)
        _noting.kept = before


@contextlib.contextmanager
def drawing_again(draws):
    """Inside, this thread draws what it drew then.

    >>> with drawing() as draws:
    ...     first = ops.randn(2)
    >>> with drawing_again(draws):
    ...     bool((ops.randn(2) == first).all())
    True
    """
    before, _noting.again = _noting.again, iter(draws)
    try:
        yield
    finally:
        _noting.again = before


def set_seed(seed):
    """Begin the stream of random numbers that belongs to ``seed``, and NumPy's own, too.

    First numbers of weights come from NumPy's stream, as in MindSpore.

    >>> set_seed(7)
    """
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise errors.InvalidType("The seed must be an integer.", given=repr(seed))
    if seed < 0:
        raise errors.InvalidValue("The seed must be 0 or more.", given=repr(seed))
    _source.seed, _source.offsets = seed, itertools.count()
    _source.given = seed, _source.given[1] + 1
    np.random.seed(seed % 2**32)


def seed_that_was_set():
    """The last seed given to ``set_seed`` (None before), and how often one was given.

    >>> set_seed(7)
    >>> seed_that_was_set()[0]
    7
    """
    return _source.given


def next_draw():
    """The seed, and an offset that no other draw has had; or one of those that come once more.

    Where a graph is written they are symbols: the numbers are drawn when it runs.
    """
    return drawn() or draw_now()


def draw_now():
    """As ``next_draw``, also where a graph is written: numbers."""
    draw = next(_noting.again, None) if _noting.again is not None else None
    if draw is None:
        if _source.seed is None:
            _source.seed = int.from_bytes(os.urandom(6), "little")
        draw = _source.seed, next(_source.offsets)
    if _noting.kept is not None:
        _noting.kept.append(draw)
    return draw


def _drawn(op, size, dtype, seed):
    shape = size[0] if len(size) == 1 and isinstance(size[0], tuple | list) else size
    if dtype is not None and as_dtype(dtype).kind != "float":
        raise errors.InvalidValue("the dtype must be a float type.", given=str(dtype))
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
