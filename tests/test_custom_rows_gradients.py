"""Gradients of custom ops as MindSpore 2.10 was seen to take them, row by row: kernels in C++.

| row | what | test |
|---|---|---|
| 39 | both gradients, through a function and of the op itself | here; there: test_strict |
| 40 - 43 | no bprop, one gradient, three, another shape | here |
| 44, 45 | check_bprop=True; None for an input | here |
| 46, 47 | two results come as tuples, or one by one | here |
| 48, 49 | a bprop that calls another kernel; second order | here |
| 50, 56 | one gradient that is no tuple; three times a product | here |
"""

import pytest
from custom_kernels import library
from custom_ops import F32, X, Y, mul_bprop, value
from custom_rows import MODES, aot, engine, of, run, said, there

import ms_ext as ms
from ms_ext import Tensor, grad, ops

FIXTURES = library, run, engine, there


def gradients(op):
    """A function that takes both gradients of an op."""
    return lambda x, y: grad(lambda x, y: op(x, y), grad_position=(0, 1))(x, y)


def test_row_39_both_gradients_of_a_kernel(run, engine, library):
    op = aot(library, "my_mul", mul_bprop)
    dx, dy = run(gradients(op), of(X), of(Y))
    assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())


def test_row_39_of_the_op_itself(run, library):
    op = aot(library, "my_mul", mul_bprop)
    dx, dy = run(lambda x, y: grad(op, grad_position=(0, 1))(x, y), of(X), of(Y))
    assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())


BPROPS = {
    "40 none": (None, RuntimeError, "Custom's bprop not defined"),
    "41 one": (lambda x, y, out, dout: (dout * y,), RuntimeError, "bprop returned 1 gradient but"),
    "42 three": (lambda x, y, out, dout: (dout * y, dout * x, dout), RuntimeError, "3 gradients"),
    "43 shape": (
        lambda x, y, out, dout: ((dout * y).reshape((4,)), dout * x), ValueError, "another shape"),
}  # fmt: skip


@pytest.mark.parametrize("row", BPROPS)
def test_rows_40_to_43_here(row, run, library):
    bprop, kind, words = BPROPS[row]
    text = said(kind, lambda: run(gradients(aot(library, "my_mul", bprop)), of(X), of(Y)))
    assert words in text


@pytest.mark.parametrize("row", BPROPS)
def test_rows_40_to_43_there(row, run, there, library):
    op = aot(library, "my_mul", BPROPS[row][0])
    take = lambda: run(gradients(op), of(X), of(Y))  # noqa: E731
    if row == "40 none":
        assert "Custom's bprop not defined" in said(RuntimeError, take)
    elif row == "41 one":
        kind = RuntimeError if run is MODES["eager"] else IndexError
        words = ("but got 1 vs 2", "The tuple_getitem index should be less than 2, but got 2")
        assert words[kind is IndexError] in said(kind, take)
    else:
        dx, dy = take()
        wanted = [5, 6, 7, 8] if row == "43 shape" else Y.tolist()
        assert (value(dx), value(dy)) == (wanted, X.tolist())


def test_row_44_check_bprop_asks(run, engine, library):
    one, shape = [aot(library, "my_mul", BPROPS[row][0]) for row in ("41 one", "43 shape")]
    ms.set_context(check_bprop=True)
    try:
        kind = TypeError if run is MODES["eager"] else ValueError
        text = said(kind, lambda: run(gradients(one), of(X), of(Y)))
        assert "the number of return values(gradients)" in text
        text = said(ValueError, lambda: run(gradients(shape), of(X), of(Y)))
        assert "should have the same shape as the 0th argument" in text
    finally:
        ms.set_context(check_bprop=False)


def test_row_45_none_for_an_input(run, engine, library):
    op = aot(library, "my_mul", lambda x, y, out, dout: (dout * y, None))
    dx, dy = run(gradients(op), of(X), of(Y))
    assert value(dx) == Y.tolist()
    if engine == "mindspore" and run is not MODES["eager"]:
        assert dy is None
    else:
        assert value(dy) == [[0, 0], [0, 0]]


def two_out(library, bprop):
    """2 x and x * x, by a kernel."""
    return ops.Custom(f"{library}:two_out", ((2, 2), (2, 2)), (F32, F32), "aot", bprop)


def test_row_46_two_results_come_as_tuples(run, engine, library):
    op = two_out(library, lambda x, out, dout: (2.0 * dout[0] + 2.0 * x * dout[1],))
    both = run(lambda x: grad(lambda x: 10 * op(x)[0] + op(x)[1])(x), of())
    assert value(both) == [[22, 24], [26, 28]]
    assert value(run(lambda x: grad(lambda x: op(x)[0])(x), of())) == [[2, 2], [2, 2]]


def one_by_one(x, out1, out2, dout1, dout2):
    """An article's form."""
    return (dout1 * 2.0 + dout2 * 2.0 * x,)


def test_row_47_results_one_by_one_here(run, library):
    op = two_out(library, one_by_one)
    both = run(lambda x: grad(lambda x: 10 * op(x)[0] + op(x)[1])(x), of())
    assert value(both) == [[22, 24], [26, 28]]


def test_row_47_results_one_by_one_there(run, there, library):
    op = two_out(library, one_by_one)
    said(TypeError, lambda: run(lambda x: grad(lambda x: op(x)[0])(x), of()))


def test_row_48_a_bprop_calls_another_kernel(run, engine, library):
    backward = aot(library, "my_mul")
    op = aot(library, "my_mul", lambda x, y, out, dout: (backward(dout, y), backward(dout, x)))
    dx, dy = run(gradients(op), of(X), of(Y))
    assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())
    once = grad(lambda x, y: op(x, y))
    text = said(
        RuntimeError, lambda: run(lambda x, y: grad(lambda x, y: once(x, y), 1)(x, y), of(), of())
    )
    assert "bprop not defined" in text


def test_row_49_x_times_x(run, engine, library):
    op = aot(library, "my_mul", mul_bprop)
    once = grad(lambda x: op(x, x))
    assert value(run(lambda x: once(x), of())) == (2 * X).tolist()
    assert value(run(lambda x: grad(lambda x: once(x))(x), of())) == [[2, 2], [2, 2]]


def test_row_50_one_gradient_that_is_no_tuple(run, engine):
    op = ops.Custom(lambda x: x + x, (2, 2), F32, bprop=lambda x, out, dout: 2.0 * dout)
    take = lambda: run(lambda x: grad(lambda x: op(x))(x), of())  # noqa: E731
    if engine == "mindspore" and run is not MODES["eager"]:
        assert "TupleAdd operator should be tuple" in said(RuntimeError, take)
    else:
        assert value(take()) == [[2, 2], [2, 2]]


def test_row_56_three_times_a_product(run, engine, library):
    op = aot(library, "my_mul", mul_bprop)
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    dx, dy = run(lambda x, y: grad(lambda x, y: 3 * op(x, y), grad_position=(0, 1))(x, y), x, y)
    assert (value(dx), value(dy)) == ([9, 12], [3, 6])
