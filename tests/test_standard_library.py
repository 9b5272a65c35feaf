"""Compiled code calls the standard library and does not read it: when, in which order, of what."""

import functools
import itertools
import logging
import os
import random

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, nn, ops
from ms_ext.engine import errors
from ms_ext.engine.frontend import library

X = Tensor([2.0, -1.0, 3.0])
logger = logging.getLogger(__name__)


# when ---------------------------------------------------------------------------------------------


def test_constants_are_calculated_once_while_the_graph_is_built(caplog, monkeypatch):
    monkeypatch.setenv("OF_THIS_TEST", "2")

    @ms.jit
    def f(x):
        logger.warning("built %s", 1)
        by = float(os.environ.get("OF_THIS_TEST", "1"))
        return x * by, random.random()

    first, second = f(X), f(X)
    assert caplog.messages == ["built 1"] and first[1] == second[1] and f.compiled == 1
    assert np.allclose(second[0], 2 * X.asnumpy())


def test_tensors_are_told_at_every_call_in_order(caplog, capsys):
    @ms.jit
    def f(x):
        print("one")
        logger.warning("sum %s", x.sum())
        print("two")
        if x.sum() > 0:
            logger.warning("positive")
        logger.warning("product %s", x.prod())
        return x

    f(X)
    f(X)
    told = ["sum 4.0", "product -6.0"]
    assert [text for text in caplog.messages if text != "positive"] == told * 2
    assert capsys.readouterr().out.split() == ["one", "two"] * 2


def test_the_gradient_tells_once(caplog):
    def f(x):
        logger.warning("sum %s", x.sum())
        return ops.sum(x * x)

    assert np.allclose(ms.grad(ms.jit(f))(X), 2 * X.asnumpy())
    assert caplog.messages == ["sum 4.0"]


def test_a_parameter_is_not_a_constant():
    weight = ms.Parameter(Tensor([1.0, 2.0]), name="w")
    f = ms.jit(lambda: sorted(weight)[0] + functools.reduce(lambda a, b: a * b, weight))
    assert float(f()) == 3
    weight.set_data(Tensor([5.0, 4.0]))
    assert float(f()) == 24


# functions given to Python ------------------------------------------------------------------------


def test_a_function_given_to_python_sees_the_names_around_it():
    def outer(x):
        by, words = x[2], {"scale": 2.0}

        def scaled(v, more=x[0], *, less=1.0):
            return halved(v) * by * more * less * words["scale"]

        def halved(v):
            return v / 2

        return sorted([x[0], x[1]], key=scaled)[0], sorted([x[0], x[1]], key=lambda v: -v)[0]

    found = ms.jit(outer)(X)
    assert [float(v) for v in found] == [float(v) for v in outer(X)] == [-1, 2]


def test_a_function_given_to_python_with_constants_is_read_at_once(capsys):
    @ms.jit
    def f(x):
        def key(v):
            print("key", v)
            return -v

        return x, sorted([1, 3], key=key), list(itertools.takewhile(lambda v: v < 3, [1, 2, 3]))

    assert f(X)[1:] == ([3, 1], [1, 2])
    assert capsys.readouterr().out.split() == ["key", "1", "key", "3"]


def test_an_answer_that_only_the_graph_knows_is_refused():
    def f(x):
        return list(itertools.takewhile(lambda v: v < x.sum(), [1, 2, 3]))

    with pytest.raises(errors.InvalidSyntax, match="known only when the graph runs") as caught:
        ms.jit(f)(X)
    assert "test_standard_library.py" in str(caught.value)


def test_an_error_in_a_function_given_to_python_has_the_learners_line():
    def f(x):
        def key(v):
            raise ValueError("no key")

        return sorted([x[0], x[1]], key=lambda v: key(v) if v > 0 else v)

    with pytest.raises(ValueError, match="no key"):
        ms.jit(f)(X)


# which are called ---------------------------------------------------------------------------------


def test_what_is_the_librarys_and_what_only_answers():
    assert library.is_standard(os.path.join) and not library.is_standard(np.testing.assert_equal)
    assert not library.is_standard(functools.wraps(X.sum)(lambda: 1))
    assert not library.is_learners(os.getenv) and not library.is_learners(nn.Cell.__init__)
    assert library.is_learners(test_a_parameter_is_not_a_constant)
    assert library.only_answers(max) and not library.only_answers(next)


@pytest.mark.parametrize("mode", ["ast", "trace", "bytecode"])
def test_in_every_capture_mode(mode):
    def f(x):
        a = functools.reduce(lambda a, b: a + b, [x, x]) * random.randint(2, 2)
        return a * sorted([3, 1, 2], key=lambda v: -v)[0], Tensor([x[0], x[1]])

    whole, pair = ms.jit(f, capture_mode=mode)(X)
    assert np.allclose(whole, 12 * X.asnumpy()) and pair.asnumpy().tolist() == [2, -1]


# names of the running function --------------------------------------------------------------------


def test_the_names_of_a_module_are_a_copy():
    @ms.jit
    def f(x):
        names = globals()
        names["logger"] = 5
        return x, "X" in names, eval("1 + 1")

    assert f(X)[1:] == (True, 2) and logger is not None


# errors that compiled code raises -----------------------------------------------------------------


class Checked(nn.Cell):
    """A Cell that looks at what it is given."""

    def construct(self, x):
        if x.ndim != 2:
            raise errors.InvalidValue("Two axes.", given=f"shape {x.shape}", hint="Reshape it.")
        return x


class Printing(nn.Cell):
    """A Cell that raises when the graph runs: something is printed before."""

    def __init__(self):
        super().__init__()
        self.checked = Checked()

    def construct(self, x):
        print("before")
        return self.checked(x)


def given(function):
    with pytest.raises(errors.MsExtError) as caught:
        function(X)
    return str(caught.value).split("    " + __file__)[0].strip(), str(caught.value)


@pytest.mark.parametrize("kind", [Checked, Printing])
def test_an_error_is_told_as_in_eager_mode_with_the_line(kind):
    cell = kind()

    def f(x):
        return cell(x)

    plain, _ = given(f)
    for compiled in (ms.jit(f), ms.grad(ms.jit(f)), ms.jit(ms.grad(f))):
        told, whole = given(compiled)
        assert told == plain == "Two axes.\n    given: shape (3,)\n    Reshape it."
        assert "raise errors.InvalidValue" in whole


def test_a_check_of_ours_shows_the_learners_line_not_ours():
    net = nn.Dense(2, 2)
    optimizer = nn.SGD(net.trainable_params(), 0.1)

    def f(x):
        return optimizer(x)

    plain, _ = given(f)
    told, whole = given(ms.jit(f))
    assert told == plain and "given: " in told and "Take them with" in told
    assert "return optimizer(x)" in whole and "optimizer.py" not in whole


def test_an_error_that_the_running_graph_raises_has_given_hint_and_line():
    def f(x):
        if x.sum() > 0:
            raise errors.InvalidValue("Too much.", given="it", hint="Less.")
        return x

    told, whole = given(ms.jit(f))
    assert told == "Too much.\n    given: it\n    Less." and "raise errors" in whole


def test_a_list_is_sorted_in_place_by_a_key_but_not_one_of_tensors():
    def f(x):
        rows = [3, 1, 2]
        rows.sort(key=lambda v: -v)
        return x, rows

    assert ms.jit(f)(X)[1] == [3, 2, 1]

    def g(x):
        rows = [x[0], x[1]]
        rows.sort()
        return rows[0]

    with pytest.raises(errors.InvalidSyntax, match="not sorted in place"):
        ms.jit(g)(X)
