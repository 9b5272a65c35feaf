"""The gradient of what Python calculates when the graph runs: that of eager mode, or an error."""

import numpy as np
import pytest
from asked_programs import PROGRAMS
from asked_refusals import REFUSED

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import errors

X, V = Tensor([2.0, -1.0, 3.0]), Tensor([1.0, 2.0, 3.0])


def tangent(function):
    return lambda x, v: ms.jvp(function, x, v)[1]


def inner(one, other):
    return float(np.sum(one.asnumpy() * other.asnumpy()))


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_that_of_eager_mode(name):
    function = PROGRAMS[name]
    assert np.allclose(ms.jit(function)(X), function(X))
    found, wanted = ms.grad(ms.jit(function))(X), ms.grad(function)(X)
    assert np.allclose(found, wanted) and np.any(wanted.asnumpy())


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_whole_and_forwards(name):
    function, wanted = PROGRAMS[name], ms.grad(PROGRAMS[name])(X)
    assert np.allclose(ms.jit(ms.grad(function))(X), wanted)
    assert np.isclose(float(ms.jit(tangent(function))(X, V)), inner(wanted, V))


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_be_wrong_is_refused_with_the_line(name):
    function = REFUSED[name]
    assert np.allclose(ms.jit(function)(X), function(X))
    for wrong in (ms.grad(ms.jit(function)), ms.jit(ms.grad(function))):
        with pytest.raises(errors.NotRunnable, match="gradient cannot go through") as caught:
            wrong(X)
        assert "asked_refusals.py" in str(caught.value) and "^" in str(caught.value)
    with pytest.raises(errors.NotRunnable, match="gradient cannot go through"):
        ms.jit(tangent(function))(X, V)


class Holding:
    """An object that keeps a tensor."""

    def __init__(self, held):
        self.held = held


def test_what_is_cut_off_is_not_refused():
    def f(x):
        point = ms.ops.stop_gradient(Tensor(x.asnumpy() * 2))
        return ms.ops.sum(point * x)

    assert np.allclose(ms.grad(ms.jit(f))(X), 2 * X.asnumpy())

    def g(x):
        return ms.ops.sum(ms.ops.stop_gradient(Holding(x).held) * x)

    assert np.allclose(ms.grad(ms.jit(g))(X), X.asnumpy())


# results ------------------------------------------------------------------------------------------


def as_list(x):
    return sorted([x[0] * x[2], x[1]])


def as_dict(x):
    return dict(zip(("a", "b"), sorted([x[0], x[1]]), strict=True))


def as_parts(x):
    return sorted([x[0], x[1]]), x * 2


@pytest.mark.parametrize("function", [as_list, as_dict, as_parts], ids=lambda f: f.__name__)
def test_objects_as_results_have_a_gradient(function):
    wanted = ms.grad(function)(X)
    for found in (ms.grad(ms.jit(function)), ms.jit(ms.grad(function))):
        assert np.allclose(found(X), wanted)


def test_a_part_of_an_object_that_is_a_result():
    f, g = ms.jit(as_list), ms.jit(as_dict)
    assert np.allclose(ms.grad(lambda x: f(x)[0] * f(x)[1])(X), [-3, 6, -2])
    assert np.allclose(ms.grad(lambda x: g(x)["a"] * 2)(X), [0, 2, 0])


def test_a_second_derivative_through_a_list():
    f = ms.jit(lambda x: sorted([x[0] * x[0] * x[0], x[1]]))
    slope = ms.grad(lambda x: f(x)[1] * 2)
    assert np.allclose(ms.grad(lambda x: slope(x).sum())(X), [24, 0, 0])
