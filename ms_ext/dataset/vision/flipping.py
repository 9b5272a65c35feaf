"""How is an image turned into its mirror image, always or by chance?"""

import numpy as np

from ...engine.data import draws
from .. import checks
from .kinds import image, needs_axes


def _flipped(value, name, axis):
    array = image(value, name)
    needs_axes(array, name, 2, 3)
    return np.ascontiguousarray(np.flip(array, axis))


class HorizontalFlip:
    """Left and right change places.

    >>> HorizontalFlip()(np.array([[1, 2]]))
    array([[2, 1]])
    """

    def __call__(self, value):
        return _flipped(value, "HorizontalFlip", 1)


class VerticalFlip:
    """Top and bottom change places.

    >>> VerticalFlip()(np.array([[1], [2]]))
    array([[2],
           [1]])
    """

    def __call__(self, value):
        return _flipped(value, "VerticalFlip", 0)


class RandomHorizontalFlip:
    """Left and right change places with a probability, drawn anew for each image.

    >>> RandomHorizontalFlip(1.0)(np.array([[1, 2]]))
    array([[2, 1]])
    """

    def __init__(self, prob=0.5):
        self.prob = checks.fraction(prob, "prob")

    def __call__(self, value):
        drawn = draws.here().random() < self.prob
        return _flipped(value, "RandomHorizontalFlip", 1 if drawn else ())


class RandomVerticalFlip:
    """Top and bottom change places with a probability, drawn anew for each image.

    >>> RandomVerticalFlip(0.0)(np.array([[1], [2]]))
    array([[1],
           [2]])
    """

    def __init__(self, prob=0.5):
        self.prob = checks.fraction(prob, "prob")

    def __call__(self, value):
        drawn = draws.here().random() < self.prob
        return _flipped(value, "RandomVerticalFlip", 0 if drawn else ())
