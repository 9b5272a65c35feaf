"""Forward mode through programs: control flow, any order with reverse mode, size, time, effects."""

from functools import reduce
from itertools import product

import numpy as np
import pytest
from forward_graphs import (
    calls,
    forward,
    forward_graph,
    graph_of,
    graph_tangents,
    quadratic,
    ran,
    reverse,
    reverse_graph,
    tangents,
)  # fmt: skip
from loop_programs import LOOPS
from test_autodiff import BACKENDS, PROGRAMS

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext.engine.autodiff import jvp, vjp
from ms_ext.engine.infer import abstract_of
from ms_ext.engine.ir import CALL, FuncGraph, dump, load, verify

ONE = np.asarray(1.0)


def at(x):
    return np.asarray(x, np.float64)


# control flow -------------------------------------------------------------------------------------


def slope(function, x, direction, step=1e-6):
    ends = [function(Tensor(x + sign * step * direction)) for sign in (1, -1)]
    up, down = (r[0] if isinstance(r, tuple) else r for r in ends)
    return (up.asnumpy() - down.asnumpy()) / (2 * step)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program, given", LOOPS, ids=lambda v: getattr(v, "__name__", str(v)))
def test_loops_against_central_differences(program, given, backend):
    x = at(given[0])
    direction = np.linspace(0.5, 1.5, max(x.size, 1)).reshape(x.shape)
    expected = slope(program, x, direction)
    for found in (
        graph_tangents(program, [x], [direction], backend)[1][0],
        tangents(program, [x], [direction])[1][0],
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [1.7, 3.2])
def test_forward_is_reverse_in_one_direction(program, x):
    graph = graph_of(program, at(x))
    (gradient,) = ran(vjp(graph), at(x), ONE)
    _, tangent = ran(jvp(graph), at(x), ONE)
    assert tangent == pytest.approx(gradient, rel=1e-12)


ORDERS = [ways for n in (1, 2, 3) for ways in product("fr", repeat=n) if "f" in ways]
ALL, SOME = ORDERS, [("f", "f", "f"), ("r", "f", "r")]
GRAPH_WAYS, EAGER_WAYS = {"f": forward_graph, "r": reverse_graph}, {"f": forward, "r": reverse}


def in_reverse(program, order, x):
    """A derivative that is compared with differences where reverse mode is tested."""
    return float(reduce(lambda f, _: reverse(f), range(order), program)(Tensor(x)))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_graphs_to_third_order_forwards_and_in_reverse(program, backend):
    x = at(2.4)
    expected = {order: in_reverse(program, order, x) for order in (1, 2, 3)}
    for ways in ALL if backend == "reference" else SOME:
        graph = reduce(lambda g, way: GRAPH_WAYS[way](g), ways, graph_of(program, x))
        found = ran(graph, x, backend=backend)[0]
        assert found == pytest.approx(expected[len(ways)], rel=1e-9), ways


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_eager_mode_to_third_order_forwards_and_in_reverse(program):
    x = at(2.4)
    for ways in [ways for ways in ALL if len(ways) < 3] + SOME:
        eager = reduce(lambda f, way: EAGER_WAYS[way](f), ways, program)
        expected = in_reverse(program, len(ways), x)
        assert float(eager(Tensor(x))) == pytest.approx(expected, rel=1e-9), ways


def test_hessian_forward_over_reverse_is_reverse_over_reverse():
    x = np.array([0.3, -1.2, 0.8])
    graph = graph_of(quadratic, x)
    gradient = vjp(graph)
    once, twice = jvp(gradient, [True, False]), vjp(gradient)
    eager = ms.grad(quadratic)
    for row in np.eye(3):
        products = [
            ran(once, x, ONE, row)[1],
            ran(twice, x, ONE, row)[0],
            tangents(eager, [x], [row])[1][0],
        ]
        for found in products[1:]:
            np.testing.assert_allclose(found, products[0], rtol=1e-11)
        step = 1e-6 * row
        ends = [eager(Tensor(x + d)).asnumpy() for d in (step, -step)]
        np.testing.assert_allclose(products[0], (ends[0] - ends[1]) / 2e-6, rtol=1e-6)


def test_graphs_with_tangents_are_whole():
    for program in PROGRAMS:
        graph = graph_of(program, at(1.7))
        for _ in range(3):
            graph = verify(jvp(graph))
            assert dump(load(dump(graph))).count("\n") == dump(graph).count("\n")


def later(x, y):
    """What moves: in turn 1 a, in turn 2 b, in turn 3 c; d never."""
    a = b = c = d = y * 1.0
    for _ in range(20):
        a, b, c, d = x * y, a + 1.0, b * b, d * 2.0
        if d > 1e9:
            d = y * 1.0
    return c, d


def test_a_loop_carries_what_moves_in_some_turn_only():
    graph = graph_of(later, at(2.0), at(3.0))
    made = jvp(graph, [True, False])
    _, _, dc, dd = ran(made, at(2.0), at(3.0), ONE)
    assert (dc, dd) == (2 * 7 * 3, 0)
    loops = [
        [n.attrs["carried"] for n in g.order() if n.primitive.name == "For"] for g in (graph, made)
    ]
    assert loops == [[4], [4 + 3]]


def test_branches_return_the_same_tangents():
    def chosen(x, y):
        return (x * x, y * 2.0) if x > 1 else (y, y)

    for x in (2.0, 0.5):
        made = jvp(graph_of(chosen, at(x), at(3.0)), [True, False])
        assert [r.item() for r in ran(made, at(x), at(3.0), ONE)[2:]] == [4.0 * (x > 1), 0]


def test_what_does_not_move_stays_as_it_is():
    graph = graph_of(lambda x, y: quadratic(x) + y, np.ones(3), at(1.0))
    made = jvp(graph, [False, True])
    assert calls(made) == calls(graph)

    def counted(x):
        i = 0
        for _ in range(20):
            if x > 3:
                i = i + 1
        return i

    graph = graph_of(counted, at(20.0))
    assert calls(jvp(graph)) == calls(graph)


# calls --------------------------------------------------------------------------------------------


def power(x, n):
    if n < 1:
        return x * 0.0 + 1.0
    return power(x, n - 1) * x


def test_recursion_on_a_tensor():
    graph = graph_of(power, at(1.5), np.asarray(4))
    made = verify(jvp(graph, [True, False]))
    assert ran(made, at(1.5), np.asarray(4), ONE)[1] == pytest.approx(4 * 1.5**3)
    again = jvp(graph_of(power, at(1.5), np.asarray(4)), [True, False])
    second = jvp(again, [True, False, False])
    assert ran(second, at(1.5), np.asarray(4), ONE, ONE)[3] == pytest.approx(12 * 1.5**2)


def test_calls_of_one_graph_share_the_one_with_tangents():
    called = graph_of(ops.sin, at(1.0))
    graph = FuncGraph("thrice")
    x = graph.add_parameter(abstract_of(at(1.0)), "x")
    y = x
    for _ in range(3):
        y = graph.add(CALL, (y,), None, (called,))
    graph.returns(y)
    made = jvp(graph)
    targets = {node.graphs[0] for node in made.order() if node.primitive is CALL}
    assert len(targets) == 1
    expected = forward(lambda x: ops.sin(ops.sin(ops.sin(x))))(Tensor(ONE))
    assert ran(made, ONE, ONE)[1] == pytest.approx(float(expected))


# open sizes ---------------------------------------------------------------------------------------


def test_one_graph_serves_all_sizes():
    def function(x):
        y = ops.relu(x * 2.0) + x.sum(0).mean()
        for _ in range(20):
            y = ops.sin(y) + x * 0.1
        return ops.softmax(y, 0)[1:] * x.shape[0], y.sum(1)

    def along(x):
        return ms.jvp(function, x, x * 0.5)[1]

    plain, made = ms.jit(function, dynamic=1), ms.jit(along, dynamic=1)
    for count in (5, 3, 7, 2):
        x = Tensor(np.random.default_rng(count).standard_normal((count, 3)))
        plain(x)
        for one, other in zip(made(x), along(x), strict=True):
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-12)
    assert made.compiled == plain.compiled < 4
