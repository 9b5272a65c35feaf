"""How fast does a result move with each element of an input? Central differences.

dx[i] = (L(x + h e_i) - L(x - h e_i)) / 2h   with   L(x) = sum(forward(x) * dout)
"""

from typing import NamedTuple

import numpy as np

from ... import errors

STEP = 1e-5  # near the cube root of float64's rounding, where its two errors are balanced
MOST = 600  # elements of an input that are moved one by one


class Slope(NamedTuple):
    """What moving an input shows; four arrays of its shape.

    ``slope``: the gradient. ``reach``: the sizes of its parts, whose rounding is its own.
    ``right``, ``left``: the differences to one side only; where they part, the function has a kink.
    ``noise``: the size of the results over the step: what their rounding is multiplied by.
    """

    slope: np.ndarray
    reach: np.ndarray
    right: np.ndarray
    left: np.ndarray
    noise: np.ndarray


def moved(forward, inputs, at, dout, step=STEP):
    """The Slope of ``sum(forward(*inputs) * dout)`` for input number ``at``, an array of floats.

    ``forward`` gives an array or a tuple of them, and ``dout`` likewise. The step is relative for
    elements beyond 1; elements are moved in the input's own dtype. ValueError for an input of more
    than ``MOST`` elements.

    >>> moved(lambda x: x * x, (np.array([3.0]),), 0, np.array([1.0])).slope.round(6)
    array([6.])
    """
    if inputs[at].size > MOST:
        raise errors.InvalidValue(
            f"An input of {inputs[at].size} elements is too large for differences.",
            given=f"each element is moved, one by one, of at most {MOST}",
            hint="Check it on a smaller input, such as x[:2, :3].",
        )
    x, weights = inputs[at].copy(), _wide(dout)
    moving = (*inputs[:at], x, *inputs[at + 1 :])
    found = Slope(*[np.empty(x.shape) for _ in Slope._fields])
    here = _wide(forward(*moving))
    size = sum(float(np.sum(np.abs(o * d))) for o, d in zip(here, weights, strict=True))
    for index in np.ndindex(x.shape):
        old = x[index]
        far = step * max(1.0, abs(float(old)))
        x[index] = float(old) + far
        above, right = _wide(forward(*moving)), float(x[index]) - float(old)
        x[index] = float(old) - far
        below, left = _wide(forward(*moving)), float(old) - float(x[index])
        x[index] = old
        # the difference first, then the sum: large parts that do not move must not drown the rest
        parts = _parts(above, below, weights)
        found.slope[index] = sum(map(np.sum, parts)) / (right + left)
        found.reach[index] = sum(np.sum(np.abs(part)) for part in parts) / (right + left)
        found.right[index] = sum(map(np.sum, _parts(above, here, weights))) / right
        found.left[index] = sum(map(np.sum, _parts(here, below, weights))) / left
        found.noise[index] = size / (right + left)
    return found


def _parts(one, other, weights):
    return [(a - b) * d for a, b, d in zip(one, other, weights, strict=True)]


def _wide(value):
    """Results as arrays of float64, copied: a function may return its own memory."""
    several = value if isinstance(value, tuple | list) else (value,)
    return [np.array(each, np.float64) for each in several]
