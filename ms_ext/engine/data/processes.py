"""What is a worker that is another process? A fresh Python that reads tasks and writes results.

It is started anew, never forked: a notebook's kernel has threads, and a fork would copy their locks
but not them. So nothing of the script's is run in it: functions and classes that are no part of a
module on the disk are sent as they are (``carrying``), with what they use. What the worker prints
comes with the result and is printed here.
"""

import json
import pickle
import signal
import subprocess
import sys

from .. import errors
from . import carrying, failures

#: What a fresh Python runs: the caller's sys.path is its own, then it serves.
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import {0}; {0}.main()"
_WORKER = f"{__package__}.worker"


class Process:
    """A worker that is a process of its own: ``work(task)`` runs there."""

    def __init__(self, packed_work):
        command = [sys.executable, "-c", _START.format(_WORKER), json.dumps(sys.path)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._write(packed_work)

    @property
    def pid(self):
        """The process's number."""
        return self._process.pid

    def send(self, task):
        """Hand over a task."""
        self._write(pickle.dumps(task, protocol=5))

    def receive(self):
        """The result of the task that was sent first; raises what that task raised."""
        try:
            result, failure, printed = pickle.load(self._process.stdout)
        except (EOFError, pickle.UnpicklingError, OSError):
            raise self._ended() from None
        if printed:
            print(printed, end="")
        if failure is not None:
            raise failures.unpacked(*failure)
        return result

    def close(self):
        """End it now, in the middle of a task if need be."""
        self._process.kill()

    def join(self):
        """Wait for its end."""
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except OSError:  # bytes that nobody reads any more
                pass

    def _write(self, data):
        try:
            self._process.stdin.write(len(data).to_bytes(8, "little") + data)
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _ended(self):
        code = self._process.wait()
        how = (
            f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        )
        return errors.NotRunnable(
            f"A worker process of the dataset {how}.",
            given=f"process {self.pid}, {sys.executable}",
            hint="Was memory short? Use fewer workers, or threads: python_multiprocessing=False.",
        )


def start(work, count):
    """So many processes that all do ``work``."""
    packed = carrying.dumps(work)
    started = []
    try:
        for _ in range(count):
            started.append(Process(packed))
    except BaseException:
        for each in started:
            each.close()
            each.join()
        raise
    return started
