"""How are several sources compiled at once, and what if one of them is wrong, or it is interrupted?

Each compiler runs under a thread that waits for it; the thread that asked shows the time. Whatever
ends the wait, a compiler that still runs is ended too.
"""

import concurrent.futures
import contextlib
import os

from ... import errors
from ..loading import compiling

SECONDS = 900.0
TICK = 0.05


class Jobs:
    """Compilers at work."""

    def __init__(self, name, progress):
        self.name, self.progress, self.log = name, progress, []
        self._started = []
        self._pool = concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in self._started:
            if process.returncode is None:
                compiling.end(process)
        self._pool.shutdown(wait=True)
        self.progress.done()

    def start(self, command, source):
        """Have a command run; `finish` waits for it."""
        self.log.append(command)
        return self._pool.submit(
            compiling.run, command, source, None, seconds=SECONDS, started=self._started
        )

    def finish(self, *jobs):
        """Wait for jobs; the first one that failed, in their order, is the error."""
        waiting = set(jobs)
        while waiting:
            _, waiting = concurrent.futures.wait(waiting, TICK)
            self.progress.tick()
        for job in jobs:
            try:
                job.result()
            except errors.MsExtError as error:
                raise failed(self.name, error) from None

    def run(self, command, source):
        """Run one command to its end."""
        self.finish(self.start(command, source))


def failed(name, error):
    """The error of a compiler, in MindSpore's words: which extension it was."""
    text = error.message.removeprefix("Compilation error in compiling ")
    made = errors.NotRunnable(
        f"Error building extension '{name}': {text}",
        given=error.given,
        hint=error.hint,
        where=error.where,
    )
    made.reason = getattr(error, "reason", None)
    return made


def removed(path):
    """Remove a file, if it is there."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
