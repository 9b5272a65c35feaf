"""What runs in a worker process: read the work, then answer tasks until the reader is gone."""

import contextlib
import io
import os
import pickle
import queue
import signal
import sys
import threading

from . import failures


def main():
    """Serve the pipes that are this process's standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the loop, which ends this one
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what C code prints must not fall between the results
    messages: queue.SimpleQueue = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, messages), daemon=True).start()
    work = _opened(messages.get())
    while True:
        answer = _answer(work, messages.get())
        pickle.dump(answer, sink, protocol=5)
        sink.flush()


def _read(source, messages):
    """Always read, so that the sender never waits for a worker that waits for the sender."""
    while len(head := source.read(8)) == 8:
        messages.put(source.read(int.from_bytes(head, "little")))
    os._exit(0)  # the other side is gone; nobody would take a result


def _opened(message):
    """The work; if it cannot be opened here, every task says so."""
    try:
        work = pickle.loads(message)
    except Exception as error:
        failure = failures.failed(error, "a worker process", "opening what was sent")

        def work(_task):
            raise failure

    stages = sys.modules.get("ms_ext.engine.stages")
    if stages is not None:
        stages.use("blocking")  # one core is this worker's share
    return work


def _answer(work, message):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            result = work(pickle.loads(message))
        pickle.dumps(result, protocol=5)
    except BaseException as error:  # the loop gets it
        failure = failures.failed(error, "a worker process", "the work")
        return None, failures.packed(failure), printed.getvalue()
    return result, None, printed.getvalue()
