"""How are half floats calculated? In float32, rounded once at the end.

>>> import numpy as np
>>> halves = np.full(3000, 1.0, np.float16)
>>> like(np.sum(widened(halves)), halves)
array(3.e+03, dtype=float16)
"""

import numpy as np


def is_half(dtype):
    """Whether a NumPy dtype is float16 or bfloat16.

    >>> is_half(np.dtype("float16")), is_half(np.dtype("int16"))
    (True, False)
    """
    return dtype.itemsize == 2 and dtype.kind in "fV"


def widened(x):
    """``x`` in float32 if it is a half float, else ``x`` itself."""
    return x.astype(np.float32) if is_half(x.dtype) else x


def like(result, x):
    """``result`` as an array with the dtype of ``x``."""
    return np.asarray(result).astype(x.dtype, copy=False)


def is_float(x):
    """Whether ``x`` has a floating dtype, bfloat16 included."""
    return x.dtype.kind in "fV"
