"""Images of another size: interpolate and upsample, by the nearest element or between elements.

>>> ops.interpolate(Tensor([[[1.0, 3.0]]]), 4, mode="linear", align_corners=False)
Tensor(shape=[1, 1, 4], dtype=Float32, value=
[[[ 1.00000000e+00,  1.50000000e+00,  2.50000000e+00,  3.00000000e+00]]])
"""

from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .composite import composite
from .resizing_matrices import (
    along_axes,
    averaging,
    cubic,
    cubic_of_image,
    linear,
    nearest,
)  # fmt: skip
from .windows import needs_float, per_axis

#: mode -> the numbers of axes of x that it takes
MODES = {
    "nearest": (3, 4, 5), "nearest-exact": (3, 4), "area": (3, 4, 5), "linear": (3,),
    "bilinear": (4,), "trilinear": (5,), "bicubic": (4,),
}  # fmt: skip
_BETWEEN = {"linear": linear, "bilinear": linear, "trilinear": linear, "bicubic": cubic_of_image}
#: where MindSpore takes a scale_factor only to calculate the size from (recompute_scale_factor)
_BY_SIZE = {("nearest", 3), ("nearest", 4), ("linear", 3), ("bilinear", 4), ("bicubic", 4),
            ("nearest-exact", 3), ("nearest-exact", 4)}  # fmt: skip


def _checked(x, size, scale, mode, corners):
    if mode not in MODES:
        raise errors.InvalidValue(
            f"there is no mode {mode!r}.", hint=errors.did_you_mean(mode, MODES)
        )
    needs_float(x)
    if x.ndim not in MODES[mode]:
        known = " or ".join(map(str, MODES[mode]))
        raise errors.InvalidValue(
            f"mode '{mode}' takes x of {known} axes.", given=f"shape {list(x.shape)}"
        )
    if (size is None) == (scale is None):
        raise errors.InvalidValue(
            "give either the 'size' or the 'scale_factor'.",
            given=f"size {size}, scale_factor {scale}",
        )
    if scale is not None:
        _scales(x, scale)
    if corners is not None and mode not in _BETWEEN:
        raise errors.InvalidValue(
            f"'align_corners' means nothing in mode '{mode}'.",
            given=f"align_corners {corners}",
            hint=f"It is for {', '.join(_BETWEEN)}.",
        )


def _scales(x, scale):
    """One factor per axis."""
    axes = x.ndim - 2
    scales = tuple(scale) if isinstance(scale, tuple | list) else (scale,) * axes
    if any(type(s) not in (int, float) for s in scales):
        raise errors.InvalidType("the 'scale_factor' must be a number.", given=repr(scale))
    if len(scales) != axes or min(scales) <= 0:
        raise errors.InvalidValue(
            f"the 'scale_factor' must be above 0, one or {axes} of them.", given=repr(scale)
        )
    return scales


def _sizes(x, size, scale, recompute):
    """(output sizes, scales that places are measured by, or None: by the sizes)."""
    axes = x.ndim - 2
    if size is not None:
        return per_axis("size", size, axes), (None,) * axes
    scales = _scales(x, scale)
    sizes = tuple(int(n * s) for n, s in zip(x.shape[2:], scales, strict=True))
    return per_axis("size", sizes, axes), (None,) * axes if recompute else scales


def _taken(x, sizes, scales, exact):
    for axis, (size, scale) in enumerate(zip(sizes, scales, strict=True), 2):
        x = ops.gather(x, Tensor(nearest(x.shape[axis], size, scale, exact)), axis)
    return x


@composite("interpolate")
def interpolate(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None,
    recompute_scale_factor=None,
):  # fmt: skip
    """The input (N, C, ...) at another ``size``, or ``scale_factor`` times as large.

    ``mode``: "nearest" repeats elements, "area" takes means, "linear", "bilinear", "trilinear" and
    "bicubic" go between them. ``align_corners``: the first and last elements stay in their places.
    Most modes take a ``scale_factor`` only with ``recompute_scale_factor=True``.

    >>> ops.interpolate(Tensor([[[1.0, 3.0]]]), 4).asnumpy().tolist()
    [[[1.0, 1.0, 3.0, 3.0]]]
    """
    _checked(input, size, scale_factor, mode, align_corners)
    by_scale = scale_factor is not None and not recompute_scale_factor
    if by_scale and (mode, len(input.shape)) in _BY_SIZE:
        raise errors.InvalidValue(
            f"mode '{mode}' with {len(input.shape)} axes takes no scale_factor.",
            given=f"scale_factor {scale_factor}",
            hint="Give the size, or recompute_scale_factor=True.",
        )
    how = (size, scale_factor, mode, align_corners, recompute_scale_factor)
    return _resized(input, *how, _BETWEEN)


@composite("mint.nn.functional.interpolate")
def interpolate_ext(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None,
    recompute_scale_factor=None,
):  # fmt: skip
    """``ops.interpolate`` where every mode takes a ``scale_factor``, as in PyTorch.

    >>> mint.nn.functional.interpolate(Tensor([[[1.0, 3.0]]]), scale_factor=2.0).shape
    (1, 1, 4)
    """
    how = (size, scale_factor, mode, align_corners, recompute_scale_factor)
    return _resized(input, *how, _BETWEEN | {"bicubic": cubic})


def _resized(x, size, scale_factor, mode, align_corners, recompute, between):
    _checked(x, size, scale_factor, mode, align_corners)
    sizes, scales = _sizes(x, size, scale_factor, recompute or mode == "area")
    if mode.startswith("nearest"):
        return _taken(x, sizes, scales, mode == "nearest-exact")
    known = x.shape[2:]
    if mode == "area":
        return along_axes(x, [averaging(n, m) for n, m in zip(known, sizes, strict=True)])
    rule, corners = between[mode], bool(align_corners)
    lines = zip(known, sizes, scales, strict=True)
    return along_axes(x, [rule(n, m, s, corners) for n, m, s in lines])


@composite("upsample")
def upsample(
    input, size=None, scale_factor=None, mode="nearest", align_corners=None,
    recompute_scale_factor=None,
):  # fmt: skip
    """``ops.interpolate`` by its older name.

    >>> ops.upsample(ops.ones((1, 2, 3, 3)), (6, 6)).shape
    (1, 2, 6, 6)
    """
    how = (size, scale_factor, mode, align_corners, recompute_scale_factor)
    return interpolate(input, *how)


def _grouped(x, factor, name):
    if type(factor) is not int:
        raise errors.InvalidType(f"the '{name}' must be an int.", given=repr(factor))
    if factor < 1:
        raise errors.InvalidValue(f"the '{name}' must be above 0.", given=repr(factor))
    if x.ndim < 3:
        raise errors.InvalidValue(
            "the input must have 3 axes or more.", given=f"shape {list(x.shape)}"
        )
    return x.shape[:-3], *x.shape[-3:]


@composite("pixel_shuffle", "mint.nn.functional.pixel_shuffle")
def pixel_shuffle(input, upscale_factor):
    """(..., C * r * r, H, W) as (..., C, H * r, W * r): channels become squares of pixels.

    >>> ops.pixel_shuffle(Tensor([[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]]), 2).asnumpy().tolist()
    [[[[1.0, 2.0], [3.0, 4.0]]]]
    """
    r = upscale_factor
    lead, c, h, w = _grouped(input, r, "upscale_factor")
    if c % (r * r):
        raise errors.InvalidValue(
            "the channels must be divisible by upscale_factor * upscale_factor.",
            given=f"{c} channels, upscale_factor {r}",
        )
    parts, n = ops.reshape(input, (*lead, c // (r * r), r, r, h, w)), len(lead)
    order = (*range(n + 1), n + 3, n + 1, n + 4, n + 2)
    return ops.reshape(ops.transpose(parts, order), (*lead, c // (r * r), h * r, w * r))


@composite("pixel_unshuffle")
def pixel_unshuffle(input, downscale_factor):
    """(..., C, H * r, W * r) as (..., C * r * r, H, W): pixel_shuffle backwards.

    >>> ops.pixel_unshuffle(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2).asnumpy().ravel().tolist()
    [1.0, 2.0, 3.0, 4.0]
    """
    r = downscale_factor
    lead, c, h, w = _grouped(input, r, "downscale_factor")
    if h % r or w % r:
        raise errors.InvalidValue(
            "height and width must be divisible by the downscale_factor.",
            given=f"{h} x {w}, downscale_factor {r}",
        )
    parts, n = ops.reshape(input, (*lead, c, h // r, r, w // r, r)), len(lead)
    order = (*range(n + 1), n + 2, n + 4, n + 1, n + 3)
    return ops.reshape(ops.transpose(parts, order), (*lead, c * r * r, h // r, w // r))


@composite("channel_shuffle")
def channel_shuffle(x, groups):
    """The channels (axis 1) dealt out like cards: one of each group after another.

    >>> ops.channel_shuffle(Tensor([[[1.0], [2.0], [3.0], [4.0]]]), 2).asnumpy().ravel().tolist()
    [1.0, 3.0, 2.0, 4.0]
    """
    if type(groups) is not int or groups < 1 or x.ndim < 3 or x.shape[1] % groups:
        kind = errors.InvalidValue if type(groups) is int else errors.InvalidType
        raise kind(
            "the channels must be divisible by 'groups'.",
            given=f"shape {list(x.shape)}, groups {groups!r}",
        )
    n, c, *rest = x.shape
    parts = ops.reshape(x, (n, groups, c // groups, *rest))
    order = (0, 2, 1, *range(3, len(rest) + 3))
    return ops.reshape(ops.transpose(parts, order), x.shape)
