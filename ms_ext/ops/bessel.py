"""Bessel's functions: how a drum swings (J), how heat spreads round a ring (I)."""

import numpy as np

from .. import ops
from ..engine.primitive import op
from .bessel_numbers import modified, ordinary
from .precision import like
from .sampling import unary
from .shapes import floating, like_first


def _of_double(function, *args):
    def compute(x):
        return like(function(args[0], np.asarray(x, np.float64), *args[1:]), x)

    return compute


@op(names=("bessel_i0", "i0", "Tensor.i0"), operands="float")
class BesselI0:
    """The modified Bessel function of order 0: even, 1 at 0, growing as exp(|x|).

    >>> ops.i0(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    compute = _of_double(modified, 0)
    infer = floating(like_first)
    elementwise = True
    samples = unary(-3, 3)

    def bprop(x, _out, dout):
        return (dout * ops.bessel_i1(x),)


@op(names=("bessel_i0e",), operands="float")
class BesselI0e:
    """BesselI0 times exp(-|x|).

    >>> ops.bessel_i0e(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    compute = _of_double(modified, 0, True)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def bprop(x, out, dout):
        side = ops.sign(ops.cast(x, out.dtype))
        return (dout * (ops.bessel_i1e(x) - side * out),)


@op(names=("bessel_i1",), operands="float")
class BesselI1:
    """The modified Bessel function of order 1: the slope of that of order 0.

    >>> ops.bessel_i1(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = _of_double(modified, 1)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def bprop(x, out, dout):
        away = ops.where(x == 0, 1, x)
        return (dout * (ops.bessel_i0(x) - ops.where(x == 0, 0.5, out / away)),)


@op(names=("bessel_i1e",), operands="float")
class BesselI1e:
    """BesselI1 times exp(-|x|).

    >>> ops.bessel_i1e(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = _of_double(modified, 1, True)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def bprop(x, out, dout):
        away = ops.where(x == 0, 1, x)
        share = ops.where(x == 0, 0.5, out / away)
        side = ops.sign(ops.cast(x, out.dtype))
        return (dout * (ops.bessel_i0e(x) - share - side * out),)


@op(names=("bessel_j0",), operands="float")
class BesselJ0:
    """The Bessel function of order 0: 1 at 0, then a wave that dies away.

    >>> ops.bessel_j0(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    compute = _of_double(ordinary, 0)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def bprop(x, _out, dout):
        return (-dout * ops.bessel_j1(x),)


@op(names=("bessel_j1",), operands="float")
class BesselJ1:
    """The Bessel function of order 1: minus the slope of that of order 0.

    >>> ops.bessel_j1(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    compute = _of_double(ordinary, 1)
    infer = floating(like_first)
    elementwise = True
    samples = unary(0.5, 3)

    def bprop(x, out, dout):
        away = ops.where(x == 0, 1, x)
        return (dout * (ops.bessel_j0(x) - ops.where(x == 0, 0.5, out / away)),)
