"""The model against the pipeline: what is recorded, simulated with its measured stage times.

No time is asserted. A model of the same stages in which handing over costs nothing can only be
earlier than the threads, at every single slice, and it has their order.
"""

import time

import numpy as np
import pytest
from stage_calls import X, custom, fresh
from timeline_records import NESTED, recording

from ms_ext import Tensor, ops, runtime
from ms_ext import dtype as dtypes
from ms_ext.engine import events, stages
from ms_ext.engine.stages import delivery, pipeline
from ms_ext.engine.stages.simulated import program_of
from ms_ext.runtime import StageCall, StageSync, StageWork, simulate_stages

pytestmark = pytest.mark.usefixtures(fresh.__name__)


def sleeping(frontend, launch):
    """A custom op whose FrontendTask and LaunchTask sleep for so many milliseconds."""

    def shape(x):
        time.sleep(frontend / 1000)
        return x

    return ops.Custom(lambda a: (time.sleep(launch / 1000), a)[1], shape, dtypes.float32)


@pytest.fixture
def short_queues(monkeypatch):
    """A pipeline whose queues hold one call each."""
    monkeypatch.setattr(delivery, "pipeline", pipeline.Pipeline(capacity=1))
    yield delivery.pipeline
    delivery.pipeline.wait()
    delivery.pipeline.close(1)


def recorded(program):
    """The events of ``program()``, everything finished."""
    with events.record() as kept:
        program()
        runtime.synchronize()
    return kept


def by_stage(kept):
    """Stage -> (number, start, end) of its events, in order of time and from the first on."""
    found = {stage: [] for stage in stages.STAGES}
    first = min(e.numbers[0] for e in kept.of("stage")) - 1
    origin = min(e.start for e in kept.of("stage"))
    for e in sorted(kept.of("stage"), key=lambda event: event.start):
        found[e.name].append((e.numbers[0] - first, e.start - origin, e.end - origin))
    return found


def hold_together(kept, capacity):
    """The simulated schedule of a recording has its order and is nowhere later."""
    found = simulate_stages(kept, capacity)
    for stage, events_of_stage in by_stage(kept).items():
        ours = found.of(stage)
        assert [call for call, _, _ in ours] == [call for call, _, _ in events_of_stage]
        for (call, start, end), (_, began, ended) in zip(ours, events_of_stage, strict=True):
            assert (end - start) == (ended - began), (stage, call)
            assert start <= began and end <= ended, (stage, call)
    return found


def mixed():
    """Calls of different ops that depend on each other, a shape in between, values at the end.

    Each is an op of its own: what FrontendTask has inferred once it knows.
    """
    x = Tensor(X)
    for turn in range(4):
        x = sleeping(1, 4)(sleeping(0, 1)(x))
        if turn == 1:
            assert x.shape == (2, 2)
        sleeping(3, 1)(x)
    assert np.array_equal(x.asnumpy(), X)


@pytest.mark.parametrize("policy", ["auto", "stages"])
def test_the_simulated_order_is_the_recorded_one(policy):
    stages.use(policy)
    kept = recorded(mixed)
    found = hold_together(kept, pipeline.CAPACITY)
    assert len(found.calls) == 12 and [sync.need for sync in found.syncs[:2]] == ["shape", "data"]


def test_so_it_is_where_queues_are_full(short_queues):
    slow = sleeping(0, 3)
    kept = recorded(lambda: [slow(Tensor(X)) for _ in range(9)])
    found = hold_together(kept, 1)
    assert any(stall.stage == "PyTask" for stall in found.stalls)
    assert any(event.name == "FrontendTask" for event in kept.of("stall"))


def test_so_it_is_on_the_callers_thread_alone():
    runtime.launch_blocking()
    kept = recorded(mixed)
    found = simulate_stages(kept)
    assert found.blocking and found.serial <= found.makespan
    for stage in stages.STAGES:
        assert [call for call, _, _ in found.of(stage)] == list(range(1, 13))


def test_a_call_that_fails_is_simulated_as_far_as_it_came():
    def boom(_x):
        raise ValueError("boom")

    def program():
        good, bad = sleeping(0, 1), custom(boom)
        y = good(bad(good(Tensor(X))))
        with pytest.raises(ValueError, match="boom"):
            y.asnumpy()

    found = simulate_stages(recorded(program))
    assert len(found.calls) == 3 and found.span(2, "LaunchTask") is not None


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_the_makespan_is_that_of_the_threads_within_a_third(seed):
    """Sleeping stages need no processor, so threads can do nearly what the model says."""
    rng = np.random.default_rng(seed)
    calls = [sleeping(*map(int, rng.integers(0, 25, 2))) for _ in range(24)]

    def program():
        x = Tensor(X)
        for number, call in enumerate(calls):
            x = call(x)
            if number % 9 == 8:
                x.asnumpy()

    kept = recorded(program)
    found = hold_together(kept, pipeline.CAPACITY)
    last = max(end for spans in by_stage(kept).values() for _, _, end in spans)
    assert found.makespan >= last * 2 / 3


# recordings of known times --------------------------------------------------------------------


def test_a_recording_becomes_calls_works_and_waits():
    kept = recording(
        ("task", "Add", 0, 10, 1, (7, 0)),
        ("stage", "PyTask", 0, 10, 1, (7, 0)),
        ("stall", "FrontendTask", 10, 15, 1, (7,)),
        ("sync", "count", 18, 20, 1, (7,)),
        ("sync", "drain", 20, 22, 1, (7,)),
        ("sync", "synchronize", 22, 30, 1, (7,)),
        ("stage", "FrontendTask", 11, 14, 2, (7, 4)),
        ("stage", "LaunchTask", 16, 30, 4, (7, 4)),
    )
    assert program_of(kept) == (
        [
            StageCall(10, 3, 0, 14, "Add"), StageWork(3), StageSync("shape", 1),
            StageSync("event", 1), StageSync("synchronize", 0),
        ],
        False,
    )  # fmt: skip


def test_a_blocking_recording_counts_each_time_once():
    program, blocking = program_of(recording(*NESTED))
    assert blocking and program == [StageCall(20, 30, 10, 40, "Add")]
    assert simulate_stages(recording(*NESTED)).makespan == 100


def test_a_recording_without_stages_is_no_program():
    assert simulate_stages(recording()).makespan == 0
