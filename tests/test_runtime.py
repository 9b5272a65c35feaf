"""``ms.runtime``: MindSpore's names for streams and events, and the words of this package."""

import threading
import time

import pytest
from stage_calls import X, custom, fresh, pending

from ms_ext import Tensor, ops, runtime
from ms_ext.engine import errors
from ms_ext.engine.stages import delivery, pipeline

pytestmark = pytest.mark.usefixtures(fresh.__name__)


def test_a_thread_has_the_default_stream_until_it_chooses_another():
    mine = runtime.Stream()
    assert runtime.current_stream() is runtime.default_stream()
    with runtime.StreamCtx(mine):
        assert runtime.current_stream() is mine
        seen = []
        thread = threading.Thread(target=lambda: seen.append(runtime.current_stream()))
        thread.start()
        thread.join()
        assert seen == [runtime.default_stream()]
    runtime.set_cur_stream(mine)
    assert runtime.current_stream() is mine
    runtime.set_cur_stream(None)
    assert repr(runtime.current_stream()) == "Stream(device_name=CPU, stream id:0)"
    with pytest.raises(errors.InvalidType, match="must be a Stream"):
        runtime.set_cur_stream(3)


def test_an_event_is_passed_when_the_calls_before_it_are_finished():
    x, gate = pending(X)
    stream = runtime.current_stream()
    event = stream.record_event()
    assert (event.query(), stream.query()) == (False, False)
    gate.set()
    event.synchronize()
    assert (event.query(), x.asnumpy().tolist()) == (True, X.tolist())
    assert runtime.Event().query()


def test_two_events_measure_the_time_between():
    first, second = runtime.Event(enable_timing=True), runtime.Event(enable_timing=True)
    first.record()
    gate = threading.Event()
    custom(lambda a: (gate.wait(0.05), a)[1])(Tensor(X))
    second.record()
    second.synchronize()
    assert 45 < first.elapsed_time(second) < 5000


def test_an_event_does_not_stop_a_caller_whom_a_full_queue_holds_back(monkeypatch):
    monkeypatch.setattr(delivery, "pipeline", pipeline.Pipeline(capacity=1))
    slow = custom(lambda a: (time.sleep(0.002), a)[1])
    kept = [slow(Tensor(X)) for _ in range(3)]
    events = [runtime.current_stream().record_event()]
    for _ in range(20):
        kept.append(slow(Tensor(X)))
        events.append(runtime.current_stream().record_event())
    events[-1].synchronize()
    assert all(event.query() for event in events)
    assert kept[-1].asnumpy().tolist() == X.tolist()
    delivery.pipeline.close(1)


def test_a_time_that_nobody_knows_is_refused():
    event = runtime.Event()
    event.record()
    with pytest.raises(errors.NotRunnable, match="time between two events is not known"):
        event.elapsed_time(event)


def test_only_ops_have_a_dispatch():
    with pytest.raises(errors.InvalidType, match="Only ops are dispatched"):
        runtime.explain_dispatch(len, Tensor(X))
    bound = ops.ReduceSum(keep_dims=True)
    assert runtime.explain_dispatch(bound, Tensor(X)).startswith("'ReduceSum' runs here at once")
    assert "a custom op" in runtime.explain_dispatch(custom(lambda a: a), Tensor(X))


def test_the_words_are_listed_and_the_uncounted_memory_is_not_among_them():
    assert all(hasattr(runtime, name) for name in runtime.__all__)
    assert not hasattr(runtime, "memory_allocated")
