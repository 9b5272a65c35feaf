"""``viz.call_sequence``: arrows, text, picture, and the sentence for a screen reader."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from stage_calls import fresh

from ms_ext import Tensor, viz
from ms_ext.engine import errors, events, stages
from ms_ext.engine.libraries import (
    LAUNCH_ACLNN_FUNC,
    AclnnOpRunner,
    RunAsdSipFFTOp,
    RunAtbOp,
    aclnn,
    asdsip,
    atb,
)
from ms_ext.viz.widgets import call_sequence_drawing

pytestmark = pytest.mark.usefixtures(fresh.__name__)


@pytest.fixture(autouse=True)
def empty_libraries():
    """Caches are empty, and SoftmaxParam has a hash."""
    atb.HashOpParam(atb.SoftmaxParam)(lambda param: atb.add_param_to_buf("axes", param.axes))
    aclnn.CACHE.clear()
    asdsip.CACHE.clear()
    atb.MANAGER.Release()
    yield
    atb.forget_hash(atb.SoftmaxParam)


def zeros(*shape):
    """A tensor to write to."""
    return Tensor(np.zeros(shape, np.float32))


def exp(x):
    """By aclnn."""
    out = zeros(*x.shape)
    runner = AclnnOpRunner("Exp")
    runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnExp", x, out))
    runner.Run([x], [out])
    return out


def arrows(shown):
    """Stage, from, to and words of each arrow."""
    return [step[:4] for step in shown.steps]


def test_a_call_of_aclnn_that_is_not_kept_and_one_that_is():
    x = zeros(2, 2)
    first, second = viz.call_sequence(exp, x), viz.call_sequence(exp, x)
    run = [("PyTask", "caller", "runner", "Exp.Run"),
           ("FrontendTask", "runner", "runner", "dtypes and shapes")]  # fmt: skip
    ask = ("DeviceTask", "runner", "cache", "aclnnExpGetWorkspaceSize")
    launch = ("LaunchTask", "runner", "library", "aclnnExp")
    words = "executor, 0 bytes of workspace"
    assert arrows(first) == [
        *run, ask, ("DeviceTask", "cache", "library", "not kept: prepare it"),
        ("DeviceTask", "library", "runner", words), launch,
    ]  # fmt: skip
    assert arrows(second) == [*run, ask, ("DeviceTask", "cache", "runner", words), launch]
    assert first.title == "1 call; the caches: 0 hits, 1 miss; 0 bytes of workspace"
    assert second.title.startswith("1 call; the caches: 1 hit, 0 misses")


def test_an_operation_is_made_found_and_given_back():
    def softmax():
        RunAtbOp("Softmax", atb.SoftmaxParam((-1,)), [zeros(2, 2)], [zeros(2, 2)])

    first, second = arrows(viz.call_sequence(softmax)), arrows(viz.call_sequence(softmax))
    create = ("PyTask", "runner", "cache", "CreateOperation(SoftmaxParam)")
    assert first[:3] == [create, ("PyTask", "cache", "library", "none kept: make one"),
                         ("PyTask", "library", "runner", "a new one")]  # fmt: skip
    assert second[:2] == [create, ("PyTask", "cache", "runner", "one that is free")]
    assert second[-2:] == [("LaunchTask", "runner", "library", "Softmax.Execute"),
                           ("LaunchTask", "runner", "cache", "Softmax.Free")]  # fmt: skip


def test_a_transform_is_bound_to_its_workspace():
    def fft():
        param = asdsip.FFTParam(4, batchSize=1)
        RunAsdSipFFTOp("asdFftExecC2C", param, zeros(1, 4, 2), zeros(1, 4, 2))

    shown = viz.call_sequence(fft)
    assert [words for *_, words in arrows(shown)][-4:] == [
        "asdFftGetWorkspaceSize", "64 bytes of workspace", "asdFftSetWorkspace", "asdFftExecC2C"
    ]  # fmt: skip
    assert {step.call for step in shown.steps} == {1}


def test_calls_are_numbered_in_their_order_where_launches_block_too():
    stages.use("blocking")
    x = zeros(2, 2)
    with events.record() as recording:
        exp(exp(x))
    shown = viz.call_sequence(recording)
    assert [step.call for step in shown.steps] == sorted(step.call for step in shown.steps)
    assert [s.stage for s in shown.steps if s.target == "library"] == [
        "DeviceTask", "LaunchTask", "LaunchTask"
    ]  # fmt: skip


def test_the_text_the_sentence_and_the_picture_say_the_same():
    shown = viz.call_sequence(exp, zeros(2, 2))
    svg = ET.fromstring(call_sequence_drawing.svg(shown))
    name = "{http://www.w3.org/2000/svg}"
    drawn = " ".join(text.text or "" for text in svg.iter(f"{name}text"))
    for step in shown.steps:
        assert step.words in shown.text() and step.words in svg.get("aria-label")
        assert step.words in drawn and step.words in shown.html()
    assert svg.get("role") == "img" and "in LaunchTask runner to library" in svg.get("aria-label")
    assert sum(1 for each in svg.iter(f"{name}g") if each.get("class") == "call") == 6


def test_long_words_fit_between_two_lanes():
    step = viz.call_sequence(exp, zeros(2, 2)).steps[2]
    shown = viz.call_sequence(lambda: None)
    shown.steps = [step._replace(words="aclnn" + "VeryLong" * 12)]
    drawn = call_sequence_drawing.svg(shown)
    assert "…" in drawn and "VeryLong" * 12 in drawn  # the whole name is in the title


def test_where_no_library_was_called():
    shown = viz.call_sequence(lambda: zeros(2) + 1)
    assert shown.title == "0 calls; the caches: 0 hits, 0 misses; 0 bytes of workspace"
    assert "No function of a library was called." in shown.html()


def test_it_is_saved(tmp_path):
    shown = viz.call_sequence(exp, zeros(2, 2))
    assert "aclnnExp" in shown.save(tmp_path / "calls.html").read_text()
    assert shown.save(tmp_path / "calls.txt").read_text() == shown.text()


def test_anything_else_is_refused():
    with pytest.raises(errors.InvalidType, match="takes a recording, or a function"):
        viz.call_sequence(3)
