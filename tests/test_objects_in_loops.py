"""Loops, truth and unpacking of what is known only when the graph runs, and lists that grow.

The expected values are what MindSpore 2.10 gave for the same functions under ``jit``.
"""

import pytest

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import errors

BACKENDS = ("reference", "cython")
ABC = [1.0, 2.0, 3.0]


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function, **how: ms.jit(function, backend=request.param, **how)


# truth --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [3.0, 0.0, [2.0], [[0.0]], True])
@pytest.mark.parametrize("fullgraph", [False, True])
def test_bool_of_a_tensor_is_a_bool(compiled, given, fullgraph):
    found = compiled(lambda x: (bool(x), bool(x) + 1), fullgraph=fullgraph)(Tensor(given))
    truth = bool(Tensor(given))
    assert found == (truth, truth + 1) and list(map(type, found)) == [bool, int]


def test_bool_decides(compiled):
    def f(x):
        while bool(x > 1):
            x = x - 1
        return x if bool(x) else x - 10

    assert [float(compiled(f)(Tensor(n))) for n in (3.0, 0.0, 2.5)] == [1, -10, 0.5]


def test_bool_of_other_values(compiled):
    def f(x, n):
        return (
            bool(n),
            bool([x]),
            bool(x.shape),
            bool(0),
            bool(x.asnumpy()),
            isinstance(bool(x), bool),
        )

    assert compiled(f)(Tensor(2.0), ms.mutable(3)) == (True, True, False, False, True, True)


def test_bool_refuses(compiled):
    with pytest.raises(ValueError, match="more than one element is ambiguous"):
        compiled(lambda x: bool(x))(Tensor(ABC))
    with pytest.raises(TypeError, match="requires 0 or 1 arguments"):
        compiled(lambda x: bool(x, x))(Tensor(1.0))


# loops over Python objects ------------------------------------------------------------------------


def added_up(x):
    total = 0
    for v in x.asnumpy().tolist():
        total = total + v
    return total


def as_tensors(x):
    total = x * 0
    for v in x.asnumpy():
        total = total + Tensor(v)
    return total


def counted(x):
    total = 0
    for i, v in enumerate(x.asnumpy().tolist()):
        total = total + v * i
    return total


def side_by_side(x):
    total = 0
    for a, b in zip(x.asnumpy().tolist(), x.tolist(), strict=True):
        total = total + a * b
    return total


def left_by_break(x):
    total = 0
    for v in x.asnumpy().tolist():
        if v > 1:
            break
        total = total + v
    return total


def passed_over(x):
    total = 0
    for v in x.asnumpy().tolist():
        if v == 2:
            continue
        total = total + v
    return total


def left_by_return(x):
    for v in x.asnumpy().tolist():
        if v > 1:
            return v
    return 0.0


def of_a_range_of_an_object(x):
    for i in range(x.asnumpy().shape[0]):
        x = x + i
    return x


def of_a_number_of_turns(x):
    for _ in range(int(x.sum())):
        x = x + 1
    return x


def one_in_the_other(x):
    total = 0
    for a in x.tolist():
        for b in x.tolist():
            total = total + a * b
    return total


def unpacked(x):
    a, b, c = x.asnumpy().tolist()
    return a + b, c


LOOPS = [
    (added_up, 6.0),
    (as_tensors, [6.0, 6.0, 6.0]),
    (counted, 8.0),
    (side_by_side, 14.0),
    (left_by_break, 1.0),
    (passed_over, 4.0),
    (left_by_return, 2.0),
    (of_a_range_of_an_object, [4.0, 5.0, 6.0]),
    (of_a_number_of_turns, [7.0, 8.0, 9.0]),
    (one_in_the_other, 36.0),
    (unpacked, (3.0, 3.0)),
]


@pytest.mark.parametrize("case", LOOPS, ids=lambda case: case[0].__name__)
def test_a_loop_over_what_python_gives(compiled, case):
    function, want = case
    found = compiled(function)(Tensor(ABC))
    assert (found.asnumpy().tolist() if isinstance(found, Tensor) else found) == want


def test_a_loop_over_an_object_of_any_length(compiled):
    g = compiled(added_up)
    assert [g(Tensor(ABC)), g(Tensor([1.0]))] == [6, 1]


def test_each_turn_prints(compiled, capsys):
    def f(x):
        for v in x.tolist():
            print(f"item {v}")
        return x

    compiled(f)(Tensor(ABC))
    assert capsys.readouterr().out.split("\n") == ["item 1.0", "item 2.0", "item 3.0", ""]


def test_unpacking_the_wrong_number(compiled):
    def f(x):
        a, b = x.tolist()
        return a + b

    with pytest.raises(ValueError, match=r"too many values to unpack \(expected 2, got 3\)"):
        compiled(f)(Tensor(ABC))


@pytest.mark.parametrize("function", [added_up, unpacked])
def test_fullgraph_refuses_what_python_gives(function):
    with pytest.raises(AttributeError, match="In JIT strict mode"):
        ms.jit(function, fullgraph=True)(Tensor(ABC))


def test_a_comprehension_says_that_a_for_statement_can(compiled):
    with pytest.raises(errors.InvalidSyntax, match="known while the graph is built") as caught:
        compiled(lambda x: [v for v in x.tolist()])(Tensor(ABC))
    assert "`for` statement" in caught.value.hint


# ranges with a step -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bounds", [(0, 9, 2), (9, 0, -2), (3, 20, 4), (0, 20, 3), (5, 5, 1), (0, 4, -1)]
)
def test_a_range_whose_bounds_are_inputs(compiled, bounds):
    def f(x, start, stop, step):
        for i in range(start, stop, step):
            x = x * 2 + i
        return x

    given = [ms.mutable(bound) for bound in bounds]
    assert float(compiled(f)(Tensor(1.0), *given)) == f(1.0, *bounds)
