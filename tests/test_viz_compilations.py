"""The recompile counter: what it tells is what ``compilations`` has and what the calls did."""

import re

import pytest

import ms_ext as ms
from ms_ext import Tensor, mutable, ops, viz
from ms_ext.engine import errors, events

x, longer = Tensor([1.0, 2.0]), Tensor([1.0, 2.0, 3.0])


@pytest.fixture
def scaled():
    @ms.jit
    def scaled(x, by, training=True):
        return ops.tanh(x) * by

    return scaled


def test_each_call_names_its_graph(scaled):
    shown = viz.compilations(scaled, (x, 2), (x, 3), (x, 2), (longer, 3), (x, 3, False))
    assert [(call.graph, call.new) for call in shown.calls] == [
        (1, True), (2, True), (1, False), (3, True), (4, True),
    ]  # fmt: skip
    assert shown.title == "scaled: 5 calls, compiled 4 times"
    assert shown.calls[0].took >= shown.compiled[0].took > 0


def test_without_calls_it_tells_of_those_so_far(scaled):
    scaled(x, 2)
    shown = viz.compilations(scaled)
    assert shown.title == "scaled: compiled once" and shown.calls == []
    assert (
        viz.compilations(scaled, (x, 3)).title == "scaled: 1 call, compiled once, 2 graphs in all"
    )
    assert "<img" not in shown.html()


def test_a_function_that_was_never_called(scaled):
    shown = viz.compilations(scaled)
    assert shown.title == "scaled: not compiled" and "<table" not in shown.html()


def test_one_value_is_a_call_and_a_call_may_fail():
    double = ms.jit(lambda x: x + x.sum())
    shown = viz.compilations(double, x, (x, x), "a")
    assert [call.graph for call in shown.calls] == [1, 0, 0]
    assert shown.calls[1].error.startswith("InvalidType") and "✗" in shown.html()


def test_open_sizes_answer_many():
    open_sizes = ms.jit(lambda x: ops.tanh(x), dynamic=1)
    shown = viz.compilations(open_sizes, *[ops.ones((size, 3)) for size in (2, 3, 4, 5, 2)])
    assert [call.graph for call in shown.calls] == [1, 2, 2, 2, 2]
    assert "f32[a,3]" in shown.text() and "dynamic=1" not in shown.text()


@pytest.mark.parametrize(
    ("calls", "words"),
    [
        ([(x, 2), (x, 3)], "by is a Python number"),
        ([(x, 2), (longer, 2)], "x comes in several sizes"),
        ([(x, 2), (Tensor(1.0), 2)], "x has not always the same number of axes"),
        ([(x, 2), (Tensor([1, 2]), 2)], "x comes in several dtypes"),
        ([(x, 2, True), (x, 2, False)], "training chooses between programs"),
        ([(x, mutable(2.0)), (x, mutable(3.0))], ""),
    ],
)
def test_what_would_need_fewer_graphs(scaled, calls, words):
    shown = viz.compilations(scaled, *calls)
    page = shown.text()
    assert words in page and (words or page.count("graph ") == 3)


def test_containers_of_changing_length():
    total = ms.jit(lambda xs: sum(xs))
    shown = viz.compilations(total, ([x],), ([x, x],))
    assert "xs is a container of changing length" in shown.text()


def test_the_table_marks_what_was_new(scaled):
    page = viz.compilations(scaled, (x, 2), (x, 3), (longer, 3)).html()
    marked = re.findall(r'<td class="is-new"><b aria-label="new">~</b> <code>(.*?)</code>', page)
    assert marked == ["3", "f32[3]"]
    assert "by was 2 and is 3" in page and 'role="region"' in page
    assert not re.search(r'<[a-z]+[^>]* id="', page)


def test_the_picture_says_it_to_a_screen_reader(scaled):
    page = viz.compilations(scaled, (x, 2), (x, 2)).html()
    assert "call 1: compiled: graph 1; call 2: graph 1 again." in page


def test_many_calls_are_drawn_in_part(scaled):
    shown = viz.compilations(scaled, *[(x, 2)] * 50)
    assert "Drawn are the first 40" in shown.html() and len(shown.html()) < 60_000


def test_only_compiled_functions():
    with pytest.raises(errors.InvalidType, match=r"ms\.jit\(f\)"):
        viz.compilations(ops.tanh)


# in the timeline ----------------------------------------------------------------------------------


def test_compilations_have_a_lane_with_their_reasons(scaled):
    with viz.timeline() as shown:
        for by in (2, 3, 2):
            scaled(x, by)
    run = shown.runs[0]
    assert [lane.name for lane in run.lanes] == ["compile", "kernels"]
    found = run.lane("compile")
    assert [(each.call, each.name) for each in found] == [
        ("c1", "scaled: the first call: x is f32[2], by is 2"), ("c2", "scaled: by was 2 and is 3"),
    ]  # fmt: skip
    assert run.compilations == 2 and run.calls == 0 and "2 compilations and" in shown.text()
    built = [each for each in run.lane("kernels") if each.name.startswith("build on")]
    assert all(each.again for each in built)


def test_a_recording_without_compilations_has_no_such_lane(scaled):
    scaled(x, 2)
    with events.record() as recording:
        scaled(x, 2)
    assert "compile" not in [lane.name for lane in viz.timeline(recording).runs[0].lanes]
