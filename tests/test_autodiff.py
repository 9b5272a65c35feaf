"""Gradients as graphs, to third order, through all control flow: against central differences."""

import numpy as np
import pytest
from loop_programs import while_tensor

import ms_ext as ms
from ms_ext import ops
from ms_ext.engine import backends, jit
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.ir import dump, load, verify

BACKENDS = backends.REGISTRY.names()


def loop_with_break(x):
    s = x * 1
    for i in range(40):
        if i == 3:
            continue
        s = s + x * i * s * 0.1
        if s > 2000:
            break
        if s > 50:
            return s * x
    return s


def loop_in_loop(x):
    s = x * 1
    for _ in range(20):
        t = s * 0.0 + 1
        while t < 3:
            t = t * (1.05 + x * x * 0.1)
        s = s + t * 0.1 * x
        if s > 8:
            s = s * 0.5
    return s


def branches(x):
    if x > 2:
        y = x * x
        if x > 3:
            return y
    else:
        y = x
        if x < 1:
            return -y * x
    return y * 7 * x


def recursion(x):
    if x > 10:
        return x
    return recursion(x * 2) * x + 1


def sine(x):
    return ops.sin(x * x)


PROGRAMS = [while_tensor, loop_with_break, loop_in_loop, branches, recursion, sine]


def derivative(function, order):
    for _ in range(order):
        function = ms.grad(function)
    return function


def in_graph(function, order, backend):
    def compiled(x):
        return derivative(function, order)(x)

    return ms.jit(compiled, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_three_orders_against_central_differences(program, backend):
    for at in (1.3, 2.4):
        x, h = ms.Tensor(np.float64(at)), 1e-5
        for order in (1, 2, 3):
            lower = in_graph(program, order - 1, backend)
            up, down = (float(lower(ms.Tensor(np.float64(at + s)))) for s in (h, -h))
            found = float(in_graph(program, order, backend)(x))
            assert found == pytest.approx((up - down) / (2 * h), rel=2e-5, abs=1e-5)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_tape_and_graph_agree(program):
    x = ms.Tensor(np.float64(1.7))
    for order in (1, 2, 3):
        eager = derivative(program, order)(x)
        graph = in_graph(program, order, "reference")(x)
        assert float(eager) == pytest.approx(float(graph), rel=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
def test_third_derivative_of_sin_of_square(backend):
    at = 1.3
    u = at * at
    exact = -12 * at * np.sin(u) - 8 * at**3 * np.cos(u)
    assert float(in_graph(sine, 3, backend)(ms.Tensor(np.float64(at)))) == pytest.approx(
        exact, rel=1e-12
    )


def test_gradient_graphs_are_whole():
    graph = jit.trace(loop_in_loop, ms.Tensor(1.7))
    for _ in range(3):
        graph = verify(vjp(graph))
        assert dump(load(dump(graph))).count("\n") == dump(graph).count("\n")


def test_a_long_loop_needs_no_stack():
    def walk(x):
        s = x
        for _ in range(10_000):
            s = ops.sin(s) + 0.001 * s
        return s

    value = ms.jit(lambda x: ms.grad(walk)(x))(ms.Tensor(np.float64(1.0)))
    s, slope = 1.0, 1.0
    for _ in range(10_000):
        s, slope = np.sin(s) + 0.001 * s, slope * (np.cos(s) + 0.001)
    assert float(value) == pytest.approx(slope, rel=1e-9)
    size = len(jit.trace(lambda x: ms.grad(walk)(x), ms.Tensor(1.0)).all_graphs())
    assert size <= 8


def test_several_inputs_weights_and_aux():
    weight = ms.Parameter(ms.Tensor([2.0, 3.0]), name="w")

    def net(x, y):
        return (weight * x + y).sum(), x + y

    x, y = ms.Tensor([10.0, 20.0]), ms.Tensor([1.0, 1.0])
    for wrap in (lambda f: f, ms.jit):
        found = wrap(lambda a, b: ms.grad(net, (0, 1), weight, has_aux=True)(a, b))(x, y)
        ((dx, dy), dw), (aux,) = found
        assert dx.asnumpy().tolist() == [2.0, 3.0]
        assert dy.asnumpy().tolist() == [1.0, 1.0]
        assert dw.asnumpy().tolist() == [10.0, 20.0]
        assert aux.asnumpy().tolist() == [11.0, 21.0]


def test_unused_and_integer_inputs():
    for wrap in (lambda f: f, ms.jit):
        dx, dy = wrap(lambda a, b: ms.grad(lambda x, y: x * 2, (0, 1))(a, b))(
            ms.Tensor(1.0), ms.Tensor(5.0)
        )
        assert (float(dx), float(dy)) == (2.0, 0.0)
        cube = wrap(lambda a: ms.grad(lambda x: x**3 + 2 * x)(a))(ms.Tensor(2))
        assert (str(cube.dtype), int(cube)) == ("Int64", 14)


def test_value_and_grad_in_both_modes():
    for wrap in (lambda f: f, ms.jit):
        value, (dx, dy) = wrap(
            lambda a, b: ms.value_and_grad(lambda x, y: x * x * y, (0, 1))(a, b)
        )(ms.Tensor(2.0), ms.Tensor(3.0))
        assert (float(value), float(dx), float(dy)) == (12.0, 12.0, 4.0)


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["eager", "graph"])
@pytest.mark.parametrize(
    ("position", "kind", "text"),
    [
        ([0], TypeError, "'grad_position' must be int or tuple"),
        (-1, ValueError, "grad_position must be >= 0."),
        ((0, 0), ValueError, "duplicate positions"),
        (None, ValueError, "can not be None at the same time"),
        (2, (RuntimeError, IndexError), "Position index 2 is exceed input size."),
    ],
)
def test_wrong_positions(wrap, position, kind, text):
    with pytest.raises(kind, match=text):
        wrap(lambda x: ms.grad(lambda a: a * a, position)(x))(ms.Tensor(1.0))


def test_a_structure_with_a_number_in_it():
    def f(x):
        return ms.grad(lambda q: q[0] * q[0] * q[1])((x, 3.0))

    dx, nothing = ms.jit(f)(ms.Tensor(2.0))
    assert (float(dx), nothing) == (12.0, 0.0)
