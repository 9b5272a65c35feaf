"""The gradient of every op, element by element, against central differences in float64.

On the ops' own samples; test_drawn_gradients.py draws operands, and takes second derivatives too.
"""

import zlib

import numpy as np
import pytest
from op_samples import described, run, split_case

from ms_ext import ops
from ms_ext.engine import primitive, tape
from ms_ext.engine.tensor import Tensor

#: Zero by convention: nothing to compare with differences.
FLAT = {"StopGradient"}
OPS = {
    name: op
    for name, op in primitive.OPS.items()
    if op.module.startswith("ms_ext.ops.") and op.bprop is not None and name not in FLAT
}


def floating_positions(operands):
    return [i for i, x in enumerate(operands) if isinstance(x, np.ndarray) and x.dtype.kind == "f"]


def loss_of(op, operands, attributes, positions, seed):
    """A scalar function of the floating operands: the results, weighed by fixed random numbers."""

    def loss(*varied):
        values = list(operands)
        for i, x in zip(positions, varied, strict=True):
            values[i] = x
        results = run(op, values, attributes)
        results = results if isinstance(results, tuple) else (results,)
        rng = np.random.default_rng(seed)
        parts = [r * rng.uniform(0.5, 1.5, r.shape) for r in results if r.dtype.kind == "float"]
        total = ops.SumTo(parts[0], shape=())
        for part in parts[1:]:
            total = total + ops.SumTo(part, shape=())
        return total

    return loss


def differences(f, arrays, step=1e-5):
    """The gradient of f by central differences."""
    found = []
    for k, array in enumerate(arrays):
        slope = np.zeros(array.shape)
        for place in np.ndindex(array.shape):
            moved = []
            for sign in (1, -1):
                copies = [a.copy() for a in arrays]
                copies[k][place] += sign * step
                moved.append(f(*copies))
            slope[place] = (moved[0] - moved[1]) / (2 * step)
        found.append(slope)
    return found


def gradients(loss, arrays):
    """The gradient of f by the ops' own rules."""
    inputs = tuple(Tensor(a) for a in arrays)
    return tape.differentiate(loss, inputs, tuple(range(len(inputs))))[1]


def value(loss):
    return lambda *arrays: loss(*map(Tensor, arrays)).asnumpy().item()


def check(loss, arrays, what):
    expected = differences(value(loss), arrays)
    for got, want in zip(gradients(loss, arrays), expected, strict=True):
        assert got.shape == want.shape and got.dtype.name == "Float64", what
        np.testing.assert_allclose(got.asnumpy(), want, rtol=2e-5, atol=2e-7, err_msg=what)


def samples(op, seed):
    for sample in op.samples(np.random.default_rng(seed)):
        operands, attributes = split_case(op, sample)
        positions = floating_positions(operands)
        if positions and "dtype" not in attributes or attributes.get("dtype") is None and positions:
            yield operands, attributes, positions


@pytest.mark.parametrize("name", OPS)
def test_gradient_is_the_slope(name):
    op = OPS[name]
    for operands, attributes, positions in samples(op, zlib.crc32(name.encode())):
        loss = loss_of(op, operands, attributes, positions, 5)
        check(loss, [operands[i] for i in positions], described(op, operands, attributes))


def test_third_derivative_of_sine_of_a_square():
    def nth(f, n):
        return f if n == 0 else nth(lambda x: tape.differentiate(f, (x,), (0,))[1][0], n - 1)

    got = nth(lambda x: ops.sin(x**2), 3)(Tensor(np.float64(0.7))).asnumpy().item()
    x = 0.7
    assert got == pytest.approx(-12 * x * np.sin(x * x) - 8 * x**3 * np.cos(x * x))


def slope_at(f, *arrays):
    inputs = tuple(Tensor(np.asarray(a, np.float32)) for a in arrays)
    found = tape.differentiate(f, inputs, tuple(range(len(inputs))))[1]
    return [g.asnumpy().tolist() for g in found]


CONVENTIONS = {
    "largest element, ties share": (ops.amax, [[1, 3, 3]], [[0, 0.5, 0.5]]),
    "largest with index, first wins": (lambda x: ops.max(x, 0)[0], [[3, 3]], [[1, 0]]),
    "maximum, ties share, broadcast": (ops.maximum, [[1, 3], 1], [[0.5, 1], 0.5]),
    "minimum, ties share": (ops.minimum, [[1, 3], [1, 1]], [[0.5, 0], [0.5, 1]]),
    "relu at 0": (ops.relu, [[-1, 0, 1]], [[0, 0, 1]]),
    "abs at 0": (ops.abs, [[-1, 0, 1]], [[-1, 0, 1]]),
    "sqrt at 0": (ops.sqrt, [[0, 4]], [[float("inf"), 0.25]]),
    "power 2.5 at 0": (lambda x: x**2.5, [0], [0]),
    "power: exponents of 0": (ops.pow, [[0, 2], [2, 3]], [[0, 12], [0, 8 * np.log(np.float32(2))]]),
    "product with one zero": (ops.prod, [[0, 2, 3]], [[6, 0, 0]]),
    "product with two zeros": (ops.prod, [[0, 0, 3]], [[0, 0, 0]]),
    "clamp at its bounds": (lambda x: ops.clamp(x, 0, 1), [[-1, 0, 0.5, 1, 2]], [[0, 1, 1, 1, 0]]),
    "rounding is flat": (lambda x: ops.floor(x) * x, [[1.5]], [[1]]),
    "stop_gradient": (lambda x, y: ops.stop_gradient(x) * y + x, [2, 3], [1, 2]),
    "remainder": (ops.floor_mod, [[7], [3]], [[1], [-2]]),
    "gather, twice the same row": (
        lambda x: ops.gather(x, Tensor([1, 1, 0]), 0), [[7, 8]], [[1, 2]],
    ),
    "index": (lambda x: x[1] * x[0], [[1, 2, 3]], [[2, 1, 0]]),
    "vector by vector": (ops.matmul, [[1, 2], [3, 4]], [[3, 4], [1, 2]]),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVENTIONS)
def test_gradient_convention(name):
    """Where a slope does not exist, or is a matter of taste: MindSpore 2.10's answers."""
    f, arrays, expected = CONVENTIONS[name]
    assert (
        slope_at(f, *arrays) == pytest.approx(expected)
        if not isinstance(expected[0], list)
        else True
    )
    for got, want in zip(slope_at(f, *arrays), expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6)
