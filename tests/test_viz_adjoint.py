"""The adjoint that is shown is the engine's, and its steps are the walk that wrote it."""

import re

import numpy as np
import pytest
from viz_programs import random_program

import ms_ext as ms
from ms_ext import Tensor, nn, ops, viz
from ms_ext.engine import errors

x, y = Tensor([1.0, 2.0]), Tensor([1.5, 1.0])


def biased(x, b):
    z = x / 2.0 + b
    return ops.tanh(z) * z


def closeness(x, y):
    d = x - y
    s = d * d
    return ops.exp(-s)


def random_view(seed):
    """The adjoint of a random program, and the program with its arguments."""
    run, arguments = random_program(seed, lambda a, b: ops.split(a + b, 1, -1)[-1] * 0.5, 10)
    return viz.adjoint(_graph(run, arguments), *arguments), run, arguments


def _graph(run, arguments):
    """What the calls of a run are as a graph: the lambdas of a plan cannot be read as source."""
    return ms.jit(run, capture_mode="trace").graph(*arguments)


@pytest.mark.parametrize("seed", range(20))
def test_every_number_is_that_of_grad(seed):
    shown, run, arguments = random_view(seed)
    wanted = ms.grad(run, (0, 1, 2))(*arguments)
    for (_, node), gradient in zip(shown.found.gradients, wanted, strict=True):
        found = shown.found.values[node]
        np.testing.assert_allclose(found, gradient.asnumpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_the_steps_hold_every_node_once(seed):
    found = random_view(seed)[0].found
    written = [*found.back, *found.copies.values()]
    assert len(set(written)) == len(written)
    assert set(found.adjoint.order()) <= set(written)
    order = found.graph.order()
    places = [order.index(step.node) for step in found.steps]
    assert places == sorted(places, reverse=True)


@pytest.mark.parametrize("seed", range(20))
def test_a_slot_is_the_sum_of_what_arrived(seed):
    found = random_view(seed)[0].found
    for receiver, gives in found.slots(len(found.steps)).items():
        if any(give.added for give in gives):
            terms = [found.values[give.dout].astype(np.float64) for give in gives]
            total = found.values[gives[-1].total]
            assert total.shape == receiver.shape
            np.testing.assert_allclose(total, sum(terms), rtol=1e-4, atol=1e-6)


def test_the_steps_of_a_small_function():
    shown = viz.adjoint(closeness, x, y)
    names = shown.names
    assert shown.title == "the adjoint of closeness: 4 calls there, 6 back"
    assert [names.of(step.node) for step in shown.steps] == ["%4", "%3", "s", "d"]
    assert [names.call(node) for node in shown.found.back] == [
        "Mul(dout, %4)", "Neg(%5)", "Mul(%6, d)", "Mul(%6, d)", "Add(%7, %8)", "Neg(%9)",
    ]  # fmt: skip
    assert shown.kept == ["d", "%4"]
    assert shown.graph is shown.found.adjoint and len(shown.graph.order()) == 10


def lines(shown, pane):
    """The rows of a pane by their text."""
    from ms_ext.viz.widgets import adjoint_lines

    rows = getattr(adjoint_lines, f"of_{pane}")(shown.found, shown.names)
    return {row.text.strip(): row for row in rows}


def test_lines_know_what_became_of_them():
    shown = viz.adjoint(closeness, x, y)
    python, graph, adjoint = (lines(shown, pane) for pane in ("python", "graph", "adjoint"))
    square = python["s = d * d"]
    assert square.nodes == graph["s = Mul(d, d)"].nodes and square.note == "→ s"
    mine = [text for text, row in adjoint.items() if set(row.nodes) & set(square.nodes)]
    assert mine == [
        "s = Mul(d, d)", "3  back through s, Mul, dout is %6", "%7 = Mul(%6, d)",
        "%8 = Mul(%6, d)", "%9 = Add(%7, %8)",
    ]  # fmt: skip
    assert set(python["d = x - y"].nodes) <= set(adjoint["%9 = Add(%7, %8)"].nodes)
    assert adjoint["%9 = Add(%7, %8)"].state == "sum"


def halved(x):
    return ops.exp(x / 2.0)


def test_what_nobody_needs_is_struck_out():
    shown = viz.adjoint(halved, x)
    states = {row.text: row.state for row in lines(shown, "adjoint").values()}
    assert states["%5 = Neg(%4)"] == states["%6 = Mul(%5, %1)"] == "dead"
    assert states["%4 = Div(%3, 2.0)"] == "" and shown.kept == ["%2"]
    assert "Nobody needs %5, %6: no gradient that is returned depends on that." in shown.text()
    assert "Return does not reach" not in shown.text()  # the result is its own slope


def test_what_was_broadcast_is_summed_back_and_said():
    text = viz.adjoint(lambda x, b: x * b, Tensor(np.ones((2, 3), np.float32)), Tensor(3.0)).text()
    assert "To b goes %4 (b was broadcast, so what came back is summed)." in text


def test_several_results_have_a_dout_each():
    def halves(x):
        a, b = ops.split(x, 2)
        return a * b, b

    shown = viz.adjoint(halves, Tensor([1.0, 2.0, 3.0, 4.0]), dout=(Tensor([1.0, 1.0]), y))
    assert [shown.names.of(node) for node in shown.found.douts] == ["dout0", "dout1"]
    ((_, gradient),) = shown.found.gradients
    np.testing.assert_array_equal(shown.found.values[gradient], [3.0, 4.0, 2.5, 3.0])
    assert "b = TupleGetItem(%1; index=1)" in shown.text()
    assert "Its douts are (%5, %7)" in shown.text()


def test_an_input_that_is_not_used_gets_zeros():
    shown = viz.adjoint(lambda x, y: x * 2.0, x, y)
    assert (
        "Nothing came back to it, so it is zeros: %4 = BroadcastTo(0; shape=[2])." in shown.text()
    )
    assert shown.found.end.added == [shown.found.gradients[1][1]]


def test_types_alone_will_do():
    kind = ms.graph.AbstractTensor(ms.float32, (2,))
    shown = viz.adjoint(closeness, kind, y)
    assert shown.found.values == {} and re.search(r"d = Sub\(x, y\) +f32\[2\]\n", shown.text())
    traced = ms.graph.trace(closeness, x, y)
    assert viz.adjoint(traced).title.startswith("the adjoint of closeness: 4 calls")


def test_compiled_functions_and_cells_are_read():
    class Scale(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = ms.Parameter(Tensor([2.0, 3.0]), name="weight")

        def construct(self, x):
            return x * self.weight

    shown = viz.adjoint(Scale(), x)
    assert "the gradient of weight" in shown.text()
    assert viz.adjoint(ms.jit(closeness), x, y).title.startswith("the adjoint of closeness")


def branched(x):
    y = x * 2.0
    if y.sum() > 1.0:
        y = ops.exp(y) * x
    return y * y


def test_a_branch_is_one_call_and_its_lines_belong_to_it():
    shown = viz.adjoint(branched, x)
    assert lines(shown, "python")["y = ops.exp(y) * x"].note == "→ %4"
    wanted = ms.grad(branched)(x).asnumpy()
    ((_, gradient),) = shown.found.gradients
    np.testing.assert_allclose(shown.found.values[gradient], wanted, rtol=1e-5)


def test_without_a_gradient_it_says_so():
    with pytest.raises(errors.NotRunnable, match="No result of 'test' has a gradient") as told:
        viz.adjoint(ms.graph.trace(_positive, x))
    assert "bool[2]" in str(told.value)


def _positive(x):
    return x > 0.0


_positive.__name__ = "test"


def test_what_is_written_to_a_parameter_brings_no_dout():
    class Total(nn.Cell):
        def __init__(self):
            super().__init__()
            self.sum = ms.Parameter(Tensor(1.0), name="sum")

        def construct(self, x):
            self.sum += x.sum()
            return self.sum * x

    total = Total()
    shown = viz.adjoint(total, x)
    assert [shown.names.of(node) for node in shown.found.douts] == ["dout"]
    found = {p.name: shown.found.values[node] for p, node in shown.found.gradients}
    np.testing.assert_array_equal(found["x"], [7.0, 7.0])
    assert found["sum"] == 3.0 and float(total.sum) == 1.0  # it was looked at, not called


RAN = []


def asking(x):
    RAN.append(x.asnumpy())
    return x * Tensor(np.exp(x.asnumpy()))


def test_what_asks_python_is_not_run():
    shown = viz.adjoint(asking, x)
    assert shown.found.values == {} and RAN == [] and "PyExecute" in shown.text()


def test_your_own_rule_is_shown():
    def tenfold_bprop(x, out, dout):
        return (dout * 10.0,)

    def same(x):
        return x

    tenfold = ops.Custom(same, same, same, bprop=tenfold_bprop)
    page = viz.adjoint(lambda x: tenfold(x) * 2.0, x).html()
    assert "def tenfold_bprop(x, out, dout):" in page and "test_viz_adjoint.py:" in page


# forms --------------------------------------------------------------------------------------------


def test_a_long_function_is_listed_and_not_drawn():
    def long(x):
        for _ in range(14):
            x = ops.tanh(ops.tanh(ops.tanh(ops.tanh(ops.tanh(x)))))
        return x

    shown = viz.adjoint(long, x)
    page = shown.html()
    assert "No picture: 70 calls are hard to read." in page and "and 12 more steps" in page
    assert "<img alt" not in page and len(page) < 400_000
    assert shown.text().count("The rule of Tanh writes") == 70
    assert "<img alt" in viz.adjoint(long, x, budget=70).html()


def test_names_from_outside_stay_text():
    def 层(输入):
        return ops.exp(输入)

    层.__name__ = "<script>alert(1)</script>"
    page = viz.adjoint(层, Tensor([0.0])).html()
    assert "<script>alert" not in page and "输入" in page
    assert not re.search(r'<[a-z]+[^>]* id="', page)


def test_the_text_is_as_it_was_read(golden):
    rows = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 4)
    golden("viz/adjoint.txt", viz.adjoint(biased, rows, Tensor([0.0, 0.5, 1.0])).text())
