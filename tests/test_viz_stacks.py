"""What loops keep on stacks stands in the strip of numbers, before and after each pass."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import ops, viz
from ms_ext.dtype import float32
from ms_ext.engine import pipeline
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.infer import AbstractTensor
from ms_ext.engine.ir import FOR, WHILE, FuncGraph, stacked

ROW = AbstractTensor(float32, (8,))
SIZE = 32
X = ms.Tensor(np.linspace(0, 1, 8, dtype=np.float32))


def for_loop(graph, x, turns, write):
    """A For whose body ``write(body, x)`` fills; its first result."""
    count = graph.constant(turns) if isinstance(turns, int) else turns
    body = FuncGraph("body")
    body.add_parameter(count.abstract, "i")
    body.returns(write(body, body.add_parameter(ROW, "x")))
    return graph.add(FOR, (count, x), {"carried": 1, "scanned": 0}, (body,))


def gradient(write):
    """The gradient of a graph of x that ``write(graph, x)`` fills."""
    graph = FuncGraph("f")
    graph.returns(write(graph, graph.add_parameter(ROW, "x")))
    return vjp(graph)


def sin(graph, x):
    return graph.add(ops.Sin, (x,))


def test_bytes_of_a_turn_and_of_all_turns():
    (found,) = stacked(gradient(lambda g, x: for_loop(g, x, 1000, sin)))
    assert (found.word, found.turn, found.turns, found.total) == ("For", SIZE, 1000, 1000 * SIZE)
    assert (
        stacked(gradient(lambda g, x: for_loop(g, x, 5, lambda b, v: b.add(ops.Neg, (v,))))) == ()
    )
    assert stacked(gradient(sin)) == ()


def test_a_nest_keeps_all_turns_of_the_inner_loop_in_a_turn():
    inner = lambda graph, x: for_loop(graph, x, 10, sin)  # noqa: E731
    found = stacked(gradient(lambda g, x: for_loop(g, x, 7, inner)))
    assert [(each.turn, each.total, each.inside) for each in found] == [
        (10 * SIZE, 70 * SIZE, False),
        (SIZE, 10 * SIZE, True),
    ]


def test_the_turns_of_a_while_are_not_known():
    number = AbstractTensor(float32, ())
    graph, test, body = FuncGraph("f"), FuncGraph("test"), FuncGraph("body")
    x, y, z = [each.add_parameter(number, "x") for each in (graph, test, body)]
    test.returns(test.add(ops.Less, (y, test.constant(9.0))))
    body.returns(body.add(ops.Exp, (z,)))
    graph.returns(graph.add(WHILE, (x,), {"carried": 1}, (test, body)))
    (found,) = stacked(vjp(graph))
    assert (found.word, found.turn, found.turns, found.total) == ("While", 4, None, None)


def looped(x):
    for _ in range(1000):
        x = ops.sin(x * x) + x
    return x.sum()


@pytest.fixture(scope="module")
def panel():
    return viz.passes(ms.grad(looped), X, passes=["recompute"])


def kept(said):
    return [stat for stat in said["stats"] if stat["name"].startswith("kept")]


def test_the_strip_says_it_before_and_after_each_pass(panel):
    found = {said["name"]: kept(said) for said in panel.report}
    assert [len(rows) for rows in found.values()] == [1] * len(found)
    assert found["sink"][0]["shown"] == "64 B a turn, 64.00 kB in 1\u2009000 turns"
    assert found["sink"][0]["change"] == "±0 %"
    (row,) = found["recompute"]
    assert row["shown"] == "64 → 32 B a turn, 64.00 → 32.00 kB in 1\u2009000 turns"
    assert (row["before"], row["after"], row["change"]) == (2 * SIZE, SIZE, "−50 %")


def test_the_text_and_the_page_say_it(panel):
    assert "64 → 32 B a turn, 64.00 → 32.00 kB in 1\u2009000 turns (−50 %)" in panel.text()
    assert "64.00 → 32.00 kB in 1\u2009000 turns" in panel.html()


def test_a_graph_without_stacks_has_no_such_row():
    assert all(kept(said) == [] for said in viz.passes(lambda x: x * x, X).report)


def test_several_loops_have_a_sum():
    def two(x):
        for _ in range(100):
            x = ops.sin(x)
        for _ in range(200):
            x = ops.cos(x)
        return x.sum()

    rows = kept(viz.passes(ms.grad(two), X).report[-1])
    assert [row["name"].rpartition(" ")[0] for row in rows] == ["kept a", *["kept by For"] * 2]
    assert rows[0]["shown"].startswith("64 B")
    assert "6.40 kB in 200 turns" in rows[1]["shown"] + rows[2]["shown"]


def test_a_run_says_it_too():
    graph = gradient(lambda g, x: for_loop(g, x, 10, sin))
    assert [each.turn for each in pipeline.measure(graph).stacks] == [SIZE]
    assert "kept by For" in viz.graph(graph).text()
