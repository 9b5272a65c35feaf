"""The tangent of every op, which follows from its bprop: the slope, and dual to the gradient."""

import zlib

import numpy as np
import pytest
from forward_graphs import forward, graph_of, graph_tangents, ran, tangents
from op_samples import described, flat, run
from test_op_gradients import OPS, samples

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext.engine import errors, primitive
from ms_ext.engine.autodiff import jvp, tangent_rule, vjp
from ms_ext.engine.infer import AbstractTensor, abstract_of
from ms_ext.engine.primitive import op


def function_of(op, operands, attributes, positions):
    """The op's results as a function of its floating operands."""

    def function(*varied):
        values = [Tensor(v) if isinstance(v, np.ndarray) else v for v in operands]
        for position, value in zip(positions, varied, strict=True):
            values[position] = value
        return flat(run(op, values, attributes))

    return function


def differences(function, arrays, directions, step=1e-6):
    """The change of the results along the directions, by central differences."""
    moved = [
        function(*[Tensor(a + sign * step * d) for a, d in zip(arrays, directions, strict=True)])
        for sign in (1, -1)
    ]
    both = zip(*[[r.asnumpy().astype(float) for r in results] for results in moved], strict=True)
    return [(up - down) / (2 * step) for up, down in both]


def dual(function, arrays, directions, found):
    """u . J v and (transposed(J) u) . v for random u: equal where both modes are right."""
    graph = graph_of(function, *arrays)
    floats = [node.abstract.dtype.kind == "float" for node in graph.outputs]
    moved = [t for t, is_float in zip(found, floats, strict=True) if is_float]
    rng = np.random.default_rng(7)
    douts = [rng.uniform(-1, 1, t.shape) for t in moved]
    gradients = ran(vjp(graph, floats), *arrays, *douts)
    one = sum((u * t).sum() for u, t in zip(douts, moved, strict=True))
    return one, sum((g * d).sum() for g, d in zip(gradients, directions, strict=True))


def check(function, arrays, directions, what):
    values, eager = tangents(function, arrays, directions)
    _, graph = graph_tangents(function, arrays, directions)
    slopes = differences(function, arrays, directions)
    for value, one, other, slope in zip(values, eager, graph, slopes, strict=True):
        if value.dtype.kind != "f":
            continue
        assert one.shape == other.shape == value.shape and one.dtype == other.dtype == "f8", what
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14, err_msg=what)
        np.testing.assert_allclose(other, slope, rtol=2e-5, atol=2e-7, err_msg=what)
    one, other = dual(function, arrays, directions, graph)
    assert one == pytest.approx(other, rel=1e-12, abs=1e-13), what


@pytest.mark.parametrize("name", OPS)
def test_the_tangent_of_an_op_is_the_slope(name):
    rng = np.random.default_rng(3)
    for operands, attributes, positions in samples(OPS[name], zlib.crc32(name.encode())):
        function = function_of(OPS[name], operands, attributes, positions)
        arrays = [operands[i] for i in positions]
        directions = [np.asarray(rng.uniform(-1, 1, a.shape)) for a in arrays]
        check(function, arrays, directions, described(OPS[name], operands, attributes))


@pytest.mark.parametrize("name", OPS)
def test_one_moving_operand_at_a_time(name):
    """What an op gives in each direction alone adds up to what it gives in all."""
    op, rng = OPS[name], np.random.default_rng(3)
    for operands, attributes, positions in list(samples(op, zlib.crc32(name.encode())))[:1]:
        arrays = [operands[i] for i in positions]
        graph = graph_of(function_of(op, operands, attributes, positions), *arrays)
        directions = [np.asarray(rng.uniform(-1, 1, a.shape)) for a in arrays]
        count = len(graph.outputs)
        together = ran(jvp(graph), *arrays, *directions)[count:]
        alone = [
            ran(jvp(graph, [i == k for i in range(len(arrays))]), *arrays, directions[k])[count:]
            for k in range(len(arrays))
        ]
        for whole, *parts in zip(together, *alone, strict=True):
            np.testing.assert_allclose(sum(parts), whole, rtol=1e-12, atol=1e-14)


# drawn shapes -------------------------------------------------------------------------------------

#: Functions of two tensors that broadcast.
PAIRS = {
    "arithmetic": lambda x, y: x * y - x / (y * y + 1.0) + 2.0 * y,
    "power": lambda x, y: (x * x + 0.5) ** y,
    "selection": lambda x, y: ops.where(x > y, x * y, ops.sin(y)),
    "extremes": lambda x, y: (ops.maximum(x, y) * ops.minimum(x * 2.0, y), x),
    "sums": lambda x, y: ((x * y).sum(), (x + y).sum(-1), ops.amax(x - y)),
    "several": lambda x, y: (ops.exp(x), x > y, ops.tanh(x + y)),
}


def drawn_shapes(rng, sizes):
    """Two shapes that broadcast with each other."""
    whole = [int(rng.choice(sizes)) for _ in range(rng.integers(1, 4))]
    one, other = (
        tuple(1 if rng.random() < 0.3 else n for n in whole[rng.integers(0, len(whole)) :])
        for _ in range(2)
    )
    return (tuple(whole), other) if rng.random() < 0.5 else (one, tuple(whole))


def check_pair(name, seed, sizes):
    rng = np.random.default_rng(seed)
    shapes = drawn_shapes(rng, sizes)
    arrays, directions = ([np.asarray(rng.uniform(-2, 2, s)) for s in shapes] for _ in range(2))

    def function(x, y):
        return flat(PAIRS[name](x, y))

    check(function, arrays, directions, f"{name} on {shapes}, seed {seed}")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", PAIRS)
def test_drawn_shapes_with_broadcasting(name, seed):
    check_pair(name, seed, (1, 2, 3))


@pytest.mark.long
@pytest.mark.parametrize("name", PAIRS)
def test_many_drawn_shapes(name):
    for seed in range(100, 250):
        check_pair(name, seed, (1, 2, 3, 5))


@pytest.mark.parametrize("shapes", [((0,), (0,)), ((2, 0), (1,)), ((0, 3), (3,)), ((3, 1), (3, 0))])
@pytest.mark.parametrize("name", sorted(set(PAIRS) - {"sums"}))
def test_no_elements(name, shapes):
    arrays = [np.ones(shape) for shape in shapes]
    check(lambda x, y: flat(PAIRS[name](x, y)), arrays, arrays, name)


def test_views_move_as_copies_do():
    x = np.arange(12.0).reshape(3, 4)
    for view in (x.T, x[::-1, ::2], x[:, 1:3], np.broadcast_to(x[0], (5, 4))):
        one, other = (
            tangents(lambda x: ops.sin(x) * x, [array], [array * 0.5])[1]
            for array in (view, view.copy())
        )
        np.testing.assert_array_equal(one, other)


# dtypes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "bfloat16"])
def test_a_tangent_has_its_values_dtype(kind):
    dtype = getattr(ms, kind)
    x, y = Tensor([1.5, 2.0], dtype), Tensor(2.0)

    def function(x, y):
        return x * y + y.astype(dtype), x.astype(ms.float32) / y

    outputs, eager = ms.engine.forward_eager.pushforward_eager(function, (x, y), (x, y))
    graph = ms.engine.jit.trace(function, x, y)
    kinds = [node.abstract for node in jvp(graph).outputs]
    assert kinds[:2] == kinds[2:] == [abstract_of(out) for out in outputs]
    assert [abstract_of(t) for t in eager] == kinds[2:]


def test_what_is_no_float_or_does_not_depend_has_no_tangent_of_its_own():
    x, i = np.array([1.0, -2.0]), np.array([1, 0])

    def function(x, i):
        return x > 0, ops.floor(x) + i, ops.stop_gradient(x), i * 2, x[i] * 2.0

    graph = graph_of(function, x, i)
    made = jvp(graph, [True, False])
    assert len(made.outputs) == 5 + 4  # a bool has none
    floor, stopped, index, gathered = ran(made, x, i, np.array([1.0, 10.0]))[5:]
    assert not floor.any() and not stopped.any() and not index.any()
    assert gathered.tolist() == [20.0, 2.0]


def test_whole_numbers_move_as_they_do_backwards():
    cube = forward(lambda x: x**3 + 2 * x)(Tensor(2))
    assert (str(cube.dtype), int(cube)) == ("Int64", 14)


# the rules ----------------------------------------------------------------------------------------

VECTOR = AbstractTensor(ms.float64, (3,))


@pytest.mark.parametrize(
    "name, moving, expected",
    [
        ("Sin", (True,), ["Cos", "Mul"]),
        ("Exp", (True,), ["Mul"]),  # what the op gave is not calculated again
        ("Tanh", (True,), ["Mul", "Sub", "Mul"]),
        ("Mul", (True, False), ["Mul"]),
        ("Mul", (True, True), ["Mul", "Mul", "Add"]),
        ("Add", (False, True), []),
        ("Add", (True, True), ["Add"]),
    ],
)
def test_rules_are_as_short_as_one_would_write_them(name, moving, expected):
    rule = tangent_rule.rule_of(primitive.OPS[name], (VECTOR,) * len(moving), {}, moving)
    assert [call.primitive.name for call in rule.graph.order()] == expected


def test_a_rule_is_derived_once():
    getitem, kinds = primitive.slot_op("getitem"), (AbstractTensor(ms.float64, (3, 4)),)
    found = [
        tangent_rule.rule_of(getitem, kinds, {"index": (slice(0, 2), number)}, (True,))
        for number in (1, 1, -1)
    ]
    assert found[0] is found[1] is not found[2]


def test_an_op_that_is_declared_again_has_a_new_tangent():
    def declared(factor):
        @op()
        class Elongated:
            """A multiple of x."""

            def infer(x):
                return x

            def compute(x):
                return x * factor

            def bprop(_x, _out, dout):
                return (dout * factor,)

        return Elongated

    for factor in (2.0, 3.0):
        stretched = declared(factor)
        assert graph_tangents(stretched, [np.ones(2)], [np.ones(2)])[1][0][0] == factor


def test_an_op_of_ones_own():
    def bprop(x, out, dout):
        return dout * out

    own = ops.Custom(np.exp, lambda shape: shape, lambda dtype: dtype, bprop=bprop)
    x = np.array([0.5, -1.0])
    for found in (tangents(own, [x], [x]), graph_tangents(own, [x], [x])):
        np.testing.assert_allclose(found[1][0], np.exp(x) * x)


def test_an_op_without_a_gradient_says_so():
    own = ops.Custom(np.exp, lambda shape: shape, lambda dtype: dtype)
    with pytest.raises(errors.NotRunnable, match="bprop not defined"):
        graph_tangents(own, [np.ones(2)], [np.ones(2)])
    with pytest.raises(errors.NotRunnable, match="bprop not defined"):
        tangents(own, [np.ones(2)], [np.ones(2)])


def test_a_bprop_that_asks_for_elements_is_refused_with_its_place():
    def bprop(x, out, dout):
        return dout * float(x[0])

    own = ops.Custom(np.exp, lambda shape: shape, lambda dtype: dtype, bprop=bprop)
    with pytest.raises(errors.NotRunnable, match="asks for elements, so in a graph") as caught:
        graph_tangents(own, [np.ones(2)], [np.ones(2)])
    assert caught.value.where.line == bprop.__code__.co_firstlineno
