"""What is missing in your graph, what should not be there; which task came too early."""

import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import verdicts
from random_graphs import ROW, random_graph

from ms_ext import ops, viz
from ms_ext.engine.ir import CALL, FuncGraph, dump, load
from ms_ext.viz.comparing import pairing
from ms_ext.viz.comparing.pairing import pairs


def counts(comparison):
    """How many nodes are in each state."""
    return comparison._step.said["counts"]


def shown(comparison):
    """What each node that is not in both is, by state."""
    nodes = comparison._step.said["nodes"]
    return sorted(f"{n['glyph']}{n['op']}" for n in nodes if n["glyph"] and n["op"] != "Return")


@pytest.mark.parametrize("seed", range(12))
def test_a_graph_is_itself_whatever_its_numbers(seed):
    graph, _ = random_graph(seed)
    same = viz.compare(graph, load(dump(graph)))
    assert same.sentence() == "your graph is the wanted one"
    assert {state for state, many in counts(same).items() if many} == {"unchanged"}


@pytest.mark.parametrize("seed", range(8))
def test_every_node_of_two_other_graphs_is_told_once(seed):
    one, other = random_graph(seed)[0], random_graph(seed + 1)[0]
    found, _ = pairs(one, other)
    assert len(set(found.values())) == len(found)  # no node has two partners
    told = counts(viz.compare(one, other))
    both = told["unchanged"] + told["rewritten"]
    first, second = (counts(viz.compare(each, each))["unchanged"] for each in (one, other))
    assert (both + told["removed"], both + told["added"]) == (first, second)


SUB = "%3 = Sub(%1, %2) : f32[2]"
SUM, REST = "%3 = SumExt(%1)", '"dtype": null, "keep_dims": false'
CASES = {
    "another op": ([SUB], "%3", ["%3 = Add(%1, %2) : f32[2]"], "%3", ["+Add", "−Sub"]),
    "operands swapped": ([SUB], "%3", ["%3 = Sub(%2, %1) : f32[2]"], "%3", ["~Sub"]),
    "one computed twice": (
        [SUB, "%4 = Add(%3, %3) : f32[2]"], "%4",
        [SUB, "%5 = Sub(%1, %2) : f32[2]", "%4 = Add(%3, %5) : f32[2]"], "%4", ["+Sub", "~Add"],
    ),
    "the rest goes on": (
        [SUB, "%4 = Abs(%3) : f32[2]"], "%4",
        ["%3 = Add(%1, %2) : f32[2]", "%4 = Abs(%3) : f32[2]"], "%4", ["+Add", "~Abs", "−Sub"],
    ),
    "an attribute": (
        [f'{SUM} {{"axis": 0, {REST}}} : f32[]'], "%3",
        [f'{SUM} {{"axis": null, {REST}}} : f32[]'], "%3", ["~SumExt"],
    ),
    "a constant": (
        ["%3 = Mul(%1, 2.0: float) : f32[2]"], "%3",
        ["%3 = Mul(%1, 3.0: float) : f32[2]"], "%3", ["+3.0", "~Mul", "−2.0"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_what_is_told_of_a_difference(kind):
    wanted, result, yours, other, told = CASES[kind]
    comparison = viz.compare(
        verdicts.graph(*wanted, result=result), verdicts.graph(*yours, result=other)
    )
    assert shown(comparison) == sorted(told)


def test_only_the_result_is_another_one():
    one, other = (verdicts.graph(SUB, "%4 = Abs(%3) : f32[2]", result=r) for r in ("%4", "%3, %4"))
    assert "other ones are returned" in viz.compare(one, other).sentence()


def test_text_and_picture_say_the_same():
    comparison = viz.compare(verdicts.wanted(), verdicts.yours())
    picture = ElementTree.fromstring(comparison.svg())
    assert picture.get("aria-label") == comparison.sentence()
    drawn = "\n".join(picture.itertext())
    for words in ("wanted, missing in yours", "in yours, not wanted", "with other operands"):
        assert words in drawn and words in comparison.text()
    states = [each.get("class") for each in picture.iter() if "data-id" in each.attrib]
    assert sum("removed" in s for s in states) == sum("added" in s for s in states) == 1


def test_a_pass_is_told_in_its_own_words():
    text = viz.rewritten(verdicts.wanted(), verdicts.yours()).text()
    assert "− taken out by your pass" in text and "wanted" not in text


def test_a_large_difference_is_cut_to_its_budget():
    one, other = random_graph(3, size=60)[0], random_graph(4, size=60)[0]
    comparison = viz.compare(one, other, budget=20)
    assert "Showing" in comparison.text() and comparison.svg().count("data-id=") <= 30


def chain(length, last):
    """y added to x again and again, then another op."""
    graph = FuncGraph("chain")
    x, y = (graph.add_parameter(ROW, name) for name in "xy")
    for _ in range(length):
        x = graph.add(ops.Add, (x, y))
    graph.returns(graph.add(last, (x, y)))
    return graph


def test_a_long_difference_stays_short():
    comparison = viz.compare(chain(500, ops.Sub), chain(500, ops.Mul))
    assert "+ %" in comparison.text() and len(comparison.svg()) < 100_000
    comparison = viz.compare(chain(500, ops.Sub), chain(1, ops.Mul))
    assert len(comparison.text().splitlines()) < 110 and "more lines" in comparison.text()


def test_a_graph_that_is_too_large_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(sys.modules["ms_ext.viz.compare"], "_MOST", 20)
    with pytest.raises(ValueError, match="A graph of 31 nodes is too large"):
        viz.compare(chain(5, ops.Sub), chain(30, ops.Sub))


def test_no_picture_needs_more_than_numpy():
    code = "import sys; from ms_ext import viz; viz.compare, viz.rewritten, viz.schedule"
    code += "; print([name for name in ('matplotlib', 'ipywidgets') if name in sys.modules])"
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def calls(length, seed, fan):
    """Calls of one graph of many parameters, each of some that came before: nothing is alike."""
    rng, graph, inner = np.random.default_rng(seed), FuncGraph("dense"), FuncGraph("inner")
    inner.returns(*[inner.add_parameter(ROW, f"p{i}") for i in range(fan)][:1])
    known = [graph.add_parameter(ROW, f"x{i}") for i in range(fan)]
    for _ in range(length):
        operands = [known[i] for i in rng.permutation(len(known))[:fan]]
        known.append(graph.add(CALL, operands, None, (inner,)))
    graph.returns(*[node for node in known if not node.users])
    return graph


def nested(depth, constant):
    """Graphs that call one another, a thousand deep."""
    last = None
    for _ in range(depth):
        graph = FuncGraph("one")
        y = graph.add(ops.Add, (graph.add_parameter(ROW, "x"), graph.constant(constant)))
        graph.returns(graph.add(CALL, (y,), None, (last,)) if last else y)
        last = graph
    return last


HOSTILE = {
    "dense": (lambda seed: calls(300, seed, 40), 3),
    "long": (lambda seed: calls(3000, seed, 4), 5),
    "deep": (lambda seed: nested(2000, float(seed)), 4),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_graphs_are_paired_in_time(case):
    """Times are far above what is needed: the search must be bounded, not fast, to pass."""
    make, seconds = HOSTILE[case]
    one, other = make(1), make(2)
    start = time.perf_counter()
    found, _ = pairs(one, other)
    assert time.perf_counter() - start < seconds
    assert len(set(found.values())) == len(found)


def test_calls_that_have_no_partner_are_left_when_no_more_may_be_looked_at(monkeypatch):
    """Two networks of 20,000 nodes came that far, and the comparison broke."""
    monkeypatch.setattr(pairing, "_WORK", 0)
    graphs = []
    for op in (ops.Sub, ops.Mul):
        graph = FuncGraph("graph")
        x = graph.add_parameter(ROW, "x")
        graph.returns(graph.add(ops.Add, (graph.add(ops.Exp, (x,)), graph.add(op, (x, x)))))
        graphs.append(graph)
    found, _ = pairs(*graphs)
    names = {node.primitive.name for node in found if node.kind == "call"}
    assert names == {"Return", "Exp", "Add"}


# schedules ----------------------------------------------------------------------------------------


def test_a_schedule_says_what_came_too_early(golden):
    golden("grading/schedule.txt", f"{verdicts.timeline()!r}\n")


def test_the_early_task_and_its_arrow_are_drawn():
    picture = ElementTree.fromstring(verdicts.timeline().svg())
    kinds = [each.get("class") or "" for each in picture.iter()]
    assert kinds.count("task broken") == 2 and kinds.count("task") == 4
    assert kinds.count("arrow") == 1
    assert "✗ add must wait for load: it starts at 2, load ends at 3" in picture.itertext()
    assert "add must wait for load" in picture.get("aria-label")


@pytest.mark.parametrize("lanes", [("a", "b"), ("b", "a"), ("a", "a")])
def test_an_arrow_finds_its_way_between_any_lanes(lanes):
    yours = [("one", lanes[0], 0, 3), ("two", lanes[1], 2, 4), ("three", "b", 5, 6)]
    picture = ElementTree.fromstring(viz.schedule([], yours, [("one", "two")]).svg())
    (arrow,) = [each for each in picture.iter() if each.get("class") == "arrow"]
    path = next(each for each in arrow if each.tag.endswith("path") and not each.get("class"))
    assert "nan" not in path.get("d") and path.get("d").startswith("M")


def test_hostile_names_stay_text():
    yours = [(verdicts.HOSTILE, verdicts.HOSTILE, 0, 1)]
    svg = viz.schedule([], yours).svg()
    assert "<script" not in svg
    ElementTree.fromstring(svg)


def test_a_long_schedule_is_cut_and_says_so():
    yours = [(f"t{i}", f"lane {i % 3}", i, i + 1) for i in range(1000)]
    late = viz.schedule([], yours, [("t990", "t5")])
    svg = late.svg()
    assert svg.count('class="task') == 300 and "300 of 1000 tasks shown" in svg
    assert svg.count("broken") == 2 + 1  # both tasks of the pair, and the style's rule


@pytest.mark.parametrize("start, end", [(2, 1), (-1, 0), (float("nan"), 1), (0, float("inf"))])
def test_times_that_make_no_sense_are_refused(start, end):
    with pytest.raises(ValueError, match="from a start to an end"):
        viz.schedule([], [("a", "b", start, end)])
