"""Two runs of a function told apart: pipelines, modes, backends, dtypes."""

import numpy as np
import pytest
from random_graphs import random_graph

from ms_ext import Parameter, Tensor, context, grad, jit, nn, ops, viz
from ms_ext.engine.ir import FuncGraph
from ms_ext.engine.jit import explain
from ms_ext.viz.comparing.difference import Difference
from ms_ext.viz.run import Run, Settings


def f(x, y):
    """A fused chain, a reduction, a subtraction in disguise."""
    t = ops.maximum(x * 1.5 + y, 0.0)
    return {"rest": t + (-y), "sum": ops.sum(t, 0)}


@pytest.fixture
def xy():
    numbers = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    return Tensor(numbers), Tensor(numbers[::-1] * 0.5)


def stat(difference, name):
    return next(each for each in difference.report[0]["stats"] if each["name"] == name)


def pane(difference, name):
    return next(each for each in difference.panes if each.name == name)


def states(difference):
    """Glyph and op of every node that is not the same on both sides."""
    nodes = difference.report[0]["nodes"]
    return sorted(f"{n['glyph']}{n['op']}" for n in nodes if n["glyph"] and n["op"] != "Return")


# runs ---------------------------------------------------------------------------------------------


def test_the_values_of_a_run_are_those_of_the_function(xy):
    wanted = jit(f)(*xy)
    for settings in ({}, {"backend": "reference"}, {"mode": "pynative"}):
        rest, total = viz.run(f, *xy, **settings).values
        np.testing.assert_allclose(rest, wanted["rest"].asnumpy(), rtol=1e-6)
        np.testing.assert_allclose(total, wanted["sum"].asnumpy(), rtol=1e-6)


def test_pynative_mode_is_told_call_by_call(xy):
    def counted(x, times):
        for _ in range(times):
            x = x + 1.0
        return x.split(2)[1]

    found = viz.run(counted, xy[0].reshape(4, 3), 5, mode="pynative")
    names = [node.primitive.name for node in found.graph.order()]
    assert names[:5] == ["Add"] * 5 and names[-1] == "TupleGetItem"
    assert [p.name for p in found.graph.parameters] == ["x"]
    assert found.graph.order()[0].where.text.strip() == "x = x + 1.0"
    assert [each.kind for each in found.blocks] == ["call"] * 6
    assert found.settings.mode == "pynative" and context.get_context("mode") == 1


def test_a_write_in_place_is_said_not_to_be_a_call(xy):
    def written(x):
        y = x * 2.0
        y[0] = 7.0
        return y + 1.0

    found = viz.run(written, xy[0], mode="pynative")
    assert "written to in place" in found.text()
    np.testing.assert_array_equal(found.values[0][0], np.full(4, 8, "f4"))


def test_gradients_are_calls_too(xy):
    found = viz.run(grad(lambda x: (x * x).sum()), xy[0], mode="pynative")
    np.testing.assert_allclose(found.values[0], 2 * xy[0].asnumpy())
    assert "Mul" in [node.primitive.name for node in found.graph.order()]


def test_a_run_without_elements_has_no_values():
    from ms_ext.dtype import float32
    from ms_ext.engine.infer import AbstractTensor

    abstract = AbstractTensor(float32, (2,))
    found = viz.run(lambda x: x + x, abstract)
    assert found.values is None and "no results" in found.text()
    with pytest.raises(TypeError, match="only the type"):
        viz.run(lambda x: x + x, abstract, mode="pynative")


def test_a_run_draws_itself(xy):
    for mode in ("graph", "pynative"):
        shown = viz.run(f, *xy, mode=mode).panel()
        assert [each.name for each in shown.panes][:3] == ["Python", "IR", "code"]
        assert "<svg" in shown.html() or "data:image" in shown.html()


@pytest.mark.parametrize(
    "settings, why",
    [
        ({"mode": "grap"}, "graph"),
        ({"mode": "pynative", "backend": "cython"}, "one by one"),
        ({"dtype": "int32"}, "floating dtype"),
        ({"dtype": "float17"}, "float1"),
        ({"backend": "cyton"}, "cython"),
    ],
)
def test_settings_that_make_no_sense(settings, why, xy):
    with pytest.raises(Exception, match=why) as raised:
        viz.run(f, *xy, **settings)
    assert type(raised.value).__module__ == "ms_ext.engine.errors"


# dtypes -------------------------------------------------------------------------------------------


class Net(nn.Cell):
    """Two layers with Parameters."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Dense(4, 2)
        self.scale = Parameter(Tensor([2.0]), name="scale")

    def construct(self, x):
        return self.inner(x) * self.scale


@pytest.mark.parametrize("mode", ["graph", "pynative"])
def test_a_cell_is_lent_copies_of_its_parameters(xy, mode):
    net = Net()
    weights = [net.inner.weight, net.inner.bias, net.scale]
    before = [w.asnumpy().copy() for w in weights]
    half = viz.run(net, xy[0], dtype="float16", mode=mode)
    assert half.values[0].dtype == np.float16
    assert {str(p.abstract.dtype) for p in half.graph.parameters} == {"Float16"}
    after = [net.inner.weight, net.inner.bias, net.scale]
    assert all(one is other for one, other in zip(weights, after, strict=True))
    for weight, old in zip(weights, before, strict=True):
        np.testing.assert_array_equal(weight.asnumpy(), old)


def test_a_cell_keeps_its_parameters_when_a_run_fails(xy):
    net = Net()
    weight = net.inner.weight
    with pytest.raises(Exception, match="MatMul|shape|size"):
        viz.run(net, Tensor(np.ones((3, 5), "f4")), dtype="float16")
    assert net.inner.weight is weight


def test_a_parameter_that_no_cell_holds_is_refused(xy):
    weight = Parameter(Tensor([2.0]), name="weight")
    with pytest.raises(Exception, match="'weight' cannot be lent at Float16"):
        viz.run(lambda x: x * weight, xy[0], dtype="float16")


def test_two_dtypes(xy):
    shown = viz.compare(viz.run(f, *xy), viz.run(f, *xy, dtype="float16"))
    assert shown.labels == ("Float32", "Float16")
    assert set(states(shown)) >= {"~Mul", "~Add", "~SumExt"} and "+" not in "".join(states(shown))
    assert "f32[3,4] → f16[3,4]" in shown.text()
    assert "ulp of Float16" in pane(shown, "values").lines[0].text
    assert stat(shown, "bytes moved")["change"].startswith("−")


# comparing ----------------------------------------------------------------------------------------


def test_two_backends(xy):
    shown = viz.compare(viz.run(f, *xy), viz.run(f, *xy, backend="reference"))
    assert shown.labels == ("cython", "reference") and states(shown) == []
    assert shown.sentence().startswith("cython → reference: the same graph; 1 fused kernel")
    assert stat(shown, "calls of NumPy")["shown"] == "1 → 6"
    plan = pane(shown, "plan")
    assert any(
        line.text.endswith("1 fused kernel → 5 calls of NumPy") and len(line.nodes) == 5
        for line in plan.lines
    )
    assert [each.name for each in shown.panes] == [
        "values",
        "plan",
        "Python",
        "code: cython",
        "code: reference",
    ]
    code = "\n".join(line.text for line in pane(shown, "code: reference").lines)
    assert "%6 = Add(%5, %2 y)" in code  # in the numbers of both


def test_two_pipelines(xy):
    shown = viz.compare(viz.run(f, *xy), viz.run(f, *xy, passes=["add_neg_to_sub"]))
    assert shown.labels == ("default passes", "with add_neg_to_sub")
    assert states(shown) == ["+Sub", "−Add", "−Neg"]
    assert stat(shown, "nodes")["shown"] == "6 → 5"
    assert stat(shown, "values")["shown"] == "results equal to the bit"


def test_two_modes(xy):
    shown = viz.compare(viz.run(f, *xy, mode="pynative"), viz.run(f, *xy))
    assert shown.labels == ("PyNative mode", "graph mode")
    assert "6 op calls → 1 fused kernel" in shown.sentence()
    assert stat(shown, "launches")["shown"] == "6 → 2"


def test_other_arguments_are_said(xy):
    shown = viz.compare(viz.run(f, *xy), viz.run(f, xy[1], xy[0]))
    assert "other arguments" in shown.text() and "results differ" in shown.sentence()
    assert "other arguments" not in viz.compare(viz.run(f, *xy), viz.run(f, *xy)).text()


@pytest.mark.parametrize("settings", [{}, {"mode": "pynative"}, {"backend": "reference"}])
def test_a_run_is_itself(xy, settings):
    one = viz.run(f, *xy, **settings)
    for other in (one, viz.run(f, *xy, **settings)):
        assert viz.compare(one, other).sentence() == (
            "no difference: the same graph of 6 nodes, the same plan, results equal to the bit"
        )


@pytest.mark.parametrize("seed", range(10))
def test_a_random_graph_is_itself_and_no_other(seed):
    graph, arguments = random_graph(seed)
    side = Run(Settings("f", "graph", "", (), ""), graph, arguments, None, ())
    assert Difference(side, side).sentence().startswith("no difference")
    other = Run(side.settings, random_graph(seed + 1)[0], None, None, ())
    shown = Difference(side, other)
    assert not shown.sentence().startswith("no difference") and states(shown)


def test_panels_and_records(xy):
    one, other = (viz.passes(f, *xy, passes=each) for each in (None, ["add_neg_to_sub"]))
    shown = viz.compare(one, other)
    assert states(shown) == ["+Sub", "−Add", "−Neg"] and "values" not in shown.text()
    records = viz.compare(explain(f, *xy), explain(f, *xy, passes=["add_neg_to_sub"]))
    assert records.sentence() == shown.sentence()
    read = viz.compare(viz.graph(f, *xy), one)
    assert read.labels == ("before any pass", "default passes")


@pytest.mark.parametrize("other", [3, None, "f", FuncGraph("f"), lambda x: x])
def test_what_cannot_be_compared(other, xy):
    run = viz.run(f, *xy)
    for pair in ((run, other), (other, run)):
        with pytest.raises(TypeError, match="These two cannot be compared") as raised:
            viz.compare(*pair)
        assert "viz.run" in str(raised.value)


def test_text_and_page_say_the_same(xy):
    shown = viz.compare(viz.run(f, *xy), viz.run(f, *xy, backend="reference"))
    page, text = shown.html(), shown.text()
    for said in (shown.title, shown.sentence(), *[s["meaning"] for s in shown.report[0]["stats"]]):
        assert said in text and said in page
    for name in ("values", "plan"):
        for line in pane(shown, name).lines:
            assert line.text in text
    assert shown.text() == viz.compare(shown.first, shown.second).text()


def test_every_call_is_in_one_line_of_the_plan(xy):
    shown = viz.compare(
        viz.run(f, *xy, mode="pynative"), viz.run(f, *xy, passes=["add_neg_to_sub"])
    )
    told = [node for line in pane(shown, "plan").lines for node in line.nodes]
    rows = shown.rows.before | shown.rows.after
    assert sorted(told) == sorted(
        n
        for n, row in rows.items()
        if row.kind == "call" and row.op not in ("Return", "TupleGetItem")
    )
