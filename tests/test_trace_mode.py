"""Functions that are run once to be compiled: what Python decides there is decided for good."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, mint, nn, ops
from ms_ext.engine import errors

BACKENDS = ("reference", "cython")
ABC = [1.0, 2.0, 3.0]


@pytest.fixture(params=BACKENDS)
def traced(request):
    """``jit(capture_mode="trace")`` with one of the backends."""
    return lambda function: ms.jit(function, capture_mode="trace", backend=request.param)


def numbers(value):
    if isinstance(value, Tensor):
        return value.asnumpy().tolist()
    return type(value)(map(numbers, value)) if isinstance(value, tuple | list) else value


# what is decided for good -------------------------------------------------------------------------


def branched(x):
    if x.sum() > 0:
        return x * 2
    return x * 3


def scaled(x):
    return x * float(x.sum())


def with_a_constant(x):
    return Tensor(x.asnumpy() * 2) * x


def doubled_until(x):
    n = 0
    while x.sum() < 50:
        x, n = x * 2, n + 1
    return x, n


def as_often_as(x):
    for _ in range(int(x[0]) + 1):
        x = mint.add(x, x)
    return x


def through_try(x):
    try:
        found = [10.0, 20.0][int(x[0])]
    except IndexError:
        found = 30.0
    return x + found


#: function, its result for ABC, and then for the same numbers negated
FROZEN = [
    (branched, [2, 4, 6], [-2, -4, -6]),
    (scaled, [6, 12, 18], [-6, -12, -18]),
    (with_a_constant, [2, 8, 18], [-2, -8, -18]),
    (doubled_until, ([16, 32, 48], 4), ([-16, -32, -48], 4)),
    (as_often_as, [4, 8, 12], [-4, -8, -12]),
    (through_try, [21, 22, 23], [19, 18, 17]),
]


@pytest.mark.parametrize("case", FROZEN, ids=lambda case: case[0].__name__)
def test_the_first_call_decides(traced, case):
    function, first, second = case
    g, x = traced(function), Tensor(ABC)
    assert numbers(g(x)) == first and numbers(g(-x)) == second and g.compiled == 1
    assert numbers(function(x)) == first


def test_another_shape_is_another_first_call(traced):
    g = traced(branched)
    assert numbers(g(Tensor(ABC))) == [2, 4, 6] and numbers(g(Tensor([-1.0]))) == [-3]


def test_it_runs_and_prints_once(traced, capsys):
    calls = []

    def f(x, n):
        calls.append(n)
        print("x", x, f"{x.sum()}", repr(x[0]))
        return x * n

    g = traced(f)
    assert numbers(g(Tensor(ABC), 2)) == numbers(g(Tensor(ABC), 2)) == [2, 4, 6]
    assert capsys.readouterr().out == f"x [1. 2. 3.] 6.0 {Tensor(1.0)!r}\n"
    assert numbers(g(Tensor(ABC), 3)) == [3, 6, 9] and calls == [2, 3]


def test_an_error_is_the_functions_own(traced):
    def f(x):
        if x.sum() > 5:
            raise ValueError("too big")
        return x * 2

    g = traced(f)
    with pytest.raises(ValueError, match="too big"):
        g(Tensor(ABC))
    assert numbers(g(Tensor([1.0, 1.0, 1.0]))) == [2, 2, 2]
    assert numbers(g(Tensor(ABC))) == [2, 4, 6]


# writes -------------------------------------------------------------------------------------------


def set_item(x):
    y = x * 1
    y[0] = 5.0
    y[1] = x[2]
    y[2] += 1
    return y, x


def set_in_the_argument(x):
    x[0] = 9.0
    return x * 2


def set_at_tensors(x):
    i = mint.argmax(x)
    y = x * 1
    y[i] = 0.0
    return y, x[i]


def augmented(x):
    x += 1
    return x * 2


def added_to_a_local(x):
    y = x * 1
    z = y
    y.add_(1)
    return y, z


def into_a_new_tensor(x):
    total = ops.zeros_like(x)
    for n in range(3):
        total.add_(x * n)
    return total


@pytest.mark.parametrize(
    "case",
    [
        (set_item, ([5, 3, 4], ABC)),
        (set_in_the_argument, [18, 4, 6]),
        (set_at_tensors, ([1, 2, 0], 3.0)),
        (augmented, [4, 6, 8]),
        (added_to_a_local, ([2, 3, 4], [2, 3, 4])),
        (into_a_new_tensor, [3, 6, 9]),
    ],
    ids=lambda case: case[0].__name__,
)
def test_what_is_written_stays_inside(traced, case):
    function, want = case
    g, x = traced(function), Tensor(ABC)
    assert numbers(g(x)) == want and numbers(g(x)) == want and numbers(x) == ABC
    assert g.compiled == 1


def test_a_method_that_writes_to_the_argument_writes_each_time(traced):
    def f(x):
        x.add_(1)
        return x * 2

    g, x = traced(f), Tensor(ABC)
    assert numbers(g(x)) == [4, 6, 8] and numbers(g(x)) == [6, 8, 10] and numbers(x) == [3, 4, 5]


def test_parameters_are_written_at_every_call(traced):
    p = Parameter(Tensor(2.0), name="p")

    def f(x):
        ops.assign_add(p, Tensor(1.0))
        before = p + 0
        ops.assign(p, Tensor(10.0) * p)
        return x * p, before

    g = traced(f)
    assert numbers(g(Tensor(ABC))) == ([30, 60, 90], 3) and float(p) == 30
    assert numbers(g(Tensor(ABC))) == ([310, 620, 930], 31) and float(p) == 310


def test_parameters_of_a_cell(traced):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(2.0), name="w")

        def construct(self, x):
            self.w = self.w * 2
            if self.w > 3:
                x = x + 1
            return x * self.w

    net = Net()
    g = traced(net)
    assert numbers(g(Tensor(ABC))) == [8, 12, 16] and float(net.w) == 4
    assert numbers(g(Tensor(ABC))) == [16, 24, 32] and float(net.w) == 8
    assert isinstance(net.w, Parameter)


# gradients and functions inside -------------------------------------------------------------------


def test_gradients(traced):
    x = Tensor(ABC)
    assert numbers(ms.grad(traced(branched))(x)) == [2, 2, 2]
    assert numbers(traced(lambda x: ms.grad(lambda t: t * t)(x))(x)) == [2, 4, 6]
    assert numbers(traced(lambda x: ms.value_and_grad(lambda t: t * t)(x))(x)) == (
        [1, 4, 9],
        [2, 4, 6],
    )


def test_a_compiled_function_inside(traced):
    inner = ms.jit(branched)
    assert numbers(traced(lambda x: inner(x) + 1)(Tensor(ABC))) == [3, 5, 7]


# what it refuses ----------------------------------------------------------------------------------


def test_numpy_gets_its_elements_by_asnumpy_only(traced):
    for function in (np.exp, lambda x: np.stack([x, x])):
        with pytest.raises(errors.NotRunnable, match="would keep for good") as caught:
            traced(lambda x, f=function: f(x))(Tensor(ABC))
        assert "x.asnumpy()" in caught.value.hint
    with pytest.raises(RuntimeError, match="Not support .*ndarray"):
        traced(lambda x: x.asnumpy())(Tensor(ABC))


def test_a_mask_gives_a_shape_that_is_not_known(traced):
    with pytest.raises(errors.NotRunnable, match="How many elements"):
        traced(lambda x: x[x > 1])(Tensor(ABC))


# bytecode -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [branched, doubled_until, scaled], ids=lambda f: f.__name__)
def test_bytecode_is_right_for_every_call(function):
    """Where a tensor decides, the text is read: both ways are in the graph."""
    g = ms.jit(function, capture_mode="bytecode")
    for x in (Tensor(ABC), -Tensor(ABC) + 40, Tensor([30.0, 1.0, 2.0])):
        assert numbers(g(x)) == numbers(function(x))
    assert g.compiled == 1


def test_bytecode_runs_what_cannot_be_read():
    def f(x):
        try:
            y = x * 2
        finally:
            z = x * 3
        return y, z

    assert numbers(ms.jit(f, capture_mode="bytecode")(Tensor(ABC))) == ([2, 4, 6], [3, 6, 9])
