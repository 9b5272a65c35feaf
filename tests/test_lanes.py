"""The queues in front of the stages: the readable ones, and the compiled ones for C++ operators."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from ms_ext import kernels
from ms_ext.engine import toolchain
from ms_ext.engine.stages.queue import Lanes
from ms_ext.engine.stages.task import THREADS

ROOT = Path(__file__).resolve().parent.parent
FIRST, LAST = THREADS[0], THREADS[-1]
compiled = kernels.get("extension")
KINDS = ["readable"] + (["compiled"] if compiled else [])


@pytest.fixture(params=KINDS)
def make(request):
    """``make(capacity, issued)`` of each kind."""
    if request.param == "readable":
        return lambda capacity=4, issued=0: Lanes(THREADS, capacity, issued)
    return lambda capacity=4, issued=0: compiled.Lanes(capacity, issued, None)


def tasks(count):
    """So many tasks, told apart by their names."""
    return [SimpleNamespace(name=f"call {i}", number=0) for i in range(count)]


def test_calls_come_out_in_order_and_are_numbered(make):
    lanes, given = make(issued=7), tasks(3)
    for task in given:
        lanes.submit(task)
    assert [lanes.queues[FIRST].take() for _ in given] == given
    assert [task.number for task in given] == [8, 9, 10] and lanes.issued == 10


def test_a_full_queue_makes_its_writer_wait(make):
    lanes, queue = make(capacity=2), None
    queue = lanes.queues[LAST]
    one, two, three = tasks(3)
    queue.put(one)
    queue.put(two)
    writer = threading.Thread(target=queue.put, args=(three,))
    writer.start()
    writer.join(0.1)
    assert writer.is_alive()
    assert queue.take() is one
    writer.join(10)
    assert not writer.is_alive() and [queue.take(), queue.take()] == [two, three]


def test_an_empty_queue_makes_its_reader_wait(make):
    lanes, found = make(), []
    queue = lanes.queues[LAST]
    reader = threading.Thread(target=lambda: found.append(queue.take()))
    reader.start()
    reader.join(0.1)
    assert reader.is_alive() and not found
    (task,) = tasks(1)
    queue.put(task)
    reader.join(10)
    assert found == [task]


def test_a_closed_queue_runs_out(make):
    queue = make().queues[LAST]
    one, two = tasks(2)
    queue.put(one)
    queue.close()
    queue.put(two)  # thrown away
    assert queue.take() is one and queue.take() is None


def test_what_is_discarded_is_let_go(make):
    queue = make().queues[LAST]
    (task,) = tasks(1)
    before = sys.getrefcount(task)
    queue.put(task)
    queue.close(discard=True)
    assert queue.take() is None and sys.getrefcount(task) == before


def test_closing_wakes_who_waits(make):
    queue, found = make().queues[LAST], []
    reader = threading.Thread(target=lambda: found.append(queue.take()))
    reader.start()
    reader.join(0.05)
    queue.close()
    reader.join(10)
    assert found == [None]


def test_progress(make):
    progress = make(issued=3).progress[LAST]
    assert progress.reached == 3 and progress.wait(3) and not progress.wait(4, seconds=0.01)
    waiter = threading.Thread(target=progress.wait, args=(5,))
    waiter.start()
    progress.reach(5)
    waiter.join(10)
    assert not waiter.is_alive() and progress.reached == 5
    progress.reach(4)
    assert progress.reached == 5


def test_a_call_that_passes_by_is_done_everywhere(make):
    lanes = make(issued=1)
    assert lanes.pass_by() == 2
    assert [lanes.progress[stage].reached for stage in THREADS] == [2, 2, 2]


WAITING = """
import signal, sys
from ms_ext import kernels
lanes = kernels.get("extension").Lanes(1, 0, None)
try:
    print("waiting", flush=True)
    {wait}
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.skipif(compiled is None, reason="the kernels are not built")
@pytest.mark.parametrize(
    "wait",
    [
        "lanes.progress['LaunchTask'].wait(1)",
        "[lanes.queues['LaunchTask'].put(sys) for _ in range(2)]",
    ],
)
def test_ctrl_c_ends_a_wait(wait):
    child = subprocess.Popen(
        [sys.executable, "-c", WAITING.format(wait=wait)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert child.stdout.readline() == "waiting\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "interrupted\n"


@pytest.mark.long
@pytest.mark.skipif(compiled is None, reason="the kernels are not built")
def test_pythons_calls_go_through_the_compiled_lanes_as_through_the_others(tmp_path):
    (tmp_path / "with_compiled_lanes.py").write_text("import ms_ext.engine.stages.cpp_calls\n")
    files = [str(path) for path in sorted((ROOT / "tests").glob("test_stage*.py"))]
    words = ["-q", "-p", "with_compiled_lanes", *files]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}"},
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.long
@pytest.mark.parametrize("sanitizer", ["thread", "address,undefined"])
def test_a_sanitizer_finds_nothing_in_the_lanes(sanitizer, tmp_path):
    compiler = toolchain.cxx_compiler()
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    program = tmp_path / "stress"
    source = ROOT / "tests" / "extension_sources" / "lanes_stress.cpp"
    folders = [f"-I{ROOT / 'kernels_pyx'}", f"-I{ROOT / 'ms_ext' / 'include'}"]
    words = ["-std=c++17", "-O1", "-g", f"-fsanitize={sanitizer}", "-pthread", *folders]
    subprocess.run([compiler.path, *words, str(source), "-o", str(program)], check=True)
    done = subprocess.run([program, "300"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout.startswith("wrong 0"), done.stdout + done.stderr
