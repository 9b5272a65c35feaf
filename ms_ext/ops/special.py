"""Special functions: of the bell curve, of gamma's family, sinc and logit.

They are calculated in float64 (``special_numbers``) and rounded once.
"""

import math

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from . import special_numbers as numbers
from .composite import composite
from .precision import like
from .sampling import binary, unary
from .shapes import broadcast, floating, like_first


def _in_double(function):
    """``compute`` of an op, by a function of float64 arrays."""

    def compute(x):
        return like(function(np.asarray(x, np.float64)), x)

    return compute


@op(names=("erfc", "Tensor.erfc", "mint.erfc", "mint.special.erfc"), operands="float")
class Erfc:
    """1 - erf(x), exact also where it is tiny.

    >>> ops.erfc(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    compute = _in_double(numbers.erfc)
    infer = floating(like_first)
    elementwise = True
    samples = unary(-2, 2)

    def bprop(x, _out, dout):
        return (dout * (-2 / math.sqrt(math.pi)) * ops.exp(-1.0 * x * x),)


@op(names=("erfinv", "Tensor.erfinv", "mint.erfinv"), operands="float")
class Erfinv:
    """The number whose erf is x; infinite at -1 and 1, NaN beyond.

    >>> ops.erfinv(Tensor([0.0, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,             inf])
    """

    compute = _in_double(numbers.erfinv)
    infer = floating(like_first)
    elementwise = True
    samples = unary(-0.9, 0.9)

    def bprop(_x, out, dout):
        return (dout * (math.sqrt(math.pi) / 2) * ops.exp(out * out),)


@op(names=("lgamma", "Tensor.lgamma"), operands="float")
class Lgamma:
    """log(|gamma(x)|); gamma(n) is (n - 1)! for whole numbers.

    >>> ops.lgamma(Tensor([1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  0.00000000e+00])
    """

    compute = _in_double(numbers.lgamma)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 4)

    def bprop(x, _out, dout):
        return (dout * ops.digamma(x),)


@op(names=("digamma", "Tensor.digamma"), operands="float")
class Digamma:
    """The slope of lgamma: log(x) - 1 / (2 x), nearly, for large x.

    >>> ops.digamma(Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [-5.77215672e-01])
    """

    compute = _in_double(numbers.digamma)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 4)

    def bprop(x, _out, dout):
        return (dout * ops.Polygamma(x, n=1),)


@op(operands="float")
class Polygamma:
    """The n-th slope of digamma; n is 0 or above.

    >>> ops.Polygamma(Tensor([1.0]), n=0) == ops.digamma(Tensor([1.0]))
    Tensor(shape=[1], dtype=Bool, value= [True])
    """

    def infer(x, *, n):
        _order(n)
        return floating(like_first)(x)

    def compute(x, *, n):
        _order(n)
        return like(numbers.polygamma(n, np.asarray(x, np.float64)), x)

    def bprop(x, _out, dout, *, n):
        return (dout * ops.Polygamma(x, n=n + 1),)

    samples = unary(0.5, 4, n=1)


def _order(n):
    if not isinstance(n, int) or n < 0:
        raise errors.InvalidValue("the order must be a whole number, 0 or above.", given=repr(n))


@composite("polygamma")
def polygamma(n, input):
    """The n-th slope of digamma; n is a whole number, or a tensor that holds one.

    >>> ops.polygamma(1, Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.64493406e+00])
    """
    return ops.Polygamma(input, n=int(n) if hasattr(n, "shape") else n)


@op(names=("zeta",), operands="float")
class Zeta:
    """Hurwitz' zeta function: the sum of 1 / (y + k) ** x over k = 0, 1, ...; NaN for x below 1.

    >>> ops.zeta(Tensor([2.0]), Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.64493406e+00])
    """

    infer = floating(broadcast)
    elementwise = True
    samples = binary(1.5, 4, 0.5, 3)

    def compute(x, y):
        return like(numbers.zeta(x, y), x)


@composite("mvlgamma", "Tensor.mvlgamma")
def mvlgamma(input, p):
    """log of the gamma function of p dimensions: a sum of p lgammas and a constant.

    >>> ops.mvlgamma(Tensor([3.0]), 1) == ops.lgamma(Tensor([3.0]))
    Tensor(shape=[1], dtype=Bool, value= [True])
    """
    if not isinstance(p, int) or p < 1:
        raise errors.InvalidValue("p must be a whole number of 1 or more.", given=repr(p))
    total = ops.lgamma(input)
    for j in range(1, p):
        total = total + ops.lgamma(input - j / 2)
    return total + p * (p - 1) / 4 * math.log(math.pi) if p > 1 else total


@op(names=("sinc", "Tensor.sinc", "mint.sinc", "mint.special.sinc"), operands="float")
class Sinc:
    """sin(pi x) / (pi x), and 1 at 0: what is left of a jump when high pitches are cut off.

    >>> ops.sinc(Tensor([0.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  6.36619747e-01])
    """

    compute = _in_double(numbers.sinc)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.3, 2)

    def bprop(x, out, dout):
        away = ops.where(x == 0, 1, x)
        return (dout * ops.where(x == 0, 0, (ops.cos(math.pi * away) - out) / away),)


@op(names=("logit", "Tensor.logit"), operands="float")
class Logit:
    """log(x / (1 - x)), the reverse of the sigmoid; with ``eps`` x is kept in [eps, 1 - eps].

    >>> ops.logit(Tensor([0.5, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,             inf])
    """

    elementwise = True
    samples = unary(0.1, 0.9)

    def infer(x, *, eps):
        _bounded(eps)
        return floating(like_first)(x)

    def compute(x, *, eps=None):
        p = np.asarray(x, np.float64)
        p = np.clip(p, eps, 1 - eps) if _bounded(eps) else p
        return like(np.log(p) - np.log1p(-p), x)

    def bprop(x, _out, dout, *, eps):
        slope = dout / (x * (1 - x))
        if not _bounded(eps):
            return (slope,)
        inside = ops.logical_and(x >= eps, x <= 1 - eps)
        return (ops.where(inside, slope, 0),)


def _bounded(eps):
    if eps is not None and not isinstance(eps, int | float):
        raise errors.InvalidType("eps must be a number or None.", given=repr(eps))
    return eps is not None and eps >= 0
