"""How does a tensor look? As in MindSpore: ``repr`` with shape and dtype, ``str`` without."""

import numpy as np

_DIGITS = {"Float16": 4, "Float32": 8, "Float64": 8}  # after the point
_SHOWN = 6  # more along an axis are shortened to three, "...", three
_SHOWN_ALONE = 1000  # the same for a tensor of one axis
_WRAP = {"int": 24, "bool": 12, "float": 12}  # numbers on a line


def show(shape, dtype, array):
    """What ``repr`` gives.

    >>> from ms_ext.dtype import float32
    >>> show((2,), float32, np.float32([1, 2.5]))
    'Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.50000000e+00])'
    """
    start = "\n" if array.ndim > 1 else " "
    return f"Tensor(shape={list(shape)}, dtype={dtype.name}, value={start}{_value(dtype, array)})"


def _value(dtype, array):
    if array.ndim == 0:
        return _number(dtype, array.item())
    if array.size == 0:
        return ""
    picked = _picked(array)
    digits = _DIGITS.get(dtype.name)
    words = [f"{v:.{digits}e}" if digits else _number(dtype, v) for v in picked.ravel().tolist()]
    width = digits + 7 if digits else max(map(len, words))
    words = np.array([word.rjust(width) for word in words], dtype=object).reshape(picked.shape)
    wrap = 24 if dtype.name == "BFloat16" else _WRAP[dtype.kind]
    return _nested(words, array.shape, wrap, 0)


def _number(dtype, value):
    return f"{value:.6g}" if dtype.kind == "float" else str(value)


def _picked(array):
    """The elements that are shown."""
    for axis, size in enumerate(array.shape):
        if _shortened(array.ndim, size):
            half = _SHOWN // 2
            array = array.take([*range(half), *range(size - half, size)], axis)
    return array


def _shortened(ndim, size):
    return size > (_SHOWN_ALONE if ndim == 1 else _SHOWN)


def _nested(words, shape, wrap, depth):
    if words.ndim == 1:
        parts, half = [str(word) for word in words], _SHOWN // 2
        if len(parts) < shape[depth]:
            return f"[{', '.join(parts[:half])} ... {', '.join(parts[half:])}]"
        lines = [", ".join(parts[i : i + wrap]) for i in range(0, len(parts), wrap)]
        return "[" + ", \n ".join(lines) + "]"
    parts = [_nested(row, shape, wrap, depth + 1) + "," for row in words]
    parts[-1] = parts[-1][:-1]
    if len(parts) < shape[depth]:
        parts.insert(_SHOWN // 2, "...")
    return "[" + ("\n" + " " * (depth + 1)).join(parts) + "]"


def uninitialized(shape, dtype):
    """What ``str`` gives of a tensor whose first numbers nobody has asked for.

    >>> from ms_ext.dtype import float32
    >>> uninitialized((2,), float32)
    'Tensor(shape=[2], dtype=Float32, value=<uninitialized>)'
    """
    start = "\n" if len(shape) > 1 else ""
    return f"Tensor(shape={list(shape)}, dtype={dtype.name}, value={start}<uninitialized>)"


def text(dtype, array):
    """What ``str`` gives.

    >>> from ms_ext.dtype import int64
    >>> text(int64, np.arange(3))
    '[0 1 2]'
    """
    if dtype.name == "BFloat16":
        form = {"float_kind": lambda v: f"{v:.6f}"}
        return np.array2string(array.astype(np.float32), formatter=form)
    return str(array)
