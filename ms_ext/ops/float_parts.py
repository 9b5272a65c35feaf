"""What a float is like: its sign, its neighbour, whether it is infinite, near another, or NaN."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .composite import composite
from .precision import is_float, like, widened
from .sampling import binary, unary
from .shapes import broadcast, floating, like_first, needs_number, numeric, predicate


@composite("signbit", "Tensor.signbit")
def signbit(input):
    """Whether x is below 0.

    >>> ops.signbit(Tensor([-1.0, 2.0]))
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """
    return ops.less(input, 0)


@composite("sgn", "Tensor.sgn")
def sgn(input):
    """-1, 0 or 1, as x is negative, zero or positive.

    >>> ops.sgn(Tensor([3.0, -2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00, -1.00000000e+00])
    """
    return ops.sign(input)


@composite("positive", "Tensor.positive")
def positive(input):
    """x itself.

    >>> ops.positive(Tensor([-1.0]))
    Tensor(shape=[1], dtype=Float32, value= [-1.00000000e+00])
    """
    return ops.identity(input)


@op(names=("copysign", "Tensor.copysign"), operands="float")
class CopySign:
    """The size of x with the sign of y, which -0.0 has too.

    >>> ops.copysign(Tensor([1.0, -2.0]), Tensor([-0.0, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  2.00000000e+00])
    """

    compute = np.copysign
    infer = floating(broadcast)
    elementwise = True
    samples = binary(0.5, 2, -2, -0.5)

    def bprop(x, _y, out, dout):
        return dout * (ops.sign(ops.cast(x, out.dtype)) * ops.sign(out)), None


@op(names=("nextafter", "Tensor.nextafter"), operands="float")
class NextAfter:
    """The float next to x on the way to y.

    >>> ops.nextafter(Tensor([0.0]), Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.40129846e-45])
    """

    compute = np.nextafter
    infer = floating(broadcast)
    elementwise = True
    samples = binary(-2, 2)


@op(names=("heaviside", "Tensor.heaviside"), operands="promote")
class Heaviside:
    """0 where x is below 0, 1 above it, and y where x is 0.

    >>> ops.heaviside(Tensor([-1.0, 0.0, 2.0]), Tensor([0.5]))
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  5.00000000e-01,  1.00000000e+00])
    """

    infer = numeric(broadcast)
    elementwise = True
    samples = binary(-2, 2)

    def compute(x, y):
        needs_number(x)
        step = np.where(x == 0, y, like(x > 0, x))
        return like(np.where(x != x, x, step), x)


@op(names=("fmax", "Tensor.fmax"), operands="promote")
class Fmax:
    """The larger of x and y; of a number and NaN the number.

    >>> ops.fmax(Tensor([1.0, float("nan")]), 0.5)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  5.00000000e-01])
    """

    compute = np.fmax
    infer = broadcast
    elementwise = True
    samples = binary(-2, 2)

    def bprop(x, y, _out, dout):
        """Equal elements: all goes to x."""
        first = ops.logical_or(x >= y, y != y)
        return ops.where(first, dout, 0), ops.where(first, 0, dout)


@op(names=("fmin", "Tensor.fmin"), operands="promote")
class Fmin:
    """The smaller of x and y; of a number and NaN the number.

    >>> ops.fmin(Tensor([1.0, float("nan")]), 0.5)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  5.00000000e-01])
    """

    compute = np.fmin
    infer = broadcast
    elementwise = True
    samples = binary(-2, 2)

    def bprop(x, y, _out, dout):
        """Equal elements: all goes to x."""
        first = ops.logical_or(x <= y, y != y)
        return ops.where(first, dout, 0), ops.where(first, 0, dout)


@op(names=("nan_to_num", "Tensor.nan_to_num", "mint.nan_to_num"), operands="as given")
class NanToNum:
    """x with other numbers for NaN (0), inf and -inf (the largest and the smallest float).

    >>> ops.nan_to_num(Tensor([float("nan"), float("inf"), 1.0]), posinf=9.0)
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  9.00000000e+00,  1.00000000e+00])
    """

    samples = unary(-2, 2)

    def infer(x, *, nan, posinf, neginf):
        return x

    def compute(x, *, nan=None, posinf=None, neginf=None):
        if not is_float(x):
            return x.copy()
        largest = np.nextafter(x.dtype.type(np.inf), x.dtype.type(0))
        above = largest if posinf is None else posinf
        below = -largest if neginf is None else neginf
        found = np.where(np.isnan(x), x.dtype.type(nan or 0), x)
        found = np.where(x == np.inf, x.dtype.type(above), found)
        return like(np.where(x == -np.inf, x.dtype.type(below), found), x)

    def bprop(x, _out, dout):
        return (ops.where(ops.isfinite(x), dout, 0),)


@op(names=("mint.isneginf",))
class IsNegInf:
    """Whether x is minus infinity.

    >>> mint.isneginf(Tensor([1.0, -float("inf")]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """

    infer = predicate(like_first)
    elementwise = True
    samples = unary(-2, 2)

    def compute(x):
        return x == -np.inf if is_float(x) else np.zeros(x.shape, np.bool_)


@composite("isneginf", "Tensor.isneginf")
def isneginf(input):
    """Whether x is minus infinity.

    >>> ops.isneginf(Tensor([1.0, -float("inf")]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """
    return ops.logical_and(ops.isinf(input), ops.less(input, 0))


@composite("isposinf", "Tensor.isposinf")
def isposinf(input):
    """Whether x is plus infinity.

    >>> ops.isposinf(Tensor([1.0, float("inf")]))
    Tensor(shape=[2], dtype=Bool, value= [False,  True])
    """
    return ops.logical_and(ops.isinf(input), ops.greater(input, 0))


@op(names=("isclose", "Tensor.isclose", "mint.isclose"), operands="promote")
class IsClose:
    """Whether |x - y| <= atol + rtol * |y|; NaN is near NaN only if ``equal_nan``.

    >>> ops.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1]))
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """

    samples = binary(-2, 2)

    def infer(x, y, *, rtol, atol, equal_nan):
        _tolerant(rtol, atol)
        return predicate(broadcast)(x, y)

    def compute(x, y, *, rtol=1e-05, atol=1e-08, equal_nan=False):
        _tolerant(rtol, atol)
        return np.isclose(widened(x), widened(y), rtol, atol, equal_nan)


def _tolerant(rtol, atol):
    if rtol < 0 or atol < 0:
        raise errors.InvalidValue(
            "the tolerances must be 0 or above.", given=f"rtol {rtol}, atol {atol}"
        )


@composite("Tensor.allclose", "mint.allclose")
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close, as a Python bool: see ``isclose``.

    >>> mint.allclose(Tensor([1.0]), Tensor([1.0 + 1e-7]))
    True
    """
    return bool(ops.all(ops.isclose(input, other, rtol, atol, equal_nan)))


@composite("approximate_equal", "Tensor.approximate_equal")
def approximate_equal(x, y, tolerance=1e-05):
    """Whether |x - y| < tolerance.

    >>> ops.approximate_equal(Tensor([1.0, 2.0]), Tensor([1.0, 2.1]))
    Tensor(shape=[2], dtype=Bool, value= [ True, False])
    """
    if tuple(x.shape) != tuple(y.shape):
        raise errors.NotRunnable(
            "x and y must have the same shape.", given=f"{list(x.shape)} and {list(y.shape)}"
        )
    return ops.abs(x - y) < tolerance


@composite("isreal", "Tensor.isreal")
def isreal(input):
    """Whether x is no complex number: true for every dtype that there is.

    >>> ops.isreal(Tensor([1.0]))
    Tensor(shape=[1], dtype=Bool, value= [True])
    """
    return ops.logical_not(ops.cast(ops.zeros_like(input), "bool_"))
