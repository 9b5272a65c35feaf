"""The bprop of a custom op: what it gets, what it may return, and how a wrong one is refused."""

import numpy as np
import pytest
from custom_ops import F32, X, Y, my_mul, policy, twice, two_outputs, value

from ms_ext import Tensor, grad, jit, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import errors

pytestmark = pytest.mark.usefixtures(policy.__name__)
MODES = {"eager": lambda function: function, "graph": jit}


@pytest.fixture(params=MODES)
def mode(request):
    """Run a function as it is, or compiled."""
    return MODES[request.param]


# gradients -----------------------------------------------------------------------------------


def test_the_gradient_is_the_bprops(mode):
    op = my_mul()
    dx, dy = mode(lambda x, y: grad(lambda x, y: op(x, y).sum(), (0, 1))(x, y))(
        Tensor(X), Tensor(Y)
    )
    assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())


def test_the_op_itself_has_a_gradient(mode):
    op = my_mul()
    dx, dy = mode(lambda x, y: grad(op, grad_position=(0, 1))(x, y))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())


def test_several_results_come_to_bprop_as_tuples_with_zeros_for_unused_ones():
    seen = []

    def bprop(x, out, dout):
        seen.append((type(out), type(dout), [value(d) for d in dout]))
        return (2 * dout[0] + 2 * x * dout[1],)

    op = two_outputs(bprop)
    assert value(grad(lambda x: 10 * op(x)[0] + op(x)[1])(Tensor(X))) == [[22, 24], [26, 28]]
    seen.clear()
    assert value(grad(lambda x: op(x)[0])(Tensor(X))) == [[2, 2], [2, 2]]
    assert seen == [(tuple, tuple, [[[1, 1], [1, 1]], [[0, 0], [0, 0]]])]


def test_a_bprop_may_name_every_result(mode):
    op = two_outputs(lambda x, out1, out2, dout1, dout2: (dout1 * 2.0 + dout2 * 2.0 * x,))
    dx = mode(lambda x: grad(lambda x: 10 * op(x)[0] + op(x)[1])(x))(Tensor(X))
    assert value(dx) == [[22, 24], [26, 28]]


def test_a_bprop_may_call_another_custom_op():
    backward = ops.Custom(lambda d, o: d * o, (2, 2), F32)
    forward = my_mul(lambda x, y, out, dout: (backward(dout, y), backward(dout, x)))
    dx, dy = grad(forward, (0, 1))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == (Y.tolist(), X.tolist())
    with pytest.raises(errors.NotRunnable, match="Custom's bprop not defined"):
        grad(lambda x, y: grad(forward)(x, y).sum(), 1)(Tensor(X), Tensor(Y))


def test_second_order_goes_through_the_ops_of_the_bprop(mode):
    op = my_mul()

    def second(x, y):
        once = grad(lambda x: op(x, x))
        return once(x), grad(lambda x: once(x))(x), *grad(lambda x, y: grad(op)(x, y), (0, 1))(x, y)

    found = mode(second)(Tensor(X), Tensor(Y))
    assert list(map(value, found)) == [(2 * X).tolist(), [[2, 2]] * 2, [[0, 0]] * 2, [[1, 1]] * 2]


@pytest.mark.parametrize(
    "returned",
    [lambda dout: dout, lambda dout: [dout], lambda dout: (dout,)],
    ids=["bare", "list", "tuple"],
)
def test_one_gradient_may_come_bare_or_in_a_list(returned, mode):
    op = twice(lambda x, out, dout: returned(dout))
    assert value(mode(lambda x: grad(op)(x))(Tensor(X))) == [[1, 1], [1, 1]]


def test_none_for_an_input_is_zeros_and_star_arguments_are_fine(mode):
    op = my_mul(lambda *received: (received[3] * received[1], None))
    dx, dy = mode(lambda x, y: grad(op, (0, 1))(x, y))(Tensor(X), Tensor(Y))
    assert (value(dx), value(dy)) == (Y.tolist(), [[0, 0], [0, 0]])


def test_integers_asnumpy_print_and_stop_gradient_inside_a_bprop(capsys):
    def bprop(x, out, dout):
        print("in bprop", x.asnumpy()[0, 0])
        return ops.stop_gradient(dout)

    x = Tensor(X.astype(np.int32))
    dx = grad(ops.Custom(lambda x: x, (2, 2), dtypes.int32, bprop=bprop))(x)
    assert (dx.dtype, value(dx)) == (dtypes.int32, [[1, 1], [1, 1]])
    assert capsys.readouterr().out == "in bprop 1\n"


# bprops that are wrong -----------------------------------------------------------------------


def boom(x, out, dout):
    raise ValueError("mine")


WRONG = {
    "no bprop": (None, RuntimeError, "Custom's bprop not defined"),
    "count": (
        lambda x, out, dout: (dout, dout),
        RuntimeError,
        "bprop returned 2 gradients but the op has 1 input",
    ),
    "shape": (lambda x, out, dout: dout.reshape((4,)), ValueError, "input 0 has another shape"),
    "dtype": (
        lambda x, out, dout: dout.astype(dtypes.float16),
        TypeError,
        r"another dtype than it[\s\S]*Float16\[2, 2\][\s\S]*Float32\[2, 2\]",
    ),
    "number": (lambda x, out, dout: 1.0, TypeError, "input 0 is no tensor"),
    "nothing": (lambda x, out, dout: None, TypeError, "the python function output is none"),
    "too few": (lambda x, out: out, TypeError, "cannot be called with 3 arguments"),
    "too many": (lambda x, out, dout, more: out, TypeError, "cannot be called with 3 arguments"),
    "raises": (boom, ValueError, "mine"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_bprop_is_refused_in_both_modes(case, mode):
    bprop, kind, words = WRONG[case]
    op = twice(bprop)
    with pytest.raises(kind, match=words):
        mode(lambda x: grad(op)(x))(Tensor(X)).asnumpy()


def test_the_error_shows_what_was_returned_and_the_learners_line(golden):
    def bprop(x, y, out, dout):
        return (dout * y,)

    with pytest.raises(errors.NotRunnable) as caught:
        grad(my_mul(bprop))(Tensor(X), Tensor(np.float32([[1, 2], [3, 4]])))
    text = str(caught.value)
    assert f"test_custom_bprop.py:{bprop.__code__.co_firstlineno}" in text
    golden("errors/bprop_count.txt", text[: text.rindex("(")].rstrip() + "\n")


def test_a_flattened_bprop_with_the_wrong_number_of_names_is_refused():
    op = two_outputs(lambda x, out1, dout1, dout2: (dout1,))
    with pytest.raises(TypeError, match="It gets 1 input.*both tuples"):
        grad(lambda x: op(x)[0])(Tensor(X))
