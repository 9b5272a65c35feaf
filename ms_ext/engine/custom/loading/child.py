"""What becomes of a call that may crash, exit or never end? It happens in a child of this process.

The child is a copy: libraries, attributes and pointers are where they are here. It reports what the
call returned, or where it faulted, through a pipe; its prints are collected.
"""

import ctypes
import json
import os
import platform
import select
import signal
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass

MOST_PRINTED = 1 << 20
_FAULTS = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL)
_ON_INFO, _NO_DEFER = 0x4, 0x40000000
_DIES_WITH_PARENT = 1


@dataclass(frozen=True)
class Outcome:
    """How the child ended. ``kind`` is "returned", "fault", "signal", "exited" or "too-long"."""

    kind: str
    value: object = None  # what was returned; the signal's number; the exit code
    address: int | None = None  # where it faulted
    wrote: bool | None = None  # whether the fault was a write; None if this CPU does not tell
    printed: str = ""


class _Action(ctypes.Structure):
    """``struct sigaction`` of Linux's C library."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ulong * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


_Handler = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def survive(work, seconds):
    """Call ``work()`` in a child; what it returns has to be fit for JSON."""
    libc = ctypes.CDLL(None)
    libc.fflush(None)  # or the child would print it again
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as printed:
        pid = _fork()
        if pid == 0:
            os.close(reading)
            _be_the_child(work, writing, printed.fileno(), libc, seconds)
        os.close(writing)
        try:
            report, status = _awaited(pid, reading, seconds)
        finally:
            os.close(reading)
        printed.seek(0)
        text = printed.read(MOST_PRINTED).decode("utf-8", "replace")
    return _outcome(report, status, text)


def _fork():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads: the child calls C and ends
        return os.fork()


def _be_the_child(work, writing, printed, libc, seconds):
    """Never returns."""
    code = 70
    try:
        libc.prctl(_DIES_WITH_PARENT, signal.SIGKILL)
        _limit(seconds)
        os.dup2(printed, 1)
        os.dup2(printed, 2)
        kept = _report_faults(writing, libc)
        value = work()
        libc.fflush(None)
        _send(writing, kind="returned", value=value)
        code = 0 if kept else 70
    finally:
        os._exit(code)


def _limit(seconds):
    """No core files, an end for what it prints, and one for its time if the parent is gone."""
    import resource  # which Windows does not have

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for what, most in (
        (resource.RLIMIT_FSIZE, 16 << 20),
        (resource.RLIMIT_CPU, int(seconds) * 64 + 60),
    ):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (most if hard < 0 else min(most, hard), hard))


def _report_faults(writing, libc):
    """Have a fault's address reported; the handler is returned, as it must be kept."""
    is_x86 = platform.machine() == "x86_64"

    def report(number, info, context):
        address = ctypes.c_void_p.from_address(info + 16).value or 0
        error = ctypes.c_long.from_address(context + 40 + 19 * 8).value if is_x86 else None
        wrote = None if error is None or number != signal.SIGSEGV else bool(error & 2)
        _send(writing, kind="fault", value=number, address=address, wrote=wrote)
        libc.fflush(None)
        os._exit(71)

    handler = _Handler(report)
    action = _Action(ctypes.cast(handler, ctypes.c_void_p).value, flags=_ON_INFO | _NO_DEFER)
    for number in _FAULTS:
        libc.sigaction(int(number), ctypes.byref(action), None)
    libc.signal(int(signal.SIGABRT), None)
    libc.signal(int(signal.SIGINT), 1)
    return handler


def _send(writing, **report):
    os.write(writing, json.dumps(report).encode())


def _awaited(pid, reading, seconds):
    """(the child's report, its wait status or None if it had to be ended)."""
    until = time.monotonic() + seconds
    report, done = b"", False
    try:
        while not done and (left := until - time.monotonic()) > 0:
            if select.select([reading], [], [], left)[0]:
                part = os.read(reading, 65536)
                report, done = report + part, not part
        while done and time.monotonic() < until + 1:  # it has closed its end, so it is ending
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                pid = None
                return report, status
            time.sleep(0.001)
        return report, None
    finally:
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def _outcome(report, status, printed):
    try:
        told = json.loads(report) if report else {}
    except ValueError:
        told = {}
    if told:
        return Outcome(**told, printed=printed)
    if status is None:
        return Outcome("too-long", printed=printed)
    if os.WIFSIGNALED(status):
        return Outcome("signal", os.WTERMSIG(status), printed=printed)
    return Outcome("exited", os.WEXITSTATUS(status), printed=printed)


def offered():
    """Whether this system can run a call guarded."""
    return sys.platform == "linux" and hasattr(os, "fork")
