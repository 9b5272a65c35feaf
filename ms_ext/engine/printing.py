"""How does a tensor look? As in MindSpore: ``repr`` names shape and dtype, ``str`` is the numbers alone."""

import numpy as np

_DIGITS = {"Float16": 4, "Float32": 8, "Float64": 8}


def show(shape, dtype, array):
    """What ``repr`` gives.

    >>> from ms_ext.dtype import float32
    >>> show((2,), float32, np.float32([1, 2.5]))
    'Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.50000000e+00])'
    """
    return f"Tensor(shape={list(shape)}, dtype={dtype.name}, value={_value(dtype, array)})"


def _value(dtype, array):
    if array.ndim == 0:
        return f" {array.item():.6g}" if dtype.kind == "float" else f" {array.item()}"
    break_line = "\n" if array.ndim > 1 else " "
    return break_line + (_listed(dtype, array) if array.size else "")


def _listed(dtype, array):
    if dtype.name == "BFloat16":
        array = array.astype(np.float32)
    digits = _DIGITS.get(dtype.name)
    form = {"float_kind": lambda v: f"{v:{digits + 7}.{digits}e}"} if digits else None
    text = np.array2string(array, separator=", ", formatter=form, threshold=1000)
    return text.replace(", ..., ", " ... ")


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
