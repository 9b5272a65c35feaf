"""Where do the windows of a convolution or a pooling lie? Sizes, padding, and what is refused.

An axis of 5 elements, a kernel of 3 taps, stride 2, one element of padding on each side:

>>> axis = Axis(size=5, kernel=3, stride=2, dilation=1, before=1, after=1)
>>> axis.out, axis.span, axis.reach
(3, 3, 7)
"""

import functools
import math
from dataclasses import dataclass

from ..engine import errors
from .shapes import kind_of

FLOATS = "float16, bfloat16, float32 or float64"


@dataclass(frozen=True)
class Axis:
    """The windows along one axis. ``ceil``: a last window that begins inside may reach beyond."""

    size: int
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    ceil: bool = False

    @functools.cached_property
    def span(self):
        """How many elements a window reaches over."""
        return (self.kernel - 1) * self.dilation + 1

    @functools.cached_property
    def out(self):
        """How many windows there are."""
        room = self.size + self.before + self.after - self.span
        if not self.ceil:
            return room // self.stride + 1
        count = -(-room // self.stride) + 1
        return count - ((count - 1) * self.stride >= self.size + self.before)

    @functools.cached_property
    def reach(self):
        """Where the last window ends, counted with the padding in front."""
        return (self.out - 1) * self.stride + self.span

    @functools.cached_property
    def end(self):
        """The padding behind, with what a last window sees beyond it."""
        return max(self.after, self.reach - self.size - self.before)


def per_axis(name, value, axes, least=1):
    """One integer per axis from an integer or a tuple; four for two axes are (1, 1, h, w).

    >>> per_axis("stride", 2, 3), per_axis("stride", (1, 1, 2, 3), 2)
    ((2, 2, 2), (2, 3))
    """
    values = tuple(value) if isinstance(value, tuple | list) else (value,) * axes
    if any(type(v) is not int for v in values):
        raise errors.InvalidType(f"the '{name}' must be an int or ints.", given=repr(value))
    values = values * axes if len(values) == 1 else values
    values = values[2:] if len(values) == axes + 2 and values[:2] == (1, 1) else values
    if len(values) != axes or min(values) < least:
        raise errors.InvalidValue(
            f"the '{name}' must be one int of {least} or more, or {axes} of them.",
            given=repr(value),
        )
    return values


def sides(name, value, axes):
    """(before, after) per axis from an integer, one per axis, or two per axis.

    >>> sides("pad", 1, 2), sides("pad", (1, 2), 2), sides("pad", (1, 0, 2, 0), 2)
    (((1, 1), (1, 1)), ((1, 1), (2, 2)), ((1, 0), (2, 0)))
    """
    if isinstance(value, tuple | list) and len(value) == 2 * axes > 2:
        flat = per_axis(name, value, 2 * axes, 0)
        return tuple(zip(flat[::2], flat[1::2], strict=True))
    return tuple((n, n) for n in per_axis(name, value, axes, 0))


@functools.lru_cache(1024)
def laid(sizes, kernel, stride, dilation=1, mode="valid", pad=0, ceil=False):
    """The Axis of each spatial axis; ``mode`` is "valid", "same" or "pad".

    >>> [(a.before, a.after, a.out) for a in laid((5,), 2, 2, mode="same")]
    [(0, 1, 3)]
    """
    count = len(sizes)
    mode = _mode(mode)
    ends = sides("padding", pad, count)
    if mode != "pad" and any(n for pair in ends for n in pair):
        given = f"padding {pad}, pad_mode {mode!r}"
        raise errors.InvalidValue("padding needs pad_mode='pad'.", given=given)
    kernel = per_axis("kernel_size", kernel, count)
    steps = per_axis("stride", stride, count), per_axis("dilation", dilation, count)
    axes = [Axis(*a, *e, ceil) for *a, e in zip(sizes, kernel, *steps, ends, strict=True)]
    axes = tuple(map(_same, axes) if mode == "same" else axes)
    if any(a.out < 1 for a in axes):
        raise errors.ShapeMismatch(
            "the kernel is larger than the padded input.",
            given=f"sizes {list(sizes)}, kernel {list(kernel)}, dilation {dilation}, padding {pad}",
            hint="Pad the input, or choose a smaller kernel.",
        )
    return axes


def _mode(mode):
    found = mode.lower() if isinstance(mode, str) else mode
    if found not in ("valid", "same", "pad"):
        raise errors.InvalidValue(
            "the 'pad_mode' must be 'same', 'valid' or 'pad'.", given=repr(mode)
        )
    return found


def _same(axis):
    """As many windows as strides fit into the size; the padding is longer behind, if it is odd."""
    count = -(-axis.size // axis.stride)
    total = max((count - 1) * axis.stride + axis.span - axis.size, 0)
    ends = total // 2, total - total // 2
    return Axis(axis.size, axis.kernel, axis.stride, axis.dilation, *ends)


def needs_float(*operands):
    """Refuse operands that are not floating, or not of one dtype."""
    if any(kind_of(x) != "float" for x in operands) or len({x.dtype for x in operands}) > 1:
        raise errors.InvalidType(
            f"the operands must be of one dtype: {FLOATS}.",
            given=", ".join(str(x.dtype) for x in operands),
            hint="Cast them first: x.astype(ms.float32).",
        )


def needs_rank(x, *ranks):
    """Refuse an x with another number of axes."""
    if x.ndim not in ranks:
        raise errors.InvalidValue(
            f"x must have {' or '.join(map(str, ranks))} axes.", given=f"shape {list(x.shape)}"
        )


def needs_layout(data_format, known="NCHW"):
    """Refuse a layout that is not built: that of MindSpore on CPU is the only one."""
    if data_format != known:
        raise errors.InvalidValue(
            f"the data_format must be '{known}' on CPU.",
            given=repr(data_format),
            hint="Transpose x first: x.transpose(0, 3, 1, 2) makes NCHW of NHWC.",
        )


def volume(axes, name):
    """The product of one field over all axes."""
    return math.prod(getattr(a, name) for a in axes)
