"""Dropout as a Cell: it drops while the network is being trained.

>>> from ms_ext import Tensor
>>> Dropout(p=0.5)(Tensor([1.0, 2.0]))
Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
"""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .cell import Cell


class Dropout(Cell):
    """Some elements 0, the others 1 / (1 - p) times as large; x itself unless ``set_train()``.

    ``p`` is the share that is dropped; MindSpore's older ``keep_prob`` counts where it is None.
    Every call draws a mask, and the gradient passes through the same one. Errors: TypeError for a
    probability of another type or an x that is no float tensor, ValueError outside [0, 1).

    >>> from ms_ext import ops
    >>> y = Dropout(p=0.75).set_train()(ops.ones(100))
    >>> bool(((y == 0) | (y == 4)).all())
    True
    """

    def __init__(self, keep_prob=0.5, p=None, dtype=dtypes.float32):
        super().__init__()
        if p is None:
            _check_keep(keep_prob)
        else:
            _check_drop(p)
        self.p, self.keep_prob = p, keep_prob

    def construct(self, x):
        """x, or what is left of it."""
        share = 1 - self.keep_prob if self.p is None else self.p
        return ops.dropout(x, share) if self.training else x

    def extend_repr(self):
        """The probability that was given."""
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


def _check_keep(keep_prob):
    if type(keep_prob) is not float:
        raise errors.InvalidType(
            "For 'Dropout', the type of 'keep_prob' should be 'float', but got type "
            f"'{type(keep_prob).__name__}'."
        )
    if not 0 < keep_prob <= 1:
        raise errors.InvalidValue(
            f"For 'Dropout', the 'keep_prob' must be a number in range (0, 1], but got {keep_prob}."
        )


def _check_drop(p):
    if type(p) not in (float, int):
        raise errors.InvalidType(
            "For 'Dropout', the type of 'p' should be one of '['float', 'int']', but got type "
            f"'{type(p).__name__}'."
        )
    if not 0 <= p < 1:
        raise errors.InvalidValue(
            f"For 'Dropout', the 'p' must be a number in range [0, 1), but got {p}."
        )
