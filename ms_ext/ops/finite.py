"""Floats that are too large for their dtype: finding them, and casting to a dtype with room.

>>> ops.AllFinite()((Tensor([1.0]), Tensor([float("inf")])))
Tensor(shape=[], dtype=Bool, value= True)
"""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .composite import composite
from .precision import is_float, widened


@op()
class AllFinite:
    """Whether any element of any of the tensors is not finite: True tells of an overflow.

    >>> ops.AllFinite()((Tensor([1.0]), Tensor([2.0, 3.0])))
    Tensor(shape=[], dtype=Bool, value= False)
    """

    def infer(*xs):
        return AbstractTensor(dtypes.bool_, ())

    def compute(*xs):
        return np.asarray(not all(np.isfinite(widened(x)).all() for x in xs if is_float(x)))

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, (3,))
        yield rng.uniform(-2, 2, (2,)), np.array([1.0, np.inf])
        yield (np.array([np.nan]),)


@composite("mixed_precision_cast")
def mixed_precision_cast(dtype, x):
    """Tensors, in a structure of tuples, lists and dicts, the floating ones in another dtype.

    >>> ops.mixed_precision_cast(ms.float16, (Tensor([1.0]), Tensor([1])))[0].dtype
    mindspore.float16
    """
    if isinstance(x, tuple | list):
        return type(x)(mixed_precision_cast(dtype, each) for each in x)
    if isinstance(x, dict):
        return {key: mixed_precision_cast(dtype, value) for key, value in x.items()}
    floating = hasattr(x, "dtype") and x.dtype.kind == "float"
    return ops.cast(x, dtype) if floating else x


def scaled_all(scale, x):
    """Tensors, in a structure, times a scale, each in its own dtype."""
    if isinstance(x, tuple | list):
        return tuple([scaled_all(scale, each) for each in x])
    return x * ops.cast(scale, x.dtype)


def unscaled_all(scale, x):
    """Tensors, in a structure, divided by a scale, each in its own dtype."""
    return scaled_all(ops.reciprocal(scale), x)


def overflowed(inputs):
    """Whether any element of a tensor, or of several, is not finite."""
    return ops.AllFinite(tuple(inputs) if isinstance(inputs, tuple | list) else (inputs,))
