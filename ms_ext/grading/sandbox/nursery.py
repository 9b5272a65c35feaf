"""Where do learners' processes come from? A clean, loaded process that forks one for each.

The nursery is a fresh Python with NumPy and ms_ext; no exercise, bundle or other learner's work was
ever in it. A request (a message with two sockets) makes it fork a keeper, which forks the child.
"""

import json
import os
import select
import socket
import subprocess
import sys
import threading
import time

from ms_ext.engine import errors

from . import places
from .limits import Limits

KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LD_LIBRARY_PATH")
OURS = ("MS_EXT_CORE", "MS_EXT_CPU")
MOMENT = 1.0  # seconds for a process to end by itself
END = 10.0  # seconds for a killed process to be gone


def command(call):
    """A Python that makes one call; it gets ``surroundings`` and no folder of anybody's."""
    root = str(places.PACKAGE.parent)
    code = f"import sys; sys.path.append({root!r}); from ms_ext.grading import child; child.{call}"
    return [sys.executable, "-s", "-P", "-c", code]


def surroundings():
    """The few variables that a child gets: the same answer gives the same reply every time."""
    kept = {name: os.environ[name] for name in KEPT + OURS if name in os.environ}
    one = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    ours = {"MS_EXT_JIT": "fixed", "MALLOC_ARENA_MAX": "2", "PYTHONHASHSEED": "0"}
    return {**kept, **one, **ours}


def hide():
    """The parent's memory is nobody else's, where the system can hide it."""
    from . import kernel

    try:
        kernel.hide_memory()
    except OSError:
        return


def no_start(process):
    """The error that tells the last words of a process that did not start as it should."""
    silent = process.poll() is None
    said = "" if silent else process.stderr.read().decode(errors="replace").strip()
    return errors.NotRunnable(
        "The process that runs answers did not start: this is no verdict on any work.",
        given=said.splitlines()[-1] if said else "it said nothing",
        hint="Try again; `ms-ext doctor` says what is missing here.",
    )


class Forked:
    """A nursery; several threads may ask it for children."""

    def __init__(self):
        self.lock, self.children = threading.Lock(), set()
        self.process = self.requests = None
        self._start()  # it loads NumPy while this process does
        hide()

    def _start(self):
        self.requests, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                command(f"nursery({theirs.fileno()})"), env=surroundings(), cwd=os.sep,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                pass_fds=[theirs.fileno()], start_new_session=True,
            )  # fmt: skip

    def child(self, reads=(), limits=None, without=()):
        """A new child. ``without``: protections to leave out, for the proof that each works."""
        from . import protections
        from .asking import Child
        from .channel import SocketChannel

        reads = tuple(os.path.realpath(folder) for folder in reads)
        folder = places.make_folder()
        setting = protections.Setting(folder, reads, limits or Limits(), tuple(without))
        talk, theirs = socket.socketpair()
        control, kept = socket.socketpair()
        with theirs, kept:
            self._request(setting, [theirs.fileno(), kept.fileno()])
        made = Child(SocketChannel(talk), setting, Keeper(control, self))
        self.children.add(made)
        return made

    def _request(self, setting, descriptors):
        message = json.dumps([*setting[:2], list(setting.limits), setting.without]).encode()
        with self.lock:
            for fresh in (True, False):
                try:
                    return socket.send_fds(self.requests, [message], descriptors)
                except OSError:
                    if not fresh:
                        raise
                self._stop()
                self._start()

    def trouble(self):
        """The error when no child came."""
        return no_start(self.process)

    def close(self):
        """End every child, then the nursery."""
        for child in list(self.children):
            child.close()
        with self.lock:
            self._stop()

    def _stop(self):
        self.requests.close()
        try:
            self.process.wait(END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.close()


class Keeper:
    """The parent's line to the keeper of one child."""

    def __init__(self, control, nursery):
        self.control, self.nursery, self.trouble = control, nursery, nursery.trouble

    def ended(self, kill):
        """How the child ended; it is killed first, or after a moment."""
        killed = kill or not self._said(MOMENT)
        if killed:
            try:
                self.control.shutdown(socket.SHUT_WR)
            except OSError:  # the keeper is gone already
                pass
        return {**self._report(), "killed": killed}

    def _said(self, seconds):
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        return bool(poll.poll(seconds * 1000))

    def _report(self):
        said, until = b"", time.monotonic() + END
        while self._said(max(0.0, until - time.monotonic())):
            piece = self.control.recv(4096)
            if not piece:
                break
            said += piece
        return json.loads(said or '{"code": null, "cpu": 0.0, "memory": 0}')

    def release(self, child):
        """The child is gone."""
        self.control.close()
        self.nursery.children.discard(child)
