"""``viz.stages``: what it draws, says and offers of simulated and recorded stages."""

import builtins
import re
from fractions import Fraction
from urllib.parse import unquote

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops, viz
from ms_ext.engine import errors, events, stages
from ms_ext.runtime import StageCall, StageSync, StageWork, simulate_stages
from ms_ext.viz.widgets import stages_sliders

CALLS = [(1, 2, 1, 4)] * 6
FAILING = [
    StageCall(1, 2, 1, 4, name="Mul"), StageWork(3), StageCall(1, 2, 3, 4, fails="LaunchTask"),
    StageCall(1, 2, 1, 4, needs=(2,)), StageSync(),
]  # fmt: skip


def test_the_lanes_are_those_of_the_schedule():
    (run,) = viz.stages(CALLS, capacity=1).timeline.runs
    found = simulate_stages(CALLS, 1)
    assert (run.makespan, run.serial, run.bottleneck) == (28, 48, "LaunchTask")
    assert run.returned == found.returned and run.calls == 6
    for stage in stages.STAGES:
        drawn = [(each.call, each.start, each.end) for each in run.lane(stage)]
        assert drawn == found.of(stage)
        assert run.utilisation(stage) == pytest.approx(float(found.utilisation(stage)))


def test_every_gap_has_its_reason():
    (run,) = viz.stages(
        [*CALLS[:3], StageSync(), StageWork(2), *CALLS[3:]], capacity=1
    ).timeline.runs
    reasons = {gap.kind for stage in stages.STAGES for gap in run.gaps(stage)}
    assert reasons <= {
        "the caller waited for elements",
        "held back: the queue in front of FrontendTask was full",
        "held back: the queue in front of LaunchTask was full",
        "waited for PyTask",
        "waited for FrontendTask",
        "waited for DeviceTask",
    }
    assert {"the caller waited for elements", "waited for FrontendTask"} <= reasons
    (run,) = viz.stages(simulate_stages(CALLS, blocking=True)).timeline.runs
    (kind,) = {gap.kind for gap in run.gaps("LaunchTask")}
    assert kind.startswith("its thread ran the other stages")


def test_several_stand_on_one_axis_and_each_says_why():
    shown = viz.stages({"as it is": [*CALLS[:3], StageSync(), *CALLS[3:]], "no wait": CALLS})
    assert [run.title for run in shown.timeline.runs] == ["as it is", "no wait"]
    assert {title: found.makespan for title, found in shown.schedules.items()} == {
        "as it is": 32, "no wait": 28,
    }  # fmt: skip
    text = shown.text()
    assert "as it is: It takes 32 =" in text and "no wait: It takes 28 =" in text
    assert "began" not in text and "The caller had to wait once" in text


def test_a_failure_is_told():
    shown = viz.stages(FAILING, unit="µs")
    html, text = shown.html(), shown.text()
    for words in ("call 2 failed in its LaunchTask", "call 3 never got through its LaunchTask"):
        assert words in html and words in text
    assert "the error of call 2 was raised" in text and "14 µs" in text


def test_predicted_and_measured_stand_one_above_the_other():
    def two(x):
        return ops.exp(x) * x

    shown = viz.stages(
        {
            "predicted": simulate_stages([(10, 5, 5, 20)] * 2, unit="ns"),
            "measured": viz.timeline(two, Tensor([1.0, 2.0]), compare=False),
        }
    )
    assert [(run.title, run.calls, run.unit) for run in shown.timeline.runs] == [
        ("predicted", 2, "ns"), ("measured", 2, "ns"),
    ]  # fmt: skip
    with events.record() as kept, ms.runtime.dispatch("stages"):
        two(Tensor([1.0])).asnumpy()
    assert viz.stages(kept).timeline.runs[0].calls == 2 and viz.stages(kept).schedules == {}
    assert viz.stages(simulate_stages(kept)).timeline.runs[0].calls == 2


def test_queues_are_drawn_with_their_lengths():
    html = unquote(viz.stages(CALLS, capacity=2).html())
    assert (
        "calls that wait: up to 2 in front of FrontendTask, up to 2 in front of LaunchTask" in html
    )
    assert "A dashed line is a full queue" in html
    assert "A dashed line" not in viz.stages(CALLS).html()
    assert "calls that wait" not in viz.stages(CALLS, capacity=0).html()


def test_a_picture_has_a_sentence_and_no_id():
    html = viz.stages(CALLS, capacity=1).html()
    assert html.count("alt=") == 2 and not re.search(r"\sid=", html)
    assert "Timeline. 6 calls in 28" in html and "LaunchTask is busiest" in html


def test_the_lanes_stand_alone_in_a_verdict():
    shown = viz.stages({"yours": CALLS, "best": CALLS[:3]}, select=2)
    svg = shown.svg()
    assert svg.startswith("<svg") and svg.count("<style>") == 1 and "data-jp-theme-light" in svg
    assert svg.count('class="run"') == 2 and 'class="arrow"' in svg
    assert shown.sentence().startswith("Timeline. yours: 6 calls in 28")


def test_fractions_are_drawn():
    shown = viz.stages([(Fraction(1, 3), Fraction(1, 2), 0, 1)] * 3)
    assert shown.schedules[""].makespan == Fraction(23, 6)
    assert "23/6" in shown.text() and "<svg" in unquote(shown.html())


def test_nothing_to_draw_says_so():
    assert "Nothing went through the stages" in viz.stages([]).text()
    assert "Nothing took any time" in viz.stages([StageSync()]).html()


def test_it_is_saved(tmp_path):
    shown = viz.stages(CALLS)
    assert "Why so long?" in shown.save(tmp_path / "stages.html").read_text()
    assert "It takes 28" in shown.save(tmp_path / "stages.txt").read_text()


# sliders --------------------------------------------------------------------------------------


def test_sliders_of_equal_calls_are_times():
    pytest.importorskip("ipywidgets")
    box = viz.stages(CALLS).widget()
    named = {each.description: each for each in box.children[:-1]}
    assert [named[stage].value for stage in stages.STAGES] == [1, 2, 1, 4]
    shown = box.children[-1]
    assert "6 calls in 28" in shown.value
    named["LaunchTask"].value = 6
    named["calls"].value = 10
    assert "10 calls in 64" in shown.value
    named["waits after every"].value = 1
    assert "10 calls in 100" in shown.value
    named["room in a queue"].value = 0
    assert "calls that wait" not in shown.value


def test_sliders_of_other_programs_are_factors():
    pytest.importorskip("ipywidgets")
    box = viz.stages([*CALLS[:2], StageSync(), (2, 2, 2, 2)]).widget()
    named = {each.description: each for each in box.children[:-1]}
    before = box.children[-1].value
    named["LaunchTask ×"].value = 0.25
    named["the caller waits"].value = False
    assert box.children[-1].value != before
    changed = stages_sliders.Changed(simulate_stages([(1, 2, 1, 4), (2, 2, 2, 2)]))
    assert changed.schedule((1, 1, 1, Fraction(1, 4))).calls[0].launch == 1


def test_sliders_need_a_program_and_ipywidgets(monkeypatch):
    with events.record() as kept, ms.runtime.dispatch("stages"):
        (Tensor(np.ones(2)) * 2).asnumpy()
    found = builtins.__import__

    def without(name, *rest):
        if name == "ipywidgets":
            raise ImportError(name)
        return found(name, *rest)

    if pytest.importorskip("ipywidgets"):
        with pytest.raises(errors.InvalidValue, match="a recording alone"):
            viz.stages(kept).widget()
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(errors.NotRunnable, match="pip install ipywidgets"):
        viz.stages(CALLS).widget()
