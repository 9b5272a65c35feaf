"""``ms.why_no_gradient``: what it says of runs in which a bprop is, and is not, called."""

import numpy as np
import pytest
from custom_ops import F32, X, Y, my_mul

import ms_ext as ms
from ms_ext import Parameter, Tensor, jit, nn, ops
from ms_ext import dtype as dtypes


def named(op, name):
    op.__name__ = name
    return op


def breaks(x, y, out, dout):
    raise ValueError("mine")


OP = named(my_mul(), "my_mul")
PLAIN = named(my_mul(None), "plain")
BROKEN = named(my_mul(breaks), "broken")
GIVES_NONE = named(my_mul(lambda x, y, out, dout: (None, dout * x)), "gives_none")
FROZEN = Parameter(Tensor(X), name="frozen", requires_grad=False)
WEIGHT = Parameter(Tensor(X), name="weight")
x, y = Tensor(X), Tensor(Y)


def branch(x):
    if x.sum() > 1000.0:
        return OP(x, y).sum()
    return x.sum()


#: name -> (function of x, the reason, whether the bprop ran)
RUNS = {
    "ran": (lambda x: OP(x, y).sum(), "ran", True),
    "stopped after": (lambda x: ops.stop_gradient(OP(x, y)).sum() + x.sum(), "stopped", False),
    "stopped before": (lambda x: OP(ops.stop_gradient(x), y).sum() + x.sum(), "stopped", True),
    "compared": (lambda x: (OP(x, y) > 1.0).astype(F32).sum() + x.sum(), "integer", False),
    "made of booleans": (lambda x: OP((x > 0.0).astype(F32), y).sum() + x.sum(), "integer", False),
    "flat": (lambda x: ops.floor(OP(x, y)).sum() + x.sum(), "no-path", False),
    "None of another": (lambda x: GIVES_NONE(OP(x, y), x).sum(), "no-path", False),
    "frozen": (lambda x: OP(FROZEN, y).sum() + x.sum(), "frozen", False),
    "not asked": (lambda x: OP(WEIGHT, y).sum() + x.sum(), "not-asked", False),
    "constant": (lambda x: OP(Tensor((x * 2.0).asnumpy()), y).sum() + x.sum(), "constant", False),
    "discarded": (lambda x: (OP(x, y), x.sum())[1], "discarded", False),
    "used for nothing": (lambda x: ((OP(x, y) * 2.0).sum(), x.sum())[1], "discarded", False),
    "another branch": (branch, "not-reached", False),
    "zero": (lambda x: OP(x, y).sum() * 0.0 + x.sum(), "zero-dout", True),
    "no bprop": (lambda x: PLAIN(x, y).sum(), "no-bprop", False),
    "raises": (lambda x: BROKEN(x, y).sum(), "raised", True),
}


def of(found, name=None):
    """The answer about one op."""
    return next(each for each in found.ops if name is None or each.name == name)


@pytest.mark.parametrize("case", RUNS)
def test_the_reason(case, mode):
    function, reason, ran = RUNS[case]
    found = ms.why_no_gradient(function, x)
    answer = found.ops[0] if case != "None of another" else of(found, "my_mul")
    assert (answer.reason, answer.ran, answer.mode) == (reason, ran, mode), found
    assert bool(found) == (reason == "ran")
    assert answer.reached == (case != "another branch")


def test_what_is_said(golden):
    texts = [f"## {case}\n{ms.why_no_gradient(RUNS[case][0], x)!r}\n" for case in RUNS]
    golden("why_no_gradient.txt", "\n".join(texts).replace("<lambda>", "f"))


def test_numbers_taken_out_of_the_result(mode):
    found = ms.why_no_gradient(lambda x: Tensor(OP(x, y).asnumpy()).sum() + x.sum(), x)
    assert of(found).reason == "discarded" and "asnumpy()" in of(found).sentence
    assert of(found).ran == (mode == "graph")  # there it is called, with zeros


def test_an_argument_whose_gradient_is_not_asked_for():
    def function(a, b):
        return OP(b, b).sum() + a.sum()

    found = ms.why_no_gradient(function, x, y)
    assert of(found).reason == "not-asked" and "grad_position=1" in of(found).sentence
    assert ms.why_no_gradient(function, x, y, grad_position=1)
    assert ms.why_no_gradient(RUNS["not asked"][0], x, weights=[WEIGHT])


class Net(nn.Cell):
    """A Cell that uses its op in training only."""

    def __init__(self):
        super().__init__()
        self.op = OP

    def construct(self, x):
        if self.training:
            return self.op(x, y).sum()
        return x.sum()


def test_a_cell_that_is_not_in_training(mode):
    net = Net()
    found = ms.why_no_gradient(net, x)
    assert (of(found).reason, of(found).reached) == ("not-training", False)
    assert not net.training
    assert ms.why_no_gradient(net.set_train(), x)


def test_a_bprop_that_asks_for_elements_runs_in_both_modes(mode):
    op = my_mul(lambda x, y, out, dout: (Tensor(dout.asnumpy()), dout * x))
    assert of(ms.why_no_gradient(lambda x: op(x, y).sum(), x)).reason == "ran"


def test_a_bprop_that_works_in_eager_mode_only(mode):
    def bprop(x, y, out, dout):
        return ms.grad(lambda t: (t * t).sum())(x), dout * x

    op = my_mul(bprop)
    found = ms.why_no_gradient(lambda x: op(x, y).sum(), x)
    assert of(found).reason == ("ran" if mode == "eager" else "raised")


def test_a_compiled_function_inside():
    inner = jit(lambda x: OP(x, y))
    assert of(ms.why_no_gradient(lambda x: inner(x).sum(), x, op=OP)).reason == "ran"


def test_one_op_of_several_and_none_at_all():
    other = named(my_mul(), "other")

    def function(x):
        return (OP(x, y) + ops.stop_gradient(other(x, y))).sum()

    both = ms.why_no_gradient(function, x)
    assert [each.name for each in both.ops] == ["my_mul", "other"] and not both
    assert ms.why_no_gradient(function, x, op=OP)
    none = ms.why_no_gradient(lambda x: x * 2.0, x)
    assert none.ops == () and not none and "it calls no ops.Custom" in repr(none)


def test_the_op_itself_and_integers():
    assert of(ms.why_no_gradient(OP, x, y)).reason == "ran"
    found = ms.why_no_gradient(lambda x: OP(x.astype(dtypes.int32).astype(F32), y).sum(), x)
    assert of(found).ran  # as with MindSpore, a cast hands gradients back


def test_an_error_before_it_comes_to_that():
    found = ms.why_no_gradient(lambda x: OP(x, y) + [] / 1, x)
    assert of(found).reason == "raised" and "TypeError" in of(found).sentence


def test_it_leaves_nothing_behind():
    before = ms.get_context("mode")
    ms.why_no_gradient(RUNS["raises"][0], x)
    assert ms.get_context("mode") == before
    np.testing.assert_array_equal(ms.grad(lambda x: OP(x, y).sum())(x).asnumpy(), Y)
