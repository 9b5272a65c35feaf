"""Activations as Cells: each calls the op of its name."""

import importlib

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
    """x itself, whatever the arguments of the layer are.

    >>> from ms_ext import Tensor
    >>> Identity(54, unused=True)(Tensor(1.0))
    Tensor(shape=[], dtype=Float32, value= 1)
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

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


#: The names that layers and ``get_activation`` take: the Cell, and its file.
ACTIVATIONS = {
    "elu": ("ELU", "rectifiers"), "fast_gelu": ("FastGelu", "smooth"),
    "gelu": ("GELU", "activations"), "hardtanh": ("Hardtanh", "rectifiers"),
    "hshrink": ("HShrink", "rectifiers"), "hsigmoid": ("HSigmoid", "rectifiers"),
    "hswish": ("HSwish", "activations"), "leakyrelu": ("LeakyReLU", "rectifiers"),
    "logsigmoid": ("LogSigmoid", "smooth"), "logsoftmax": ("LogSoftmax", "activations"),
    "mish": ("Mish", "smooth"), "prelu": ("PReLU", "rectifiers"), "relu": ("ReLU", "activations"),
    "relu6": ("ReLU6", "rectifiers"), "rrelu": ("RReLU", "rectifiers"),
    "sigmoid": ("Sigmoid", "activations"), "silu": ("SiLU", "activations"),
    "softmax": ("Softmax", "activations"), "softmax2d": ("Softmax2d", "smooth"),
    "softmin": ("Softmin", "smooth"), "softshrink": ("SoftShrink", "rectifiers"),
    "softsign": ("Softsign", "smooth"), "tanh": ("Tanh", "activations"),
    "tanhshrink": ("Tanhshrink", "smooth"), "threshold": ("Threshold", "rectifiers"),
}  # fmt: skip


def get_activation(name, prim_name=None):
    """The activation Cell of a name; None for None. Errors: KeyError for an unknown name.

    >>> get_activation("relu")
    ReLU()
    """
    if name is None:
        return None
    if name not in ACTIVATIONS:
        where = f"For '{prim_name}', the" if prim_name else "The"
        raise errors.MissingKey(
            f"{where} activation must be one that is known, but got {name!r}.",
            hint=errors.did_you_mean(name, ACTIVATIONS),
        )
    kind, file = ACTIVATIONS[name]
    return getattr(importlib.import_module(f"{__package__}.{file}"), kind)()


def activation_named(activation):
    """A Cell from a name, a Cell, or None.

    >>> activation_named("relu")
    ReLU()
    """
    return activation if isinstance(activation, Cell) else get_activation(activation)
