"""How does an image get another size? Each new pixel looks where it would lie in the old image.

Pixel ``i`` of ``n`` lies at (i + 0.5) * old / n - 0.5. BILINEAR mixes the two next to that along
each axis; NEAREST takes pixel i * old / n, rounded down. Numbers of uint8 are mixed with weights of
1/2048, rounded at the places where MindSpore rounds, so both give the same images.
"""

import numpy as np

from ...engine import errors
from .. import checks
from .kinds import Inter, height_and_width, image

ONE = 2048  # a weight of 1 for whole numbers


class Resize:
    """The image in another size; one number is the length of the shorter side.

    >>> Resize((2, 4))(np.array([[0, 255]], np.uint8))
    array([[  0,  64, 191, 255],
           [  0,  64, 191, 255]], dtype=uint8)
    """

    def __init__(self, size, interpolation=Inter.LINEAR):
        pair = height_and_width(size)
        self.size = size if isinstance(size, int) else pair
        self.interpolation = checks.of_type(interpolation, Inter, "interpolation")
        if self.interpolation not in (Inter.NEAREST, Inter.BILINEAR):
            raise errors.InvalidValue(
                "Only Inter.NEAREST and Inter.BILINEAR are there.", given=str(interpolation)
            )

    def __call__(self, value):
        array = image(value, "Resize")
        if array.ndim not in (2, 3):
            raise errors.NotRunnable(
                "Resize: the image tensor should have two or three dimensions.",
                given=f"shape {list(array.shape)}",
            )
        height, width = self._sizes(*array.shape[:2])
        if self.interpolation is Inter.NEAREST:
            return nearest(array, height, width)
        return bilinear(array, height, width)

    def _sizes(self, height, width):
        if not isinstance(self.size, int):
            return self.size
        short = min(height, width)
        return height * self.size // short, width * self.size // short


def nearest(array, height, width):
    """The pixel at or before each place.

    >>> nearest(np.array([[1, 2]]), 1, 4)
    array([[1, 1, 2, 2]])
    """
    rows = np.minimum(np.arange(height) * array.shape[0] // height, array.shape[0] - 1)
    columns = np.minimum(np.arange(width) * array.shape[1] // width, array.shape[1] - 1)
    return array[rows][:, columns]


def bilinear(array, height, width):
    """The mixture of the four pixels around each place.

    >>> bilinear(np.array([[0.0, 1.0]]), 1, 4)
    array([[0.  , 0.25, 0.75, 1.  ]])
    """
    flat = array[..., None] if array.ndim == 2 else array
    if array.shape[0] == 2 * height and array.shape[1] == 2 * width:
        made = _quarters(flat)
    else:
        made = _mixed(flat, height, width)
    return made[..., 0] if array.ndim == 2 else made


def _quarters(array):
    """Half the size: the mean of each four."""
    four = array.reshape(array.shape[0] // 2, 2, array.shape[1] // 2, 2, -1)
    if array.dtype.kind == "f":
        return four.mean((1, 3), dtype=array.dtype)
    return ((four.astype(np.int64).sum((1, 3)) + 2) >> 2).astype(array.dtype)


def _places(size, old):
    """For each new pixel the old one before it, and how far it lies behind that."""
    place = ((np.arange(size) + 0.5) * (old / size) - 0.5).astype(np.float32)
    before = np.floor(place).astype(int)
    return before, place - before.astype(np.float32)


def _mixed(array, height, width):
    old_height, old_width = array.shape[:2]
    left, across = _places(width, old_width)
    across = np.where((left < 0) | (left >= old_width - 1), np.float32(0), across)
    left = left.clip(0, old_width - 1)
    right = (left + 1).clip(0, old_width - 1)
    top, down = _places(height, old_height)
    bottom = (top + 1).clip(0, old_height - 1)
    top = top.clip(0, old_height - 1)
    if array.dtype == np.uint8:
        return _mixed_whole(array, (left, right, across), (top, bottom, down))
    kind = np.result_type(array.dtype, np.float32)
    a, b = across.astype(kind)[:, None], down.astype(kind)[:, None, None]
    rows = array[:, left] * (1 - a) + array[:, right] * a
    made = rows[top] * (1 - b) + rows[bottom] * b
    return made.astype(array.dtype, copy=False)


def _mixed_whole(array, horizontal, vertical):
    """With whole numbers: weights times 2048, and what is shifted away is lost."""
    left, right, across = horizontal
    top, bottom, down = vertical
    wide = array.astype(np.int64)
    rows = wide[:, left] * _weight(1 - across)[:, None] + wide[:, right] * _weight(across)[:, None]
    upper = (_weight(1 - down)[:, None, None] * (rows[top] >> 4)) >> 16
    lower = (_weight(down)[:, None, None] * (rows[bottom] >> 4)) >> 16
    return ((upper + lower + 2) >> 2).clip(0, 255).astype(np.uint8)


def _weight(fraction):
    return np.rint(fraction * np.float32(ONE)).astype(np.int64)
