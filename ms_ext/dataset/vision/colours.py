"""What happens to the numbers of an image, and where do its channels stand?"""

import numbers

import numpy as np

from ...engine import errors
from .. import checks
from ..transforms.arrays import TypeCast, numpy_type
from .kinds import image, needs_axes


class Rescale:
    """image * rescale + shift, as float32.

    >>> Rescale(1 / 255, 0)(np.array([[[0], [255]]], np.uint8)).ravel()
    array([0., 1.], dtype=float32)
    """

    def __init__(self, rescale, shift):
        for name, value in (("rescale", rescale), ("shift", shift)):
            checks.of_type(value, (numbers.Number,), name)
        self.rescale, self.shift = np.float32(rescale), np.float32(shift)

    def __call__(self, value):
        return self.over_rows(image(value, "Rescale"))

    def over_rows(self, stack):
        """The same for stacked rows."""
        made = stack.astype(np.float32)
        made *= self.rescale
        if self.shift:
            made += self.shift
        return made


class Normalize:
    """(image - mean) / std, channel by channel, as float32.

    One mean and one std hold for all channels. ``is_hwc=False`` is for channels that stand first.

    >>> Normalize([0.5], [0.25])(np.ones((1, 2, 1), np.float32)).ravel()
    array([2., 2.], dtype=float32)
    """

    def __init__(self, mean, std, is_hwc=True):
        for name, values in (("mean", mean), ("std", std)):
            checks.of_type(values, (list, tuple), name)
        if len(mean) != len(std):
            raise errors.InvalidValue(
                "Length of mean and std must be equal.", given=f"{len(mean)} and {len(std)}"
            )
        for place, (m, s) in enumerate(zip(mean, std, strict=True)):
            self._checked(m, 0 <= m <= 255, f"mean[{place}]", "[0, 255]")
            self._checked(s, 0 < s <= 255, f"std[{place}]", "(0, 255]")
        self.mean, self.std = np.array(mean, np.float32), np.array(std, np.float32)
        self.is_hwc = checks.of_type(is_hwc, bool, "is_hwc")

    @staticmethod
    def _checked(value, inside, name, interval):
        if not inside:
            raise errors.InvalidValue(
                f"Input {name} is not within the required interval of {interval}.", given=value
            )

    def __call__(self, value):
        array = image(value, "Normalize")
        if array.ndim < 2:
            raise errors.NotRunnable(
                f"Normalize: input tensor should have at least 2 dimensions, but got: {array.ndim}"
            )
        return self.over_rows(array[None])[0]

    def over_rows(self, stack):
        """The same for stacked rows."""
        flat = stack.ndim == 3  # images without channels
        channels = 1 if flat else stack.shape[-1 if self.is_hwc else -3]
        if len(self.mean) not in (1, channels):
            raise errors.NotRunnable(
                "Normalize: number of channels does not match the size of mean and std vectors, "
                f"got channels: {channels}, size of mean: {len(self.mean)}"
            )
        shape = (-1,) if self.is_hwc or flat else (-1, 1, 1)
        made = stack.astype(np.float32)
        made -= self.mean.reshape(shape)
        made /= self.std.reshape(shape)
        return made


class HWC2CHW:
    """The channels stand first: <H,W,C> becomes <C,H,W>, and <H,W> stays.

    >>> HWC2CHW()(np.zeros((2, 4, 3))).shape
    (3, 2, 4)
    """

    def __call__(self, value):
        array = image(value, "HWC2CHW")
        needs_axes(array, "HWC2CHW", 2, 3)
        return np.ascontiguousarray(self.over_rows(array[None])[0])

    def over_rows(self, stack):
        """The same for stacked rows."""
        needs_axes(stack[0], "HWC2CHW", 2, 3)
        return stack if stack.ndim == 3 else stack.transpose(0, 3, 1, 2)


class ToTensor:
    """A uint8 image as numbers from 0 to 1 with the channels first.

    >>> ToTensor()(np.full((2, 4, 3), 255, np.uint8)).shape
    (3, 2, 4)
    """

    def __init__(self, output_type=np.float32):
        self.output_type = numpy_type(output_type, "output_type")

    def __call__(self, value):
        array = image(value, "ToTensor")
        if array.ndim not in (2, 3):
            raise errors.NotRunnable(
                f"ToTensor: image shape should be <H,W> or <H,W,C>, but got rank: {array.ndim}"
            )
        array = array[..., None] if array.ndim == 2 else array
        return np.ascontiguousarray(self.over_rows(array[None])[0])

    def over_rows(self, stack):
        """The same for stacked rows."""
        stack = stack[..., None] if stack.ndim == 3 else stack
        scaled = stack.transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
        return scaled.astype(self.output_type, copy=False)


class ToType(TypeCast):
    """The same numbers in another type.

    >>> ToType(np.float32)(np.array([1], np.uint8))
    array([1.], dtype=float32)
    """


class ToPIL:
    """The image as one of PIL's, if the package pillow is installed.

    >>> ToPIL()(np.zeros((2, 3), np.uint8)).size
    (3, 2)
    """

    def __call__(self, value):
        try:
            from PIL import Image
        except ImportError:
            raise errors.NotRunnable(
                "ToPIL needs the package pillow.", hint="pip install pillow"
            ) from None
        array = image(value, "ToPIL")
        return Image.fromarray(array[..., 0] if array.shape[2:] == (1,) else array)


class ToNumpy:
    """An image of PIL's as an array.

    >>> ToNumpy()(np.zeros((2, 3))).shape
    (2, 3)
    """

    def __call__(self, value):
        return image(value, "ToNumpy")
