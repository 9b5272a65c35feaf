"""A check that fails, is too slow or is interrupted gives no verdict and leaves nothing running."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import ms_ext as ms
from ms_ext.grading.notebook import session

ROOT = Path(__file__).parents[1]


def checker(monkeypatch, code):
    """Another checker in place of ours."""
    monkeypatch.setattr(session.judge, "command", lambda: [sys.executable, "-I", "-c", code])


def test_a_checker_that_fails_gives_no_verdict(monkeypatch):
    checker(monkeypatch, "raise SystemExit('out of paper')")
    with pytest.raises(RuntimeError, match=r"(?s)no verdict on your work.*out of paper"):
        session.ask({})


SLEEPS = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-I", "-c", "import time; time.sleep(60)"])
open({path!r}, "w").write(str(child.pid))
try:
    time.sleep(60)
finally:
    child.kill()
    child.wait()
"""


def test_nothing_runs_on_after_a_timeout(monkeypatch, tmp_path):
    checker(monkeypatch, SLEEPS.format(path=str(tmp_path / "pid")))
    monkeypatch.setattr(session, "PATIENCE", 1.0)
    with pytest.raises(RuntimeError, match="no verdict within 1 s"):
        session.ask({})
    assert_gone(tmp_path / "pid")


def test_nothing_runs_on_after_an_interrupt(monkeypatch, tmp_path):
    checker(monkeypatch, SLEEPS.format(path=str(tmp_path / "pid")))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt_after, args=[tmp_path / "pid"], daemon=True).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            session.ask({})
    finally:
        signal.signal(signal.SIGINT, before)
    assert_gone(tmp_path / "pid")


def interrupt_after(path):
    """Ctrl-C once the checker's child runs."""
    while not (path.exists() and path.read_text()):
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGINT)


LOOP = "def mul_bprop(x, y, out, dout):\n    while True: pass\n"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_nothing_of_a_real_check_runs_on_after_an_interrupt(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # every process of the check carries it
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt_when_many, args=[str(tmp_path)], daemon=True).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            session.ask({"name": "05.mul_bprop", "cells": [("a", LOOP)], "path": []})
    finally:
        signal.signal(signal.SIGINT, before)
    for _ in range(100):
        if not carrying(str(tmp_path)):
            return
        time.sleep(0.05)
    pytest.fail(f"still there: {carrying(str(tmp_path))}")


def carrying(mark):
    """The processes that have these words in their variables, we ourselves apart."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            held = mark.encode() in (folder / "environ").read_bytes()
            alive = b") Z " not in (folder / "stat").read_bytes()
        except OSError:
            continue
        if held and alive and folder.name != str(os.getpid()):
            found.append((folder.name, (folder / "cmdline").read_bytes()[-60:]))
    return found


def interrupt_when_many(mark):
    """Ctrl-C once judge, nursery and the learner's process run."""
    while len(carrying(mark)) < 3:
        time.sleep(0.02)
    time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGINT)


# as learners use it ---------------------------------------------------------------------------


def mul_bprop(x, y, out, dout):
    """An answer in a test module, as a learner may keep it."""
    return dout * y, dout * x


def swapped(x, y, out, dout):
    """Another answer under another name."""
    return dout * x, dout * y


def test_a_test_module_checks_what_stands_in_it():
    assert ms.check("05.mul_bprop")
    verdict = ms.check("05.mul_bprop", swapped)
    assert (verdict.status, verdict.code, verdict.warnings) == ("failed", "swapped", ())


ANSWER = "import ms_ext as ms\ndef mul_bprop(x, y, out, dout): return dout * y, dout * x\n"
ASKS = "ms.check('05.mul_bprop')\nms.hint('05.mul_bprop')\n"


def run(folder, *words, **more):
    """Python as a learner starts it, in this folder: what it printed."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    del variables["PYTEST_CURRENT_TEST"]
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=variables, capture_output=True,
        encoding="utf-8", **more,
    )  # fmt: skip
    return done.stdout, done.stderr


def shown_once(said):
    return [said.count(each) for each in ("✓ 05.mul_bprop: passed, 2 of 2 points", "Hint 1 of")]


def test_a_script_checks_itself_and_shows_it(tmp_path):
    (tmp_path / "answer.py").write_text(ANSWER + ASKS)
    out, err = run(tmp_path, "answer.py")
    assert shown_once(out) == [1, 1] and out.startswith("✓"), err


def test_a_prompt_shows_a_verdict_once(tmp_path):
    (tmp_path / "answer.py").write_text(ANSWER)
    asks = ASKS.replace("mul_bprop')\n", "mul_bprop', 'answer.py')\n", 1)
    out, err = run(tmp_path, "-i", "-c", "import ms_ext as ms", input=asks)
    assert shown_once(out) == [1, 1], err


WRONG = "import ms_ext as ms\ndef mul_bprop(x, y, out, dout): return dout * x, dout * y\n"
TEST = "def test_mine():\n    assert ms.check('05.mul_bprop')\n"


def test_pytest_shows_one_line_and_the_verdict(tmp_path):
    (tmp_path / "test_mine.py").write_text(WRONG + TEST)
    out, err = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py")
    assert (
        "assert <05.mul_bprop: failed, 0 of 2 points: A gradient holds the wrong input.>" in out
    ), err
    assert "\\n" not in out and out.count("✗ 05.mul_bprop: failed, 0 of 2 points\n") == 1


def assert_gone(path, seconds=10):
    """The process has ended; on a busy machine a moment after it was told to."""
    pid, until = int(path.read_text()), time.monotonic() + seconds
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < until:
            os.kill(pid, 0)
            time.sleep(0.02)
