"""A bprop that asks for elements: in a graph it runs outside of it, once per run, and says so."""

import numpy as np
import pytest
from custom_kernels import library
from custom_ops import F32, X, Y, mode, mul_bprop, my_mul, policy, two_outputs, value

import ms_ext as ms
from ms_ext import Tensor, grad, graph, jit, nn, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import errors, events

pytestmark = pytest.mark.usefixtures(policy.__name__)
FIXTURES = mode, library

DX, DY = Y.tolist(), X.tolist()


def by_numpy(x, y, out, dout):
    """The right one for x * y, by way of NumPy and of ops that follow each other."""
    dx = (dout * y).asnumpy()
    return Tensor(dx), dout * Tensor(x.asnumpy())


def both(op):
    """A function that takes both gradients of an op."""
    return lambda x, y: grad(lambda x, y: op(x, y), (0, 1))(x, y)


class Net(nn.Cell):
    """A Cell around an op."""

    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, x, y):
        return self.op(x, y)


def in_graph_mode(op):
    def take(x, y):
        ms.set_context(mode=ms.GRAPH_MODE)
        try:
            return grad(Net(op), (0, 1))(x, y)
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)

    return take


PLACES = {
    "eager": both,
    "jit": lambda op: jit(both(op)),
    "traced": lambda op: jit(both(op), capture_mode="trace"),
    "the gradient of what is compiled": lambda op: grad(jit(lambda x, y: op(x, y)), (0, 1)),
    "an eager Cell": lambda op: grad(Net(op), (0, 1)),
    "a Cell in graph mode": in_graph_mode,
}


@pytest.mark.parametrize("place", PLACES)
def test_it_works_everywhere(place):
    gradient = PLACES[place](my_mul(by_numpy))
    for _ in range(2):
        dx, dy = gradient(Tensor(X), Tensor(Y))
        assert (value(dx), value(dy)) == (DX, DY)


def test_of_a_kernel_in_c(mode, library):
    op = ops.Custom(f"{library}:my_mul", lambda x, y: x, lambda x, y: x, "aot", by_numpy)
    dx, dy = mode(both(op))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == (DX, DY)


def test_of_a_kernel_with_a_constant_input(mode, library):
    def bprop(x, axis, out, dout):
        assert axis == (0, 1)
        return Tensor(3 * dout.asnumpy()), None

    op = ops.Custom(f"{library}:my_mul", lambda x, _: x, lambda x, _: x, "aot", bprop)
    taken = mode(lambda x: grad(lambda x: op(x, (0, 1)))(x))
    assert value(taken(Tensor(X))) == [[3, 3], [3, 3]]


def test_of_several_results(mode):
    def bprop(x, out, dout):
        assert type(out) is type(dout) is tuple
        return Tensor(2 * dout[0].asnumpy() + 2 * x.asnumpy() * dout[1].asnumpy())

    def flattened(x, out1, out2, dout1, dout2):
        return Tensor(2 * dout1.asnumpy() + 2 * x.asnumpy() * dout2.asnumpy())

    for rule in (bprop, flattened):
        op = two_outputs(rule)
        found = mode(lambda x, op=op: grad(lambda x: 10 * op(x)[0] + op(x)[1])(x))(Tensor(X))
        assert value(found) == [[22, 24], [26, 28]]


def test_none_numbers_and_other_dtypes(mode):
    def bprop(x, y, out, dout):
        return Tensor(dout.asnumpy() * 2, dout.dtype), float(dout.astype(F32).sum())

    op = ops.Custom(lambda x, y: x, lambda x, y: x, lambda x, y: x, bprop=bprop)
    for kind in (dtypes.float16, dtypes.bfloat16, dtypes.float64):
        dx = mode(lambda x: grad(lambda x: op(x, 2.0))(x))(Tensor(X, kind))
        assert (dx.dtype, value(dx.astype(F32))) == (kind, [[2, 2], [2, 2]])
    dx, dy = mode(both(my_mul(lambda x, y, out, dout: (float(dout[0, 0]) * y, None))))(
        Tensor(X), Tensor(Y)
    )
    assert (value(dx), value(dy)) == (DX, [[0, 0], [0, 0]])


def test_it_runs_once_per_run(mode):
    runs = []

    def bprop(x, y, out, dout):
        dx = Tensor(dout.asnumpy() * y.asnumpy())
        runs.append(dx)
        print("bprop")
        return dx, dout * x

    gradient = mode(both(my_mul(bprop)))
    for number in range(1, 4):
        gradient(Tensor(X), Tensor(Y))
        assert len(runs) == number and all(type(dx) is Tensor for dx in runs)


def test_a_graph_says_so():
    op = my_mul(by_numpy)
    function = jit(both(op))
    with events.record() as recording:
        found = function.graph(Tensor(X), Tensor(Y))
    assert [event.name for event in recording.of("fallback")][:1] == ["by_numpy"]
    assert [n.primitive.name for n in found.order()].count("Custom.by_numpy") == 1
    fallbacks = {each.op: each.reason for each in graph.build("cython", found).fallbacks}
    assert fallbacks["Custom.by_numpy"] == "a bprop that asks for elements runs in Python"
    assert fallbacks["Custom.<lambda>"] == "its body is a Python function"
    with events.record() as recording:
        jit(both(my_mul(mul_bprop)))(Tensor(X), Tensor(Y))
    assert "mul_bprop" not in {event.name for event in recording.of("fallback")}


WRONG = {
    "count": (
        lambda x, y, out, dout: (Tensor(dout.asnumpy()),),
        (RuntimeError, IndexError),
        "bprop returned 1 gradient but the op has 2 inputs",
    ),
    "nothing": (
        lambda x, y, out, dout: dout.asnumpy() is None or None,
        (TypeError,),
        "the python function output is none",
    ),
    "shape": (
        lambda x, y, out, dout: (Tensor(dout.asnumpy().reshape(4)), dout),
        (ValueError,),
        "input 0 has another shape than it",
    ),
    "dtype": (
        lambda x, y, out, dout: (dout, Tensor(dout.asnumpy().astype(np.float16))),
        (TypeError,),
        "input 1 has another dtype than it",
    ),
    "array": (
        lambda x, y, out, dout: (dout.asnumpy(), dout),
        (TypeError,),
        "input 0 is no tensor",
    ),
    "raises": (
        lambda x, y, out, dout: [][int(dout.asnumpy()[0, 0])],
        (IndexError,),
        "list index out of range",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_one_is_refused_as_ever(case, mode):
    bprop, kinds, words = WRONG[case]
    with pytest.raises(kinds, match=words) as caught:
        [each.asnumpy() for each in mode(both(my_mul(bprop)))(Tensor(X), Tensor(Y))]
    assert all(isinstance(caught.value, kind) for kind in kinds)
    if case != "raises":
        assert caught.value.where.line == bprop.__code__.co_firstlineno


def test_mindspores_own_check_is_made_then():
    bprop = WRONG["count"][0]
    ms.set_context(check_bprop=True)
    try:
        with pytest.raises(ValueError, match="which is:2 but got 1"):
            jit(both(my_mul(bprop)))(Tensor(X), Tensor(Y))
        with pytest.raises(TypeError, match="which is: 2, but got:1"):
            both(my_mul(bprop))(Tensor(X), Tensor(Y))
    finally:
        ms.set_context(check_bprop=False)


def test_no_gradient_goes_through_it_in_a_graph():
    once = grad(my_mul(by_numpy))
    twice = jit(grad(lambda x, y: once(x, y), 1))
    with pytest.raises(errors.NotRunnable, match="no gradient goes through it") as caught:
        twice(Tensor(X), Tensor(Y))
    assert "The bprop of 'Custom.<lambda>' asks for elements" in caught.value.message
    assert "without asnumpy()" in caught.value.hint
    assert caught.value.where.line == by_numpy.__code__.co_firstlineno


def test_a_gradient_that_nobody_uses_is_not_taken():
    runs = []

    def bprop(x, y, out, dout):
        runs.append(float(dout.sum()))
        return dout, dout

    op = my_mul(bprop)
    jit(lambda x, y: both(op)(x, y)[0] * 0 + x)(Tensor(X), Tensor(Y))
    before = len(runs)
    unused = jit(lambda x, y: (both(op)(x, y), x)[1])
    assert value(unused(Tensor(X), Tensor(Y))) == X.tolist() and len(runs) == before
