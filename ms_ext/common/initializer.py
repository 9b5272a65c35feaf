"""With which numbers does a Parameter begin? By a name, a number, a tensor, or a rule.

>>> initializer("ones", (2,))
Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  1.00000000e+00])
>>> initializer(Normal(0.02), (2, 3)).shape
(2, 3)
"""

import numbers

from .. import dtype as dtypes
from ..engine import errors
from ..engine.tensor import Tensor
from .initializer_constants import Constant, Dirac, Identity, One, Orthogonal, Sparse, Zero
from .initializer_draws import (
    HeNormal,
    HeUniform,
    Normal,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    XavierNormal,
    XavierUniform,
)
from .initializer_rule import NAMED, Initializer

__all__ = [
    "Constant",
    "Dirac",
    "HeNormal",
    "HeUniform",
    "Identity",
    "Initializer",
    "Normal",
    "One",
    "Orthogonal",
    "Sparse",
    "TruncatedNormal",
    "Uniform",
    "VarianceScaling",
    "XavierNormal",
    "XavierUniform",
    "Zero",
    "initializer",
]


def initializer(init, shape=None, dtype=dtypes.float32):
    """The first numbers, as a tensor of this shape and dtype; a tensor is returned as it is.

    The same numbers as MindSpore's for the same ``set_seed``, up to rounding. Errors: ValueError
    for an unknown name, a size below 1 or a tensor of another shape, TypeError for another
    ``init``.

    >>> initializer(0.5, (1,), dtypes.float16)
    Tensor(shape=[1], dtype=Float16, value= [ 5.0000e-01])
    """
    if isinstance(init, Tensor):
        return _given(init, shape)
    rule = _rule(init)
    return Tensor(dtype=dtype, shape=_sizes(shape), init=rule)


def _rule(init):
    if isinstance(init, str):
        if init.lower() not in NAMED:
            raise errors.InvalidValue(
                f"For 'initializer', the class corresponding to '{init}' was not found.",
                hint=errors.did_you_mean(init, NAMED),
            )
        return NAMED[init.lower()]()
    if isinstance(init, numbers.Number):
        return Constant(init)
    if not isinstance(init, Initializer):
        raise errors.InvalidType(
            "For 'initializer', the type of the 'init' argument should be 'Tensor', 'number', "
            f"'string' or 'initializer', but got {type(init)}."
        )
    return init


def _sizes(shape):
    sizes = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    for size in sizes:
        if not isinstance(size, int) or size <= 0:
            raise errors.InvalidValue(
                "For 'initializer', the argument 'shape' is invalid, the value of 'shape' must be "
                f"positive integer, but got {shape}"
            )
    return sizes


def _given(init, shape):
    sizes = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    if init.shape != sizes:
        raise errors.InvalidValue(
            "For 'initializer', the shape of the 'init' argument should be same as the argument "
            f"'shape', but got the 'init' shape {list(init.shape)} and the 'shape' {list(sizes)}.",
            hint="Reshape it, or change the sizes of the layer.",
        )
    return init
