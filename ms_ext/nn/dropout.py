"""Dropout as a Cell: it drops while the network is being trained.

>>> from ms_ext import Tensor
>>> Dropout(p=0.5)(Tensor([1.0, 2.0]))
Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
"""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .arguments import check_share, check_type
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
    check_type("Dropout", "keep_prob", keep_prob, float)
    if not 0 < keep_prob <= 1:
        raise errors.InvalidValue(
            f"For 'Dropout', the 'keep_prob' must be a number in range (0, 1], but got {keep_prob}."
        )


def _check_drop(p):
    check_type("Dropout", "p", p, float, int)
    if not 0 <= p < 1:
        raise errors.InvalidValue(
            f"For 'Dropout', the 'p' must be a number in range [0, 1), but got {p}."
        )


class DropoutExt(Cell):
    """As ``Dropout(p=p)``: ``mint.nn.Dropout``.

    >>> from ms_ext import ops
    >>> float(DropoutExt(0.5)(ops.ones(4)).sum())
    4.0
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        _refuse_inplace("DropoutExt", inplace)
        _check_drop(p)
        self.p, self.inplace = p, inplace

    def construct(self, input):
        """x, or what is left of it."""
        return ops.dropout(input, self.p) if self.training else input


class Dropout1d(Cell):
    """Whole rows of [N, C, L] or [C, L] are dropped with probability ``p``, while being trained.

    >>> from ms_ext import ops
    >>> float(Dropout1d(1.0).set_train()(ops.ones((2, 3))).sum())
    0.0
    """

    def __init__(self, p=0.5):
        super().__init__()
        self.prob = check_share("Dropout1d", "p", p)

    def construct(self, x):
        """x, or what is left of it."""
        return ops.dropout1d(x, self.prob) if self.training and self.prob else x


class Dropout2d(Cell):
    """Whole channels of [N, C, H, W] are dropped with probability ``p``, while being trained.

    >>> from ms_ext import ops
    >>> y = Dropout2d(0.5).set_train()(ops.ones((4, 8, 2, 2)))
    >>> bool((y == y[:, :, :1, :1]).all())
    True
    """

    def __init__(self, p=0.5):
        super().__init__()
        self.keep_prob = 1.0 - check_share("Dropout2d", "p", p)

    def construct(self, x):
        """x, or what is left of it."""
        drops = self.training and self.keep_prob < 1
        return ops.dropout2d(x, 1.0 - self.keep_prob) if drops else x

    def extend_repr(self):
        """The share that is kept, under MindSpore's name for it."""
        return f"p={self.keep_prob}"


class Dropout2dExt(Cell):
    """As ``Dropout2d(p)``: ``mint.nn.Dropout2d``.

    >>> from ms_ext import ops
    >>> Dropout2dExt(0.5).set_train()(ops.ones((4, 8, 2, 2))).shape
    (4, 8, 2, 2)
    """

    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        _refuse_inplace("Dropout2dExt", inplace)
        self.p, self.inplace = p, inplace

    def construct(self, input):
        """x, or what is left of it."""
        return ops.dropout2d(input, self.p) if self.training and self.p else input


class Dropout3d(Cell):
    """Whole channels of [N, C, D, H, W] are dropped with probability ``p``, while being trained.

    >>> from ms_ext import ops
    >>> Dropout3d(0.5).set_train()(ops.ones((4, 8, 2, 2, 2))).shape
    (4, 8, 2, 2, 2)
    """

    def __init__(self, p=0.5):
        super().__init__()
        self.keep_prob = 1.0 - check_share("Dropout3d", "p", p)

    def construct(self, x):
        """x, or what is left of it."""
        drops = self.training and self.keep_prob < 1
        return ops.dropout3d(x, 1.0 - self.keep_prob) if drops else x

    def extend_repr(self):
        """The share that is kept, under MindSpore's name for it."""
        return f"p={self.keep_prob}"


def _refuse_inplace(layer, inplace):
    if inplace:
        raise errors.InvalidValue(
            f"For '{layer}', the result is always a new tensor.",
            given="inplace=True",
            hint="Leave inplace out, and use what the layer returns.",
        )
