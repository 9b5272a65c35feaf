"""Whole numbers: common divisors and multiples, and their bits turned over or shifted."""

import numpy as np

from ..engine.primitive import op
from .shapes import broadcast, like_first, whole_numbers


def _pairs(rng):
    yield rng.integers(-9, 9, (2, 3)), rng.integers(1, 9, (3,))
    yield rng.integers(0, 9, (0, 3)), rng.integers(1, 9, ())


def _shifts(rng):
    yield rng.integers(-9, 9, (2, 3)), rng.integers(0, 5, (3,))
    yield rng.integers(0, 9, (0, 3)), rng.integers(0, 5, ())


def _one(rng):
    yield (rng.integers(-9, 9, (2, 3)),)
    yield (rng.integers(0, 2, (2,)).astype(bool),)


@op(names=("gcd", "Tensor.gcd", "mint.gcd"), operands="promote")
class Gcd:
    """The greatest number that divides both.

    >>> ops.gcd(Tensor([12]), Tensor([18]))
    Tensor(shape=[1], dtype=Int64, value= [6])
    """

    compute = np.gcd
    infer = whole_numbers(broadcast)
    elementwise = True
    samples = _pairs


@op(names=("lcm", "Tensor.lcm"), operands="promote")
class Lcm:
    """The least number that both divide.

    >>> ops.lcm(Tensor([4]), Tensor([6]))
    Tensor(shape=[1], dtype=Int64, value= [12])
    """

    compute = np.lcm
    infer = whole_numbers(broadcast)
    elementwise = True
    samples = _pairs


@op(names=("invert", "Tensor.invert"))
class Invert:
    """Every bit turned over: -x - 1.

    >>> ops.invert(Tensor([5]))
    Tensor(shape=[1], dtype=Int64, value= [-6])
    """

    compute = np.invert
    infer = whole_numbers(like_first)
    elementwise = True
    samples = _one


@op(names=("mint.bitwise_not", "Tensor.bitwise_not"), same_as=Invert)
class BitwiseNot:
    """Every bit turned over: -x - 1; of Bool the other truth.

    >>> mint.bitwise_not(Tensor([5])), mint.bitwise_not(Tensor([True]))
    (Tensor(shape=[1], dtype=Int64, value= [-6]), Tensor(shape=[1], dtype=Bool, value= [False]))
    """


@op(names=("bitwise_left_shift", "Tensor.bitwise_left_shift"), operands="promote")
class LeftShift:
    """The bits moved up by y places: x * 2 ** y.

    >>> ops.bitwise_left_shift(Tensor([5]), Tensor([1]))
    Tensor(shape=[1], dtype=Int64, value= [10])
    """

    compute = np.left_shift
    infer = whole_numbers(broadcast)
    elementwise = True
    samples = _shifts


@op(names=("bitwise_right_shift", "Tensor.bitwise_right_shift"), operands="promote")
class RightShift:
    """The bits moved down by y places: x / 2 ** y, rounded down.

    >>> ops.bitwise_right_shift(Tensor([-5]), Tensor([1]))
    Tensor(shape=[1], dtype=Int64, value= [-3])
    """

    compute = np.right_shift
    infer = whole_numbers(broadcast)
    elementwise = True
    samples = _shifts
