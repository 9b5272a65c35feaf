"""The timeline: numbers, picture, text twin and Chrome trace, from known recordings."""

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors, events, stages
from ms_ext.viz import chrome_trace, timeline_drawing
from ms_ext.viz.lanes import Lanes, lanes

matplotlib = pytest.importorskip("matplotlib")


def recorded(*written):
    """A recording of (kind, name, start, end, thread, numbers)."""
    ring = events.ReferenceRing(10_000)
    recording = events.Recording(ring)
    for serial, (kind, name, start, end, thread, numbers) in enumerate(written, 1):
        ring._kept.append((serial, (kind, name, start, end, thread, numbers)))
    return recording


def pipelined(calls=3, step=10_000):
    """Calls that move through the stages one step at a time, LaunchTask taking two."""
    for n in range(calls):
        yield ("task", "Mul", 0, 0, 1, (7 + n,))
        for thread, stage in enumerate(stages.STAGES[:3], 1):
            start = (n + thread - 1) * step
            yield ("stage", stage, start, start + step, thread, (7 + n, 64))
        yield ("stage", "LaunchTask", (3 + 2 * n) * step, (5 + 2 * n) * step, 4, (7 + n, 64))
    yield ("sync", "data", calls * step, (3 + 2 * calls) * step, 1, (6 + calls,))


NESTED = (
    ("task", "Add", 0, 100, 1, (1,)),
    ("stage", "DeviceTask", 30, 40, 1, (1, 8)),
    ("stage", "LaunchTask", 40, 80, 1, (1, 8)),
    ("stage", "FrontendTask", 10, 90, 1, (1, 8)),
    ("stage", "PyTask", 0, 100, 1, (1, 0)),
)


@pytest.fixture
def run():
    return lanes(recorded(*pipelined()), "async")


# the numbers ---------------------------------------------------------------------------------


def test_makespan_serial_sum_overlap_and_bottleneck(run):
    assert (run.calls, run.makespan, run.serial) == (3, 90_000, 150_000)
    assert run.overlap == pytest.approx(150 / 90)
    assert run.bottleneck == "LaunchTask"
    assert run.utilisation("LaunchTask") == pytest.approx(60 / 90)
    assert {stage: run.utilisation(stage) for stage in stages.STAGES[:3]} == pytest.approx(
        dict.fromkeys(stages.STAGES[:3], 30 / 90)
    )


def test_calls_are_numbered_from_one_and_carry_the_ops_name(run):
    assert [(bar.number, bar.op) for bar in run.lane("LaunchTask")] == [
        (1, "Mul"),
        (2, "Mul"),
        (3, "Mul"),
    ]


def test_of_nested_stages_only_the_time_outside_inner_ones_counts():
    run = lanes(recorded(*NESTED))
    assert run.busy == {"PyTask": 20, "FrontendTask": 30, "DeviceTask": 10, "LaunchTask": 40}
    assert run.serial == run.makespan == 100
    assert [(bar.start, bar.end) for bar in run.lane("PyTask")] == [(0, 10), (90, 100)]


def test_a_gap_says_why_the_stage_was_idle():
    late = ("stage", "FrontendTask", 70_000, 80_000, 2, (10, 64))
    busy = ("stage", "PyTask", 60_000, 70_000, 1, (10, 64))
    stall = ("stall", "FrontendTask", 31_000, 59_000, 1, (10,))
    run = lanes(recorded(*pipelined(), late, busy, stall))
    (frontend,) = run.gaps("FrontendTask")
    assert frontend.reason == "waited for call 4 (?) to leave PyTask"
    (caller,) = run.gaps("PyTask")
    assert caller.reason == "held back: the queue in front of FrontendTask was full"
    assert run.gaps("LaunchTask") == []


def test_an_empty_recording_is_no_error():
    run = lanes(recorded())
    assert (run.makespan, run.serial, run.overlap, run.bars) == (0, 0, 0.0, ())
    assert "Nothing went through the stages" in str(viz.timeline(recorded()))
    assert "runtime.dispatch" in viz.timeline(recorded())._repr_html_()


# the text and the picture --------------------------------------------------------------------


def test_the_text_twin_says_what_the_picture_says(golden):
    shown = viz.timeline(recorded(*pipelined()))
    golden("timeline/three_calls.txt", shown.text() + "\n")
    assert timeline_drawing.headline(shown.runs[0]) in shown.text()


def tree(svg):
    return ElementTree.fromstring(svg)


def texts(svg):
    return [element.text for element in tree(svg).iter() if element.tag.endswith("}text")]


def test_the_picture_has_a_lane_per_stage_with_its_utilisation_and_the_totals():
    shown = viz.timeline(recorded(*pipelined()))
    found = texts(shown.svg())
    for words in ("PyTask  33%", "FrontendTask  33%", "DeviceTask  33%", "LaunchTask  67%"):
        assert words in found
    assert "3 calls in 90 µs, serial sum 150 µs, overlap 1.67×" in found
    assert {"1", "2", "3"} <= set(found)


def test_every_bar_has_its_colour_and_a_sentence_to_hover():
    svg = viz.timeline(recorded(*pipelined())).svg().lower()
    for colour in timeline_drawing.COLOURS.values():
        assert svg.count(f"fill: {colour.lower()}") == 3
    assert "<title>call 2, mul: launchtask 20 µs</title>" in svg
    assert "<title>the caller waited 60 µs for: data</title>" in svg


def test_the_busiest_lane_is_bold():
    (axis,) = viz.timeline(recorded(*pipelined())).figure().axes
    weights = [text.get_fontweight() for text in axis.get_yticklabels()]
    assert weights == ["normal", "normal", "normal", "bold"]


def test_two_runs_share_one_time_axis():
    runs = [lanes(recorded(*pipelined()), "async"), lanes(recorded(*NESTED), "sync")]
    upper, lower = timeline_drawing.figure(runs).axes
    assert upper.get_xlim() == lower.get_xlim()
    assert [a.get_title(loc="left").partition(":")[0] for a in (upper, lower)] == ["async", "sync"]


def test_a_sync_is_a_line_and_a_selected_call_an_arrow():
    (axis,) = viz.timeline(recorded(*pipelined()), select=2).figure().axes
    assert [line.get_xdata()[0] for line in axis.lines] == [90.0]
    assert (
        sum(text.arrow_patch is not None for text in axis.texts if hasattr(text, "arrow_patch"))
        == 1
    )


def test_the_same_recording_gives_the_same_svg():
    one, other = (viz.timeline(recorded(*pipelined())).svg() for _ in range(2))
    assert one == other
    assert (
        one.startswith("<svg ")
        and "aria-label=" in one
        and "http" not in re.sub(r'xmlns\S*|"http://www\.w3\S*', "", one)
    )


def test_too_many_bars_are_merged(monkeypatch):
    monkeypatch.setattr(timeline_drawing, "MOST_BARS", 20)
    svg = viz.timeline(recorded(*pipelined(calls=30, step=1_000_000))).svg()
    assert svg.count('<g id="bar-') < 20


def test_without_matplotlib_the_text_is_shown(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    shown = viz.timeline(recorded(*pipelined()))
    assert shown._repr_html_().startswith("<pre>3 calls in 90 µs")
    with pytest.raises(errors.NotRunnable, match="needs matplotlib"):
        shown.figure()


def test_matplotlib_is_imported_only_to_draw():
    code = (
        "import sys; from ms_ext import viz, Tensor\n"
        "shown = viz.timeline(lambda x: x * 2.0, Tensor([1.0])); shown.text(); shown.trace()\n"
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# the trace -----------------------------------------------------------------------------------


def test_the_trace_passes_its_check_and_names_processes_and_threads():
    runs = [lanes(recorded(*pipelined()), "async"), lanes(recorded(*NESTED), "sync")]
    trace = json.loads(json.dumps(chrome_trace.trace(runs)))
    assert chrome_trace.problems(trace) == []
    names = [e["args"]["name"] for e in trace["traceEvents"] if e["name"].endswith("_name")]
    assert names == ["async", *stages.STAGES, "sync", *stages.STAGES]
    assert {e["ph"] for e in trace["traceEvents"]} == set("MXstf")
    first = next(e for e in trace["traceEvents"] if e["ph"] == "X")
    assert (first["name"], first["cat"], first["ts"], first["dur"]) == ("Mul", "PyTask", 0.0, 10.0)


def broken(change):
    trace = chrome_trace.trace([lanes(recorded(*pipelined()), "async")])
    change(trace["traceEvents"])
    return chrome_trace.problems(trace)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda es: es.append({"ph": "b"}), "unknown phase 'b'"),
        (lambda es: es[-1].pop("ts"), "no 'ts'"),
        (lambda es: es.__setitem__(-1, {**es[-1], "ts": -1.0}), "'ts' is -1.0"),
        (lambda es: es.append({**es[9], "ts": 0.0}), "earlier than the one before"),
        (
            lambda es: es.remove(next(e for e in es if e["ph"] == "f")),
            "does not begin once and end once",
        ),
        (lambda es: next(e for e in es if e["ph"] == "s").update(tid=4), "outside every slice"),
    ],
)
def test_the_check_finds_what_is_wrong(change, words):
    found = broken(change)
    assert any(words in problem for problem in found), found


# the three ways to get one -------------------------------------------------------------------


def test_a_function_is_shown_both_ways_and_its_result_kept():
    x = Tensor(np.ones((8, 8), np.float32))
    shown = viz.timeline(lambda x: ops.exp(x) @ x + x, x)
    assert [(run.title, run.calls) for run in shown.runs] == [("async", 3), ("sync", 3)]
    np.testing.assert_allclose(
        shown.result.asnumpy(), np.full((8, 8), 8 * np.e + 1, np.float32), rtol=1e-6
    )
    assert chrome_trace.problems(shown.trace()) == []
    assert len({stage for stage, time in shown.runs[0].busy.items() if time}) == 4


def test_a_block_is_recorded_with_every_op_going_through_the_stages():
    with viz.timeline() as shown:
        (Tensor([1.0]) * 2.0 + 1.0).asnumpy()
    assert shown.runs[0].calls == 2
    assert [sync.need for sync in shown.runs[0].syncs][:1] == ["data"]


def test_what_cannot_be_drawn_is_refused(tmp_path):
    with pytest.raises(errors.InvalidType, match="a function, a recording, or a with block"):
        viz.timeline(3)
    with pytest.raises(errors.InvalidType, match="records a block"):
        viz.timeline().svg()
    with pytest.raises(errors.InvalidValue, match=r"cannot be written as '\.pdf'"):
        viz.timeline(recorded(*pipelined())).save(tmp_path / "t.pdf")


@pytest.mark.parametrize("kind", ["svg", "json", "txt"])
def test_a_timeline_is_saved(tmp_path, kind):
    path = tmp_path / f"t.{kind}"
    viz.timeline(recorded(*pipelined())).save(path)
    assert len(path.read_text(encoding="utf-8")) > 100


def test_drops_are_shown():
    run = lanes(recorded(*pipelined()))
    shown = Lanes(run.title, run.bars, run.syncs, run.stalls, dropped=12)
    assert "12 older events dropped" in timeline_drawing.headline(shown)
