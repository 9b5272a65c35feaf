"""Asking Python when a graph runs: NumPy, numbers and texts of tensors, Python objects."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor
from ms_ext.engine import errors

BACKENDS = ("reference", "cython")
ABC = [1.0, 2.0, 3.0]


@pytest.fixture(params=BACKENDS)
def compiled(request):
    """``jit`` with one of the backends."""
    return lambda function: ms.jit(function, backend=request.param)


def as_numpy(x):
    return x.asnumpy()


def numpy_sum(x):
    return np.sum(x.asnumpy())


def tensor_of_numpy(x):
    return Tensor(x.asnumpy() * 2) + 1


def branch_on_numpy(x):
    if np.sum(x.asnumpy()) > 5:
        return x + 1
    return x - 1


def branch_in_a_loop(x):
    total = 0
    for i in range(20):
        if np.sum(x.asnumpy()) > i:
            total = total + 1
    return total


def while_on_numpy(x):
    i = 0
    while np.sum(x.asnumpy()) > i:
        i = i + 1
    return i


def numpy_function_of_a_tensor(x):
    return np.add(x, x)


def attribute_of_an_object(x):
    return x.asnumpy().shape


def item_and_method_of_an_object(x):
    return x.asnumpy()[1:].tolist()[0]


def item_of_an_object_set(x):
    n = x.asnumpy()
    n[0] = 7.0
    return n


def length_of_an_object(x):
    return len(x.asnumpy())


def object_and_tensor(x):
    return x + x.asnumpy()


def object_in_a_dict(x):
    return {"n": x.asnumpy().sum(), "x": x.sum()}


def number_times_tensor(x):
    return x * float(x.sum())


def text(x):
    return str(x)


def formatted(x):
    return f"sum {x.sum():.2f} of {x.shape}"


def to_list(x):
    return x.tolist()


CASES = [
    (as_numpy, np.array(ABC, np.float32)),
    (numpy_sum, np.float32(6)),
    (tensor_of_numpy, Tensor([3.0, 5.0, 7.0])),
    (branch_on_numpy, Tensor([2.0, 3.0, 4.0])),
    (branch_in_a_loop, 6),
    (while_on_numpy, 6),
    (numpy_function_of_a_tensor, np.array([2, 4, 6], np.float32)),
    (attribute_of_an_object, (3,)),
    (item_and_method_of_an_object, 2.0),
    (item_of_an_object_set, np.array([7, 2, 3], np.float32)),
    (length_of_an_object, 3),
    (object_and_tensor, Tensor([2.0, 4.0, 6.0])),
    (object_in_a_dict, {"n": np.float32(6), "x": Tensor(6.0)}),
    (number_times_tensor, Tensor([6.0, 12.0, 18.0])),
    (text, "[1. 2. 3.]"),
    (formatted, "sum 6.00 of (3,)"),
    (to_list, ABC),
]


def kind(value):
    return type(value).__name__, getattr(value, "dtype", None)


def same(found, wanted):
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(same(found[k], wanted[k]) for k in wanted)
    if isinstance(wanted, Tensor):
        found, wanted = found.asnumpy(), wanted.asnumpy()
    return kind(found) == kind(wanted) and np.array_equal(found, wanted)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_python_is_asked(compiled, case):
    function, wanted = case
    assert same(compiled(function)(Tensor(ABC)), wanted)


def test_python_is_asked_at_every_call(compiled):
    f = compiled(numpy_sum)
    assert [float(f(Tensor([n, 1.0]))) for n in (1.0, 2.0)] == [2, 3] and f.compiled == 1


def test_both_ways_of_a_branch(compiled):
    f = compiled(branch_on_numpy)
    assert [float(f(Tensor([n]))[0]) for n in (9.0, 1.0)] == [10, 0]


def test_numbers_are_pythons_own(compiled):
    def f(x):
        return float(x), int(x), x.item()

    found = compiled(f)(Tensor(2.5))
    assert found == (2.5, 2, 2.5) and list(map(type, found)) == [float, int, float]


def test_objects_do_not_share_the_callers_memory(compiled):
    x = Tensor(ABC)
    found = compiled(as_numpy)(x)
    found[0] = 100.0
    assert x.asnumpy().tolist() == ABC


def test_an_error_of_python_is_pythons(compiled):
    def f(x):
        return int("three") + np.ones(2)[int(x)]

    with pytest.raises(ValueError, match="three"):
        compiled(f)(Tensor(1.0))

    def g(x):
        return np.reshape(x.asnumpy(), (2, 2))

    with pytest.raises(ValueError, match="reshape"):
        compiled(g)(Tensor(ABC))


# refused ------------------------------------------------------------------------------------------

REFUSED = [as_numpy, numpy_sum, numpy_function_of_a_tensor, text, formatted, to_list]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_fullgraph_refuses_with_the_learners_line(function):
    with pytest.raises(errors.MsExtError, match="strict mode|should be constant") as caught:
        ms.jit(function, fullgraph=True)(Tensor(ABC))
    shown = str(caught.value)
    assert "test_asking.py" in shown and "return " in shown and "^" in shown


def test_fullgraph_reads_what_needs_no_python():
    assert float(ms.jit(lambda x: x.sum() * 2, fullgraph=True)(Tensor(ABC))) == 12


def test_float_of_several_elements():
    with pytest.raises(ValueError, match="more than one element") as caught:
        ms.jit(lambda x: float(x))(Tensor(ABC))
    assert "test_asking.py" in str(caught.value)
