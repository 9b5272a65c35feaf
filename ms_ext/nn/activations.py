"""Activations as Cells: each calls the op of its name."""

from .. import ops
from ..engine import errors
from .cell import Cell


class ReLU(Cell):
    """x where it is positive, else 0.

    >>> from ms_ext import Tensor
    >>> ReLU()(Tensor([-1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    def construct(self, x):
        """relu(x)"""
        return ops.relu(x)


class Sigmoid(Cell):
    """1 / (1 + exp(-x))."""

    def construct(self, x):
        """sigmoid(x)"""
        return ops.sigmoid(x)


class Tanh(Cell):
    """The hyperbolic tangent."""

    def construct(self, x):
        """tanh(x)"""
        return ops.tanh(x)


class SiLU(Cell):
    """x * sigmoid(x)."""

    def construct(self, x):
        """silu(x)"""
        return ops.silu(x)


class HSwish(Cell):
    """x * (x + 3) / 6 between -3 and 3, below that 0, above it x."""

    def construct(self, x):
        """hardswish(x)"""
        return ops.hardswish(x)


class Identity(Cell):
    """x itself."""

    def construct(self, x):
        """x"""
        return x


class GELU(Cell):
    """x times the share of a bell curve below x; by a formula with tanh, or exactly.

    >>> from ms_ext import Tensor
    >>> GELU(approximate=False)(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def __init__(self, approximate=True):
        super().__init__()
        if not isinstance(approximate, bool):
            raise errors.InvalidType(
                "For 'GELU', the 'approximate' must be a bool, "
                f"but got {type(approximate).__name__}."
            )
        self.approximate = approximate

    def construct(self, x):
        """gelu(x)"""
        return ops.gelu(x, "tanh" if self.approximate else "none")


class Softmax(Cell):
    """exp(x), scaled to add up to 1 along an axis."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = _checked_axis("Softmax", axis)

    def construct(self, x):
        """softmax(x)"""
        return ops.softmax(x, self.axis)


class LogSoftmax(Cell):
    """log(softmax(x))."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = _checked_axis("LogSoftmax", axis)

    def construct(self, x):
        """log_softmax(x)"""
        return ops.log_softmax(x, self.axis)


def _checked_axis(name, axis):
    if type(axis) is not int:
        raise errors.InvalidType(
            f"For '{name}', the type of 'axis' should be int, but got {type(axis)}."
        )
    return axis


ACTIVATIONS = {
    "relu": ReLU, "sigmoid": Sigmoid, "tanh": Tanh, "silu": SiLU, "gelu": GELU, "softmax": Softmax,
    "logsoftmax": LogSoftmax, "hswish": HSwish,
}  # fmt: skip


def activation_named(activation):
    """A Cell from a name, a Cell, or None.

    >>> activation_named("relu")
    ReLU()
    """
    if activation is None or isinstance(activation, Cell):
        return activation
    if activation not in ACTIVATIONS:
        raise errors.InvalidValue(
            f"There is no activation {activation!r}.",
            hint=errors.did_you_mean(activation, ACTIVATIONS),
        )
    return ACTIVATIONS[activation]()
