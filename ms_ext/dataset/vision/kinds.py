"""Which kinds of interpolation and of borders are there? And what may be an image, a size."""

import enum
import sys

import numpy as np

from ...engine import errors
from .. import checks

LARGEST = 2**24


class Inter(enum.IntEnum):
    """How ``Resize`` finds a number between two pixels.

    >>> Inter.LINEAR is Inter.BILINEAR
    True
    """

    NEAREST = 0
    ANTIALIAS = 1
    BILINEAR = LINEAR = 2
    BICUBIC = CUBIC = 3
    AREA = 4
    PILCUBIC = 5


class Border(str, enum.Enum):  # noqa: UP042  (its str() is MindSpore's)
    """What stands around an image that is padded: a number, its edge, or its mirror image.

    >>> Border.EDGE.value
    'edge'
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


def image(value, name):
    """An image as an array; of PIL's, too, if that is installed.

    >>> image(np.zeros((2, 2)), "Resize").shape
    (2, 2)
    """
    if isinstance(value, np.ndarray):
        return value
    pil = sys.modules.get("PIL.Image")
    if pil is not None and isinstance(value, pil.Image):
        return np.asarray(value)
    raise errors.InvalidType(
        f"{name}: input should be a NumPy or PIL image.", given=f"{value!r:.60} of {type(value)}"
    )


def height_and_width(size):
    """A size as a pair; one number is a square.

    >>> height_and_width(3), height_and_width((2, 3))
    ((3, 3), (2, 3))
    """
    pair = (size, size) if isinstance(size, int) and not isinstance(size, bool) else size
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise errors.InvalidType(
            "Size should be a single integer or a list/tuple (h, w) of length 2.",
            given=f"{size!r:.60}",
        )
    return tuple(checks.within(each, 1, LARGEST, "size") for each in pair)


def needs_axes(array, name, *counts):
    """Refuse an array with another number of axes."""
    if array.ndim not in counts:
        raise errors.NotRunnable(
            f"{name}: image shape should be <H,W> or <H,W,C>, but got rank: {array.ndim}",
            given=f"shape {list(array.shape)}",
        )
