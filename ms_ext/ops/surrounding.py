"""More elements around a tensor: of one value, mirrored, repeated, or going round.

All but the first are the elements of x at other places: one index per axis, and a gather.

>>> x = Tensor([[[1.0, 2.0, 3.0]]])
>>> [ops.pad(x, (2, 1), mode).asnumpy().ravel().tolist() for mode in ("reflect", "circular")]
[[3.0, 2.0, 1.0, 2.0, 3.0, 2.0], [2.0, 3.0, 1.0, 2.0, 3.0, 1.0]]
"""

import functools

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .composite import composite

_NUMPY = {"reflect": "reflect", "replicate": "edge", "circular": "wrap", "symmetric": "symmetric"}
_ROOM = {"reflect": -1, "symmetric": 0, "circular": 0}  # the most, beyond the size of the axis


def pairs_of(padding):
    """(before, after) per axis, in order, from MindSpore's list, which begins at the last axis.

    >>> pairs_of((1, 2, 3, 4))
    ((3, 4), (1, 2))
    """
    given = padding.asnumpy().tolist() if isinstance(padding, Tensor) else padding
    if not isinstance(given, tuple | list) or any(type(n) is not int for n in given):
        raise errors.InvalidType(
            "the 'padding' must be a tuple of ints.",
            given=repr(padding),
            hint="Write (before, after) of the last axis, then of the one before it.",
        )
    if len(given) % 2 or not given:
        raise errors.InvalidValue(
            "the 'padding' needs two numbers per axis.",
            given=repr(padding),
            hint="Write (before, after) of the last axis, then of the one before it.",
        )
    return tuple(zip(given[::2], given[1::2], strict=True))[::-1]


def surrounded(x, pairs, value):
    """x with ``value`` around its last axes; a padding below 0 cuts."""
    pairs = ((0, 0),) * (len(x.shape) - len(pairs)) + tuple(pairs)
    sizes = [n + a + b for n, (a, b) in zip(x.shape, pairs, strict=True)]
    if any(n < 0 for n in sizes):
        raise errors.InvalidValue(
            "the padding cuts more than there is.",
            given=f"shape {list(x.shape)}, padding {pairs}",
            hint="A number below 0 cuts so many elements: cut fewer.",
        )
    if any(n < 0 for pair in pairs for n in pair):
        kept = (slice(max(-a, 0), n + min(b, 0))
                for n, (a, b) in zip(x.shape, pairs, strict=True))  # fmt: skip
        x = x[tuple(kept)]
    added = tuple((max(a, 0), max(b, 0)) for a, b in pairs)
    return ops.pad_with(x, added, value) if any(map(any, added)) else x


def continued(x, pairs, mode):
    """x going on beyond its last axes: mirrored, repeated, or from the other end."""
    for axis, (before, after) in enumerate(pairs, len(x.shape) - len(pairs)):
        if before or after:
            x = ops.gather(x, Tensor(_places(x.shape[axis], before, after, mode)), axis)
    return x


@functools.lru_cache(256)
def _places(size, before, after, mode):
    """The places of the elements of one axis, after padding."""
    if max(before, after) > size + _ROOM.get(mode, 1 << 62) or size + before + after < 1:
        raise errors.InvalidValue(
            f"the padding is too large for mode '{mode}'.",
            given=f"({before}, {after}) on an axis of size {size}",
            hint=f"Pad by {size + _ROOM[mode]} at most." if mode in _ROOM else None,
        )
    whole = np.pad(np.arange(size), (max(before, 0), max(after, 0)), mode=_NUMPY[mode])
    return whole[max(-before, 0) : len(whole) + min(after, 0)]


@composite("pad")
def pad(input_x, padding, mode="constant", value=None):
    """The input with elements added around it: ``padding`` is (before, after) of the last axis,
    then of the one before it, and so on; a number below 0 cuts.

    ``mode``: "constant" (of ``value``), "reflect" (mirrored at the last element), "replicate" (the
    last element again), "circular" (from the other end).

    >>> ops.pad(Tensor([1, 2]), (1, 0), value=9)
    Tensor(shape=[3], dtype=Int64, value= [9, 1, 2])
    """
    return _padded(input_x, padding, mode, value)


def _padded(x, padding, mode, value):
    pairs = pairs_of(padding)
    if len(pairs) > x.ndim:
        raise errors.InvalidValue(
            "there are more paddings than axes.",
            given=f"shape {list(x.shape)}, padding {padding}",
            hint=f"Give {2 * x.ndim} numbers at most: two per axis.",
        )
    if mode == "constant":
        return surrounded(x, pairs, 0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        hint = "Modes are constant, reflect, replicate and circular."
        raise errors.InvalidValue(f"there is no mode {mode!r}.", hint=hint)
    if value is not None:
        raise errors.InvalidValue(f"mode '{mode}' takes no value.", given=f"value {value}")
    if x.ndim < 3:
        hint = "Give it a batch and channels: x.expand_dims(0)."
        given = f"shape {list(x.shape)}"
        raise errors.InvalidValue(f"mode '{mode}' needs 3 axes or more.", given=given, hint=hint)
    return continued(x, pairs, mode)


@composite("mint.nn.functional.pad")
def pad_ext(input, pad, mode="constant", value=None):
    """``ops.pad``, whose second argument mint calls ``pad``.

    >>> mint.nn.functional.pad(Tensor([1, 2]), (0, 1))
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 0])
    """
    return _padded(input, pad, mode, value)


@composite("Pad")
class Pad:
    """The primitive with zeros: ``paddings`` is ((before, after), ...), one pair per axis.

    >>> ops.Pad(((1, 0),))(Tensor([1, 2]))
    Tensor(shape=[3], dtype=Int64, value= [0, 1, 2])
    """

    def __init__(self, paddings):
        if not isinstance(paddings, tuple):
            raise errors.InvalidType(
                "For 'Pad', the paddings must be a tuple.", given=type(paddings).__name__
            )
        self.paddings = paddings

    def graph_function(self):
        """What graph mode runs on symbols where the object is called."""
        return functools.partial(ops.pad_with, paddings=self.paddings)

    def __call__(self, x):
        return self.graph_function()(x)


@composite("MirrorPad")
class MirrorPad:
    """The primitive that mirrors: at the last element ("REFLECT") or behind it ("SYMMETRIC").

    >>> ops.MirrorPad("SYMMETRIC")(Tensor([1, 2]), Tensor([[2, 1]]))
    Tensor(shape=[5], dtype=Int64, value= [2, 1, 1, 2, 2])
    """

    def __init__(self, mode="REFLECT"):
        if mode not in ("REFLECT", "SYMMETRIC"):
            raise errors.InvalidValue(
                "For 'MirrorPad', the mode must be 'REFLECT' or 'SYMMETRIC'.", given=repr(mode)
            )
        self.mode = mode

    def __call__(self, x, paddings):
        given = paddings.asnumpy().tolist() if isinstance(paddings, Tensor) else paddings
        return continued(x, tuple(map(tuple, given)), self.mode.lower())
