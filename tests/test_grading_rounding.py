"""A right answer passes whatever cancels in it: judges know how far rounding reaches."""

import numpy as np
import pytest

from ms_ext.grading.drawing import Question
from ms_ext.grading.layers import gradients, values


def product(x, y):
    return x * y


#: By dtype: 1 + a little, of which the dtype holds only some digits.
LITTLE = {"f2": 0.0117, "f4": 1.173e-4, "f8": 1.173e-9}


@pytest.mark.parametrize("dtype", LITTLE)
def test_what_is_left_of_large_numbers_has_their_rounding(dtype):
    """A right answer in the dtype's own arithmetic passes, whatever cancels; a wrong one fails."""
    rng = np.random.default_rng(7)
    little = LITTLE[dtype]
    for _ in range(200):
        a = rng.normal(size=3).astype(dtype)
        x = np.concatenate([a, -a * (1 + rng.uniform(0, little, 3))]).astype(dtype)
        rng.shuffle(x)
        judge = values.like(lambda x: np.sum(x * x * x, dtype=x.dtype))
        total = np.array(0, dtype)
        for each in x * x * x:  # rounded after each step
            total = total + each
        question = Question("", (x,))
        assert judge(question, np.array(total, dtype)) is None
        assert judge(question, np.array(total + 0.1 * np.abs(x**3).sum(), dtype)).code == "values"


@pytest.mark.parametrize("dtype", LITTLE)
def test_a_gradient_that_cancels_has_the_rounding_of_its_parts(dtype):
    rng = np.random.default_rng(8)
    for _ in range(200):
        x, scale = rng.normal(size=(2, 1)).astype(dtype), rng.normal(size=1).astype(dtype)
        first = rng.normal()
        dout = np.array([[first], [-first * x[0, 0] / x[1, 0]]], dtype)  # their sum is nearly 0
        question = Question("", (x, scale, x * scale, dout))
        dx, dscale = dout * scale, (dout * x).sum(0)
        assert gradients.of(product)(question, (dx, dscale)) is None
        wrong = dscale + (0.1 * np.abs(dout * x)).sum(0).astype(dtype)
        failure = gradients.of(product)(question, (dx, wrong))
        assert failure.code == "gradient-values"
