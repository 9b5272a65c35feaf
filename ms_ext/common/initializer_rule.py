"""What is an Initializer? A rule that fills an array with first numbers, and may have names.

>>> class Halves(Initializer):
...     def _initialize(self, arr):
...         arr.fill(0.5)
>>> Halves().make((2,), dtypes.float32)
array([0.5, 0.5], dtype=float32)
"""

import numpy as np

from .. import dtype as dtypes
from ..engine import errors

#: name, in small letters -> class; those with arguments are here too, as in MindSpore.
NAMED: dict = {}


class Initializer:
    """The parent of every rule: write ``_initialize(arr)``, which fills a NumPy array.

    >>> arr = np.zeros(2, np.float32)
    >>> NAMED["ones"]()(arr)
    >>> arr
    array([1., 1.], dtype=float32)
    """

    def __init__(self, **kwargs):
        self._kwargs = kwargs

    def _initialize(self, arr):
        """Fill the array."""
        raise errors.NotOffered(
            "Must be overridden!",
            given=f"the Initializer {type(self).__name__}",
            hint="Define `def _initialize(self, arr): arr[...] = ...` in the class.",
        )

    def __call__(self, arr):
        return self._initialize(arr)

    def make(self, shape, dtype):
        """An array of first numbers."""
        arr = np.zeros(shape, np.float32 if dtype is dtypes.bfloat16 else dtype.numpy)
        self(arr)
        return arr.astype(dtype.numpy, copy=False)


def named(*aliases):
    """Enter a rule under its class's name, and more."""

    def enter(cls):
        NAMED.update(dict.fromkeys((cls.__name__.lower(), *aliases), cls))
        return cls

    return enter


def fans(shape):
    """(inputs, outputs) that a weight of this shape connects: its first axis counts outputs.

    >>> fans((8, 3, 5, 5))
    (75, 200)
    """
    if len(shape) < 2:
        raise errors.InvalidValue(
            "'fan_in' and 'fan_out' can not be computed for tensor with fewer than 2 dimensions, "
            f"but got dimensions {len(shape)}.",
            hint="Give the weight two axes or more, or use Normal or Uniform.",
        )
    rest = int(np.prod(shape[2:]))
    return shape[1] * rest, shape[0] * rest


def check_axes(rule, shape, wanted, word):
    """An array of a number of axes that the rule can fill."""
    if len(shape) not in wanted:
        raise errors.InvalidValue(
            f"For {rule} initializer, the dimension of the initialized tensor should be {word}, "
            f"but got {len(shape)}."
        )
