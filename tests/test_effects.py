"""Printing, raising and asserting when a graph runs: once each, in the order they were written."""

import pytest

import ms_ext as ms
from ms_ext import Tensor

BACKENDS = ("reference", "cython")


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


def number(text):
    return f"{float(text):g}"


def said(capsys):
    return capsys.readouterr().out.splitlines()


# print --------------------------------------------------------------------------------------------


def test_print_gives_each_argument_a_line(compiled, capsys):
    def f(x):
        print("x is", x, x.shape, 3, 2.5, None, True, (1, 2))
        return x

    compiled(f)(Tensor([1.0, 2.0]))
    shown = "Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00])"
    assert said(capsys) == ["x is", shown, "(2)", "3", "2.5", "None", "1", "(1, 2)"]


def test_print_of_what_holds_tensors_is_flat_and_a_constant_is_a_tuple(compiled, capsys):
    def f(x):
        print((x, 2), [[x, 3]], {"k": x}, [1, 2], x > 0)
        return x

    compiled(f)(Tensor(0.1))
    assert said(capsys) == ["0.1", "2", "0.1", "3", "0.1", "(1, 2)", "1"]


def test_print_of_rows_begins_on_a_line_of_its_own(compiled, capsys):
    def f(x):
        print(x)
        return x

    compiled(f)(Tensor([[1, 2], [3, 4]]))
    shown = ["Tensor(shape=[2, 2], dtype=Int64, value=", "[[1 2]", " [3 4]])"]
    assert said(capsys) == shown


def test_print_happens_at_every_call(compiled, capsys):
    def f(x):
        print(x + 1)

    g = compiled(f)
    assert g(Tensor(0.0)) is None and g(Tensor(1.0)) is None
    assert said(capsys) == [number(1), number(2)] and g.compiled == 1


def test_equal_prints_are_not_one(compiled, capsys):
    def f(x):
        print("a")
        print("a")
        return x

    compiled(f)(Tensor(0.0))
    assert said(capsys) == ["a", "a"]


def test_branches_print_what_they_reach(compiled, capsys):
    def f(x):
        print("before")
        if x > 0:
            print("positive")
            y = x
        else:
            y = -x
        print("after", y)
        return y

    g = compiled(f)
    g(Tensor(1.0))
    assert said(capsys) == ["before", "positive", "after", number(1)]
    g(Tensor(-2.0))
    assert said(capsys) == ["before", "after", number(2)]


def test_loops_print_each_turn(compiled, capsys):
    def f(x):
        for i in range(20):
            if i % 10 == 0:
                print("turn", i)
        while x < 2:
            print(x)
            x = x + 1
        for row in (1, 2):
            print(row)
        return x

    compiled(f)(Tensor(0.0))
    assert said(capsys) == ["turn", "0", "turn", "10", number(0), number(1), "1", "2"]


def test_the_test_of_a_while_prints_once_a_turn(compiled, capsys):
    def told(x):
        print(x)
        return x < 2

    def f(x):
        while told(x):
            x = x + 1
        return x

    assert float(compiled(f)(Tensor(0.0))) == 2
    assert said(capsys) == [number(0), number(1), number(2)]


def test_functions_print_in_their_turn(compiled, capsys):
    def inner(x):
        print("inner", x)
        return x + 1

    def f(x):
        print("first")
        x = inner(inner(x))
        print("last")
        return x

    compiled(f)(Tensor(0.0))
    assert said(capsys) == ["first", "inner", number(0), "inner", number(1), "last"]


# raise and assert ---------------------------------------------------------------------------------


def test_raise_where_a_tensor_decides(compiled, capsys):
    def f(x):
        print("before")
        if x > 1:
            raise ValueError("too big", x)
        print("after")
        return x * 2

    g = compiled(f)
    assert float(g(Tensor(1.0))) == 2
    assert said(capsys) == ["before", "after"]
    with pytest.raises(ValueError) as caught:
        g(Tensor(2.0))
    assert caught.value.args[0] == "too big" and float(caught.value.args[1]) == 2
    assert said(capsys) == ["before"]


def test_raise_in_a_loop_and_in_a_function(compiled):
    def check(x, i):
        if x + i > 3:
            raise KeyError(f"turn {i}")

    def f(x):
        for i in range(20):
            check(x, i)
        return x

    with pytest.raises(KeyError, match="turn 4"):
        compiled(f)(Tensor(0.0))
    assert float(compiled(f)(Tensor(-30.0))) == -30


def test_a_certain_raise_comes_while_compiling(compiled):
    def f(x, mode):
        if mode != "fast":
            raise ValueError(f"no mode {mode}")
        return x

    assert float(compiled(f)(Tensor(1.0), "fast")) == 1
    with pytest.raises(ValueError, match="no mode slow"):
        compiled(f)(Tensor(1.0), "slow")


def test_assert_on_a_tensor(compiled):
    def f(x):
        assert x > 1, "small"
        return x

    g = compiled(f)
    assert float(g(Tensor(2.0))) == 2
    with pytest.raises(AssertionError, match="small"):
        g(Tensor(0.0))
    assert float(g(Tensor(3.0))) == 3


def test_assert_without_words_on_what_a_list_holds(compiled):
    def f(x):
        assert x in [2, 3]
        return x

    g = compiled(f)
    with pytest.raises(AssertionError):
        g(Tensor(-1))
    assert int(g(Tensor(3))) == 3


def test_assert_on_a_constant(compiled):
    def f(x):
        assert x.shape == (2,), f"shape {x.shape}"
        return x

    compiled(f)(Tensor([1.0, 2.0]))
    with pytest.raises(AssertionError, match=r"shape \(3,\)"):
        compiled(f)(Tensor([1.0, 2.0, 3.0]))


# gradients ----------------------------------------------------------------------------------------


def straight(x):
    print("x", x)
    return x * x * x


def branched(x):
    if x > 0:
        print("x", x)
        x = x * x * x
    return x


def called(x):
    def cube(y):
        print("x", y)
        return y * y * y

    return cube(x)


GRADIENTS = (straight, branched, called)


@pytest.mark.parametrize("function", GRADIENTS, ids=lambda f: f.__name__)
def test_a_gradient_prints_once(compiled, capsys, function):
    assert float(ms.grad(compiled(function))(Tensor(2.0))) == 12
    assert said(capsys) == ["x", number(2)]
    assert float(compiled(ms.grad(function))(Tensor(2.0))) == 12
    assert said(capsys) == ["x", number(2)]


def test_a_gradient_of_a_loop_prints_each_turn_once(compiled, capsys):
    def f(x):
        while x < 4:
            print(x)
            x = x * 2
        return x

    for gradient in (ms.grad(compiled(f)), compiled(ms.grad(f))):
        assert float(gradient(Tensor(1.0))) == 4
        assert said(capsys) == [number(1), number(2)]


def test_a_gradient_of_loops_in_branches_and_calls_prints_once(compiled, capsys):
    def grown(x):
        for _ in range(20):
            if x > 2:
                while x < 9:
                    print("in", x)
                    x = x * 2
        return x

    def f(x):
        if x > 0:
            x = grown(x * 3)
        return x

    for gradient in (ms.grad(compiled(f)), compiled(ms.grad(f)), ms.grad(ms.grad(compiled(f)))):
        gradient(Tensor(1.0))
        assert said(capsys) == ["in", number(3), "in", number(6)]


def test_a_gradient_raises(compiled):
    def f(x):
        if x > 1:
            raise ValueError("too big")
        return x * x

    for gradient in (ms.grad(compiled(f)), compiled(ms.grad(f))):
        assert float(gradient(Tensor(1.0))) == 2
        with pytest.raises(ValueError, match="too big"):
            gradient(Tensor(2.0))
