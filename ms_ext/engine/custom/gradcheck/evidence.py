"""What is known of one gradient that is wrong, and when is an array like another?"""

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Evidence:
    """A gradient, what it should be, and what else the mistake may show in; all in float64.

    ``analytic``: what the bprop gave, None for nothing. ``numeric``: the differences.
    ``at``: which of ``names``, ``numerics``, ``inputs`` is the input concerned. ``outs``,
    ``douts``: the results, and what came back to them. ``slope(douts)``: the differences for
    other douts.
    ``tolerance``: how far two arrays may part, relative to the largest value.
    """

    analytic: np.ndarray | None
    numeric: np.ndarray
    at: int = 0
    names: tuple = ("x",)
    numerics: tuple = ()
    inputs: tuple = ()
    outs: tuple = ()
    douts: tuple = ()
    slope: object = None
    tolerance: float = 1e-4
    _slopes: dict = field(default_factory=dict)

    @property
    def name(self):
        """The name of the input concerned."""
        return self.names[self.at]

    @property
    def fits(self):
        """Whether the gradient has its input's shape."""
        return self.analytic is not None and self.analytic.shape == self.numeric.shape

    def like(self, wanted):
        """Whether the gradient is this array."""
        return alike(self.analytic, wanted, self.tolerance)

    def with_douts(self, key, douts):
        """The differences if these came back to the results; measured once for each ``key``."""
        if self.slope is None:
            return None
        if key not in self._slopes:
            self._slopes[key] = self.slope(douts)
        return self._slopes[key]

    def factors(self):
        """(name, array) of what a formula may have as a factor: inputs and results."""
        yield from zip(self.names, self.inputs, strict=True)
        for number, out in enumerate(self.outs):
            yield "out" if len(self.outs) == 1 else f"out[{number}]", out


def alike(one, other, tolerance):
    """Whether two arrays have one shape, and values that are near each other and not all zero.

    >>> alike(np.array([1.0, 2.0]), np.array([1.0, 2.0001]), tolerance=1e-3)
    True
    """
    if one is None or other is None or one.shape != other.shape or not one.size:
        return False
    with np.errstate(all="ignore"):
        largest = np.abs(other).max()
        near = np.abs(one - other) <= tolerance * largest
    return bool(largest > 0 and near.all())


def constant_ratio(one, other, tolerance):
    """The number that ``other`` is multiplied by to be ``one``; None if there is none.

    >>> constant_ratio(np.array([2.0, 6.0]), np.array([1.0, 3.0]), 1e-6)
    2.0
    """
    if one is None or other is None or one.shape != other.shape or one.size < 2:
        return None
    used = np.abs(other) > tolerance * np.abs(other).max(initial=0.0)
    if used.sum() < 2:
        return None
    ratio = float(np.median(one[used] / other[used]))
    return ratio if np.isfinite(ratio) and alike(one, ratio * other, tolerance) else None


def spread(array, shape):
    """An array as broadcasting makes it fit a shape; None if it does not.

    >>> spread(np.array([1.0, 2.0]), (2, 2)).tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        return None
