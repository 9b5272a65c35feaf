"""Lanes that are no stages: kernel pipes, streams, kernels of compiled graphs; and many slices."""

import json
import sys

import numpy as np
import pytest
from timeline_records import pipelined, recording

import ms_ext as ms
from ms_ext import Tensor, ops, runtime, viz
from ms_ext.engine import errors, stages
from ms_ext.viz.timing import chrome_trace
from ms_ext.viz.timing import sheet as timeline_sheet
from ms_ext.viz.timing.recorded import recorded

PIPES = ("CopyIn", "Compute", "CopyOut")


def double_buffered(buffers, tiles=6, times=(4, 3, 2)):
    """Rows and waits of a kernel with so many buffers between CopyIn and Compute."""
    rows, waits, free, ends = [], [], [0] * buffers, [0, 0, 0]
    for tile in range(tiles):
        came = free[tile % buffers]
        if came > ends[0]:
            waits.append(("its buffer was in use", "CopyIn", ends[0], came))
        for pipe, name in enumerate(("load", "add", "store")):
            start = max(ends[pipe], came)
            came = ends[pipe] = start + times[pipe]
            rows.append((name, PIPES[pipe], start, came, tile + 1))
            if pipe == 1:
                free[tile % buffers] = came
    return rows, waits


@pytest.fixture
def pipes():
    """One buffer against two, on one axis."""
    (one, held), (two, none) = double_buffered(1), double_buffered(2)
    assert held and not none
    return viz.lanes(
        {"one buffer": one, "two buffers": two}, unit="cycles", noun="tile",
        waits={"one buffer": held},
    )  # fmt: skip


# pipes ---------------------------------------------------------------------------------------


def test_two_buffers_overlap_what_one_cannot(pipes, golden):
    one, two = pipes.runs
    assert (one.makespan, two.makespan) == (44, 29)
    assert one.serial == two.serial == 6 * (4 + 3 + 2)
    assert one.bottleneck == two.bottleneck == "CopyIn"
    golden("timeline/pipes.txt", pipes.text() + "\n")


def test_a_pipe_waits_for_the_pipe_before_it_or_for_its_buffer(pipes):
    one, two = pipes.runs
    assert {gap.reason for gap in one.gaps("CopyIn")} == {"its buffer was in use"}
    assert two.gaps("Compute")[0].reason == "waited for tile 2 (add) to leave CopyIn"
    assert two.gaps("CopyIn") == []


def test_a_gap_that_nothing_explains_says_so():
    shown = viz.lanes([("a", "in", 0, 1, 1), ("b", "in", 3, 4, 2)])
    assert shown.runs[0].gaps("in")[0].reason.startswith("free to begin; what it waited for is not")


def test_lanes_stand_in_the_order_that_is_given():
    rows = [("b", "late", 1, 2), ("a", "early", 0, 1)]
    assert [lane.name for lane in viz.lanes(rows).runs[0].lanes] == ["late", "early"]
    shown = viz.lanes(rows, order=("early", "never", "late"))
    assert [lane.name for lane in shown.runs[0].lanes] == ["early", "never", "late"]
    assert shown.runs[0].utilisation("never") == 0


def test_slices_side_by_side_in_a_lane_count_once_for_its_utilisation():
    (run,) = viz.lanes([("a", "x", 0, 4), ("b", "x", 2, 6), ("c", "x", 8, 10)]).runs
    assert (run.busy["x"], run.serial, run.utilisation("x")) == (8, 10, 0.8)
    assert [(gap.start, gap.end) for gap in run.gaps("x")] == [(6, 8)]


@pytest.mark.parametrize(
    "row",
    [
        ("a", "x", 2, 1), ("a", "x", -1, 1), ("a", "x", 0, float("inf")), ("a", "x", 0),
        ("a", "x", "0", "1"), ("a", "x", 0, 1, "tile"), ("a", "x", 0, 1, 2, 3),
    ],
)  # fmt: skip
def test_rows_that_make_no_sense_are_refused(row):
    with pytest.raises(errors.InvalidValue, match=r"row as \(name, lane, start, end, call\)"):
        viz.lanes([row])


# streams -------------------------------------------------------------------------------------


def on_streams(x):
    """A product on one stream, and work on another that waits for it."""
    one, other = runtime.Stream(), runtime.Stream()
    with runtime.StreamCtx(one):
        product = x @ x
        done = one.record_event()
    with runtime.StreamCtx(other):
        first = ops.exp(x)
        other.wait_event(done)
        return first + product


def test_streams_have_lanes_with_what_launchtask_did_for_them():
    shown = viz.timeline(on_streams, Tensor(np.eye(8, dtype=np.float32)))
    for run in shown.runs:
        names = [lane.name for lane in run.lanes if lane.name not in stages.STAGES]
        *_, one, other = names
        assert [each.name for each in run.lane(one)] == ["MatMulExt"]
        assert [each.name for each in run.lane(other)] == ["Exp", "Add"]
        launched = [(each.call, each.start) for each in run.lane("LaunchTask")]
        assert [(e.call, e.start) for lane in (one, other) for e in run.lane(lane)] == launched
        assert run.serial == sum(run.busy[stage] for stage in stages.STAGES)  # counted once
        (link,) = run.links
        assert (link.lane, link.to) == (one, other) and link.start <= link.end
        assert f"{other} goes on after {one}" in shown.text()
    assert "share the one launch queue" in shown.text() and "share the one" in shown.html()
    assert chrome_trace.problems(shown.trace()) == []
    assert {e["id"] for e in shown.trace()["traceEvents"] if e.get("name") == "event"} == {
        "1.event1",
        "2.event1",
    }


def test_one_stream_alone_needs_no_lane():
    assert [lane.name for lane in recorded(recording(*pipelined())).lanes] == [*stages.STAGES]
    names = [lane.name for lane in recorded(recording(*pipelined(stream=3))).lanes]
    assert names == [*stages.STAGES, "stream 3"]


# kernels of compiled graphs --------------------------------------------------------------------


def chain(x):
    """Three ops, of which two may be fused."""
    y = ops.exp(x) @ x
    return ops.tanh(y) + x


def test_the_kernels_of_a_graph_name_their_nodes_and_lines():
    compiled = ms.jit(chain)
    shown = viz.timeline(compiled, Tensor(np.eye(4, dtype=np.float32)))
    (run,) = shown.runs  # there are no stages, so there is nothing to compare
    assert [lane.name for lane in run.lanes] == ["kernels"]
    graph = next(iter(compiled._known.values())).compiled.graph
    assert {node for each in run.slices for node in each.nodes} == {n.id for n in graph.order()}
    first = run.slices[0]
    assert (first.name, first.call) == ("Exp", "k1")
    assert first.line.endswith("y = ops.exp(x) @ x")
    assert run.kernels == len(run.slices) and run.calls == 0
    assert "on the caller's thread" in shown.text()
    assert f'"%{first.nodes[0]}"' in json.dumps(shown.trace())


def test_a_graph_inside_a_stage_shows_its_kernels_without_counting_them_twice():
    compiled = ms.jit(chain)
    body = ops.Custom(lambda a: compiled(Tensor(a)).asnumpy(), lambda x: x, lambda x: x, "pyfunc")
    shown = viz.timeline(lambda x: body(x) + x, Tensor(np.eye(4, dtype=np.float32)))
    for run in shown.runs:
        kernels = run.lane("kernels")
        assert kernels and {each.call for each in kernels} == {1}
        (outer,) = [each for each in run.lane("LaunchTask") if each.call == 1]
        assert all(outer.start <= each.start and each.end <= outer.end for each in kernels)
        assert run.serial == sum(run.busy[stage] for stage in stages.STAGES)
    assert chrome_trace.problems(shown.trace()) == []


def test_nodes_come_from_the_events_where_the_graph_is_gone():
    event = ("op", "Add", 10, 20, 1, (64, 3))
    (known,) = recorded(recording(event), blocks={3: ((3, 4), "model.py:2: x + y")}).slices
    assert (known.nodes, known.line, known.bytes) == ((3, 4), "model.py:2: x + y", 64)
    (alone,) = recorded(recording(event), blocks={}).slices
    assert (tuple(alone.nodes), alone.line) == ((3,), "")


# many slices ---------------------------------------------------------------------------------


def boxes(shown):
    return [b for s in timeline_sheet.sheet(shown.runs).strips for row in s.rows for b in row.boxes]


def test_up_to_the_limit_every_slice_is_drawn():
    shown = viz.timeline(recording(*pipelined(calls=499)))
    assert len(boxes(shown)) == 4 * 499 <= timeline_sheet.MOST
    assert timeline_sheet.sheet(shown.runs).notes == []


def test_above_it_parts_of_a_lane_say_how_busy_it_was():
    calls = 600
    shown = viz.timeline(recording(*pipelined(calls)))
    found = boxes(shown)
    assert len(found) <= 4 * timeline_sheet.PARTS < 4 * calls
    (note,) = timeline_sheet.sheet(shown.runs).notes
    assert f"{len(found)} bars stand for 2,400 slices of 600 calls" in note
    assert "save('trace.json')" in note and note in shown.html().replace("&#x27;", "'")
    (run,) = shown.runs
    (strip,) = timeline_sheet.sheet(shown.runs).strips
    for row in strip.rows:
        busy = sum(box.share * (box.end - box.start) for box in row.boxes)
        assert busy == pytest.approx(run.busy[row.name], rel=1e-6)
        begun = sum(int(dict(b.facts)[""].split()[-2]) for b in row.boxes)
        assert begun == calls


def test_the_longest_call_of_a_part_is_named():
    long = ("stage", "PyTask", 40_000_000, 45_000_000, 1, (9_000, 0))
    shown = viz.timeline(recording(*pipelined(600), long))
    named = [dict(box.facts)["longest"] for box in boxes(shown)]
    assert any("(?), 5 ms" in words for words in named)


def test_sync_lines_too_close_to_be_told_apart_are_one():
    syncs = [("sync", "data", n, n + 1, 1, (7,)) for n in range(0, 90_000, 100)]
    (strip,) = timeline_sheet.sheet([recorded(recording(*pipelined(), *syncs))]).strips
    assert len(strip.lines) <= timeline_sheet.MOST_LINES + 1
    counted = [int(line.words.split()[0]) for line in strip.lines if " waits, " in line.words]
    assert sum(counted) + len(strip.lines) - len(counted) == 901


@pytest.mark.long
def test_a_hundred_thousand_events_are_answered_soon():
    """Work is counted, for time depends on who else works: few function calls for each event."""
    held = recording(*pipelined(calls=16_700))
    assert len(held.events) > 100_000
    page, calls = counted(lambda: viz.timeline(held).html())
    assert calls < 20 * len(held.events)
    assert len(page) < 1_000_000


def counted(work):
    """What ``work()`` gives, and how many Python functions it called."""
    happened = []
    sys.setprofile(lambda frame, event, argument: event == "call" and happened.append(None))
    try:
        return work(), len(happened)
    finally:
        sys.setprofile(None)
