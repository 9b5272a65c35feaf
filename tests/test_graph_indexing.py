"""``x[index]`` and ``x[index] = value`` in compiled code, where the index holds tensors.

The expected values are what MindSpore 2.10 gave for the same functions under ``jit``, except where
NumPy, and so eager mode, can do more.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import errors

BACKENDS = ("reference", "cython")
V = np.float32([1, 2, 3, 4, 5])
M = np.float32([[0, 1, 2], [3, 4, 5]])
C = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function, **how: ms.jit(function, backend=request.param, **how)


#: How x is indexed by i and j, what x is, i and j.
READS = {
    "rows": (lambda x, i, j: x[i], V, [0, 2], 0),
    "rows, twice": (lambda x, i, j: x[i], V, [[0, 2], [1, 3]], 0),
    "from the end": (lambda x, i, j: x[i], C, [-1, -2], 0),
    "pairs": (lambda x, i, j: x[i, j], M, [0, 1], [2, 0]),
    "columns": (lambda x, i, j: x[:, i], M, [0, 1], 0),
    "last axis": (lambda x, i, j: x[..., i], M, [0, 1], 0),
    "rows of a column": (lambda x, i, j: x[i, 1], M, [0, 1], 0),
    "rows of columns": (lambda x, i, j: x[i, 0:2], M, [0, 1], 0),
    "a new axis": (lambda x, i, j: x[None, i], M, [0, 1], 0),
    "pairs around an axis": (lambda x, i, j: x[i, :, j], C, [0, 1], [2, 0]),
    "pairs behind an axis": (lambda x, i, j: x[:, i, j], C, [0, 1], [2, 0]),
    "a grid": (lambda x, i, j: x[i, j], C, [[0], [1]], [2, 0]),
    "a number, an axis, rows": (lambda x, i, j: x[1, :, i], C, [1, 0], 0),
    "rows, all, a number": (lambda x, i, j: x[i, ..., 1], C, [1, 0], 0),
    "one, an axis, one": (lambda x, i, j: x[i, :, i], C, 1, 0),
    "rows of one": (lambda x, i, j: x[i, j], C, [1, 0], 2),
    "a list beside": (lambda x, i, j: x[[1, 1], :, i], C, [1, 0], 0),
    "a list": (lambda x, i, j: x[[0, 1]] + i, C, 0, 0),
    "a list of bools": (lambda x, i, j: x[[True, False]] + i, M, 0, 0),
    "where it is large": (lambda x, i, j: x[x > 2], M, 0, 0),
    "a mask of rows": (lambda x, i, j: x[i], M, [True, False], 0),
    "a mask of columns": (lambda x, i, j: x[:, i], M, [True, False, True], 0),
    "what is left of a mask": (lambda x, i, j: x[x > 2].sum(), M, 0, 0),
    "from": (lambda x, i, j: x[i:], V, 2, 0),
    "from to": (lambda x, i, j: x[i : i + 2], V, 2, 0),
}


@pytest.mark.parametrize("case", READS)
def test_an_index_reads_as_in_eager_mode(compiled, case):
    function, x, i, j = READS[case]
    given = [Tensor(v) for v in (x, i, j)]
    have, want = compiled(function)(*given), function(*given)
    assert have.dtype == want.dtype
    np.testing.assert_array_equal(have.asnumpy(), want.asnumpy())


def test_a_list_of_tensors_is_a_tuple_of_them(compiled):
    found = compiled(lambda x, i: x[[i, i]])(Tensor(M), Tensor([1, 0]))
    assert found.asnumpy().tolist() == [4, 0]


def placed(x, i, j, v):
    x[i, j] = v
    return x


def in_rows(x, i, j, v):
    x[i] = v
    return x


def in_columns(x, i, j, v):
    x[:, i] = v
    return x


def in_a_row(x, i, j, v):
    x[1, i] = v
    return x


def in_a_part_of_rows(x, i, j, v):
    x[i, 1:] = v
    return x


def in_the_last_axis(x, i, j, v):
    x[i, ..., 1] = v
    return x


def behind_a_new_axis(x, i, j, v):
    x[None, i] = v
    return x


def from_on(x, i, j, v):
    x[i:] = v
    return x


def added(x, i, j, v):
    x[i] += v
    return x


def where_large(x, i, j, v):
    x[x > 2] = v
    return x


#: function, x, i, j, the value, what x is then
WRITES = [
    (in_rows, V, [0, 2], 0, 9.0, [9, 2, 9, 4, 5]),
    (in_rows, V, [0, 2], 0, [7.0, 8.0], [7, 2, 8, 4, 5]),
    (in_rows, V, [1, 1], 0, [7.0, 8.0], [1, 8, 3, 4, 5]),
    (in_rows, V, [-1, -2], 0, 0.0, [1, 2, 3, 0, 0]),
    (in_rows, V, -1, 0, 0.0, [1, 2, 3, 4, 0]),
    (in_rows, M, [0, 1], 0, [1.0, 2.0, 3.0], [[1, 2, 3], [1, 2, 3]]),
    (in_rows, M, 1, 0, [7.0, 8.0, 9.0], [[0, 1, 2], [7, 8, 9]]),
    (in_rows, M, [True, False], 0, 5.0, [[5, 5, 5], [3, 4, 5]]),
    (in_rows, M, [True, False], 0, [[7.0, 8.0, 9.0]], [[7, 8, 9], [3, 4, 5]]),
    (placed, M, [0, 1], [2, 0], 9.0, [[0, 1, 9], [9, 4, 5]]),
    (placed, M, [0, 1], [2, 0], [7.0, 8.0], [[0, 1, 7], [8, 4, 5]]),
    (in_columns, M, [0, 2], 0, [7.0, 8.0], [[7, 1, 8], [7, 4, 8]]),
    (in_columns, M, [0, 2], 0, [[7.0], [8.0]], [[7, 1, 7], [8, 4, 8]]),
    (in_columns, M, 1, 0, [7.0, 8.0], [[0, 7, 2], [3, 8, 5]]),
    (in_columns, M, [True, False, True], 0, 0.0, [[0, 1, 0], [0, 4, 0]]),
    (in_a_row, M, [0, 2], 0, 9.0, [[0, 1, 2], [9, 4, 9]]),
    (in_a_part_of_rows, M, [0, 1], 0, 9.0, [[0, 9, 9], [3, 9, 9]]),
    (in_a_part_of_rows, M, 1, 0, [7.0, 8.0], [[0, 1, 2], [3, 7, 8]]),
    (in_the_last_axis, M, [1, 0], 0, -1.0, [[0, -1, 2], [3, -1, 5]]),
    (behind_a_new_axis, V, [0, 1], 0, 0.0, [0, 0, 3, 4, 5]),
    (from_on, V, 2, 0, 0.0, [1, 2, 0, 0, 0]),
    (added, V, [0, 2], 0, 1.0, [2, 2, 4, 4, 5]),
    (where_large, M, 0, 0, 9.0, [[0, 1, 2], [9, 9, 9]]),
    (where_large, M, 0, 0, [7.0, 8.0, 9.0], [[0, 1, 2], [7, 8, 9]]),
]


@pytest.mark.parametrize("case", WRITES, ids=lambda case: f"{case[0].__name__}-{case[2]}")
def test_an_index_writes_as_mindspore_does(compiled, case):
    function, x, i, j, value, want = case
    given = [Tensor(v) for v in (x, i, j, np.float32(value))]
    assert compiled(function)(*given).asnumpy().tolist() == want
    assert given[0].asnumpy().tolist() == x.tolist()  # the caller keeps what it had


def test_numbers_and_lists_are_set(compiled):
    def f(x):
        x[0] = [7.0, 8.0, 9.0]
        x[1, :2] = (1, x[0, 0])
        return x

    assert compiled(f)(Tensor(M)).asnumpy().tolist() == [[7, 8, 9], [1, 7, 5]]


def test_a_loop_counter_bounds_a_slice(compiled):
    def f(x):
        total = 0.0
        for i in range(20):
            total = total + x[i : i + 2].sum()
        return total

    assert float(compiled(f)(Tensor(np.ones(20, np.float32)))) == 39


SLOPES = [
    (in_rows, M, [0, 1], 0, [1.0, 2.0, 3.0]),
    (in_rows, M, [True, False], 0, 5.0),
    (placed, M, [0, 1], [2, 0], [7.0, 8.0]),
    (in_columns, M, [0, 2], 0, [[7.0], [8.0]]),
    (from_on, V, 2, 0, 3.0),
    (where_large, M, 0, 0, [7.0, 8.0, 9.0]),
]


@pytest.mark.parametrize("case", SLOPES, ids=lambda case: f"{case[0].__name__}-{case[2]}")
def test_gradients_of_what_was_written(compiled, case):
    function, x, i, j, value = case
    i, j, weights = (
        Tensor(i),
        Tensor(j),
        Tensor(np.arange(x.size, dtype=np.float32).reshape(x.shape)),
    )

    def f(x, v):
        return (function(x * 1.0, i, j, v) * weights).sum()

    given = Tensor(x), Tensor(np.float32(value))
    dx, dv = ms.grad(compiled(f), (0, 1))(*given)
    for position, have in ((0, dx), (1, dv)):
        want = ms.grad(f, position)(*given)
        np.testing.assert_array_equal(have.asnumpy(), want.asnumpy())


def test_gradients_of_what_was_read(compiled):
    i, j = Tensor([0, 1, 1]), Tensor([2, 0, 0])

    def f(x):
        return (x[i, j] * x[i, j]).sum()

    dx = ms.grad(compiled(f))(Tensor(M))
    assert dx.asnumpy().tolist() == [[0, 0, 4], [12, 0, 0]]


#: what is wrong -> function, x, i, the error
WRONG = {
    "too large": (lambda x, i: x[i], V, [0, 7], errors.IndexOutOfRange),
    "too large to write": (lambda x, i: in_rows(x, i, 0, 0.0), V, [0, 7], errors.IndexOutOfRange),
    "too many": (lambda x, i: x[i, i], V, [0], errors.InvalidIndex),
    "no integers": (lambda x, i: x[i], V, [1.0], errors.InvalidIndex),
    "a mask that does not fit": (lambda x, i: in_rows(x, i, 0, 0.0), M, [True] * 3,
                                 errors.InvalidIndex),
    "a value that does not fit": (lambda x, i: in_rows(x, i, 0, Tensor([1.0, 2.0])), M, [0, 1],
                                  errors.InvalidValue),
    "no value": (lambda x, i: in_rows(x, i, 0, None), M, [0, 1], errors.InvalidType),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_an_index_refuses(compiled, case):
    function, x, i, kind = WRONG[case]
    with pytest.raises(kind):
        compiled(function)(Tensor(x), Tensor(i))
