"""``func_type="tbe"``: a formula is its NumPy meaning, its ops are what graphs see."""

import threading

import numpy as np
import pytest
from custom_ops import X, Y, value

from ms_ext import Tensor, dtype, graph, jit, kernels, ops
from ms_ext import grad as grad_of
from ms_ext.engine import errors
from ms_ext.engine.custom.formula import Formula

MODES = {"eager": lambda function: function, "graph": jit}


@pytest.fixture(params=MODES)
def mode(request):
    """Run a function as it is, or compiled."""
    return MODES[request.param]


def tbe(func, **more):
    return ops.Custom(func, func_type="tbe", **more)


def names_of(func_graph):
    return [node.primitive.name for node in func_graph.order()]


# tbe: what a formula says ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("exp(-x) * y + 1", lambda x, y: np.exp(-x) * y + 1),
        ("y, x -> x - y", lambda x, y: y - x),
        ("t = exp(-x); u = 1 + t\ny / u", lambda x, y: y / (1 + np.exp(-x))),
        ("x if x > y else 0.5 * x", lambda x, y: np.where(x > y, x, 0.5 * x)),
        (
            "x if 1 < x < y or not x > 0 else -y",
            lambda x, y: np.where((1 < x) & (x < y) | (x <= 0), x, -y),
        ),
        ("maximum(x, y) ** 2 % 5", lambda x, y: np.maximum(x, y) ** 2 % 5),
        ("vadds(vmuls(x, 3), 1) - vmin(x, y)", lambda x, y: 3 * x + 1 - np.minimum(x, y)),
        ("clamp(x, min=1.5, max=2 * pi) + y", lambda x, y: np.clip(x, 1.5, 2 * np.pi) + y),
        ("-(+x) // y", lambda x, y: -x // y),
    ],
)
def test_a_formula_is_its_numpy_meaning(text, meaning, mode):
    x, y = X - 1.5, Y[:1] / 4
    found = mode(tbe(text))(Tensor(x), Tensor(y))
    assert found.dtype is dtype.float32
    assert np.allclose(found.asnumpy(), meaning(x, y), rtol=1e-5)


def test_inputs_are_named_by_the_head_or_in_the_order_of_their_appearance():
    assert Formula("b * a + c * b").inputs == ("b", "a", "c")
    assert Formula("a, b, c -> b * a").inputs == ("a", "b", "c")
    assert Formula("t = x * e; t + pi * y").inputs == ("x", "y")


def test_several_results_and_functions_of_ops(mode):
    for func in ("x, y -> x + y, x * y", lambda x, y: (x + y, ops.mul(x, y))):
        found = mode(tbe(func))(Tensor(X), Tensor(Y))
        assert list(map(value, found)) == [(X + Y).tolist(), (X * Y).tolist()]


@pytest.mark.parametrize("kind", dtype.DTYPES)
def test_every_dtype_zero_size_strides_and_numbers(kind):
    op = tbe("x * x")
    x = Tensor([[0, 1], [1, 0]], kind)
    assert op(x).dtype is kind and value(op(x.T)) == value(x * x)
    assert op(Tensor(np.zeros((0, 3)), kind)).shape == (0, 3)


def test_dtypes_are_promoted_and_numbers_taken(mode):
    op = tbe("x * y + 1")
    assert mode(op)(Tensor([1, 2]), Tensor([0.5, 1.5])).dtype is dtype.float32
    assert value(mode(lambda x: op(x, 3))(Tensor([1, 2]))) == [4, 7]
    assert value(op(2.0, 3.0)) == 7
    assert value(mode(lambda y: op(2.0, 3.0) * y)(Tensor([2.0]))) == [14]


def test_the_gradient_is_that_of_the_ops_twice_and_in_both_modes(mode):
    op = tbe("exp(-x) * y + 1")
    dx, dy = mode(lambda x, y: grad_of(op, (0, 1))(x, y))(Tensor(X), Tensor(Y))
    assert np.allclose(dx.asnumpy(), -np.exp(-X) * Y) and np.allclose(dy.asnumpy(), np.exp(-X))
    twice = mode(lambda x, y: grad_of(lambda x: grad_of(op)(x, y).sum())(x))
    assert np.allclose(twice(Tensor(X), Tensor(Y)).asnumpy(), np.exp(-X) * Y)


def test_a_bprop_of_its_own_comes_first(mode):
    op = tbe("x * y", bprop=lambda x, y, out, dout: (dout * out, dout * 5))
    dx, dy = mode(lambda x, y: grad_of(op, (0, 1))(x, y))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == ((X * Y).tolist(), [[5, 5], [5, 5]])
    wrong = tbe("x * y", bprop=lambda x, y, out, dout: (dout,))
    with pytest.raises(errors.NotRunnable, match="returned 1 gradient"):
        mode(lambda x, y: grad_of(wrong)(x, y))(Tensor(X), Tensor(Y))


def test_a_formula_is_fused_with_its_neighbours():
    op = tbe("exp(-x) * y + 1")
    found = jit(lambda x, y: ops.relu(op(x, y)) * 2).graph(Tensor(X), Tensor(Y))
    assert names_of(found) == ["Neg", "Exp", "Mul", "Add", "ReLU", "Mul"]
    built = [kernel.kind for kernel in graph.build("cython", found).kernels]
    assert built == (["fused"] if kernels.get("fused") else ["compute"] * 6)


def test_many_threads_may_call_one_formula():
    op, found = tbe("x * 2 + y"), []
    calls = [lambda n=n: found.append(value(op(Tensor(X), float(n)))) for n in range(8)]
    threads = [threading.Thread(target=call) for call in calls]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(found) == [(2 * X + n).tolist() for n in range(8)]


@pytest.mark.parametrize(
    ("text", "said", "shown"),
    [
        ("1 + expp(-x)", "there is no function 'expp'", "    ^^^^"),
        ("sum(x)", "it takes more than elements: 'sum'", "^^^"),
        ("x[0] + 1", "what is no formula of elements", "^^^^"),
        ("x.T", "what is no formula of elements", "^^^"),
        ("'a' * x", "'a', which is no number", "^^^"),
        ("x +", "invalid syntax", "^"),
        ("t = x", "its last part is no result", "^"),
        ("x @ y", "an operator that works on no elements", "^^^^^"),
        ("x in y", "a comparison that works on no elements", "^^^^^^"),
        ("__import__('os').system(x)", "a call of what is no function's name", "^^^"),
        ("-" * 400 + "x", "it is nested more than 300 levels deep", "^"),
    ],
)
def test_a_formula_with_a_mistake_shows_where(text, said, shown):
    with pytest.raises(ValueError, match="^The formula has an error: ") as caught:
        tbe(text)
    assert said in str(caught.value) and shown in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 + 2", "needs an input"),
        ("y -> x + y", "uses 'x', which its head does not list"),
        ("x, x -> x", "lists its inputs, each once"),
        ("x" * 10_001, "at most 10000 characters"),
        ("(", "was never closed"),
    ],
)
def test_a_formula_that_cannot_be_is_refused(text, said):
    with pytest.raises(ValueError, match=said):
        tbe(text)


@pytest.mark.parametrize("text", ["9 ** 9 ** 9 * x", "x << (1 << 99)"])
def test_numbers_of_a_formula_cannot_fill_memory(text):
    with pytest.raises(ValueError, match="too large"):
        tbe(text)(Tensor([1, 2]))


@pytest.mark.parametrize(
    ("func", "said"),
    [
        (lambda x: x.sum(), "is no formula of elements"),
        (lambda x: ops.softmax(x), "is no formula of elements"),
        (lambda x: 1, "does not depend on its inputs"),
        (lambda x: np.exp(x), "not known while a graph is built"),
    ],
)
def test_a_function_that_is_no_template_is_refused_with_its_line(func, said):
    with pytest.raises(RuntimeError, match=said) as caught:
        tbe(func)(Tensor(X))
    assert f"test_custom_tbe.py:{func.__code__.co_firstlineno}" in str(caught.value)


def test_what_was_promised_is_compared_with_what_the_formula_gives(mode):
    good = ops.Custom("x * 2", lambda x: x.shape, lambda x: x.dtype, "tbe")
    assert value(mode(good)(Tensor(X))) == (2 * X).tolist()
    half = ops.Custom("x * 2", None, lambda x: x, "tbe")  # what is not said is not looked at
    assert value(mode(half)(Tensor(X))) == (2 * X).tolist()
    f32 = dtype.float32
    for shape, kind, said in [
        ((3,), f32, "another shape"),
        ((2, 2), dtype.float16, "another dtype"),
        (((2, 2), (2, 2)), (f32, f32), "gives 1 result"),
    ]:
        with pytest.raises(RuntimeError, match=said):
            mode(ops.Custom("x * 2", shape, kind, "tbe"))(Tensor(X))
