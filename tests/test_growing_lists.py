"""Lists and dicts that a loop of a compiled function makes longer: none of their items is lost."""

import pytest

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import errors

BACKENDS = ("reference", "cython")


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


def test_lists_and_dicts_that_a_loop_fills(compiled):
    def f(x):
        rows, table, i = [], {}, 0
        for n in range(20):
            rows.append(x + n)
            table[n] = n
        while i < 20:
            rows.append(x)
            i += 1
        return rows[19], len(rows), table

    last, count, table = compiled(f)(Tensor(1.0))
    assert (float(last), count, table) == (20, 40, {n: n for n in range(20)})


def test_a_list_that_keeps_its_length_is_carried(compiled):
    def f(x):
        pair = [x, x]
        for i in range(20):
            pair[0] = pair[0] + i
        return pair

    assert [float(each) for each in compiled(f)(Tensor(1.0))] == [191, 1]
    assert len(ms.engine.jit.trace(f, Tensor(1.0)).order()) < 5


def test_a_loop_that_a_tensor_decides_cannot_grow_a_list(compiled):
    def f(x):
        rows = []
        while x < 10:
            rows.append(x)
            x = x + 1
        return x

    with pytest.raises(errors.InvalidType, match="'rows' is built differently after a turn"):
        compiled(f)(Tensor(1.0))


def test_layers_of_a_list_one_a_turn(compiled):
    weights = [Tensor(float(n)) for n in range(20)]

    def f(x):
        for i in range(20):
            x = x + weights[i]
        return x

    assert float(compiled(f)(Tensor(0.0))) == 190


kept = [0]


@pytest.mark.parametrize("turns", [3, 20])
def test_a_function_fills_a_list_of_the_one_around_it(compiled, turns):
    def f(x):
        rows, table = [], {}

        def add(n):
            rows.append(x + n)
            table[n] = n
            kept.append(n)

        for i in range(turns):
            add(i)
        return rows[-1], len(rows), len(table), len(kept)

    last, *counts = compiled(f)(Tensor(1.0))
    assert float(last) == turns and counts == [turns, turns, turns + 1] and kept == [0]


def test_such_a_list_is_not_changed_where_a_tensor_decides(compiled):
    def f(x):
        rows = []

        def add(v):
            rows.append(v)

        if x > 0:
            add(x)
        return len(rows)

    for function in (f, lambda x: kept.append(x) if x > 0 else None):
        with pytest.raises(errors.InvalidSyntax, match="changed in a branch or loop that a tensor"):
            compiled(function)(Tensor(1.0))
    assert kept == [0]
