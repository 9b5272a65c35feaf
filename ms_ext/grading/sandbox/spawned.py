"""And where a process cannot be forked? One whole process for each learner, over pipes."""

import contextlib
import os
import signal
import subprocess
import time

from ms_ext.grading import wire

from . import places, protections
from .asking import Child
from .channel import PipeChannel
from .limits import Limits
from .nursery import MOMENT, command, hide, no_start, surroundings

KIB = 1024  # what Linux counts memory in


class Spawned:
    """Like a nursery, but each child starts a Python of its own.

    >>> with Spawned() as nursery:
    ...     child = nursery.child()
    ...     reply = child.ask({"find": "f", "cells": [["In[1]", "f = abs"]], "path": []})
    >>> reply["found"]["cells"]
    ['In[1]']
    """

    def __init__(self):
        hide()
        self.children = set()

    def child(self, reads=(), limits=None, without=()):
        """A new child; see ``Forked.child``."""
        reads = tuple(os.path.realpath(folder) for folder in reads)
        folder = places.make_folder()
        setting = protections.Setting(folder, reads, limits or Limits(), tuple(without))
        process = subprocess.Popen(
            command("spawned()"), env=surroundings(), cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=os.name != "nt",
        )  # fmt: skip
        most = setting.limits.output + setting.limits.words
        channel = PipeChannel(process.stdin, process.stdout, most)
        made = Child(channel, setting, Process(process, self))
        self.children.add(made)
        request = [folder, reads, list(setting.limits), setting.without]
        channel.post(wire.encode(request))
        return made

    def close(self):
        """End every child."""
        for child in list(self.children):
            child.close()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.close()


class Process:
    """A spawned process and how it ends."""

    def __init__(self, process, nursery):
        self.process, self.nursery = process, nursery

    def trouble(self):
        """The error when the child did not begin."""
        return no_start(self.process)

    def ended(self, kill):
        """How the process ended; it is killed first, or after a moment."""
        killed = kill or not self._ends_by_itself()
        if killed:
            self._kill()
        cpu, memory = self._reap()
        return {"code": self.process.returncode, "cpu": cpu, "memory": memory, "killed": killed}

    def _ends_by_itself(self):
        if not hasattr(os, "waitid"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(MOMENT)
            return self.process.returncode is not None
        until = time.monotonic() + MOMENT
        while os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

    def _reap(self):
        """Processor seconds and most memory of the dead process, where the system counts them."""
        if not hasattr(os, "wait4"):
            self.process.wait()
            return 0.0, 0
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_utime + used.ru_stime, used.ru_maxrss * KIB

    def _kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL) if os.name != "nt" else self.process.kill()
        except (ProcessLookupError, PermissionError):
            pass

    def release(self, child):
        """The child is gone."""
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except OSError:  # what was not sent
                continue
        self.nursery.children.discard(child)
