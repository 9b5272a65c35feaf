"""Does what a file says of an entry fit its bytes? Everything is checked before memory is taken."""

import math
import os

import numpy as np

from ... import dtype
from .. import errors

#: A Tensor has no more axes.
MOST_AXES = 8


class Damaged(errors.InvalidValue):
    """A file that is not what its format says; MindSpore raises ValueError."""


def damaged(path, what, hint=None):
    """The error for a file that cannot be read.

    >>> damaged("w.ckpt", "It ends too early.").message
    'Failed to read the checkpoint file w.ckpt. It ends too early.'
    """
    hint = hint or "The file may be damaged, cut off, or of another kind: save or copy it anew."
    return Damaged(f"Failed to read the checkpoint file {path}. {what}", hint=hint)


def open_file(path):
    """An ordinary file, open for reading; what else has a name is refused, not waited for."""
    if not os.path.exists(path):
        raise errors.InvalidValue(
            f"For 'load_checkpoint', the checkpoint file: {path} does not exist, "
            "please check whether the 'ckpt_file_name' is correct."
        )
    if not os.path.isfile(path):
        kind = "a folder" if os.path.isdir(path) else "no ordinary file"
        raise damaged(path, f"It is {kind}.", "Give the name of one file.")
    try:
        return open(path, "rb")
    except OSError as why:
        raise damaged(path, f"{why.strerror}.", "Ask for the right to read it.") from None


def checked_shape(path, name, dims):
    """The shape of an entry, as a tuple."""
    if len(dims) > MOST_AXES:
        raise damaged(path, f"{name!r} has {len(dims)} axes; a Tensor has at most {MOST_AXES}.")
    shape = tuple(dims)
    if any(type(size) is not int or size < 0 for size in shape):
        raise damaged(path, f"{name!r} has the shape {_short(shape)}.")
    return shape


def checked_size(path, name, shape, kind, count):
    """Refuse a shape that makes another number of bytes than there are."""
    expected = math.prod(shape) * kind.size
    if expected != count:
        raise damaged(
            path,
            f"{name!r} of shape {_short(shape)} and type {kind} takes {_short(expected)} bytes, "
            f"but there are {count}.",
        )


def _short(value):
    text = str(value)
    return text if len(text) < 60 else text[:57] + "..."


def kind_named(path, name, given, known):
    """The dtype that a file calls ``given``."""
    if given not in known:
        raise damaged(
            path,
            f"{name!r} has the type {_short(repr(given))}.",
            f"ms_ext has: {', '.join(known)}.",
        )
    return known[given]


def empty(path, name, shape, kind):
    """A new array for an entry, and its bytes to be filled."""
    numpy_type = kind.numpy
    try:
        array = np.empty(shape, numpy_type)
    except (MemoryError, ValueError):
        raise damaged(path, f"There is not enough memory for {name!r}, {shape}.") from None
    return array, memoryview(array.reshape(-1).view(np.uint8))


def finished(array, kind):
    """An array whose bytes are all there; a Bool that is neither 0 nor 1 counts as True."""
    if kind is dtype.bool_:
        np.not_equal(array.view(np.uint8), 0, out=array)
    return array


def with_bytes(array):
    """An array's bytes, in order, without a copy where that can be."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return memoryview(flat.view(np.uint8))
