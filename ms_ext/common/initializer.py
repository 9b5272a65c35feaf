"""With which numbers does a Parameter begin? By a name, a number, a tensor, or a rule.

>>> initializer("ones", (2,))
Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  1.00000000e+00])
>>> initializer(Normal(0.02), (2, 3)).shape
(2, 3)
"""

import math

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor


class Initializer:
    """A rule that makes first numbers: write ``make(shape, dtype)``."""

    def make(self, shape, dtype):
        """A tensor of first numbers."""
        raise NotImplementedError


class Constant(Initializer):
    """One number everywhere.

    >>> Constant(3).make((2,), dtypes.float32)
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  3.00000000e+00])
    """

    def __init__(self, value):
        self.value = value

    def make(self, shape, dtype):
        """The number, ``shape`` times."""
        return ops.full(shape, self.value, dtype=dtype)


class Normal(Initializer):
    """The bell curve around ``mean``."""

    def __init__(self, sigma=0.01, mean=0.0):
        self.sigma, self.mean = sigma, mean

    def make(self, shape, dtype):
        """Numbers from the bell curve."""
        return ops.cast(ops.randn(*shape) * self.sigma + self.mean, dtype)


class Uniform(Initializer):
    """Evenly from ``-scale`` to ``scale``."""

    def __init__(self, scale=0.07):
        self.scale = scale

    def make(self, shape, dtype):
        """Numbers between the bounds."""
        return ops.cast((ops.rand(*shape) * 2 - 1) * self.scale, dtype)


class XavierUniform(Initializer):
    """Evenly, so that the size of what flows through a layer stays: by its inputs and outputs."""

    def __init__(self, gain=1):
        self.gain = gain

    def make(self, shape, dtype):
        """Numbers between bounds that depend on the shape."""
        inputs, outputs = _fans(shape)
        return Uniform(self.gain * math.sqrt(6 / (inputs + outputs))).make(shape, dtype)


class HeUniform(Initializer):
    """Evenly, so that the size of what flows through a layer with relu stays: by its inputs."""

    def __init__(self, negative_slope=0.0):
        self.negative_slope = negative_slope

    def make(self, shape, dtype):
        """Numbers between bounds that depend on the shape."""
        inputs, _ = _fans(shape)
        return Uniform(math.sqrt(6 / ((1 + self.negative_slope**2) * inputs))).make(shape, dtype)


def _fans(shape):
    """How many inputs and outputs a weight of this shape connects."""
    if len(shape) < 2:
        raise errors.InvalidValue(
            "The weight needs two axes or more.", given=f"shape {list(shape)}"
        )
    rest = math.prod(shape[2:])
    return shape[1] * rest, shape[0] * rest


_NAMED = {
    "zeros": Constant(0), "ones": Constant(1), "normal": Normal(), "uniform": Uniform(),
    "xavier_uniform": XavierUniform(), "he_uniform": HeUniform(),
}  # fmt: skip


def initializer(init, shape=None, dtype=dtypes.float32):
    """The first numbers, as a tensor of this shape and dtype.

    >>> initializer(0.5, (1,), dtypes.float16)
    Tensor(shape=[1], dtype=Float16, value= [ 5.0000e-01])
    """
    if isinstance(init, Tensor):
        return _given(init, shape, dtype)
    if isinstance(init, int | float):
        init = Constant(init)
    if isinstance(init, str):
        if init.lower() not in _NAMED:
            raise errors.InvalidValue(
                f"For 'initializer', the class corresponding to '{init}' was not found.",
                hint=errors.did_you_mean(init, _NAMED),
            )
        init = _NAMED[init.lower()]
    if not isinstance(init, Initializer):
        raise errors.InvalidType(
            "For 'initializer', give a tensor, a number, a name or an Initializer.",
            given=type(init).__name__,
        )
    return init.make(tuple(shape), dtype)


def _given(init, shape, dtype):
    if shape is not None and init.shape != tuple(shape):
        raise errors.InvalidValue(
            "The tensor of first values has another shape than the Parameter.",
            given=f"{list(init.shape)} instead of {list(shape)}",
            hint="Reshape it, or change the sizes of the layer.",
        )
    return ops.cast(init, dtype)
