"""Operators in C++ and Python's ops are one program: every order gives what one thread gives."""

import gc
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from extension_modules import load, needs_compiler, needs_pybind11

import ms_ext as ms
from ms_ext import Tensor, ops, runtime
from ms_ext.engine import events
from ms_ext.engine.stages import STAGES, delivery

ROOT = Path(__file__).resolve().parent.parent
pytestmark = [needs_compiler, needs_pybind11]
MODULO = ops.Custom(lambda a, b: (a + b) % 97, lambda a, _b: a, lambda a, _b: a, "pyfunc")


@pytest.fixture(scope="module")
def order():
    """The operators of order.cpp."""
    return load("order")


@pytest.fixture(autouse=True)
def at_rest():
    """Nothing is in flight after a test."""
    yield
    delivery.drain()
    delivery.collect()
    delivery.pipeline.unseen.clear()


def steps(order, rng):
    """One drawn step: it answers a new tensor or None."""
    slow = rng.choice([0, 0, 0, 200])
    return rng.choice(
        [
            lambda a, b: order.add(a, b, slow),
            lambda a, b: order.add(order.add(a, b), b, slow),
            lambda a, b: order.grow(a, slow),
            lambda a, b: (a * 0.5 + b) % 97,
            lambda a, b: b - 1,
            MODULO,
            lambda a, b: a.T + 0,
            lambda a, b: a[0] + b,
            lambda a, b: a.__setitem__((0, 0), rng.randrange(50)),
            lambda a, b: a.asnumpy() is None,
        ]
    )


def program(order, seed, length):
    """The values of all tensors after drawn steps on few tensors and views of them."""
    rng = random.Random(seed)
    shape = rng.choice([(2, 2), (5, 5)])
    start = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    tensors = [Tensor(start + i) for i in range(3)]
    views = [tensors[0][0], tensors[1].T]
    for _ in range(length):
        made = steps(order, rng)(rng.choice(tensors), rng.choice(tensors))
        if isinstance(made, Tensor):
            tensors.append(made)
        tensors = tensors[:3] + tensors[3:][-5:]
    return [each.asnumpy().copy() for each in tensors + views]


def compared(order, seeds, length, policy):
    for seed in seeds:
        with runtime.dispatch("blocking"):
            wanted = program(order, seed, length)
        with runtime.dispatch(policy):
            found = program(order, seed, length)
        for one, other in zip(wanted, found, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"seed {seed}, {policy}")


@pytest.mark.parametrize("policy", ["auto", "stages"])
def test_200_interleavings_equal_the_blocking_run(order, policy):
    compared(order, range(200), 30, policy)


@pytest.mark.long
@pytest.mark.parametrize("policy", ["auto", "stages"])
def test_many_more_interleavings(order, policy):
    compared(order, range(1000, 2500), 60, policy)


def test_where_mindspore_races_the_answer_is_right(order):
    r = a = Tensor(np.array([1, 2], np.float32))
    for _ in range(100):
        r = order.add(order.add(r, a * 0), a)
    assert r.asnumpy().tolist() == [101, 202]


def test_a_write_comes_after_what_was_called_before_it(order):
    x = Tensor(np.zeros(3, np.float32))
    before = order.add(x, x, 3000)
    x[1] = 5
    assert before.asnumpy().tolist() == [0, 0, 0] and x.asnumpy().tolist() == [0, 5, 0]


def test_what_an_operator_writes_is_seen_through_earlier_views_and_by_compiled_functions(order):
    doubled = ms.jit(lambda x: x * 2)
    x = Tensor(np.zeros((2, 3), np.float32))
    doubled(x)
    row = x[1]
    order.grow(x, 2000)
    assert row.asnumpy().tolist() == [1, 1, 1]
    order.grow(x, 2000)
    assert doubled(x).asnumpy().tolist() == [[4, 4, 4]] * 2
    order.grow(row, 2000)
    assert (x + 0).asnumpy().tolist() == [[2, 2, 2], [3, 3, 3]]


def test_100_000_calls_in_a_row_need_no_more_memory_than_few(order):
    x = Tensor(np.ones((64, 64), np.float32))

    def peak(count):
        most = 0
        for i in range(count):
            last = order.add(x, x)
            if i % 256 == 0:
                most = max(most, resident())
        last.asnumpy()
        gc.collect()
        return most

    few = peak(2000)
    assert peak(100_000) < few + (32 << 20)


def resident():
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


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


@pytest.mark.parametrize("stage", [2, 3])
def test_a_late_error_is_raised_once_at_the_first_read_then_zeros(order, stage):
    x = Tensor(np.ones(2, np.float32))
    failed = order.add(x, x, 0, stage)
    assert failed.shape == (2,)
    with pytest.raises(RuntimeError, match="device boom|launch boom") as caught:
        failed.asnumpy()
    assert "order.add(x, x, 0, stage)" in "".join(caught.value.__notes__)
    assert failed.asnumpy().tolist() == [0, 0]


def test_an_early_error_stays(order):
    x = Tensor(np.ones(2, np.float32))
    failed = order.add(x, x, 0, 1)
    for read in (lambda: failed.shape, failed.asnumpy, failed.asnumpy):
        with pytest.raises(ValueError, match="front boom"):
            read()


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
def test_blocking_every_error_is_raised_at_the_call(order, stage):
    x = Tensor(np.ones(2, np.float32))
    with runtime.dispatch("blocking"), pytest.raises((RuntimeError, ValueError), match="boom"):
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
