"""What graph mode writes to: names, aliases, the caller's tensors and Parameters.

The expected values are what MindSpore 2.10 gave for the same functions under ``jit``.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops

BACKENDS = ("reference", "cython")
ABC, ROWS = [1.0, 2.0, 3.0], [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def set_item(a):
    a[0] = 9.0
    return a


def set_item_beside_an_alias(a):
    b = a
    a[0] = 9.0
    return a, b


def augmented(a):
    a += 1
    return a


def augmented_beside_an_alias(a):
    b = a
    a += 1
    return a, b


def add_(a):
    a.add_(1)
    return a


def add_to_an_alias(a):
    b = a
    b.add_(1)
    return a, b


def sets(a):
    a[0] = 5.0


def set_in_a_function(a):
    b = a * 2
    sets(b)
    return b


def augmented_twice(a):
    b = a * 2
    b += 1
    c = b
    c *= 2
    return b, c


def set_in_two_axes(m):
    m[0, 1] = 7.0
    m[1] = Tensor([9.0, 9.0, 9.0])
    return m


def set_in_a_row(m):
    r = m[0]
    r[1] = 100.0
    return m, r


def add_to_a_transposed(m):
    v = m.transpose(1, 0)
    v.add_(1)
    return m, v


def set_in_a_loop(a):
    for i in range(3):
        a[i] = a[i] * 2
    return a


def set_in_a_branch(a):
    if a[0] > 0:
        a[0] = -1.0
    else:
        a[1] = -1.0
    return a


def set_in_a_while(a):
    i = 0
    while i < 3:
        a[i] = 0.0
        i += 1
    return a


def list_of_tensors(a):
    found = [a, a]
    found[0] = a + 1
    found.append(a)
    return found


def dict_of_tensors(a):
    found = {"x": a}
    found["y"] = a * 2
    found["x"] = 0
    return found


def set_where_a_mask_is_true(m):
    m[m > 2] = 0.0
    return m


def augmented_slice(m):
    m[:, 1:] *= 2
    return m


def augmented_item(a):
    b = a * 1
    b[0] += 5
    return b, a


def set_in_an_item(m):
    m[0][1] = 5.0
    return m


def assign_add(a):
    ops.assign_add(a, Tensor([1.0, 1.0, 1.0]))
    return a


#: function, the argument before, the result, the argument after
CASES = [
    (set_item, ABC, [9, 2, 3], ABC),
    (set_item_beside_an_alias, ABC, ([9, 2, 3], ABC), ABC),
    (augmented, ABC, [2, 3, 4], [2, 3, 4]),
    (augmented_beside_an_alias, ABC, ([2, 3, 4], [2, 3, 4]), [2, 3, 4]),
    (add_, ABC, [2, 3, 4], [2, 3, 4]),
    (add_to_an_alias, ABC, ([2, 3, 4], [2, 3, 4]), [2, 3, 4]),
    (set_in_a_function, ABC, [2, 4, 6], ABC),
    (augmented_twice, ABC, ([6, 10, 14], [6, 10, 14]), ABC),
    (set_in_two_axes, ROWS, [[0, 7, 2], [9, 9, 9]], ROWS),
    (set_in_a_row, ROWS, (ROWS, [0, 100, 2]), ROWS),
    (add_to_a_transposed, ROWS, (ROWS, [[1, 4], [2, 5], [3, 6]]), ROWS),
    (set_in_a_loop, ABC, [2, 4, 6], ABC),
    (set_in_a_branch, ABC, [-1, 2, 3], ABC),
    (set_in_a_while, ABC, [0, 0, 0], ABC),
    (list_of_tensors, ABC, [[2, 3, 4], ABC, ABC], ABC),
    (dict_of_tensors, ABC, {"x": 0, "y": [2, 4, 6]}, ABC),
    (set_where_a_mask_is_true, ROWS, [[0, 1, 2], [0, 0, 0]], ROWS),
    (augmented_slice, ROWS, [[0, 2, 4], [3, 8, 10]], ROWS),
    (augmented_item, ABC, ([6, 2, 3], ABC), ABC),
    (set_in_an_item, ROWS, [[0, 5, 2], [3, 4, 5]], ROWS),
    (assign_add, ABC, [2, 3, 4], [2, 3, 4]),
]


def plain(value):
    """Tensors as lists, whatever holds them."""
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return type(value)(map(plain, value)) if isinstance(value, tuple | list) else value


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_as_mindspore_writes(compiled, case):
    function, before, result, after = case
    given = Tensor(np.array(before, np.float32))
    assert plain(compiled(function)(given)) == result
    assert plain(given) == after


def test_a_second_call_writes_again(compiled):
    f, x = compiled(augmented), Tensor(ABC)
    f(x), f(x)
    assert plain(x) == [3, 4, 5] and f.compiled == 1


def test_a_loop_on_the_graph_writes_each_turn(compiled):
    def f(a, m):
        for i in range(20):
            m.add_(1)
            if i % 2 == 0:
                a += m
        return a

    a, m = Tensor(ABC), Tensor([0.0, 0.0, 0.0])
    assert plain(compiled(f)(a, m)) == [101, 102, 103]
    assert plain(a) == [101, 102, 103] and plain(m) == [20, 20, 20]


def test_one_branch_writes_to_the_argument(compiled):
    def f(a, c):
        if c > 0:
            a.mul_(2)
        return a + 0

    g, a = compiled(f), Tensor(ABC)
    assert plain(g(a, Tensor(-1.0))) == ABC and plain(a) == ABC
    assert plain(g(a, Tensor(1.0))) == [2, 4, 6] and plain(a) == [2, 4, 6]


def test_a_wider_result_takes_the_name_only(compiled):
    def f(a):
        a += 0.5
        return a

    given = Tensor([1, 2], ms.int32)
    assert plain(compiled(f)(given)) == [1.5, 2.5] and plain(given) == [1, 2]


# Parameters ---------------------------------------------------------------------------------------


class Counter(nn.Cell):
    """Counts in several ways what it is given."""

    def __init__(self):
        super().__init__()
        self.total = Parameter(Tensor(0.0), name="total")
        self.calls = Parameter(Tensor(0, ms.int32), name="calls")

    def construct(self, x):
        self.total = self.total + x
        self.calls += 1
        if x > 10:
            ops.assign(self.total, Tensor(-1.0))
        return self.total * 2


def counted(cell):
    return float(cell.total), int(cell.calls)


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_parameters_in_construct(mode):
    before = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        cell = Counter()
        assert [float(cell(Tensor(n))) for n in (1.0, 2.0, 20.0, 4.0)] == [2, 6, -2, 6]
        assert counted(cell) == (3, 4)
        assert isinstance(cell.total, Parameter)
    finally:
        ms.set_context(mode=before)


def test_a_global_parameter_is_read_as_it_is_by_now(compiled):
    p = Parameter(Tensor(1.0), name="p")

    def f(x):
        old = p + 0
        ops.assign(p, p * x)
        ops.assign_add(p, Tensor(1.0))
        ops.assign_sub(p, Tensor(0.5))
        return old, p + 0

    g = compiled(f)
    assert plain(g(Tensor(2.0))) == (1.0, 2.5) and float(p) == 2.5
    p.set_data(Tensor(10.0))
    assert plain(g(Tensor(2.0))) == (10.0, 20.5) and float(p) == 20.5


def test_a_gradient_through_what_was_written(compiled):
    p = Parameter(Tensor(2.0), name="p")

    def f(x):
        y = x * 1
        y *= x
        ops.assign(p, p + 1)
        return y * p

    for gradient in (ms.grad(compiled(f)), compiled(ms.grad(f))):
        before = float(p)
        assert float(gradient(Tensor(3.0))) == 6 * (before + 1)
        assert float(p) == before + 1
