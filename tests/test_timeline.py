"""The timeline's numbers, its reasons, its text and its figure, from known recordings."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from timeline_records import NESTED, pipelined, recording

from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors, stages
from ms_ext.viz import palette
from ms_ext.viz.timing import chrome_trace, figure, words
from ms_ext.viz.timing.recorded import recorded

matplotlib = pytest.importorskip("matplotlib")


@pytest.fixture
def run():
    return recorded(recording(*pipelined()), "async")


@pytest.fixture
def shown():
    return viz.timeline(recording(*pipelined()))


# the numbers ---------------------------------------------------------------------------------


def test_makespan_serial_sum_overlap_and_bottleneck(run):
    assert (run.calls, run.makespan, run.serial) == (3, 90_000, 150_000)
    assert run.overlap == pytest.approx(150 / 90)
    assert run.bottleneck == "LaunchTask"
    assert run.utilisation("LaunchTask") == pytest.approx(60 / 90)
    assert {stage: run.utilisation(stage) for stage in stages.STAGES[:3]} == pytest.approx(
        dict.fromkeys(stages.STAGES[:3], 30 / 90)
    )


def test_calls_are_numbered_from_one_and_carry_the_ops_name_and_its_line(run):
    found = [(each.call, each.name, each.line) for each in run.lane("LaunchTask")]
    assert found == [(n, "Mul", f"model.py:{n - 1}: y = x * {n - 1}") for n in (1, 2, 3)]


def test_of_nested_stages_only_the_time_outside_inner_ones_counts():
    run = recorded(recording(*NESTED))
    assert run.busy == {"PyTask": 20, "FrontendTask": 30, "DeviceTask": 10, "LaunchTask": 40}
    assert run.serial == run.makespan == 100
    assert [(each.start, each.end) for each in run.lane("PyTask")] == [(0, 10), (90, 100)]
    (gap,) = run.gaps("PyTask")
    assert gap.reason == "its thread ran another stage of the same call"


def test_a_gap_says_why_the_stage_was_idle():
    late = ("stage", "FrontendTask", 70_000, 80_000, 2, (10, 64))
    busy = ("stage", "PyTask", 60_000, 70_000, 1, (10, 64))
    stall = ("stall", "FrontendTask", 31_000, 59_000, 1, (10,))
    calls = [event for event in pipelined() if event[0] != "sync"]
    run = recorded(recording(*calls, late, busy, stall))
    (frontend,) = run.gaps("FrontendTask")
    assert frontend.reason == "waited for call 4 (?) to leave PyTask"
    (caller,) = run.gaps("PyTask")
    assert caller.reason == "held back: the queue in front of FrontendTask was full"
    assert run.gaps("LaunchTask") == []


def test_a_full_queue_explains_the_stage_before_it_too():
    late = ("stage", "FrontendTask", 60_000, 70_000, 2, (10, 64))
    stall = ("stall", "DeviceTask", 41_000, 59_000, 2, (9,))
    run = recorded(recording(*pipelined(), late, stall))
    (gap,) = run.gaps("FrontendTask")
    assert gap.reason == "held back: the queue in front of DeviceTask was full"


def test_work_that_was_ready_and_did_not_run_is_called_so():
    written = [
        ("stage", "PyTask", 0, 10, 1, (1, 0)),
        ("stage", "PyTask", 10, 20, 1, (2, 0)),
        ("stage", "FrontendTask", 20, 30, 2, (1, 0)),
        ("stage", "FrontendTask", 50, 60, 2, (2, 0)),
    ]
    (gap,) = recorded(recording(*written)).gaps("FrontendTask")
    assert "another thread was running" in gap.reason


def test_an_empty_recording_is_no_error():
    run = recorded(recording())
    assert (run.makespan, run.serial, run.overlap, run.slices) == (0, 0, 0.0, ())
    assert "Nothing went through the stages" in str(viz.timeline(recording()))
    assert "runtime.dispatch" in viz.timeline(recording())._repr_html_()
    with pytest.raises(errors.InvalidValue, match="nothing to draw"):
        viz.timeline(recording()).svg()


def test_drops_are_shown(run):
    assert "12 older events dropped" in words.headline(replace(run, dropped=12))


def test_times_are_written_so_that_they_can_be_read():
    assert [words.amount(each) for each in (0, 85, 972_400, 1_999_000, 2e6, 3.2e9)] == [
        "0 µs",
        "0.085 µs",
        "972 µs",
        "1,999 µs",
        "2 ms",
        "3.2 s",
    ]


# the text and the figure ---------------------------------------------------------------------


def test_the_text_twin_says_what_the_picture_says(golden, shown):
    golden("timeline/three_calls.txt", shown.text() + "\n")
    assert words.headline(shown.runs[0]) in shown.text()


def tree(svg):
    return ElementTree.fromstring(svg)


def texts(svg):
    return [element.text for element in tree(svg).iter() if element.tag.endswith("}text")]


def test_the_figure_has_a_lane_per_stage_with_its_utilisation_and_the_totals(shown):
    found = texts(shown.svg())
    for said in ("PyTask  33%", "FrontendTask  33%", "DeviceTask  33%", "▸ LaunchTask  67%"):
        assert said in found
    assert "3 calls in 90 µs, serial sum 150 µs, overlap 1.67×" in found
    assert {"1", "2", "3"} <= set(found)


def test_every_bar_has_its_colour_and_a_sentence_to_hover(shown):
    svg = shown.svg().lower()
    for lane in (1, 2, 3, 4):
        assert svg.count(f"fill: {palette.LIGHT[f'lane-{lane}']};") == 3
    assert "<title>call 2 (mul): launchtask 20 µs, begins at 50 µs" in svg
    assert "<title>the caller waited for elements for 60 µs, model.py:9: y.asnumpy()</title>" in svg


def test_the_busiest_lane_is_bold_and_marked(shown):
    (axis,) = shown.figure().axes
    found = [(text.get_fontweight(), text.get_text()[0]) for text in axis.get_yticklabels()]
    assert found == [("normal", "P"), ("normal", "F"), ("normal", "D"), ("bold", "▸")]


def test_two_runs_share_one_time_axis():
    runs = [recorded(recording(*pipelined()), "async"), recorded(recording(*NESTED), "sync")]
    upper, lower = figure.figure(runs).axes
    assert upper.get_xlim() == lower.get_xlim()
    assert [a.get_title(loc="left").partition(":")[0] for a in (upper, lower)] == ["async", "sync"]


def test_a_sync_is_a_line_and_a_selected_call_an_arrow():
    (axis,) = viz.timeline(recording(*pipelined()), select=2).figure().axes
    assert [line.get_xdata()[0] for line in axis.lines] == [90.0]
    arrows = [text for text in axis.texts if getattr(text, "arrow_patch", None)]
    (arrow,) = arrows
    assert arrow.xyann == (20.0, 0.36) and arrow.xy == (50.0, 2.64)


def test_in_print_lanes_differ_by_hatches_and_not_by_colour(shown):
    (axis,) = shown.figure(printed=True).axes
    bars = [patch for patch in axis.patches if patch.get_hatch()]
    assert {bar.get_hatch() for bar in bars} == set(figure.HATCHES)
    assert all(len(set(bar.get_facecolor()[:3])) == 1 for bar in bars)  # shades of grey
    assert len(bars) == 12


def test_the_same_recording_gives_the_same_svg():
    one, other = (viz.timeline(recording(*pipelined())).svg() for _ in range(2))
    assert one == other
    assert one.startswith("<svg ") and "aria-label=" in one
    assert "http" not in re.sub(r'xmlns\S*|"http://www\.w3\S*', "", one)


def test_without_matplotlib_the_page_is_whole_and_the_figure_says_what_is_missing(
    monkeypatch, shown
):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "data:image/svg+xml" in shown._repr_html_()
    with pytest.raises(errors.NotRunnable, match=r"needs matplotlib[\s\S]*\.html"):
        shown.figure()


def test_matplotlib_is_imported_only_to_draw():
    code = (
        "import sys; from ms_ext import viz, Tensor\n"
        "shown = viz.timeline(lambda x: x * 2.0, Tensor([1.0]))\n"
        "shown.text(); shown.trace(); shown.html()\n"
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# the ways to get one -------------------------------------------------------------------------


def test_a_function_is_shown_both_ways_and_its_result_kept():
    x = Tensor(np.ones((8, 8), np.float32))
    shown = viz.timeline(lambda x: ops.exp(x) @ x + x, x)
    assert [(run.title, run.calls) for run in shown.runs] == [("async", 3), ("sync", 3)]
    np.testing.assert_allclose(
        shown.result.asnumpy(), np.full((8, 8), 8 * np.e + 1, np.float32), rtol=1e-6
    )
    assert chrome_trace.problems(shown.trace()) == []
    assert len({stage for stage, time in shown.runs[0].busy.items() if time}) == 4
    assert shown.runs[0].returned > 0
    assert shown.runs[0].syncs == ()  # the timeline's own waiting is not the program's


def test_every_slice_knows_the_line_of_its_call():
    shown = viz.timeline(lambda x: ops.exp(x) + x, Tensor([1.0]), compare=False)
    lines = {each.line for each in shown.runs[0].slices}
    assert len(lines) == 1 and "test_timeline.py" in lines.pop()


def test_a_block_is_recorded_with_every_op_going_through_the_stages():
    with viz.timeline() as shown:
        (Tensor([1.0]) * 2.0 + 1.0).asnumpy()
    assert shown.runs[0].calls == 2
    (sync,) = shown.runs[0].syncs
    assert sync.words == "the caller waited for elements"
    assert sync.line.startswith("test_timeline.py:") and sync.line.endswith(".asnumpy()")


def test_what_cannot_be_drawn_is_refused(tmp_path, shown):
    with pytest.raises(errors.InvalidType, match="a function, a recording, or a with block"):
        viz.timeline(3)
    with pytest.raises(errors.InvalidType, match="records a block"):
        viz.timeline().svg()
    with pytest.raises(errors.InvalidValue, match=r"cannot be written as '\.gif'"):
        shown.save(tmp_path / "t.gif")


@pytest.mark.parametrize("kind", ["svg", "html", "json", "txt"])
def test_a_timeline_is_saved_the_same_each_time(tmp_path, kind, shown):
    one, other = (shown.save(tmp_path / f"{name}.{kind}") for name in "ab")
    assert len(one.read_text(encoding="utf-8")) > 100
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("kind, begin", [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_figure_is_saved_for_paper(tmp_path, kind, begin, shown):
    assert shown.save(tmp_path / f"t.{kind}", printed=True).read_bytes().startswith(begin)


def test_a_part_is_the_calls_alone_from_zero_on(shown):
    part = shown.part(2, 3).runs[0]
    assert (part.calls, part.makespan) == (2, 80_000)
    assert min(each.start for each in part.slices) == 0
    with pytest.raises(errors.InvalidIndex, match="no call from 8 to 9"):
        shown.part(8, 9)


# a sync that hides in a loop -------------------------------------------------------------------


def weights():
    return Tensor(np.random.default_rng(0).normal(size=(160, 160)).astype(np.float32))


def test_a_hidden_sync_is_seen_as_what_it_is():
    """Two programs that differ in one line: one reads an element in every round."""
    w = weights()

    def free(x):
        for _ in range(6):
            x = ops.tanh(x @ w)
        return x

    def hidden(x):
        for _ in range(6):
            x = ops.tanh(x @ w)
            x.asnumpy()
        return x

    without, with_sync = (viz.timeline(f, w, compare=False) for f in (free, hidden))
    assert without.runs[0].syncs == () and len(with_sync.runs[0].syncs) == 6
    run = with_sync.runs[0]
    assert {sync.line.partition(": ")[2] for sync in run.syncs} == {"x.asnumpy()"}
    assert [gap.reason for gap in run.gaps("PyTask")].count("the caller waited for elements") == 5
    assert "(6 times)" in with_sync.text() and "x.asnumpy()" in with_sync.text()
    assert "the caller waited 6 times" in with_sync.text()
    assert "waited" not in without.text().partition("idle")[0]
    # no call was made while an earlier one was still on its way
    ends = [each.end for each in run.lane("LaunchTask")][1::2]
    starts = [each.start for each in run.lane("PyTask")][2::2]
    assert all(end <= start for end, start in zip(ends, starts, strict=False))
    # and without the sync the last call was made before the first of them was finished
    lanes = without.runs[0]
    assert lanes.lane("PyTask")[-1].start < lanes.lane("LaunchTask")[-1].end
    assert lanes.returned < lanes.makespan
