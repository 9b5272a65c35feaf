"""Small programs that random ones were made smaller to: once wrong, or refused."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext.engine import backends

MODES = [pytest.param(None, id="eager"), *backends.REGISTRY.names()]


def added_by_index(x, n):
    i = n * 0
    while i < n:
        i = i + 1
        x[0] += x[1]
    return x * x


def set_by_index(x, n):
    y = x * 1
    for _ in range(20):
        y[0] = ops.sin(y[0]) + y[1]
    return y


def set_in_a_branch(x, n):
    y, i = x * 1, n * 0
    while i < n:
        i = i + 1
        if i > 1:
            y[0] *= x[1]
        elif x[0] > 100:
            break
    return y


def a_row_of_a_matrix(x, n):
    rows, i = ops.stack((x, x * 2)), n * 0
    while i < n:
        i = i + 1
        rows[0, 1] = rows[0, 1] * rows[1, 0]
    return rows


def turned(x, n):
    if n <= 0:
        return x
    inner = turned(ops.sin(x), n - 1)
    return ops.swapaxes(inner.reshape((2, 1)), 0, 1).reshape((2,)) * inner


PROGRAMS = [added_by_index, set_by_index, set_in_a_branch, a_row_of_a_matrix, turned]


@pytest.mark.parametrize("backend", MODES)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_value_and_gradient(program, backend):
    def taken(x, n):
        return ms.value_and_grad(program)(x, n)

    at, n = np.array([0.7, 1.3]), Tensor(3)
    taken = ms.jit(taken, backend=backend) if backend else taken
    value, gradient = taken(Tensor(at), n)
    for place in range(2):
        step = np.eye(2)[place] * 1e-6
        up, down = (program(Tensor(at + s), n).asnumpy().sum() for s in (step, -step))
        assert gradient.asnumpy()[place] == pytest.approx((up - down) / 2e-6, rel=1e-7, abs=1e-9)
    np.testing.assert_allclose(value.asnumpy(), program(Tensor(at), n).asnumpy(), rtol=1e-12)


ROWS = ms.Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name="rows")


def in_a_loop(x):
    for row in ROWS:
        x = x * row
    return x


def unpacked(x):
    first, second = ROWS
    return x * first * second


def of_a_builtin(x):
    return sum(row * i for i, row in enumerate(ROWS, 1)) * x


def in_a_comprehension(x):
    return ops.stack([row * x for row in ROWS])


@pytest.mark.parametrize("backend", backends.REGISTRY.names())
@pytest.mark.parametrize(
    "program", [in_a_loop, unpacked, of_a_builtin, in_a_comprehension], ids=lambda f: f.__name__
)
def test_the_rows_of_a_parameter_are_no_constants(program, backend):
    def taken(x):
        return ms.value_and_grad(program, 0, ROWS)(x)

    compiled, x = ms.jit(taken, backend=backend), Tensor([0.5, 2.0])
    for factor in (1.0, 3.0):
        ROWS.set_data(Tensor([[1.0, 2.0], [3.0, 4.0]]) * factor)
        (value, (dx, dw)), (same, (dx_too, dw_too)) = taken(x), compiled(x)
        for one, other in ((value, same), (dx, dx_too), (dw, dw_too)):
            assert one.asnumpy().tolist() == other.asnumpy().tolist()
        assert dw.asnumpy().any()


def test_a_number_of_a_parameter_is_no_constant():
    scale = ms.Parameter(Tensor(2.0), name="scale")
    compiled = ms.jit(lambda x: x * float(scale) + int(scale))
    for value in (2.0, 3.0):
        scale.set_data(Tensor(value))
        assert float(compiled(Tensor(10.0))) == 11 * value
