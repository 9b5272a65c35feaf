"""Every gradient and second derivative along drawn directions, on drawn operands.

First order: the change of a weighed result along a direction, by central differences in float64,
is the gradient in that direction. Second order: the same for the gradient, weighed; and what
forward mode finds of the gradient along a direction.
"""

import zlib

import drawn_arrays  # noqa: F401  (enters its draws)
import drawn_losses  # noqa: F401
import drawn_mathematics  # noqa: F401
import drawn_mathematics_made  # noqa: F401
import drawn_places  # noqa: F401
import drawn_windows  # noqa: F401
import numpy as np
import pytest
from drawn_composites import COMPOSITES
from drawn_operands import drawn, laid_out, numbers
from op_samples import described, flat, run

from ms_ext import ops
from ms_ext.engine import primitive, tape
from ms_ext.engine.forward_eager import pushforward_eager
from ms_ext.engine.tensor import Tensor

STEP = 1e-5
#: Their gradient is another one than the slope, on purpose.
FLAT = {"StopGradient"}
OPS = {
    name: op
    for name, op in primitive.OPS.items()
    if op.module.startswith("ms_ext.ops.") and op.bprop is not None and name not in FLAT
}


class Drawn:
    """A function of floating operands, and where it is looked at."""

    def __init__(self, rng, call, arrays, what):
        self.rng, self.call, self.arrays, self.what = rng, call, arrays, what
        self.weights = {}

    def value(self, *tensors):
        """The sum of the floating results, each element times a number of its own."""
        return self._weighed("result", flat(self.call(*tensors)))

    def slope(self, *tensors):
        """The sum of the gradients, each element times a number of its own."""
        return self._weighed("gradient", gradients(self.value, tensors))

    def _weighed(self, kind, tensors):
        total = Tensor(np.float64(0))
        for i, tensor in enumerate(tensors):
            if tensor.dtype.kind == "float":
                total = total + ops.ReduceSum(tensor * self._weight((kind, i), tensor.shape))
        return total

    def _weight(self, key, shape):
        if key not in self.weights:
            self.weights[key] = Tensor(numbers(self.rng, shape, 0.5, 1.5))
        return self.weights[key]

    def check(self, f):
        """The gradient of ``f`` at every operand, along one direction each: what each gives."""
        tensors = [laid_out(self.rng, x) for x in self.arrays]
        for k, got in enumerate(gradients(f, tensors)):
            array = self.arrays[k]
            assert (got.shape, got.dtype.name) == (array.shape, "Float64"), self.what
            way = numbers(self.rng, array.shape, -1, 1)
            ends = [self._moved(f, k, way * sign) for sign in (STEP, -STEP)]
            if np.isnan(ends).all() and not all(each.size for each in self.arrays):
                continue  # the mean of nothing is no number
            expected = (ends[0] - ends[1]) / (2 * STEP)
            found = float(np.sum(got.asnumpy() * way))
            assert found == pytest.approx(expected, rel=1e-5, abs=1e-6), (self.what, k)

    def _moved(self, f, place, way):
        moved = [x + way if k == place else x for k, x in enumerate(self.arrays)]
        return f(*map(Tensor, moved)).asnumpy().item()

    def check_forward(self):
        """Forward over reverse gives what reverse over reverse gives."""
        tensors = [laid_out(self.rng, x) for x in self.arrays]
        ways = [Tensor(numbers(self.rng, x.shape, -1, 1)) for x in self.arrays]
        expected = dot(gradients(self.slope, tensors), ways)
        found = pushforward_eager(lambda *xs: gradients(self.value, xs), tensors, ways)[1]
        weights = [self.weights["gradient", i] for i in range(len(tensors))]
        assert dot(found, weights) == pytest.approx(expected, rel=1e-9, abs=1e-9), self.what


def gradients(f, tensors):
    return tape.differentiate(f, tuple(tensors), tuple(range(len(tensors))))[1]


def dot(tensors, others):
    pairs = zip(tensors, others, strict=True)
    return sum(float(np.sum(a.asnumpy() * b.asnumpy())) for a, b in pairs)


def of_op(name, rng):
    """One drawn call of an op, as a function of its floating operands alone."""
    op = OPS[name]
    operands, attributes = drawn(op, rng)
    places = [i for i, x in enumerate(operands) if getattr(x, "dtype", np.dtype(int)).kind == "f"]

    def call(*tensors):
        given = list(operands)
        for place, tensor in zip(places, tensors, strict=True):
            given[place] = tensor
        return run(op, given, attributes)

    arrays = [operands[i] for i in places]
    return Drawn(rng, call, arrays, described(op, operands, attributes))


def of_composite(name, rng):
    """One drawn call of a function that is made of ops."""
    call, arrays = COMPOSITES[name](rng)
    return Drawn(rng, call, arrays, f"{name} of {[x.shape for x in arrays]}")


CALLS = {name: of_op for name in OPS} | {name: of_composite for name in COMPOSITES}


def check(name, first, second):
    for seed in range(first):
        rng = np.random.default_rng([zlib.crc32(name.encode()), seed])
        drawn = CALLS[name](name, rng)
        drawn.check(drawn.value)
        if seed < second:
            drawn.check(drawn.slope)
            drawn.check_forward()


@pytest.mark.parametrize("name", CALLS)
def test_the_gradient_is_the_slope_along_every_drawn_direction(name):
    check(name, 6, 2)


@pytest.mark.long
@pytest.mark.parametrize("name", CALLS)
def test_the_same_on_many_draws(name):
    check(name, 200, 60)
