"""Forward mode with effects, with what Python calculates, with gradients of one's own, eagerly."""

import numpy as np
import pytest
from forward_graphs import graph_of, graph_tangents, quadratic, ran, tangents

import ms_ext as ms
from ms_ext import Tensor, nn, ops
from ms_ext.engine.autodiff import jvp, pushforward, vjp
from ms_ext.engine.forward_eager import pushforward_eager
from ms_ext.engine.infer import abstract_of
from ms_ext.engine.ir import CALL, FuncGraph
from ms_ext.engine.tape import differentiate

ONE = np.asarray(1.0)


def at(x):
    return np.asarray(x, np.float64)


# effects and objects ------------------------------------------------------------------------------


def test_effects_happen_once(capsys):
    def said(x):
        for _ in range(20):
            if x < 8:
                print("x", x)
                x = x * x
        return x

    for tangents_of in (graph_tangents, tangents):
        assert tangents_of(said, [at(2.0)], [ONE])[1][0] == 32
        assert capsys.readouterr().out.split().count("x") == 2


def picked(x):
    y = x[x > 0]
    return (y * y * y * 2.0).sum()


def test_what_python_calculates():
    x, d = np.array([1.0, -2.0, 3.0]), np.array([1.0, 0.5, -1.0])
    graph = graph_of(picked, x)
    made = FuncGraph("along", graph.where)
    a, da = (made.add_parameter(abstract_of(x), name) for name in ("x", "dx"))
    (value, _), (tangent, _) = pushforward(made, graph, [a], [da])
    made.returns(value, tangent)
    assert [float(r) for r in ran(made, x, d)] == [56, 6 - 54]
    gradient = jvp(vjp(graph, [True, False]), [True, False])
    np.testing.assert_array_equal(ran(gradient, x, 1, d), [[6, 0, 54], [12, 0, -36]])
    np.testing.assert_array_equal(tangents(ms.grad(picked), [x], [d])[1][0], [12, 0, -36])


def unpacked(x):
    a, b = ops.split(x[x > 0] * x[x > 0], 1)
    return (a * b * 2.0).sum()


def one_by_one(x):
    total = 0.0
    for part in ops.split(x[x > 0], 1):
        total = total + (part * part * part).sum()
    return total


def chosen(x):
    y = x[x > 0]
    held = (y * 2.0, [y * y, 3])
    return ((held[1][0] if y.sum() > 0 else held[0]) * y).sum()


def picked_from_a_list(x, index=Tensor(1)):  # noqa: B008
    return ([x * 2.0, x * x * x][index]).sum()


@pytest.mark.parametrize("function", [unpacked, one_by_one, chosen, picked_from_a_list])
def test_tensors_in_lists_and_tuples_that_python_makes(function):
    """In both modes, forwards and in reverse, to second order."""
    x, d = Tensor(np.array([1.0, -2.0, 3.0])), Tensor(np.array([1.0, 0.5, -1.0]))
    ways = [
        lambda x, d: ms.jvp(function, x, d)[1],
        lambda x, d: (ms.grad(function)(x) * d).sum(),
        lambda x, d: ms.jvp(ms.grad(function), x, d)[1],
        lambda x, d: ms.grad(lambda x: ms.jvp(function, x, d)[1])(x),
        lambda x, d: ms.grad(lambda x: (ms.grad(function)(x) * d).sum())(x),
    ]
    eager = [way(x, d).tolist() for way in ways]
    assert eager[0] == eager[1] != 0 and eager[2] == eager[3] == eager[4]
    assert [ms.jit(way)(x, d).tolist() for way in ways] == eager


# eager mode ---------------------------------------------------------------------------------------


def test_the_function_runs_once_and_gets_what_does_not_move_as_it_is():
    seen = []

    def function(x, word, y):
        seen.append((word, y))
        return {"a": x * y, "b": [x > 0, (y, word)]}

    y = Tensor(3.0)
    outputs, found = pushforward_eager(function, (Tensor(2.0), "w", y), (Tensor(1.0), None, None))
    assert seen == [("w", y)] and outputs["b"][1] == (y, "w")
    assert [t and t.tolist() for t in found] == [3.0, None, 0.0]


def test_inputs_and_constants_as_outputs():
    one = Tensor([1.0, 2.0])
    outputs, found = pushforward_eager(lambda x, y: (x, one, y, x), (one, one), (one, one * 2))
    assert [t.tolist() for t in found] == [[1, 2], [0, 0], [2, 4], [1, 2]]
    assert [t.tolist() for t in outputs] == [[1, 2]] * 4


def test_a_tangent_inside_a_gradient():
    """The gradient with respect to what the function closes over, its input and the direction."""

    def outer(a, x, d):
        return pushforward_eager(lambda x: a * x * x * x, (x,), (d,))[1][0]

    given = [Tensor(at(v)) for v in (2.0, 3.0, 5.0)]
    _, found, _ = differentiate(outer, given, (0, 1, 2))
    assert [float(g) for g in found] == [3 * 9 * 5, 6 * 2 * 3 * 5, 3 * 2 * 9]


def test_writes_move_along():
    def function(x):
        y = x * 1.0
        y[0] = y[1] * y[1]
        y += x
        return y

    for found in (
        tangents(function, [np.array([2.0, 3.0])], [np.array([1.0, 10.0])]),
        graph_tangents(function, [np.array([2.0, 3.0])], [np.array([1.0, 10.0])]),
    ):
        assert found[1][0].tolist() == [61, 20]


def test_compiled_functions_in_eager_mode():
    compiled = ms.jit(quadratic)
    x, d = np.array([0.3, -1.2, 0.8]), np.array([1.0, 2.0, 3.0])
    for function, plain in ((compiled, quadratic), (ms.grad(compiled), ms.grad(quadratic))):
        one, other = (tangents(f, [x], [d])[1][0] for f in (function, plain))
        np.testing.assert_allclose(one, other, rtol=1e-11)


def test_nothing_is_left_on_the_tape_after_an_error():
    def fails(x):
        raise ValueError(x.shape)

    for _ in range(2):
        with pytest.raises(ValueError):
            pushforward_eager(fails, (Tensor(1.0),), (Tensor(1.0),))
    assert float(ms.grad(lambda x: x * x)(Tensor(3.0))) == 6


# gradients of one's own ---------------------------------------------------------------------------


class Scaled(nn.Cell):
    """A Cell whose bprop is not the gradient of what it calculates."""

    def construct(self, x, y):
        return x * x * y, x + y

    def bprop(self, x, y, out, dout):
        return dout[0] * 5 * x + dout[1] * out[1], dout[0] * 7


def test_a_bprop_of_ones_own_counts_forwards_too():
    cell, x, y = Scaled(), at(2.0), at(3.0)
    expected = [5 * 2 * 1 + 7 * 10, 5 * 1]
    for tangents_of in (tangents, graph_tangents):
        found = tangents_of(lambda x, y: cell(x, y), [x, y], [ONE, at(10.0)])
        assert found == ([12, 5], expected)
    graph = graph_of(lambda x, y: cell(x, y), x, y)
    backwards = vjp(jvp(graph), [False, False, True, False])  # of 5 x dx + 7 dy
    assert ran(backwards, x, y, ONE, at(10.0), ONE) == [5, 0, 10, 7]
    twice = jvp(jvp(graph), [True, False, False, False])
    assert ran(twice, x, y, ONE, at(10.0), ONE)[-2:] == [5, 5]  # of 5 x dx + 7 dy, and of out dx


def test_a_hook_is_called_once(capsys):
    def hook(gradient):
        print("called")
        return gradient * 2

    def hooked(x):
        y = x * x
        y.register_hook(hook)
        return y * 3

    for tangents_of in (tangents, graph_tangents):
        assert tangents_of(hooked, [at(2.0)], [ONE]) == ([12], [24])
        assert capsys.readouterr().out.count("called") == 1


class Block(nn.Cell):
    """A block for ``recompute``."""

    def construct(self, x):
        return quadratic(x)


def test_a_block_that_is_calculated_again():
    block = Block()

    def recomputed(x):
        return ms.recompute(block, x) * 2

    x, d = np.array([0.3, -1.2, 0.8]), np.array([1.0, 2.0, 3.0])
    expected = tangents(quadratic, [x], [d])[1][0] * 2
    for tangents_of in (tangents, graph_tangents):
        np.testing.assert_allclose(tangents_of(recomputed, [x], [d])[1][0], expected)
    made = jvp(graph_of(recomputed, x))
    blocks = [node for node in made.order() if node.primitive is CALL]
    assert [node.attributes for node in blocks] == [{"recompute": True}]
