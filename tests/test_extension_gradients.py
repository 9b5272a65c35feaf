"""Gradients of C++ operators: every order, what is saved, what Forward writes, what is refused.

How MindSpore answers the same: test_extension_mindspore.
"""

import gc
import weakref

import numpy as np
import pytest
from extension_modules import gradients, needs_compiler, needs_pybind11

import ms_ext as ms
from ms_ext import Tensor

FIXTURES = (gradients,)
pytestmark = [needs_compiler, needs_pybind11]
X = np.array([[1, 2], [3, 4]], np.float32)
Y = np.array([[5, 6], [7, 8]], np.float32)


def order(f, times):
    """The function that gives the derivative of sum(f) so many times."""
    if times == 0:
        return f
    below = order(f, times - 1)
    return lambda x: ms.grad(lambda x: below(x).sum())(x)


@pytest.mark.parametrize("times, factor", [(1, 3), (2, 6), (3, 6), (4, 0)])
def test_every_order_where_backward_calls_apply(gradients, times, factor):
    def cube(x):
        return gradients.smooth_mul(gradients.smooth_mul(x, x), x)

    expected = factor * X ** max(3 - times, 0)
    assert order(cube, times)(Tensor(X)).asnumpy().tolist() == expected.tolist()


@pytest.mark.parametrize("times", [1, 2, 3])
def test_every_order_of_a_function_that_saves_its_result(gradients, times):
    x = Tensor(np.array([0, 0.5, 1], np.float32))
    np.testing.assert_allclose(order(gradients.exp, times)(x).asnumpy(), np.exp(x.asnumpy()))


def test_second_order_through_plain_cpp_is_refused(gradients):
    with pytest.raises(RuntimeError, match="There is no second derivative of 'Function"):
        order(lambda x: gradients.mul(x, x), 2)(Tensor(X))


def test_a_function_mixed_with_ops_of_python(gradients):
    def f(x):
        return (gradients.mul(x * 2, x + 1) * x).sum()

    dx = ms.grad(f)(Tensor(X)).asnumpy()
    assert dx.tolist() == (6 * X**2 + 4 * X).tolist()


def test_only_what_is_asked_for_is_computed(gradients):
    ms.grad(lambda x, y: gradients.both(x, 0, y)[0].sum(), 1)(Tensor(X), Tensor(Y))
    assert gradients.seen() == [2, 1, 1, 0, 1, 0]


def test_data_of_the_context_and_a_result_that_is_a_constant(gradients):
    def of_constant(x, y):
        return gradients.both(x, 1, y)[1].sum()

    dx, dy = ms.grad(of_constant, (0, 1))(Tensor(X), Tensor(Y))
    assert not dx.asnumpy().any() and not dy.asnumpy().any()
    ms.grad(lambda x, y: gradients.both(x, 1, y)[0].sum(), 0)(Tensor(X), Tensor(Y))
    assert gradients.seen()[-1] == 1


def test_a_write_of_forward_is_seen_by_all_later_uses(gradients):
    def f(x):
        before = x * 1
        gradients.twice(before)
        return (before * before).sum()

    assert ms.grad(f)(Tensor(X)).asnumpy().tolist() == (8 * X).tolist()


def test_without_a_gradient_nothing_is_kept(gradients):
    x = Tensor(X)
    out = gradients.mul(x, x)
    gone = weakref.ref(out)
    del out
    gc.collect()
    assert gone() is None


def test_errors_of_backward_are_the_learners(gradients):
    with pytest.raises(ValueError, match="backward boom"):
        ms.grad(lambda x: gradients.both(x, 7, Tensor(Y))[0].sum())(Tensor(X))
    with pytest.raises(RuntimeError, match=r"incorrect number of gradients \(expected 3, got 1\)"):
        ms.grad(lambda x: gradients.both(x, 3, Tensor(Y))[0].sum())(Tensor(X))


@pytest.mark.parametrize("policy", ["auto", "stages", "blocking"])
def test_a_function_inside_of_frontend_task(gradients, policy):
    with ms.runtime.dispatch(policy):
        dx, dy = ms.grad(lambda x, y: gradients.staged(x, y).sum(), (0, 1))(Tensor(X), Tensor(Y))
        assert gradients.staged(Tensor(X), Tensor(Y)).asnumpy().tolist() == (X * Y).tolist()
    assert (dx.asnumpy().tolist(), dy.asnumpy().tolist()) == (Y.tolist(), X.tolist())
