"""How is a file written while training goes on? By a thread, or by a copy of the process (fork).

One at a time: whoever starts the next waits for the one before. What went wrong with one is raised
by the next, by whoever waits, or told at exit; nothing is lost in silence.
"""

import atexit
import functools
import os
import threading
import warnings

from .. import errors

NAME = "asyn_save_ckpt"  # MindSpore's name of the thread
_started = []  # at most one


def start(way, write):
    """Call ``write`` in a ``thread`` or in a ``process`` of its own.

    >>> done = []
    >>> start("thread", lambda: done.append(1))
    >>> wait()
    >>> done, running()
    ([1], False)
    """
    wait()
    _wait_at_exit()
    if way == "process" and hasattr(os, "fork"):
        _started.append(_InProcess(write))
    else:  # Windows has no fork
        _started.append(_InThread(write))


def wait():
    """Wait until nothing is being written; raise what went wrong with it."""
    while _started:
        failure = _started.pop().failure()
        if failure is not None:
            raise failure


def running():
    """Whether something is being written just now."""
    return any(each.running() for each in _started)


@functools.cache
def _wait_at_exit():
    atexit.register(wait)


class _InThread:
    """A write by a thread; the interpreter does not end before it."""

    def __init__(self, write):
        self.write, self.error = write, None
        self.thread = threading.Thread(target=self.run, name=NAME)
        self.thread.start()

    def run(self):
        """What the thread does."""
        try:
            self.write()
        except BaseException as error:
            self.error = error

    def running(self):
        """Whether it has not ended."""
        return self.thread.is_alive()

    def failure(self):
        """Wait for its end; the error, if there was one."""
        self.thread.join()
        return self.error


class _InProcess:
    """A write by a forked copy of this process, which tells through a pipe what went wrong."""

    def __init__(self, write):
        self.pipe, told = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the copy runs this function only
            self.process = os.fork()
        if not self.process:
            _in_copy(write, told)
        os.close(told)

    def running(self):
        """Whether it has not ended."""
        return not os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT)

    def failure(self):
        """Wait for its end; the error, if there was one."""
        with os.fdopen(self.pipe, "rb") as pipe:
            told = pipe.read().decode(errors="replace")
        _, status = os.waitpid(self.process, 0)
        if not status:
            return None
        return errors.CannotWrite(told or f"The process that wrote a checkpoint ended: {status}.")


def _in_copy(write, told):
    """What the forked copy does; it ends here, whatever happens."""
    try:
        write()
        os._exit(0)
    except BaseException as error:
        os.write(told, str(error).encode(errors="replace")[:4000])
    finally:
        os._exit(1)
