"""``ms.gradcheck``: what it says of right and wrong bprops, and in which dtype it measures."""

import numpy as np
import pytest
from custom_ops import F32, my_mul, two_outputs

import ms_ext as ms
from ms_ext import Tensor, nn, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import strict
from ms_ext.engine.custom.gradcheck.differences import moved

X = np.array([[0.5, -1.5, 2.0], [1.0, 3.0, -0.25]], np.float32)
Y = np.array([[1.5, 2.5, -1.0], [0.75, -2.0, 1.25]], np.float32)
WRONG = {
    "sign": lambda x, y, out, dout: (dout * y, -dout * x),
    "scaled and None": lambda x, y, out, dout: (3 * dout * y, None),
    "shape": lambda x, y, out, dout: (dout * y, (dout * x).reshape((6,))),
    "count": lambda x, y, out, dout: (dout * y,),
}


def text_of(found):
    """Without the learner's line."""
    lines = [line for line in repr(found).splitlines() if "test_gradcheck.py" not in line]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("case", WRONG)
def test_what_is_said(case, golden):
    op = my_mul(WRONG[case])
    op.__name__ = "my_mul"
    found = ms.gradcheck(op, Tensor(X), Tensor(Y))
    assert not found
    golden(f"gradcheck/{case.replace(' ', '_')}.txt", text_of(found))


def test_what_a_result_holds():
    found = ms.gradcheck(my_mul(WRONG["sign"]), Tensor(X), Tensor(Y), seed=3)
    assert (found.name, found.mode, found.passed) == ("<lambda>", "eager", False)
    x, y = found.inputs
    assert found["y"] is y is found[1] and (x.position, y.position) == (0, 1)
    assert x.passed and x.worst is None and (x.cause, x.sentence) == ("", "")
    assert y.numeric.shape == y.difference.shape == y.tolerance.shape == y.at_kink.shape == (2, 3)
    np.testing.assert_allclose(y.analytic, -y.numeric, rtol=1e-5)
    np.testing.assert_array_equal(y.difference, y.analytic - y.numeric)
    beyond = np.abs(y.difference) / y.tolerance
    assert beyond[y.worst] == beyond.max() > 1
    assert (y.dtype, y.measured_in, found.raised) == ("Float32", "float64", None)
    assert not y.at_kink.any() and (np.abs(y.difference) > y.tolerance).all()


def test_the_seed_chooses_what_comes_back():
    one, same, other = (ms.gradcheck(my_mul(), Tensor(X), Tensor(Y), seed=s) for s in (0, 0, 1))
    np.testing.assert_array_equal(one[0].numeric, same[0].numeric)
    assert np.abs(one[0].numeric - other[0].numeric).max() > 0.1


@pytest.mark.usefixtures("mode")
@pytest.mark.parametrize("case", ["right", "sign", "count", "scaled and None"])
def test_both_modes_say_the_same(case, mode):
    op = my_mul(WRONG[case]) if case in WRONG else my_mul()
    found = ms.gradcheck(op, Tensor(X), Tensor(Y))
    assert found.mode == mode and bool(found) == (case == "right")
    assert [one.cause for one in found.inputs] == {
        "right": ["", ""], "sign": ["", "sign"], "count": [], "scaled and None": ["scale", "none"],
    }[case]  # fmt: skip


def test_a_bprop_that_works_in_one_mode_only(mode):
    def bprop(x, y, out, dout):
        return dout * y, dout * (x if type(dout) is Tensor else y)

    found = ms.gradcheck(my_mul(bprop), Tensor(X), Tensor(Y))
    assert bool(found) == (mode == "eager")


def test_a_bprop_that_asks_for_elements_is_right_in_both(mode):
    def bprop(x, y, out, dout):
        return Tensor(dout.asnumpy() * y.asnumpy()), dout * x

    assert ms.gradcheck(my_mul(bprop), Tensor(X), Tensor(Y))


def test_a_bprop_that_raises():
    def bprop(x, y, out, dout):
        raise ValueError("mine")

    found = ms.gradcheck(my_mul(bprop), Tensor(X), Tensor(Y))
    assert not found and found.inputs == () and found.raised.startswith("ValueError: mine")
    assert "no gradient came back" in repr(found)


# what is checked -----------------------------------------------------------------------------


class Scaled(nn.Cell):
    """A Cell."""

    def construct(self, x, y):
        return (x * 2.0, x / y)


FUNCTIONS = {
    "function": (lambda x, y: ops.matmul(x, y.T), (X, Y)),
    "Cell": (Scaled(), (X, Y)),
    "two outputs": (two_outputs(lambda x, o, d: (2 * d[0] + 2 * x * d[1],)), (X[:, :2],)),
    "one by one": (two_outputs(lambda x, o, p, d, e: (2 * d + 2 * x * e,)), (X[:, :2],)),
    "a number": (lambda x: (x * x).sum(), (X,)),
    "no elements": (lambda x: x * 2.0, (X[:0],)),
    "zero axes": (lambda x: x * x, (X[0, 0],)),
    "not contiguous": (lambda x: ops.exp(x), (X.T[:, ::-1],)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_can_be_checked(name):
    function, arrays = FUNCTIONS[name]
    found = ms.gradcheck(function, *map(Tensor, arrays))
    assert found, found


def test_other_inputs_are_passed_on():
    def function(x, axis, scale, index):
        return x.sum(axis) * scale + index.sum()

    found = ms.gradcheck(function, Tensor(X), 1, 2.5, Tensor([1, 2]))
    assert found and [(one.name, one.position) for one in found.inputs] == [("x", 0)]


def test_results_that_are_no_floats_count_for_nothing():
    assert ms.gradcheck(lambda x: (x * x, x.astype(dtypes.int32)), Tensor(X))


def test_names_are_the_bprops_or_the_functions():
    def names(op):
        return [one.name for one in ms.gradcheck(op, Tensor(X), Tensor(Y)).inputs]

    assert names(my_mul(lambda left, right, out, dout: (dout * right, dout * left))) == [
        "left", "right",
    ]  # fmt: skip
    assert names(my_mul(lambda *all: (all[3] * all[1], all[3] * all[0]))) == ["x", "y"]


def test_a_kink_is_no_mistake():
    found = ms.gradcheck(nn.ReLU(), Tensor([[0.0, 1.0, -1.0]]))
    assert found and found[0].at_kink.tolist() == [[True, False, False]]
    assert "1 at a kink of the function" in repr(found)


def test_a_kink_does_not_hide_a_slope_that_is_on_neither_side():
    def bprop(x, out, dout):
        return ops.where(x == 0.0, dout * 2.0, (x > 0.0).astype(F32) * dout)

    op = ops.Custom(lambda x: np.maximum(x, 0), lambda x: x, lambda x: x, bprop=bprop)
    assert not ms.gradcheck(op, Tensor([[0.0, 1.0, -1.0]]))


# in which dtype ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [dtypes.float64, dtypes.float32, dtypes.float16, dtypes.bfloat16])
def test_float64_where_the_op_means_the_same_there(dtype):
    found = ms.gradcheck(lambda x, y: x * ops.sin(y), Tensor(X, dtype), Tensor(Y, dtype))
    assert found, found
    assert {one.measured_in for one in found.inputs} == {"float64"}


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float16, dtypes.bfloat16])
@pytest.mark.parametrize("wrong", [False, True])
def test_its_own_dtype_where_it_promises_one(dtype, wrong):
    def bprop(x, out, dout):
        return -2 * x * dout if wrong else 2 * x * dout

    op = ops.Custom(lambda x: x * x, (2, 3), dtype, bprop=bprop)
    found = ms.gradcheck(op, Tensor(X, dtype))
    assert bool(found) == (not wrong), found
    assert found[0].measured_in == dtype.name.lower() and found[0].cause == "sign" * wrong


def test_its_own_dtype_where_float64_means_something_else():
    """As a kernel in C does that reads float64 memory as float32: it refuses nothing."""

    def square(x):
        y = x if x.dtype == np.float32 else x.view(np.float32)[:, : x.shape[1]].astype(x.dtype)
        return y * y

    op = ops.Custom(square, lambda x: x, lambda x: x, bprop=lambda x, out, dout: 2 * x * dout)
    found = ms.gradcheck(op, Tensor(X))
    assert found and found[0].measured_in == "float32"


def test_step_and_tolerance_can_be_given():
    op = ops.Custom(lambda x: x * x, lambda x: x, lambda x: x, bprop=lambda x, o, d: 2.05 * x * d)
    assert not ms.gradcheck(op, Tensor(X))
    assert ms.gradcheck(op, Tensor(X), tolerance=0.05, step=1e-3)


# what is refused -----------------------------------------------------------------------------


def test_nothing_to_check():
    with pytest.raises(TypeError, match="needs an input that is a tensor of floats"):
        ms.gradcheck(my_mul(), 1.0, Tensor([1]))
    with pytest.raises(TypeError, match="None of the results is a tensor of floats"):
        ms.gradcheck(lambda x: x > 0, Tensor(X))
    with pytest.raises(TypeError, match="a function that returns a tensor"):
        ms.gradcheck(lambda x: {"x": x}, Tensor(X))


def test_an_input_that_is_too_large():
    with pytest.raises(ValueError, match="601 elements is too large"):
        ms.gradcheck(lambda x: x, Tensor(np.zeros(601, np.float32)))


def test_a_function_that_is_random():
    rng = np.random.default_rng(0)
    op = ops.Custom(lambda x: x * rng.uniform(), lambda x: x, lambda x: x, bprop=lambda x, o, d: d)
    with pytest.raises(RuntimeError, match="something else at every call"):
        ms.gradcheck(op, Tensor(X))


def test_errors_of_the_function_itself_are_raised():
    with pytest.raises(ZeroDivisionError):
        ms.gradcheck(lambda x: x / (1 // 0), Tensor(X))


def test_with_mindspores_answers_too():
    with strict.as_mindspore():
        op = ops.Custom(
            lambda x, y: x * y, lambda x, y: x, lambda x, y: x, bprop=WRONG["scaled and None"]
        )
        found = ms.gradcheck(op, Tensor(X), Tensor(Y))
    assert [one.cause for one in found.inputs] == ["scale", "none"]


def test_differences_of_large_numbers_and_several_results():
    def forward(x):
        return x + 1e6, x * x

    slope = moved(forward, (np.array([3.0]),), 0, (np.array([1.0]), np.array([2.0])))
    assert abs(slope.slope[0] - 13.0) < 1e-4
    assert slope.reach[0] > 12.9 and abs(slope.right[0] - slope.left[0]) < 1e-3
    assert slope.noise[0] > 1e10  # the rounding of a million over a step of 1e-5
