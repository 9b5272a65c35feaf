"""The arithmetic of two tensors, element by element: + - * / // % ** max min."""

import numpy as np

from .. import ops
from ..engine.primitive import op
from .precision import is_float, like
from .sampling import binary
from .shapes import broadcast, floating, needs_number, numeric


@op(names=("add", "Tensor.add"), operands="promote", slot="+")
class Add:
    """x + y, element by element, with broadcasting.

    >>> ops.add(Tensor([1.0, 2.0]), 1)
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  3.00000000e+00])
    """

    compute = np.add
    infer = broadcast
    kernel = bprop_kernel = "add"
    expr = "({0} + {1})"
    samples = binary(-2, 2)

    def bprop(_x, _y, _out, dout):
        return dout, dout


@op(names=("mint.add",), operands="promote")
class AddExt:
    """x + alpha * y: the addition of mint, another primitive than Add.

    >>> mint.add(Tensor([1.0, 2.0]), Tensor([1.0, 1.0]), alpha=2)
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  4.00000000e+00])
    """

    infer = broadcast
    samples = binary(-2, 2)

    def compute(x, y, *, alpha=1):
        return x + (y if alpha == 1 else y * y.dtype.type(alpha))

    def bprop(_x, _y, _out, dout, *, alpha):
        return dout, dout if alpha == 1 else dout * alpha


@op(names=("sub", "subtract", "Tensor.sub", "Tensor.subtract"), operands="promote", slot="-")
class Sub:
    """x - y, element by element, with broadcasting. For Bool: whether they differ.

    >>> ops.sub(Tensor([1.0, 2.0]), 1)
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+00])
    """

    infer = broadcast
    kernel = bprop_kernel = "sub"
    expr = "({0} - {1})"
    samples = binary(-2, 2)

    def compute(x, y):
        return _difference(x, y)

    def bprop(_x, _y, _out, dout):
        return dout, -dout


def _difference(x, y):
    return np.not_equal(x, y) if x.dtype == np.bool_ else np.subtract(x, y)


@op(names=("mint.sub",), operands="promote")
class SubExt:
    """x - alpha * y: the subtraction of mint, another primitive than Sub.

    >>> mint.sub(Tensor([1.0, 2.0]), Tensor([1.0, 1.0]), alpha=2)
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  0.00000000e+00])
    """

    infer = broadcast
    samples = binary(-2, 2)

    def compute(x, y, *, alpha=1):
        return _difference(x, y if alpha == 1 else y * y.dtype.type(alpha))

    def bprop(_x, _y, _out, dout, *, alpha):
        return dout, -dout if alpha == 1 else dout * -alpha


@op(
    names=("mul", "multiply", "Tensor.mul", "Tensor.multiply", "mint.mul"),
    operands="promote",
    slot="*",
)
class Mul:
    """x * y, element by element, with broadcasting.

    >>> ops.mul(Tensor([1.0, 2.0]), 3)
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  6.00000000e+00])
    """

    compute = np.multiply
    infer = broadcast
    kernel = bprop_kernel = "mul"
    expr = "({0} * {1})"
    samples = binary(-2, 2)

    def bprop(x, y, _out, dout):
        return dout * y, dout * x


@op(
    names=("true_divide", "Tensor.true_divide"),
    operands="float",
    slot="/",
)
class Div:
    """x / y, element by element; integers give Float32.

    >>> ops.true_divide(Tensor([7]), Tensor([2]))
    Tensor(shape=[1], dtype=Float32, value= [ 3.50000000e+00])
    """

    compute = np.true_divide
    infer = floating(broadcast)
    kernel = "div"
    expr = "({0} / {1})"
    samples = binary(-2, 2, 0.5, 2)

    def bprop(_x, y, out, dout):
        dx = dout / y
        return dx, -dx * out


@op(
    names=("floor_div", "Tensor.floor_divide", "floor_divide", "mint.floor_divide"),
    operands="promote",
    slot="//",
)
class FloorDiv:
    """x / y rounded down; an integer divided by zero gives 0.

    >>> ops.floor_div(Tensor([7, -7]), 2)
    Tensor(shape=[2], dtype=Int64, value= [ 3, -4])
    """

    infer = broadcast
    kernel = "floor_div"
    samples = binary(-9, 9, 1, 3)

    def compute(x, y):
        return like(np.floor_divide(x, y), x)

    def bprop(_x, _y, _out, _dout):
        return None, None


@op(
    names=("floor_mod", "remainder", "Tensor.remainder", "mint.remainder"),
    operands="promote",
    slot="%",
)
class FloorMod:
    """x - y * floor(x / y): the remainder with the sign of y, as Python's ``%``.

    >>> ops.floor_mod(Tensor([7, -7]), Tensor([-2, 2]))
    Tensor(shape=[2], dtype=Int64, value= [-1,  1])
    """

    infer = numeric(broadcast)
    kernel = "floor_mod"
    samples = binary(-9, 9, 1, 3)

    def compute(x, y):
        needs_number(x)
        return np.remainder(x, y)

    def bprop(x, y, _out, dout):
        return dout, -dout * (x // y)


@op(names=("pow", "Tensor.pow", "mint.pow"), operands="promote", slot="**")
class Pow:
    """x to the power y, element by element. Integers stay integers: 2 ** -1 is 0.

    >>> ops.pow(Tensor([1.0, 2.0, 3.0]), 2)
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  4.00000000e+00,  9.00000000e+00])
    """

    infer = numeric(broadcast)
    kernel = "pow"
    expr = "pow({0}, {1})"
    samples = binary(0.5, 2, -2, 3)

    def compute(x, y):
        needs_number(x)
        return np.power(x, y) if is_float(x) or x.dtype.kind == "u" else _integer_power(x, y)

    def bprop(x, y, out, dout):
        """0 ** y is flat where y >= 0, and falls without end where it is infinite."""
        dx = dout * y * x ** (y - 1)
        if not hasattr(y, "shape"):
            return dx, None  # a Python number
        base = x if getattr(x, "dtype", None) is out.dtype else ops.cast(x, out.dtype)
        base = ops.where(ops.logical_and(x == 0, y >= 0), 1, base)
        return dx, dout * out * ops.log(base)


def _integer_power(x, y):
    """A negative exponent leaves 1 for 1, +-1 for -1, and 0 for the rest."""
    power = np.power(x, np.maximum(y, 0))
    odd = np.where(y % 2 == 0, 1, -1).astype(x.dtype)
    below = np.where(x == 1, x.dtype.type(1), np.where(x == -1, odd, x.dtype.type(0)))
    return np.where(y < 0, below, power).astype(x.dtype)


@op(names=("maximum", "Tensor.maximum", "mint.maximum"), operands="promote")
class Maximum:
    """The larger of x and y; NaN if one is NaN. Equal elements share the gradient.

    >>> ops.maximum(Tensor([1.0, 5.0]), 3)
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  5.00000000e+00])
    """

    compute = np.maximum
    infer = broadcast
    kernel = "maximum"
    expr = "(({0} >= {1} || {0} != {0}) ? {0} : {1})"
    samples = binary(-2, 2)

    def bprop(x, y, _out, dout):
        return _shared(x < y, x == y, dout), _shared(y < x, x == y, dout)


@op(names=("minimum", "Tensor.minimum", "mint.minimum"), operands="promote")
class Minimum:
    """The smaller of x and y; NaN if one is NaN. Equal elements share the gradient.

    >>> ops.minimum(Tensor([1.0, 5.0]), 3)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00])
    """

    compute = np.minimum
    infer = broadcast
    kernel = "minimum"
    expr = "(({0} <= {1} || {0} != {0}) ? {0} : {1})"
    samples = binary(-2, 2)

    def bprop(x, y, _out, dout):
        return _shared(x > y, x == y, dout), _shared(y > x, x == y, dout)


def _shared(loses, ties, dout):
    """0 where the operand loses, half of ``dout`` where both are equal, else (and by NaN) all."""
    return ops.where(loses, 0, ops.where(ties, dout * 0.5, dout))


@op(names=("atan2", "arctan2", "Tensor.atan2", "Tensor.arctan2"), operands="float")
class Atan2:
    """The angle of the point (y, x), given y first.

    >>> ops.atan2(Tensor([0.0]), Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = np.arctan2
    infer = floating(broadcast)
    kernel = "atan2"
    expr = "atan2({0}, {1})"
    samples = binary(0.5, 2)

    def bprop(x, y, _out, dout):
        scaled = dout / (x * x + y * y)
        return scaled * y, -scaled * x
