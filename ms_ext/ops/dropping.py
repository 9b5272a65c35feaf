"""Dropout: some elements, drawn anew at each call, become 0, and the others larger.

>>> x = ops.ones(1000)
>>> kept = ops.dropout(x, 0.25)
>>> bool(((kept == 0) | (kept * 3 == 4)).all())
True
"""

import functools

from .. import ops
from ..engine import errors
from ..engine.symbol import Symbol
from ..engine.tensor import Tensor
from .composite import composite
from .randomness import next_draw

RANGE = "For 'Dropout, the 'keep_prob' must be in (0.0, 1.0], but got "


@composite("dropout")
def dropout(input, p=0.5, training=True, seed=None):
    """Each element 0 with probability ``p``, else 1 / (1 - p) times as large; of any float dtype.

    ``training=False`` gives the input as it is. The gradient passes where an element was kept,
    times the same number. ``seed``: the same mask at each call. In a graph a mask is drawn when the
    graph runs. Errors: TypeError for another dtype or options of another type, RuntimeError for
    ``p`` outside [0, 1).

    >>> ops.dropout(Tensor([1.0, 2.0]), training=False)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    if not isinstance(training, bool):
        raise errors.InvalidType(
            f"For 'dropout', the 'training' must be a bool, but got {type(training).__name__}."
        )
    if seed is not None and type(seed) is not int:
        raise errors.InvalidType(
            f"For 'dropout', the 'seed' must be int, but got '{type(seed).__name__}'"
        )
    if not isinstance(p, int | float):
        raise errors.InvalidType(f"the 'p' must be a number, but got {type(p).__name__}.")
    if not training or p == 0:
        return input
    return masked(input, 1 - p, seed)[0]


@composite("mint.nn.functional.dropout")
def dropout_in(input, p=0.5, training=True, inplace=False):
    """Each element 0 with probability ``p``, else 1 / (1 - p) times as large.

    ``inplace``: written to the input too.

    >>> mint.nn.functional.dropout(Tensor([1.0, 2.0]), 1.0)
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  0.00000000e+00])
    """
    out = ops.zeros_like(input) if training and p == 1 else dropout(input, p, training)
    return input.copy_(out) if inplace else out


def masked(x, keep_prob, seed=None):
    """(x with a share of ``keep_prob`` kept and scaled up, the mask of ones and zeros)."""
    _check(x, keep_prob)
    seed, offset = next_draw() if seed is None else (seed, 0)
    drawn = ops.UniformReal(seed=seed, offset=offset, shape=x.shape, dtype="float32")
    mask = ops.cast(drawn < keep_prob, x.dtype)
    return x * mask * (1 / keep_prob), mask


def _check(x, keep_prob):
    if not isinstance(x, Tensor | Symbol):
        raise errors.InvalidType(
            f"the input argument[x] must be a Tensor, but got {type(x).__name__}.",
            given=f"{x!r:.60}",
            hint="Wrap it: Tensor(...).",
        )
    if x.dtype.kind != "float":
        names = ("BFloat16", "Float16", "Float32", "Float64")
        known = ", ".join(f"Tensor[{name}]" for name in names)
        raise errors.InvalidType(
            f"the input argument[x] must be a type of {{{known}}}, but got Tensor[{x.dtype.name}].",
            hint="Cast it first: x.astype(ms.float32).",
        )
    if not isinstance(keep_prob, int | float):
        raise errors.InvalidType(
            f"the 'keep_prob' must be a number, but got {type(keep_prob).__name__}."
        )
    if not 0 < keep_prob <= 1:
        raise errors.NotRunnable(f"{RANGE}{keep_prob:g}", hint="p is 0 or more, less than 1.")


@composite("Dropout")
class Dropout:
    """``(x with some elements dropped, the mask)``; ``keep_prob`` is the share that is kept.

    With seeds other than 0 each call draws the same mask.

    >>> out, mask = ops.Dropout(keep_prob=0.5, Seed0=1)(Tensor([1.0, 1.0, 1.0]))
    >>> bool((out == mask * 2).all())
    True
    """

    def __init__(self, keep_prob=0.5, Seed0=0, Seed1=0):  # noqa: N803  (MindSpore's names)
        self.keep_prob, self.seeds = keep_prob, (Seed0, Seed1)

    def graph_function(self):
        """What graph mode runs on symbols where the object is called."""
        seed = self.seeds[0] + (self.seeds[1] << 32) if any(self.seeds) else None
        return functools.partial(masked, keep_prob=self.keep_prob, seed=seed)

    def __call__(self, x):
        return self.graph_function()(x)

    def __repr__(self):
        first, second = self.seeds
        return f"Prim[Dropout]<keep_prob={self.keep_prob}, Seed0={first}, Seed1={second}>"
