"""Images of another size, and pixels in another order, as Cells.

>>> from ms_ext import ops
>>> Upsample((6, 6), mode="bilinear", align_corners=True)(ops.ones((1, 2, 3, 3))).shape
(1, 2, 6, 6)
"""

from .. import ops
from ..engine import errors
from ..ops.patches import patches_of
from .arguments import check_positive
from .cell import Cell


class Upsample(Cell):
    """The input at another ``size``, or ``scale_factor`` times as large; see ``ops.interpolate``.

    >>> from ms_ext import ops
    >>> Upsample(size=(5, 5))(ops.ones((1, 2, 3, 3))).shape
    (1, 2, 5, 5)
    """

    def __init__(
        self, size=None, scale_factor=None, mode="nearest", align_corners=None,
        recompute_scale_factor=None,
    ):  # fmt: skip
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor

    def construct(self, x):
        """The resized x."""
        return ops.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners,
            self.recompute_scale_factor,
        )  # fmt: skip


class PixelShuffle(Cell):
    """(N, C * r * r, H, W) as (N, C, H * r, W * r).

    >>> from ms_ext import ops
    >>> PixelShuffle(2)(ops.ones((1, 8, 3, 3))).shape
    (1, 2, 6, 6)
    """

    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def construct(self, input):
        """The pixels."""
        return ops.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Cell):
    """(N, C, H * r, W * r) as (N, C * r * r, H, W).

    >>> from ms_ext import ops
    >>> PixelUnshuffle(2)(ops.ones((1, 2, 6, 6))).shape
    (1, 8, 3, 3)
    """

    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def construct(self, input):
        """The channels."""
        return ops.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """The channels dealt out like cards: one of each group after another.

    >>> from ms_ext import Tensor
    >>> ChannelShuffle(2)(Tensor([[[1.0], [2.0], [3.0], [4.0]]])).asnumpy().ravel().tolist()
    [1.0, 3.0, 2.0, 4.0]
    """

    def __init__(self, groups):
        super().__init__()
        self.groups = check_positive("ChannelShuffle", "groups", groups)

    def construct(self, x):
        """The channels in their new order."""
        return ops.channel_shuffle(x, self.groups)


class Unfold(Cell):
    """Patches of x (N, C, H, W): (N, kH * kW * C, rows, columns), all channels of a tap together.

    ``ksizes``, ``strides`` and ``rates`` (the dilation) are [1, rows, columns, 1].

    >>> from ms_ext import ops
    >>> Unfold([1, 2, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1])(ops.ones((1, 3, 4, 5))).shape
    (1, 12, 3, 4)
    """

    def __init__(self, ksizes, strides, rates, padding="valid"):
        super().__init__()
        self.ksizes = _between_ones("ksizes", ksizes)
        self.strides = _between_ones("strides", strides)
        self.rates = _between_ones("rates", rates)
        if not isinstance(padding, str) or padding.lower() not in ("valid", "same"):
            raise errors.InvalidValue(
                f"For 'Unfold', the 'padding' must be 'valid' or 'same', but got {padding!r}."
            )
        self.padding = padding.lower()

    def construct(self, input_x):
        """The patches."""
        return patches_of(input_x, self.ksizes, self.strides, self.rates, self.padding)


def _between_ones(name, value):
    if not isinstance(value, tuple | list):
        raise errors.InvalidType(
            f"For 'Unfold', the type of '{name}' should be one of '['tuple', 'list']', "
            f"but got type '{type(value).__name__}'."
        )
    if len(value) != 4 or value[0] != 1 or value[3] != 1:
        raise errors.InvalidValue(
            f"For 'Unfold' the format of '{name}' must be [1, {name}_row, {name}_col, 1], "
            f"but got {value}."
        )
    return tuple(value[1:3])
