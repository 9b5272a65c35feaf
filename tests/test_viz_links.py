"""Every node is found again: in its source line, in the text, in the code that runs, in a time."""

import re
import time
from types import SimpleNamespace

import numpy as np
import pytest
from backend_graphs import Writer, floats
from random_graphs import random_graph

import ms_ext.ops  # noqa: F401
from ms_ext import Tensor, jit, nn, ops, viz
from ms_ext.engine import backends, errors, pipeline
from ms_ext.engine.backends import Listed, backend, build
from ms_ext.engine.ir import dump
from ms_ext.viz.panel import links, measured, sources
from ms_ext.viz.panel.arguments import explained, traced
from ms_ext.viz.passes import Panel

BACKENDS = ("cython", "reference")


def calls(graph):
    """Ids of every call that is there, Return apart."""
    return {node.id for each in graph.all_graphs() for node in each.order()}


def pane(panes, name):
    return next(each for each in panes if each.name == name)


def lines_of(found, node):
    return [line for line in found.lines if node in line.nodes]


@pytest.fixture
def partial():
    """A backend of somebody else's, who lists nothing; taken away again."""
    yield backend
    for name in ("first", "partial", "broken"):
        backends.REGISTRY.discard(name)


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("seed", range(12))
def test_every_call_is_in_one_line_of_the_text_and_in_the_code(seed, name, monkeypatch):
    monkeypatch.setattr(links, "WIDEST", 1000)
    graph, arguments = random_graph(seed, size=20)
    pipeline.run(graph)
    found = links.panes(graph, arguments, name)
    text, code = pane(found, "IR"), pane(found, "code")
    for node in calls(graph):
        assert len(lines_of(text, node)) == 1
        assert lines_of(code, node)
    assert "\n".join(line.text for line in text.lines) + "\n" == dump(graph)


@pytest.mark.parametrize("name", BACKENDS)
@pytest.mark.parametrize("seed", range(12))
def test_times_cover_all_blocks(seed, name, monkeypatch):
    monkeypatch.setattr(measured, "SECONDS", 30)
    graph, arguments = random_graph(seed, size=20)
    pipeline.run(graph)
    executable = build(name, graph)
    found = measured.time(graph, executable, arguments)
    assert "backend" in found.about and "Not measured" not in found.about
    blocks = [each for each in executable.listing() if each.kind]
    assert {line.nodes for line in found.lines} == {block.nodes for block in blocks}
    bars = [(line.start, line.end) for line in found.lines if line.start is not None]
    assert bars and all(0 <= start < end <= 1 for start, end in bars)
    assert min(start for start, _ in bars) == 0 and max(end for _, end in bars) == 1
    assert all("µs" in line.text for line in found.lines if line.start is not None)


# whose code and why not ---------------------------------------------------------------------------


def test_a_backend_that_lists_nothing_is_said_to(partial):
    partial("first")(lambda graph: lambda *arrays: arrays[:1])
    w = Writer(x=floats(2))
    code = pane(links.panes(w.returns(w("Identity", w.x)), None, "first"), "code")
    assert code.lines == [] and "does not say what it runs" in code.about


def test_a_backend_lists_its_code_itself(partial):
    @partial("first")
    def first(graph):
        def run(*arrays):
            return arrays[:1]

        run.listing = lambda: [("return the first", (graph.outputs[0].id,), "row")]
        return run

    w = Writer(x=floats(2))
    graph = w.returns(w("Identity", w.x))
    assert build("first", graph).listing() == [
        Listed("return the first", (graph.outputs[0].id,), "row")
    ]
    assert pane(links.panes(graph, None, "first"), "code").lines[0].text == "return the first"


def test_a_backend_that_fails_leaves_the_other_panes(partial):
    @partial("broken")
    def broken(graph):
        raise KeyError("no Add here")

    w = Writer(x=floats(2))
    found = links.panes(w.returns(w("Exp", w.x)), None, "broken")
    assert [each.name for each in found] == ["Python", "IR", "code", "time"]
    assert "no Add here" in pane(found, "code").about and pane(found, "IR").lines


@pytest.mark.parametrize(
    "inputs, why",
    [(None, "no arguments"), ([None], "only the type"), ([np.ones(3, "f4")], "failed")],
)
def test_why_nothing_was_measured(inputs, why):
    w = Writer(x=floats(2))
    graph = w.returns(w("Exp", w.x))
    found = pane(links.panes(graph, inputs), "time")
    assert found.lines == [] and why in found.about and "\n" not in found.about


def test_what_takes_long_is_not_run():
    graph, inputs = traced(lambda x: ops.matmul(x, x), (Tensor(np.zeros((2048, 2048), "f4")),))
    assert "viz.run does it" in pane(links.panes(graph, inputs), "time").about


def test_what_has_an_effect_is_not_run(monkeypatch):
    graph, inputs = traced(lambda x: x + x, (Tensor([1.0]),))
    (node,) = graph.order()
    node.primitive = SimpleNamespace(name="Print", effect=True)
    assert "Print has an effect" in measured.time(graph, None, inputs).about


def endless(x):
    while x > 0:
        x = x + 1
    return x


@pytest.mark.parametrize("name", BACKENDS)
def test_a_loop_without_end_is_stopped(name, monkeypatch):
    monkeypatch.setattr(measured, "SECONDS", 0.2)
    graph, inputs = traced(endless, (Tensor(1.0),))
    start = time.perf_counter()
    found = pane(links.panes(graph, inputs, name), "time")
    assert time.perf_counter() - start < 5
    assert found.lines == [] and "longer than it was given" in found.about


def test_many_turns_are_one_line_for_each_block():
    def turns(x):
        while x < 200.0:
            x = x + 1.0
        return x

    graph, inputs = traced(turns, (Tensor(0.0),))
    found = pane(links.panes(graph, inputs), "time")
    assert any("200 launches" in line.text for line in found.lines)
    assert len(found.lines) == 3 and "first launch to its last" in found.about


# Python -------------------------------------------------------------------------------------------


class Net(nn.Cell):
    """A layer of the library and a line of one's own."""

    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(4, 2)

    def construct(self, x):
        """Two lines."""
        hidden = self.dense(x)
        return hidden * 2.0 - x.sum()


def test_the_lines_that_made_the_nodes():
    record, _ = explained(Net(), (Tensor(np.ones((3, 4), "f4")),))
    found = sources.python(links._rows(record, record.graph))
    ops_of = {node.id: node.primitive.name for node in record.graph.order()}
    made = {line.text.strip(): [ops_of.get(n) for n in line.nodes] for line in found.lines}
    assert made["return hidden * 2.0 - x.sum()"].count("Mul") == 1
    assert {"Mul", "Sub"} <= set(made["return hidden * 2.0 - x.sum()"])
    assert made["def construct(self, x):"] == [] and '"""Two lines."""' in made
    library = [text for text in made if text.startswith("ms_ext/nn/layers.py")]
    assert len(library) == 1 and "MatMul" in str(made[library[0]])
    assert all(line.number.isdigit() for line in found.lines if line.text.startswith("    def"))
    assert "class Net" not in "".join(made)  # only the functions


def test_long_functions_are_cut_to_the_lines_that_count(monkeypatch):
    monkeypatch.setattr(sources, "MOST", 3)
    record, _ = explained(Net(), (Tensor(np.ones((3, 4), "f4")),))
    found = sources.python(links._rows(record, record.graph))
    assert any("hidden * 2.0" in line.text for line in found.lines)
    assert len([line for line in found.lines if line.number]) <= 2 * sources.AROUND + 2


def test_nodes_of_every_pass_are_in_the_source():
    """Also one that a pass took out again, and one that it made."""

    def f(x, y):
        return x + (-y) + (-y)

    record, _ = explained(f, (Tensor([1.0]), Tensor([2.0])), ["add_neg_to_sub"])
    found = sources.python(links._rows(record, record.graph))
    (line,) = [line for line in found.lines if "return x" in line.text]
    states = [record.listing_after(n).values() for n in range(len(record.passes) + 1)]
    seen = {row.id for rows in states for row in rows if row.op in ("Neg", "Add", "Sub")}
    assert seen <= set(line.nodes) and len(seen) == 6


# the panel ----------------------------------------------------------------------------------------


def test_panes_are_made_when_somebody_looks(monkeypatch):
    asked = []
    monkeypatch.setattr(links, "panes", lambda *given: asked.append(given) or [])
    panel = viz.passes(lambda x: x + x, Tensor([1.0]))
    panel.text()
    assert asked == []
    assert panel.panes == [] and len(asked) == 1


def test_the_panels_of_a_function_have_its_panes():
    x = Tensor([1.0, 2.0])
    for panel in (viz.passes(lambda x: x + x, x), viz.graph(lambda x: x + x, x)):
        assert [each.name for each in panel.panes] == ["Python", "IR", "code", "time"]
        assert pane(panel.panes, "time").lines
    compiled = viz.passes(jit(lambda x: x + x, backend="reference"), x)
    assert "reference" in pane(compiled.panes, "code").about


def test_panes_can_start_open():
    x = Tensor([1.0, 2.0])
    for shown in (viz.graph, viz.passes):
        page = shown(lambda x: x + x, x, panes=("IR", "Python")).html()
        assert 'data-open="IR Python"' in page
        opened = re.findall(
            r'<details class="list" data-tab="(\w+)" data-count="[^"]*" open>', page
        )
        assert opened == ["IR", "Python"]
        assert 'data-open="' not in shown(lambda x: x + x, x).html()
    assert viz.graph(lambda x: x + x, x, panes="code").opened == ("code",)
    with pytest.raises(
        errors.InvalidValue, match="has the panes Python, IR, code and time"
    ) as refused:
        viz.graph(lambda x: x + x, x, panes=("Pyton",))
    assert "Python" in str(refused.value.hint)


def test_the_tab_of_the_times_says_how_long_the_run_took():
    x = Tensor([1.0, 2.0])
    made = pane(viz.graph(lambda x: x + x, x).panes, "time")
    assert re.fullmatch(r"[\d.]+ µs", made.shown) and made.shown in made.about
    panel = Panel("one", viz.graph(lambda x: x + x, x).steps, panes=[made])
    assert f'data-tab="time" data-count="{made.shown}"' in panel.html()
    record, _ = explained(lambda x: x + x, (x,))
    assert pane(viz.passes(record).panes, "time").shown == "not measured"


def test_a_panel_of_a_record_has_no_arguments_to_run():
    record, _ = explained(lambda x: x + x, (Tensor([1.0]),))
    assert "no arguments" in pane(viz.passes(record).panes, "time").about


def test_a_pane_of_a_step_marks_what_the_pass_changed():
    panel = viz.passes(
        lambda x, y: x + (-y), Tensor([1.0]), Tensor([2.0]), passes=["add_neg_to_sub"]
    )
    said = next(each for each in panel.report if each["name"] == "add_neg_to_sub")
    (told,) = said["panes"]
    found = links.of_step(said)
    assert [line["text"] for line in told["lines"]] == [line.text for line in found.lines]
    assert [each["name"] for each in panel.report if "panes" in each] == ["add_neg_to_sub"]
    marks = {line.text[0]: line for line in found.lines}
    assert {"+", "−"} <= set(marks) and "Sub" in marks["+"].text
    assert found.name == "IR of this pass" and found.about.startswith("The graph after pass 5")


def test_a_long_pane_is_cut_and_says_so():
    found = links.cut([links.Line("x" * 500)] * 500, "dump(graph)")
    assert len(found) == links.MOST and found[-1].text.startswith("... and 101 more lines")
    assert all(len(line.text) <= links.WIDEST for line in found)
