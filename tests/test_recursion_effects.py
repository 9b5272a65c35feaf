"""Functions that call themselves on tensors, and print, raise or write on the way."""

import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, ops
from ms_ext.engine.frontend import source

BACKENDS = ("reference", "cython")


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


def said(capsys):
    lines = capsys.readouterr().out.splitlines()
    return [line.split("value=")[1].strip(" )") if "value=" in line else line for line in lines]


def down(x):
    print(x)
    if x < 1:
        return x
    return down(x - 1)


def test_each_call_prints(compiled, capsys):
    assert int(compiled(lambda x: down(x))(Tensor(3))) == 0
    assert said(capsys) == ["3", "2", "1", "0"]


def test_it_prints_before_and_after_what_surrounds_it(compiled, capsys):
    def f(x):
        print("first")
        y = down(x)
        print("then", y)
        return y

    compiled(f)(Tensor(1))
    assert said(capsys) == ["first", "1", "0", "then", "0"]


def test_it_prints_on_the_way_back(compiled, capsys):
    def tree(x):
        if x < 1:
            return x + 1
        left = tree(x - 1)
        print(x)
        return left + tree(x - 2)

    assert int(compiled(tree)(Tensor(3))) == 3
    assert said(capsys) == ["1", "2", "3", "1"]


def test_nothing_comes_back(compiled, capsys):
    def count(n):
        print(n)
        if n > 1:
            count(n - 1)

    assert compiled(count)(Tensor(3)) is None
    assert said(capsys) == ["3", "2", "1"]


def even(n):
    print("even", n)
    if n == 0:
        return True
    return odd(n - 1)


def odd(n):
    print("odd", n)
    if n == 0:
        return False
    return even(n - 1)


def test_two_that_call_each_other(compiled, capsys):
    assert compiled(even)(Tensor(3)) is False
    assert said(capsys) == ["even", "3", "odd", "2", "even", "1", "odd", "0"]


def test_it_raises(compiled):
    def check(x):
        if x > 5:
            raise ValueError("too big")
        if x < 1:
            return x
        return check(x - 1) + 1

    g = compiled(check)
    assert float(g(Tensor(3.0))) == 3
    with pytest.raises(ValueError, match="too big"):
        g(Tensor(7.0))


def test_it_writes_to_a_parameter(compiled):
    p = Parameter(Tensor(0.0), name="p")

    def count(x):
        ops.assign_add(p, x)
        if x < 1:
            return x
        return count(x - 1)

    def f(x):
        ops.assign_add(p, Tensor(100.0))
        return count(x), p + 0

    g = compiled(f)
    assert float(g(Tensor(3.0))[1]) == 106 == float(p)
    assert float(g(Tensor(2.0))[1]) == 209 == float(p)


def test_it_writes_to_its_argument(compiled):
    def fill(a, n):
        a.add_(1)
        if n < 1:
            return a.sum()
        return fill(a, n - 1)

    a = Tensor([1.0, 2.0, 3.0])
    assert float(compiled(fill)(a, Tensor(2))) == 15
    assert a.asnumpy().tolist() == [4, 5, 6]


def test_it_gives_back_what_it_wrote_to(compiled):
    def fill(a, n):
        a.add_(1)
        if n < 1:
            return a
        return fill(a, n - 1)

    assert compiled(fill)(Tensor([1.0, 2.0]), Tensor(2)).asnumpy().tolist() == [4, 5]


def test_it_writes_to_what_an_outer_function_has(compiled):
    def f(x):
        total = x * 0

        def count(n):
            total.add_(n)
            if n < 1:
                return n
            return count(n - 1)

        count(x)
        return total

    assert float(compiled(f)(Tensor(4.0))) == 10


def test_python_is_asked(compiled):
    def asked(x):
        if float(x.asnumpy()) < 1:
            return x
        return asked(x - 1)

    assert float(compiled(asked)(Tensor(3.5))) == 0.5


def test_a_gradient_prints_once(compiled, capsys):
    def power(x, n):
        print(n)
        if n < 1:
            return x / x
        return x * power(x, n - 1)

    for gradient in (ms.grad(compiled(power)), compiled(ms.grad(power))):
        assert float(gradient(Tensor(2.0), Tensor(3))) == 12
        assert said(capsys) == ["3", "2", "1", "0"]


def test_what_is_written_counts_in_the_gradient(compiled):
    def square(x, n):
        x.mul_(x)
        if n < 1:
            return x
        return square(x, n - 1)

    def f(x, n):
        return square(x * 1, n)

    for gradient in (ms.grad(compiled(f)), compiled(ms.grad(f))):
        assert float(gradient(Tensor(2.0), Tensor(1))) == 32


def test_an_attribute_is_refused(compiled):
    @ms.jit_class
    class Kept:
        value = 0

    kept = Kept()

    def count(x):
        kept.value = x
        if x < 1:
            return x
        return count(x - 1)

    with pytest.raises(RuntimeError, match="calls itself on tensors and writes to an attribute"):
        compiled(count)(Tensor(3.0))


# functions of one text ----------------------------------------------------------------------------


def doubling(g):
    return lambda a: g(a) * 2


def test_a_factory_used_twice_is_no_recursion():
    twice = doubling(doubling(lambda a: a + 1))
    assert float(ms.jit(twice)(Tensor(3.0))) == float(twice(Tensor(3.0))) == 16.0


def test_inner_functions_of_one_text_are_no_recursion():
    def go(x):
        def level(g):
            def inner(a):
                return g(a) * 2

            return inner

        return level(level(level(lambda a: a + 1)))(x)

    assert float(ms.jit(go)(Tensor(3.0))) == 32.0


def test_a_function_that_calls_itself_by_its_own_cell_is_one():
    def down(x):
        if x < 1:
            return x
        return down(x - 1) + x

    assert float(ms.jit(down)(Tensor(4.0))) == 10.0
    assert float(ms.jit(ms.grad(down))(Tensor(4.0))) == 5.0


def test_recursion_is_noticed_where_few_texts_are_remembered(monkeypatch):
    monkeypatch.setattr(source, "KEPT", 1)

    def even(x):
        if x < 1:
            return x
        return odd(x - 1) * 2

    def odd(x):
        if x < 1:
            return x + 1
        return even(x - 1) * 3

    assert float(ms.jit(even)(Tensor(4.0))) == float(even(Tensor(4.0))) == 0
    assert float(ms.jit(even)(Tensor(3.0))) == float(even(Tensor(3.0))) == 12
