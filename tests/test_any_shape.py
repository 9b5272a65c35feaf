"""Branches that give tensors of different shapes: values and gradients are those of eager mode."""

import numpy as np
import pytest
from agreeing import same

import ms_ext as ms
from ms_ext import Tensor, ops


def calculated_on(x):
    if x.sum() > 0:
        y = x[:1]
    else:
        y = x
    z = ops.sin(y) * y + x[0]
    return (z * z).mean()


def in_an_unrolled_loop(x):
    for i in range(3):
        if x[i] > 1:
            y = x[:2] * i
        else:
            y = ops.exp(x)
        x = x + y.sum()
    return x


def in_a_loop(x):
    total = x[0]
    for _ in range(20):
        if total > 4:
            y = x[:1]
        else:
            y = x
        total = total + y.sum() * 0.1
    return total


def returned_by_a_function(x):
    def pick(value):
        if value.sum() > 0:
            return value[:2]
        return value

    return ops.concat((pick(x), pick(-x))) * 2


def asked_for_its_shape(x):
    y = (x[:1], x) if x.sum() > 0 else (x, x)
    return y[0] * 2, y[1].sum(), y[0].shape, len(y[0]), y[0].max()


FUNCTIONS = [
    calculated_on, in_an_unrolled_loop, in_a_loop, returned_by_a_function, asked_for_its_shape,
]  # fmt: skip
VALUES = [Tensor([1.0, 2.0, 3.0]), Tensor([-1.0, -2.0, -3.0]), Tensor([0.5, -2.0, 1.75])]


def loss(function):
    """The function with one number as its result."""

    def of(x):
        found = function(x)
        parts = found if isinstance(found, tuple) else (found,)
        return sum([ops.sin(part).sum() for part in parts if isinstance(part, Tensor)])

    return of


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_values(function):
    compiled = ms.jit(function)
    for value in VALUES:
        same(function(value), compiled(value))


@pytest.mark.parametrize("function", FUNCTIONS[:-1], ids=lambda f: f.__name__)
def test_ops_on_them_are_no_fallback_to_python(function):
    compiled = ms.jit(function, fullgraph=True)
    for value in VALUES:
        same(function(value), compiled(value))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("backend", ["reference", "cython"])
def test_gradients(function, backend):
    compiled = ms.jit(function, backend=backend)
    for value in VALUES:
        same(ms.grad(loss(function))(value), ms.grad(loss(compiled))(value))


@pytest.mark.parametrize("function", FUNCTIONS[:-1], ids=lambda f: f.__name__)
def test_gradients_inside_compiled_code(function):
    slope = ms.jit(ms.grad(function))
    for value in VALUES:
        same(ms.grad(function)(value), slope(value))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_second_gradients(function):
    compiled = ms.jit(function)
    for value in VALUES:
        twice = [ms.grad(lambda x, f=f: ms.grad(loss(f))(x).sum()) for f in (function, compiled)]
        same(twice[0](value), twice[1](value))


def test_central_differences():
    compiled, x, step = loss(ms.jit(calculated_on)), VALUES[2].asnumpy().astype(np.float64), 1e-2
    moved = [(x + step * e, x - step * e) for e in np.eye(3)]
    at = lambda v: float(compiled(Tensor(v.astype(np.float32))))  # noqa: E731
    expected = [(at(up) - at(down)) / (2 * step) for up, down in moved]
    slope = ms.grad(compiled)(VALUES[2]).asnumpy()
    np.testing.assert_allclose(slope, expected, rtol=2e-2, atol=1e-3)
