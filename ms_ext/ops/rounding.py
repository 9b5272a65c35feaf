"""Rounding to whole numbers. The gradient is zero everywhere; integers stay as they are."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .composite import composite
from .precision import is_float, like
from .sampling import unary
from .shapes import like_first


def _whole(rounding):
    """Rounding that leaves integers as they are."""

    def compute(x):
        return like(rounding(x), x) if is_float(x) else x.copy()

    return compute


@op(names=("floor", "Tensor.floor", "mint.floor"), operands="as given")
class Floor:
    """Rounded down.

    >>> ops.floor(Tensor([1.5, -1.5]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00, -2.00000000e+00])
    """

    compute = _whole(np.floor)
    infer = like_first
    kernel = "floor"
    expr = "floor({0})"
    samples = unary(-3, 3)

    def bprop(_x, _out, _dout):
        return (None,)


@op(names=("ceil", "Tensor.ceil", "mint.ceil"), operands="as given")
class Ceil:
    """Rounded up.

    >>> ops.ceil(Tensor([1.5, -1.5]))
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00, -1.00000000e+00])
    """

    compute = _whole(np.ceil)
    infer = like_first
    kernel = "ceil"
    expr = "ceil({0})"
    samples = unary(-3, 3)

    def bprop(_x, _out, _dout):
        return (None,)


@op(names=("round",), operands="as given")
class Round:
    """Rounded to the nearest whole number, halves to the even one.

    >>> ops.Round(Tensor([0.5, 1.5, 2.5]))
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00,  2.00000000e+00])
    """

    compute = _whole(np.rint)
    infer = like_first
    kernel = "round"
    expr = "rint({0})"
    samples = unary(-3, 3)

    def bprop(_x, _out, _dout):
        return (None,)


@composite("round", "Tensor.round", "mint.round", "mint.special.round")
def round(input, *, decimals=0):
    """Rounded to so many decimals, halves to the even digit; -1 decimals: to whole tens.

    >>> ops.round(Tensor([0.5, 1.5, 2.5]))
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00,  2.00000000e+00])
    """
    if decimals == 0:
        return ops.Round(input)
    if input.dtype.kind != "float":
        raise errors.InvalidType("only floats have decimals to round to.", given=str(input.dtype))
    scale = 10.0 ** abs(decimals)
    return ops.Round(input * scale) / scale if decimals > 0 else ops.Round(input / scale) * scale


@op(names=("trunc", "Tensor.trunc", "mint.trunc"), operands="as given")
class Trunc:
    """Rounded towards zero.

    >>> ops.trunc(Tensor([1.5, -1.5]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00, -1.00000000e+00])
    """

    compute = _whole(np.trunc)
    infer = like_first
    kernel = "trunc"
    expr = "trunc({0})"
    samples = unary(-3, 3)

    def bprop(_x, _out, _dout):
        return (None,)
