"""One spawned process for each learner: the same interface and the same ends, without fork."""

import subprocess
import sys
from pathlib import Path

import pytest
from sandbox_calls import SMALL, asked, on_linux

from ms_ext.grading.sandbox import Limits, Spawned

ROOT = Path(__file__).parents[1]
LARGE = "return {'done': 'x' * 400_000}"
pytestmark = on_linux


@pytest.fixture(scope="module")
def spawning():
    with Spawned() as made:
        yield made


def test_spawned_children_end_as_forked_ones_do(spawning):
    assert asked(spawning, "return given + 1", 41)["answer"] == 42
    assert asked(spawning, "import os; os._exit(3)") == {"stopped": "exit 3"}
    assert asked(spawning, "while True: pass", limits=Limits(processor=1)) == {"stopped": "time"}
    wait = "import time; time.sleep(9)"
    assert asked(spawning, wait, limits=Limits(wall=0.5)) == {"stopped": "time"}
    assert asked(spawning, LARGE, limits=SMALL._replace(wall=9.0)) == {"stopped": "output"}


def test_spawned_children_are_protected_too(spawning, tmp_path):
    (tmp_path / "secret").write_text("")
    body = """
        import os
        refused = 0
        for attempt in (lambda: open(given), os.fork, lambda: os.kill(1, 0)):
            try:
                attempt()
            except OSError:
                refused += 1
        return refused
    """
    assert asked(spawning, body, str(tmp_path / "secret"), without=("words",))["answer"] == 3


NO_FORK = """
import os, select, signal, socket, sys
for name in ("fork", "wait4", "waitid", "pidfd_open"):
    delattr(os, name)
for module, name in ((select, "poll"), (socket, "send_fds"), (socket, "socketpair")):
    delattr(module, name)
sys.modules["resource"] = sys.modules["fcntl"] = None
sys.platform = "none"
from ms_ext.grading import sandbox
with sandbox.Nursery() as nursery:
    child = nursery.child()
    print(child.ask({"find": "f", "cells": [["a", "f = abs"]], "path": []})["found"]["cells"])
    print(child.ask({"run": True}), child.ask({"ask": "call plain", "operands": (-3,)})["answer"])
    print(sandbox.Nursery.__name__, child.close().memory)
"""


def test_a_system_without_fork():
    done = subprocess.run([sys.executable, "-c", NO_FORK], cwd=ROOT, capture_output=True, text=True)
    lines = ["['a']", "{'ran': True, 'printed': ''} 3", "Spawned 0"]
    assert done.stdout.splitlines() == lines, done.stderr
