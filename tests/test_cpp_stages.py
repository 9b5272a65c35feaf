"""What a call of an operator in C++ does in each stage: threads, records, errors, ends."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from cpp_order import MODULO, at_rest, order
from extension_modules import needs_compiler, needs_pybind11

from ms_ext import Tensor, runtime
from ms_ext.engine import events
from ms_ext.engine.stages import STAGES, delivery

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = order, at_rest
pytestmark = [needs_compiler, needs_pybind11]


def test_who_calls_faster_than_the_stages_work_is_held_back(order):
    x = Tensor(np.ones(2, np.float32))
    with events.record() as recording:
        kept = [order.add(x, x, 100) for _ in range(2500)]
        runtime.synchronize()
    stalls = recording.of("stall")
    assert len(kept) == 2500 and stalls and {s.name for s in stalls} <= {"FrontendTask"}


def test_stages_are_recorded_with_times_threads_and_the_callers_line(order):
    x = Tensor(np.ones(2, np.float32))
    with events.record() as recording:
        order.add(x, x).asnumpy()
    stages = {event.name: event for event in recording.of("stage")}
    assert set(stages) == set(STAGES)
    assert len({event.thread for event in stages.values()}) == 4
    starts = [stages[stage].start for stage in STAGES]
    assert starts == sorted(starts)
    assert any("order.add(x, x)" in event.name for event in recording.of("line"))
    with runtime.dispatch("blocking"), events.record() as recording:
        order.add(x, x)
    assert {event.thread for event in recording.of("stage")} == {threading.get_ident()}


def test_nothing_is_recorded_while_nobody_asks(order):
    x = Tensor(np.ones(2, np.float32))
    order.add(x, x).asnumpy()
    assert delivery.pipeline.lanes.take_records() == []


def test_row_9_blocking_all_stages_are_one_inside_the_other_on_the_callers_thread(order):
    with runtime.dispatch("blocking"):
        order.taken()
        order.traced(Tensor([1.0]))
    places, threads = zip(*order.taken(), strict=True)
    assert places == (
        "PyTask.begin",
        "Frontend.begin",
        "CalcWorkspace",
        "ProcessWithWorkspace",
        "LaunchKernel",
        "Frontend.end",
        "PyTask.end",
    )
    assert len(set(threads)) == 1


def test_row_10_each_stage_has_a_thread_and_the_call_returns_before_the_launch(order):
    order.taken()
    order.traced(Tensor([1.0])).asnumpy()
    found = order.taken()
    places, threads = [place for place, _ in found], dict(found)
    assert places.index("PyTask.end") < places.index("LaunchKernel")
    stages = ["PyTask.begin", "Frontend.begin", "CalcWorkspace", "LaunchKernel"]
    assert len({threads[place] for place in stages}) == 4
    assert threads["CalcWorkspace"] == threads["ProcessWithWorkspace"]
    assert [places.index(place) for place in stages] == sorted(map(places.index, stages))


@pytest.mark.parametrize("stage", [2, 3])
def test_row_11_a_late_error_is_raised_once_at_the_first_read_then_zeros(order, stage):
    x = Tensor(np.ones(2, np.float32))
    failed = order.add(x, x, 0, stage)
    assert failed.shape == (2,)
    with pytest.raises(RuntimeError, match="device boom|launch boom") as caught:
        failed.asnumpy()
    assert "order.add(x, x, 0, stage)" in "".join(caught.value.__notes__)
    assert failed.asnumpy().tolist() == [0, 0]


def test_row_13_an_early_error_stays(order):
    x = Tensor(np.ones(2, np.float32))
    failed = order.add(x, x, 0, 1)
    for read in (lambda: failed.shape, failed.asnumpy, failed.asnumpy):
        with pytest.raises(RuntimeError, match="front boom"):
            read()


def test_an_invalid_argument_is_a_value_error_in_every_policy(order):
    x = Tensor(np.ones(2, np.float32))
    for policy in ("auto", "blocking"):
        with runtime.dispatch(policy), pytest.raises(ValueError, match="invalid boom"):
            order.add(x, x, 0, 4).asnumpy()


def test_an_error_nobody_has_seen_is_raised_by_another_read_once(order):
    x = Tensor(np.ones(2, np.float32))
    order.add(x, x, 0, 3)
    other = order.add(x, x)
    with pytest.raises(RuntimeError, match="launch boom"):
        other.asnumpy()
    assert other.asnumpy().tolist() == [2, 2]


def test_what_needs_a_failed_result_fails_too(order):
    x = Tensor(np.ones(2, np.float32))
    failed = order.add(x, x, 0, 3)
    needs, python = order.add(failed, x), MODULO(failed, x)
    for each in (needs, python):
        with pytest.raises(RuntimeError, match="launch boom"):
            each.asnumpy()
            failed.asnumpy()


@pytest.mark.parametrize("stage", [1, 2, 3])
def test_row_12_blocking_every_error_is_raised_at_the_call(order, stage):
    x = Tensor(np.ones(2, np.float32))
    with runtime.dispatch("blocking"), pytest.raises(RuntimeError, match="boom"):
        order.add(x, x, 0, stage)


def test_many_threads_call_at_once(order):
    results = {}

    def work(number):
        x = one = Tensor(np.full(4, 1, np.float32))
        for _ in range(300):
            x = order.add(x, one)
        results[number] = x.asnumpy().tolist()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {i: [301.0] * 4 for i in range(4)}


ENDS = """
import os, sys
sys.path[:0] = [{tests!r}]
import numpy as np
from extension_modules import load
from ms_ext import Tensor
order, x = load("order"), Tensor(np.ones(4, np.float32))
kept = [order.add(x, x, 500) for _ in range(50)]
{end}
"""


def child(end):
    """(exit code, what it printed) of a process that ends with calls in flight."""
    tests = str(ROOT / "tests")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ENDS.format(tests=tests, end=end)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    return done.returncode, done.stdout, done.stderr


def test_a_process_ends_with_calls_in_flight(order):
    code, _out, err = child("print('end')")
    assert code == 0 and "Traceback" not in err


def test_an_error_nobody_has_seen_is_told_at_exit(order):
    code, _out, err = child("order.add(x, x, 0, 3)")
    assert code == 0 and "launch boom" in err


FORK = """
if os.fork() == 0:
    print("child", order.add(kept[-1], x).asnumpy().tolist(), flush=True)
    os._exit(0)
os.wait()
print("parent", order.add(kept[-1], x).asnumpy().tolist())
"""


def test_a_fork_has_lanes_of_its_own(order):
    code, out, _err = child(FORK)
    assert code == 0
    assert sorted(out.splitlines()) == ["child [3.0, 3.0, 3.0, 3.0]", "parent [3.0, 3.0, 3.0, 3.0]"]


INTERRUPTED = """
import signal, threading
slow = order.add(x, x, 20_000_000)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    slow.asnumpy()
except KeyboardInterrupt:
    print("interrupted", order.add(x, x).asnumpy().tolist(), flush=True)
try:
    slow.asnumpy()
except RuntimeError:
    print("given up", flush=True)
os._exit(0)
"""


def test_ctrl_c_gives_up_what_is_in_flight_and_the_next_call_works(order):
    code, out, err = child(INTERRUPTED)
    assert out.splitlines() == ["interrupted [2.0, 2.0, 2.0, 2.0]", "given up"], err
