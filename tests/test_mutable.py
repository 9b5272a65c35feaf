"""``mutable``: numbers that are inputs, so that one graph serves them all."""

import pytest

import ms_ext as ms
from ms_ext import Tensor, mutable
from ms_ext.engine import errors

X = Tensor([1.0, 2.0])


def times(x, by):
    return x * by


def values(tensor):
    return tensor.asnumpy().tolist()


@pytest.mark.parametrize("kind", [int, float])
def test_a_number_is_compiled_once(kind):
    f = ms.jit(times)
    assert [values(f(X, mutable(kind(n)))) for n in (2, 3)] == [[2.0, 4.0], [3.0, 6.0]]
    assert f.compiled == 1


def test_a_plain_number_is_a_constant():
    f = ms.jit(times)
    for n in (2, 3):
        f(X, n)
    assert f.compiled == 2
    f(X, mutable(2))
    assert f.compiled == 3


def test_an_int_and_a_float_are_two_signatures():
    f = ms.jit(times)
    f(X, mutable(2)), f(X, mutable(2.0))
    assert f.compiled == 2


@pytest.mark.parametrize("made", [lambda n: (n, n + 1), lambda n: [n, n + 1]])
def test_the_numbers_of_a_sequence(made):
    f = ms.jit(lambda x, pair: x * pair[0] + pair[1])
    assert [values(f(X, mutable(made(n)))) for n in (1, 2)] == [[3.0, 4.0], [5.0, 7.0]]
    assert f.compiled == 1
    f(X, made(1))
    assert f.compiled == 2


def test_the_numbers_of_a_dict_and_of_a_nest():
    f = ms.jit(lambda x, d: x * d["a"] + d["b"][1])
    found = [values(f(X, mutable({"a": n, "b": (0, n + 1)}))) for n in (1, 2)]
    assert found == [[3.0, 4.0], [5.0, 7.0]] and f.compiled == 1
    f(X, mutable({"a": 1, "c": 2, "b": (0, 1)}))
    assert f.compiled == 2


def test_a_mutable_bound_and_test():
    @ms.jit
    def f(x, n):
        for _ in range(n):
            x = x + 1
        return x if n > 2 else -x

    assert [float(f(Tensor(0.0), mutable(n))) for n in (0, 2, 3)] == [0, -2, 3]
    assert f.compiled == 1


def test_it_is_still_the_value():
    assert mutable(3) == 3 and mutable((1, 2)) == (1, 2) and mutable({"a": 1}) == {"a": 1}
    assert isinstance(mutable([1]), list) and mutable(X) is X


def test_what_cannot_be_mutable():
    with pytest.raises(errors.InvalidType, match="mutable"):
        mutable("text")
