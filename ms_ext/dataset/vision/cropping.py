"""How is a part of an image cut out, or an edge put around it?"""

import numpy as np

from ...engine import errors
from ...engine.data import draws
from .. import checks
from .kinds import Border, height_and_width, image, needs_axes


class Pad:
    """An edge around the image: one number for all sides, or (left and right, top and bottom), or
    (left, top, right, bottom).

    >>> Pad((1, 0))(np.array([[5]]))
    array([[0, 5, 0]])
    """

    def __init__(self, padding, fill_value=0, padding_mode=Border.CONSTANT):
        self.sides, self.fill = sides(padding), fill_value
        self.mode = checks.of_type(padding_mode, Border, "padding_mode")

    def __call__(self, value):
        array = image(value, "Pad")
        needs_axes(array, "Pad", 2, 3)
        return padded(array, self.sides, self.fill, self.mode)


def sides(padding):
    """(left, top, right, bottom), of one, two or four numbers.

    >>> sides(1), sides((1, 2))
    ((1, 1, 1, 1), (1, 2, 1, 2))
    """
    given = (padding,) * 4 if isinstance(padding, int) else padding
    checks.of_type(given, (tuple, list), "padding")
    if len(given) not in (2, 4):
        raise errors.InvalidValue(
            "The size of the padding list or tuple should be 2 or 4.", given=padding
        )
    return tuple(checks.within(each, 0, checks.INT32, "padding") for each in (*given, *given)[:4])


def padded(array, around, fill=0, mode=Border.CONSTANT):
    """The image with an edge; ``fill`` is a number, or one for each channel.

    >>> padded(np.array([[5]]), (0, 0, 1, 0), 7)
    array([[5, 7]])
    """
    left, top, right, bottom = around
    widths = [(top, bottom), (left, right), (0, 0)][: array.ndim]
    if mode is not Border.CONSTANT:
        return np.pad(array, widths, mode.value)
    shape = [size + sum(pair) for size, pair in zip(array.shape, widths, strict=True)]
    fills = np.asarray(fill).astype(array.dtype)
    made = np.empty(shape, array.dtype)
    made[...] = fills.ravel()[0] if array.ndim == 2 or fills.size != array.shape[-1] else fills
    made[top : top + array.shape[0], left : left + array.shape[1]] = array
    return made


class Crop:
    """The part with this upper left corner (y, x) and this size.

    >>> Crop((0, 1), 1)(np.array([[1, 2]]))
    array([[2]])
    """

    def __init__(self, coordinates, size):
        checks.of_type(coordinates, (list, tuple), "coordinates")
        self.top, self.left = (
            checks.within(c, 0, checks.INT32, "coordinates") for c in coordinates
        )
        self.height, self.width = height_and_width(size)

    def __call__(self, value):
        array = image(value, "Crop")
        needs_axes(array, "Crop", 2, 3)
        ends = ("height", self.top + self.height), ("width", self.left + self.width)
        for (name, end), size in zip(ends, array.shape, strict=False):
            if end > size:
                raise errors.NotRunnable(
                    f"Crop: Crop {name} dimension: {end} exceeds image {name}: {size}"
                )
        return _part(array, self.top, self.left, self.height, self.width)


def _part(array, top, left, height, width):
    return np.ascontiguousarray(array[top : top + height, left : left + width])


class CenterCrop:
    """The middle of the image; where that is too small there are zeros around it.

    >>> CenterCrop(2)(np.arange(16).reshape(4, 4))
    array([[ 5,  6],
           [ 9, 10]])
    """

    def __init__(self, size):
        self.height, self.width = height_and_width(size)

    def __call__(self, value):
        array = image(value, "CenterCrop")
        needs_axes(array, "CenterCrop", 2, 3)
        high, wide = (
            max(asked - size, 0)
            for asked, size in zip((self.height, self.width), array.shape, strict=False)
        )
        array = padded(array, (wide - wide // 2, high - high // 2, wide // 2, high // 2))
        top, left = (array.shape[0] - self.height) // 2, (array.shape[1] - self.width) // 2
        return _part(array, top, left, self.height, self.width)


class RandomCrop:
    """A part of the image, drawn anew for each; ``padding`` puts an edge around the image first.

    >>> RandomCrop(2)(np.zeros((5, 6, 3))).shape
    (2, 2, 3)
    """

    def __init__(
        self, size, padding=None, pad_if_needed=False, fill_value=0, padding_mode=Border.CONSTANT
    ):
        self.height, self.width = height_and_width(size)
        self.sides = None if padding is None else sides(padding)
        self.if_needed = checks.of_type(pad_if_needed, bool, "pad_if_needed")
        self.fill = fill_value
        self.mode = checks.of_type(padding_mode, Border, "padding_mode")

    def __call__(self, value):
        array = image(value, "RandomCrop")
        needs_axes(array, "RandomCrop", 2, 3)
        if self.sides:
            array = padded(array, self.sides, self.fill, self.mode)
        high, wide = self.height - array.shape[0], self.width - array.shape[1]
        if self.if_needed and (high > 0 or wide > 0):
            around = (max(wide, 0), max(high, 0)) * 2
            array = padded(array, around, self.fill, self.mode)
        top, left = array.shape[0] - self.height, array.shape[1] - self.width
        if top < 0 or left < 0:
            raise errors.NotRunnable(
                "RandomCrop: invalid crop size, crop size is bigger than the image dimensions, got "
                f"crop height: {self.height}, crop width: {self.width}",
                given=f"an image of {array.shape[0]}x{array.shape[1]}",
                hint="pad_if_needed=True puts an edge around small images.",
            )
        generator = draws.here()
        top, left = generator.integers(top + 1), generator.integers(left + 1)
        return _part(array, top, left, self.height, self.width)
