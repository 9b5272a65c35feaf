"""How the stage threads begin and end: import, exit, Ctrl-C, fork; each in a process of its own."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

PRELUDE = """
import signal, sys, time, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # nohup would have it ignored
import numpy as np
from ms_ext import Tensor, ops, dtype
X = np.ones((2, 2), np.float32)
def custom(func): return ops.Custom(func, (2, 2), dtype.float32)
"""


def start(code):
    text = PRELUDE + textwrap.dedent(code)
    return subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def run(code, seconds=30):
    child = start(code)
    child.stdout_text, child.stderr_text = child.communicate(timeout=seconds)
    return subprocess.CompletedProcess([], child.returncode, child.stdout_text, child.stderr_text)


def test_importing_starts_no_thread():
    shown = run("import ms_ext.runtime, ms_ext.engine.stages; print(threading.active_count())")
    assert (shown.stdout, shown.stderr) == ("1\n", "")


def test_pending_work_is_finished_at_exit():
    shown = run("""
        op = custom(lambda a: (time.sleep(0.05), print("done", flush=True), a)[2])
        keep = [op(Tensor(X)) for _ in range(3)]
    """)
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, "done\n" * 3, "")


def test_an_error_nobody_saw_is_told_at_exit_without_a_traceback():
    shown = run("""
        def func(a): raise ValueError("never asked for")
        custom(func)(Tensor(X))
    """)
    assert shown.returncode == 0
    assert "ms_ext: an error that nobody has seen: ValueError: never asked for" in shown.stderr
    assert "'Custom.func' did not get through its LaunchTask" in shown.stderr
    assert "Traceback" not in shown.stderr


def test_an_endless_function_does_not_keep_the_interpreter_alive():
    begin = time.perf_counter()
    shown = run("""
        from ms_ext.engine.stages import ending
        ending.PATIENCE = 0.2
        def endless(a):
            while True: time.sleep(0.01)
        custom(endless)(Tensor(X))
    """)
    assert time.perf_counter() - begin < 10
    assert shown.returncode == 0
    assert shown.stderr == (
        "ms_ext: 1 call(s) were still running at exit and were left behind: 'Custom.endless'\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")
def test_ctrl_c_ends_a_waiting_script_with_keyboard_interrupt_and_nothing_else():
    child = start("""
        def endless(a):
            print("started", flush=True)
            while True: time.sleep(0.01)
        custom(endless)(Tensor(X)).asnumpy()
    """)
    assert child.stdout.readline() == "started\n"
    child.send_signal(signal.SIGINT)
    _, shown = child.communicate(timeout=20)
    assert shown.rstrip().endswith("KeyboardInterrupt")
    assert (
        "ms_ext:" not in shown
        and "Exception ignored" not in shown
        and "Exception in thread" not in shown
    )


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT for a child there")
def test_after_ctrl_c_the_same_process_can_go_on():
    child = start("""
        def endless(a):
            print("started", flush=True)
            while True: time.sleep(0.01)
        y = custom(endless)(Tensor(X))
        late = custom(lambda a: a)(Tensor(X))
        try: y.asnumpy()
        except KeyboardInterrupt: print("interrupted")
        for lost in (y, late):
            try: lost.shape; lost.asnumpy()
            except RuntimeError as error: print(error.message)
        print(custom(lambda a: a + 1)(Tensor(X)).asnumpy().tolist())
        time.sleep(0.2)
        print([t.name for t in threading.enumerate()].count("ms_ext LaunchTask"))
    """)
    child.stdout.readline()
    child.send_signal(signal.SIGINT)
    shown, noise = child.communicate(timeout=20)
    assert shown.splitlines() == [
        "interrupted",
        "'Custom.endless' was interrupted before it was finished.",
        "'Custom.<lambda>' was interrupted before it was finished.",
        "[[2.0, 2.0], [2.0, 2.0]]",
        "1",
    ]
    assert noise == ""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_forked_child_has_its_values_and_can_start_its_own_threads():
    shown = run("""
        import os, warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        y = custom(lambda a: (time.sleep(0.05), a + 1)[1])(Tensor(X))
        child = os.fork()
        if child == 0:
            print("child", y.asnumpy()[0, 0], custom(lambda a: a * 7)(Tensor(X)).asnumpy()[0, 0])
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)
        print("parent", custom(lambda a: a * 5)(y).asnumpy()[0, 0])
    """)
    assert (shown.stdout, shown.stderr) == ("child 2.0 7.0\nparent 10.0\n", "")


def test_small_work_starts_nothing_and_large_work_says_why():
    code = """
        import threading
        from ms_ext import Tensor, ops
        x = Tensor([1.0, 2.0])
        (x + x * 2).asnumpy()
        print(threading.active_count())
    """
    assert run(code).stdout == "1\n"
