"""Workers that are processes: what they are sent, how they end, also when the loop is killed."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from dataset_pipelines import firsts, mapped, nothing_left, numbers

from ms_ext import dataset as ds
from ms_ext.engine.data import carrying


@pytest.fixture(autouse=True)
def as_before():
    """After every test the settings are as they were, and no worker is there."""
    with nothing_left():
        yield


ROOT = Path(__file__).parents[1]


def test_a_killed_worker_is_reported():
    data = mapped(lambda x: os.kill(os.getpid(), 9) if x == 4 else x, "processes")
    with pytest.raises(RuntimeError, match="worker process of the dataset was ended by SIGKILL"):
        firsts(data)


def test_what_a_worker_prints_is_printed_here(capsys):
    firsts(mapped(lambda x: [print("row", x), x][1], "processes", data=numbers(4)))
    assert capsys.readouterr().out == "row 0\nrow 1\nrow 2\nrow 3\n"


def test_large_rows_do_not_block_the_pipes():
    big = ds.NumpySlicesDataset(np.zeros((24, 300_000), np.uint8), ["x"], shuffle=False)
    data = mapped(lambda x: x + 1, "processes", data=big)
    assert sum(int(x.sum()) for (x,) in data.create_tuple_iterator(None, 1, True)) == 7_200_000


def test_what_cannot_be_sent_says_so():
    lock = threading.Lock()

    def locked(x):
        with lock:
            return x

    with pytest.raises(RuntimeError, match="cannot be sent to a worker process") as caught:
        firsts(mapped(locked, "processes"))
    assert "python_multiprocessing=False" in str(caught.value)
    assert firsts(mapped(locked)) == list(range(12))


def test_functions_and_classes_without_a_name_are_sent_whole():
    class Parent:
        factor = 2

        def __init__(self, start=1):
            self.start = start

        def value(self):
            return self.start * self.factor

    class Child(Parent):
        def value(self):
            return super().value() + self.deep(3)

        @staticmethod
        def deep(n):
            return n and n + Child.deep(n - 1)

        @property
        def named(self):
            return type(self).__name__

    again = pickle.loads(carrying.dumps(Child(start=5)))
    assert type(again) is not Child and again.value() == 16 and again.named == "Child"

    def counts(n):
        return n and 1 + counts(n - 1)

    assert pickle.loads(carrying.dumps(counts))(4) == 4


SCRIPT = """
import sys, time
import mindspore.dataset as ds

factor = 10

def slowly(x):
    time.sleep(0.02)
    return x * factor

class Rows:
    def __getitem__(self, index):
        return index

    def __len__(self):
        return 100000

data = ds.GeneratorDataset(Rows(), ["x"], num_parallel_workers=2, shuffle=False)
data = data.map(slowly, "x", num_parallel_workers=2, python_multiprocessing=True).batch(2)
for number, (x,) in enumerate(data.create_tuple_iterator()):
    print(x.asnumpy().tolist(), flush=True)
    if number == 1 and "end" in sys.argv:
        break
"""


def script(tmp_path, *words):
    """A script without a main guard, as beginners write it."""
    path = tmp_path / "train.py"
    path.write_text(SCRIPT)
    command = [sys.executable, "-m", "ms_ext.cli.main", "run", str(path), *words]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, start_new_session=True, **pipes)


def below(pid):
    """All processes below one."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(c) for c in children] + [d for c in children for d in below(c)]


def gone(pids, seconds=5):
    until = time.monotonic() + seconds
    while (alive := [p for p in pids if Path(f"/proc/{p}").exists()]) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive


def test_a_script_without_a_main_guard(tmp_path):
    out, err = script(tmp_path, "end").communicate(timeout=60)
    assert out.split("\n")[:2] == ["[0, 10]", "[20, 30]"], err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_and_a_killed_loop_leave_no_worker(tmp_path, how):
    process = script(tmp_path)
    assert process.stdout.readline() == "[0, 10]\n"
    workers = below(process.pid)
    assert len(workers) == 4
    os.kill(process.pid, how)
    _, err = process.communicate(timeout=60)
    assert gone(workers)
    assert ("KeyboardInterrupt" in err) is (how == signal.SIGINT)
