"""The bprop of a custom op: what it gets, what it may return, and how a wrong one is refused."""

import numpy as np
import pytest
from custom_ops import F32, X, Y, mode, my_mul, policy, twice, two_outputs, value

import ms_ext as ms
from ms_ext import Tensor, grad, jit, nn, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import errors

pytestmark = pytest.mark.usefixtures(policy.__name__)
FIXTURES = (mode,)


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


def test_an_op_made_inside_a_bprop_and_a_lambda_inside_a_call(mode):
    def bprop(x, y, out, dout):
        backward = ops.Custom(lambda d, o: d * o, (2, 2), F32)
        return backward(dout, y), backward(dout, x)

    op = my_mul(bprop)
    assert value(mode(lambda x: grad(lambda x: op(x, Tensor(Y)))(x))(Tensor(X))) == Y.tolist()


def test_stop_gradient_on_a_returned_gradient_keeps_its_value_and_shrinks_what_is_behind_it():
    def second(returned):
        def bprop(x, y, out, dout):
            return returned(dout * ops.tanh(y)), dout * x * (1.0 - ops.tanh(y) * ops.tanh(y))

        op = ops.Custom(lambda x, y: x * np.tanh(y), lambda x, y: x, lambda x, y: x, bprop=bprop)
        first = grad(lambda x, y: op(x, y).sum())
        twice = jit(grad(lambda x, y: first(x, y).sum(), 1))
        graph = twice.graph(Tensor(X), Tensor(Y))
        return value(first(Tensor(X), Tensor(Y))), twice(Tensor(X), Tensor(Y)), len(graph.order())

    whole, stopped = second(lambda dx: dx), second(ops.stop_gradient)
    assert whole[0] == stopped[0] == np.tanh(Y).tolist()
    np.testing.assert_allclose(whole[1].asnumpy(), 1 - np.tanh(Y) ** 2, atol=1e-6)
    assert value(stopped[1]) == [[0, 0], [0, 0]]
    assert stopped[2] < whole[2]


# bprops that are wrong -----------------------------------------------------------------------


def boom(x, out, dout):
    raise ValueError("mine")


WRONG = {
    "no bprop": (None, RuntimeError, "Custom's bprop not defined"),
    "count": (
        lambda x, out, dout: (dout, dout),
        (RuntimeError, IndexError),
        "the number of gradients returned from bprop should be 1: bprop returned 2 gradients but "
        "the op has 1 input",
    ),
    "shape": (
        lambda x, out, dout: dout.reshape((4,)),
        ValueError,
        "The shape of gradient should be same as corresponding input.*input 0 has another shape",
    ),
    "broadcast": (lambda x, out, dout: dout[:, :1], ValueError, "The shape of gradient should be"),
    "dtype": (
        lambda x, out, dout: dout.astype(dtypes.float16),
        TypeError,
        r"The dtype of gradient should be.*another dtype than it[\s\S]*Float16\[2, 2\][\s\S]*"
        r"Float32\[2, 2\]",
    ),
    "number": (lambda x, out, dout: 1.0, TypeError, "input 0 is no tensor"),
    "nothing": (lambda x, out, dout: None, TypeError, "the python function output is none"),
    "too few": (lambda x, out: out, TypeError, "cannot be called with 3 arguments"),
    "too many": (lambda x, out, dout, more: out, TypeError, "cannot be called with 3 arguments"),
    "raises": (boom, ValueError, "mine"),
}


class Around(nn.Cell):
    """A Cell around an op."""

    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, x):
        return self.op(x)


PLACES = {
    "the op": lambda op: op,
    "a function": lambda op: lambda x: op(x).sum(),
    "a Cell": lambda op: Around(op),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_bprop_is_refused_in_every_mode_and_place(case, place, mode):
    bprop, kinds, words = WRONG[case]
    around = PLACES[place](twice(bprop))
    with pytest.raises(kinds, match=words) as caught:
        mode(lambda x: grad(around)(x))(Tensor(X)).asnumpy()
    assert all(isinstance(caught.value, kind) for kind in np.atleast_1d(kinds))


def test_a_wrong_bprop_is_refused_in_a_cell_in_graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.raises(IndexError, match="should be 1: bprop returned 2 gradients"):
            grad(Around(twice(WRONG["count"][0])))(Tensor(X))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_what_mindspore_makes_of_it_is_said():
    def text(bprop):
        with pytest.raises(errors.MsExtError) as caught:
            grad(my_mul(bprop))(Tensor(X), Tensor(Y))
        return str(caught.value)

    few = text(lambda x, y, out, dout: (dout,))
    assert "MindSpore says: Fn gradient size should larger than next edges size, but got" in few
    many = text(lambda x, y, out, dout: (dout, dout, dout))
    assert "MindSpore takes no notice of further gradients." in many
    shape = text(lambda x, y, out, dout: (dout.sum(), dout))
    assert "MindSpore hands it on as it is, unless set_context(check_bprop=True)" in shape


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
