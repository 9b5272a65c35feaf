"""Gradients in eager mode: nesting, higher order, kept values, in-place writes, long tapes."""

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine import primitive
from ms_ext.engine.primitive import op
from ms_ext.engine.tape import differentiate, record
from ms_ext.engine.tensor import Tensor, core


def grad(f, position=0):
    return lambda *xs: differentiate(f, xs, (position,))[1][0]


def cube(x):
    return x * x * x + 2 * x


X = Tensor([1.0, 2.0, 3.0])


@op()
class Halves:
    """Two results, one of which may stay unused."""

    outputs = 2

    def compute(x):
        half = x.shape[0] // 2
        return x[:half] * 1, x[half:] * 1

    def bprop(_x, _out, dout):
        return ops.concat(dout)


@op(operands="promote")
class Shifted:
    """An attribute that the bprop reads, and one that it does not."""

    def compute(x, *, by, plus=0):
        return x * x.dtype.type(by) + x.dtype.type(plus)

    def bprop(_x, _out, dout, *, by):
        return (dout * by,)


# values ----------------------------------------------------------------------------------------


def test_first_second_third_derivative():
    x = Tensor(2.0)
    assert [f(x).item() for f in (grad(cube), grad(grad(cube)), grad(grad(grad(cube))))] == [
        14,
        12,
        6,
    ]


def test_third_derivative_of_sin_of_square():
    x = np.float64(0.7)
    got = grad(grad(grad(lambda t: ops.sin(t * t))))(Tensor(x)).item()
    assert got == pytest.approx(-12 * x * np.sin(x * x) - 8 * x**3 * np.cos(x * x), rel=1e-12)


def test_mixed_derivative_and_captured_values():
    f = lambda x, y: x * x * y + y  # noqa: E731
    assert grad(lambda y: grad(lambda x: f(x, y))(Tensor(2.0)))(Tensor(3.0)).item() == 4
    outer = Tensor(3.0)
    assert (
        grad(lambda x: x * outer + outer)(Tensor(2.0)).item() == 3
    )  # what is captured is a constant


def test_the_inner_gradient_sees_its_own_variable_only():
    """d/dx (x * d/dy (x + y)): perturbation confusion would give 2."""
    assert grad(lambda x: x * grad(lambda y: x + y)(Tensor(1.0)))(Tensor(1.0)).item() == 1


@pytest.mark.parametrize(
    ("x", "dtype"),
    [
        (2, "Int64"),
        (2.0, "Float32"),
        (np.float16(2), "Float16"),
        (np.float64(2), "Float64"),
        (np.int8(2), "Int8"),
    ],
)
def test_a_gradient_has_its_inputs_dtype(x, dtype):
    got = grad(cube)(Tensor(x))
    assert (got.item(), str(got.dtype)) == (14, dtype)


def test_gradients_of_a_promotion_go_back_to_each_dtype():
    x, y = Tensor([1, 2], dtypes.float16), Tensor([3.0, 4.0])
    _, (dx, dy), _ = differentiate(lambda a, b: a * b, (x, y), (0, 1))
    assert (dx.dtype, dx.tolist(), dy.dtype, dy.tolist()) == (
        dtypes.float16,
        [3, 4],
        dtypes.float32,
        [1, 2],
    )


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 2), (2,)),
        ((3, 1), (4,)),
        ((), (2, 3)),
        ((1,), (1, 1)),
        ((2, 3, 4), (3, 1)),
        ((0, 3), (3,)),
    ],
)
def test_broadcast_operands_get_sums(shapes):
    arrays = [np.random.default_rng(0).normal(size=s) for s in shapes]
    _, grads, _ = differentiate(lambda a, b: a * b, tuple(map(Tensor, arrays)), (0, 1))
    full = np.ones(np.broadcast_shapes(*shapes))
    for i, (got, shape) in enumerate(zip(grads, shapes, strict=True)):
        other = np.broadcast_to(arrays[1 - i], full.shape)
        axes = tuple(range(full.ndim - len(shape))) + tuple(
            k + full.ndim - len(shape)
            for k, n in enumerate(shape)
            if n == 1 and full.shape[k + full.ndim - len(shape)] != 1
        )
        np.testing.assert_allclose(got.asnumpy(), other.sum(axis=axes).reshape(shape), rtol=1e-12)


def test_sums_and_casts_of_gradients_have_gradients():
    """Second derivative through a broadcast, and through a promotion."""
    f = lambda x: ops.sum(Tensor(np.arange(3.0)) * x * x)  # noqa: E731
    assert grad(grad(f))(Tensor(np.float64(2))).item() == 6
    assert grad(grad(lambda x: x * Tensor(3.0) * x))(Tensor(2.0, dtypes.float16)).item() == 6


def test_numbers_on_either_side():
    for f, expected in [
        (lambda x: 3 * x, 3),
        (lambda x: x * 3, 3),
        (lambda x: 3 - x, -1),
        (lambda x: 6 / x, -1.5),
        (lambda x: 2.0**x, 4 * np.log(2)),
    ]:
        assert grad(f)(Tensor(2.0)).item() == pytest.approx(expected)


def test_unused_constant_and_undifferentiable():
    assert [
        g.item() for g in differentiate(lambda a, b: a * 2, (Tensor(1.0), Tensor(3)), (0, 1))[1]
    ] == [2, 0]
    assert grad(lambda x: Tensor(5.0))(X).tolist() == [0, 0, 0]
    assert grad(lambda x: ops.argmax(x))(X).tolist() == [0, 0, 0]
    assert grad(lambda x: x > 1)(X).tolist() == [0, 0, 0]


def test_the_input_itself_may_be_returned():
    assert grad(lambda x: x)(X).tolist() == [1, 1, 1]
    assert grad(lambda x: (x, x * 2))(X).tolist() == [3, 3, 3]


def test_several_outputs_sens_and_aux():
    two = lambda x, y: (x * y, x + y)  # noqa: E731
    inputs = (Tensor(2.0), Tensor(3.0))
    assert [g.item() for g in differentiate(two, inputs, (0, 1))[1]] == [4, 3]
    assert [
        g.item() for g in differentiate(two, inputs, (0, 1), sens=(Tensor(1.0), Tensor(10.0)))[1]
    ] == [13, 12]
    assert [g.item() for g in differentiate(two, inputs, (0, 1), sens=(Tensor(1.0), 10))[1]] == [
        13,
        12,
    ]
    out, (dx,), _ = differentiate(two, inputs, (0,), has_aux=True)
    assert (dx.item(), out[1].item()) == (3, 5)
    assert grad(lambda x: x * x)(X).tolist() == [2, 4, 6]
    weighed = differentiate(lambda x: x * x, (X,), (0,), sens=Tensor([1.0, 10.0, 100.0]))[1][0]
    assert weighed.tolist() == [2, 40, 600]


def test_parameters_are_weights():
    w, b = Parameter(Tensor([2.0, 3.0]), name="w"), Parameter(Tensor(1.0), name="b")
    out, (dx,), (dw, db) = differentiate(
        lambda x: ops.sum(w * x + b), (Tensor([10.0, 20.0]),), (0,), (w, b)
    )
    assert (dx.tolist(), dw.tolist(), db.item()) == ([2, 3], [10, 20], 2)
    assert type(out) is Tensor and type(dw) is Tensor
    second = grad(lambda x: differentiate(lambda: ops.sum(w * w * x), (), (), (w,))[2][0])(
        Tensor(1.0)
    )
    assert second.item() == 10  # d/dx of 2 w x, summed


def test_a_weight_inside_and_outside():
    w = Parameter(Tensor(3.0), name="w")
    inner = lambda: differentiate(lambda: w * w * w, (), (), (w,))[2][0]  # noqa: E731
    assert differentiate(inner, (), (), (w,))[2][0].item() == 18
    assert differentiate(lambda: inner() * w, (), (), (w,))[2][0].item() == 81


def test_indexing_and_shape_have_gradients():
    assert grad(lambda a: a[1] * a[0])(X).tolist() == [2, 1, 0]
    assert grad(lambda a: a[Tensor([0, 0, 2])])(X).tolist() == [2, 0, 1]
    m = Tensor(np.arange(6.0).reshape(2, 3))
    assert grad(lambda a: a.T * Tensor([[1.0], [2.0], [3.0]]))(m).tolist() == [[1, 2, 3]] * 2
    assert grad(lambda a: [row * i for i, row in enumerate(a)])(m).tolist() == [[0] * 3, [1] * 3]


def test_several_results_of_one_op():
    x = Tensor([1.0, 2.0, 3.0, 4.0])
    assert grad(lambda a: Halves(a)[1] * 5)(x).tolist() == [0, 0, 5, 5]
    assert grad(lambda a: Halves(a)[0] * Halves(a)[1])(x).tolist() == [3, 4, 1, 2]
    assert grad(lambda a: grad(lambda b: Halves(b)[0] * Halves(b)[1])(a) * a)(x).tolist() == [
        6,
        8,
        2,
        4,
    ]


def test_attributes_reach_the_bprop():
    assert grad(lambda a: Shifted(a, 3))(X).tolist() == [3, 3, 3]
    assert grad(lambda a: Shifted(a, by=3, plus=1))(X).tolist() == [3, 3, 3]
    assert grad(lambda a: ops.sum(a, 0) * ops.softmax(a))(X).shape == (3,)


def test_recording_a_call_of_another_kind():
    def opaque(x, y):
        out = Tensor(x.asnumpy() * y.asnumpy()), Tensor(x.asnumpy() + 1)
        return record("opaque", (x, y), out, lambda d, e: (d * y + e, d * x))

    _, grads, _ = differentiate(lambda x, y: opaque(x, y)[0], (X, X), (0, 1))
    assert [g.tolist() for g in grads] == [[1, 2, 3]] * 2
    assert grad(lambda x: opaque(x, x)[1])(X).tolist() == [1, 1, 1]
    assert grad(grad(lambda x: opaque(x, x)[0]))(X).tolist() == [2, 2, 2]
    same = record("identity", (X,), (X,), lambda d: (d,))
    assert same[0] is X  # outside of differentiate nothing is recorded
    assert grad(lambda x: record("identity", (x,), (x,), lambda d: (d * 3,))[0])(X).tolist() == [
        3,
        3,
        3,
    ]


def test_recording_goes_on_under_an_interpreter():
    def f(x):
        with primitive.interpreting(core.default):
            return x * x

    assert grad(f)(X).tolist() == [2, 4, 6]


# long tapes --------------------------------------------------------------------------------------


def test_a_hundred_thousand_calls_need_no_stack():
    def f(x):
        y = x
        for _ in range(100_000 if core.__name__.endswith("kernels.tensor") else 20_000):
            y = y + x
        return y

    expected = f(Tensor(1.0)).item()
    assert grad(f)(Tensor(1.0)).item() == expected


@pytest.mark.long
def test_a_million_calls():
    def f(x):
        y = x
        for _ in range(1_000_000):
            y = y * 1.0
        return y

    assert grad(f)(X).tolist() == [1, 1, 1]
