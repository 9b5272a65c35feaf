"""How do the stage threads end: at interpreter exit, and across a fork?

Registered when the first call is sent, never at import. At exit the calls already made are finished
as long as they get on; a call that does not is left behind, with one line about it.
"""

import atexit
import os
import sys
import threading

from . import delivery

# Seconds without progress after which an exit goes on; Jupyter ends a kernel by force after 2.5.
PATIENCE = 1.5 if "ipykernel" in sys.modules else 3.0
ended = False
_prepared = False


def prepare():
    """Register what has to happen at exit and at a fork, once."""
    global _prepared
    if _prepared:
        return
    _prepared = True
    atexit.register(_at_exit)
    if hasattr(os, "register_at_fork"):  # not on Windows
        os.register_at_fork(before=_before_fork, after_in_child=_in_child)


def _at_exit():
    global ended
    ended = True
    if delivery.cpp is not None:
        delivery.cpp.follow("blocking")
    pipeline = delivery.pipeline
    try:
        finished = _finish(pipeline)
    except KeyboardInterrupt:
        finished = False
    if not finished:
        _leave(pipeline)
    delivery.collect()
    for failure in pipeline.unseen[:3]:
        import traceback  # seldom needed, so not at import

        shown = "".join(traceback.format_exception_only(failure.error))
        _say("an error that nobody has seen: " + shown.rstrip())


def _finish(pipeline):
    """Wait for the calls already made, then for the threads; False if they do not get on."""
    progress = pipeline.progress["LaunchTask"]
    while not pipeline.idle:
        before = progress.reached
        if not pipeline.wait(seconds=PATIENCE) and progress.reached == before:
            return False
    return pipeline.close(PATIENCE)


def _leave(pipeline):
    left = list(pipeline.flight)
    names = ", ".join(sorted({f"'{task.op.name}'" for task in left}))
    delivery.give_up()
    pipeline.close(0.2)
    if left:
        _say(f"{len(left)} call(s) were still running at exit and were left behind: {names}")


def _say(text):
    if sys.stderr is not None:
        print(f"ms_ext: {text}", file=sys.stderr)


def _before_fork():
    """Finish what is in flight: the child has no threads that could."""
    if not delivery.pipeline.is_stage(threading.get_ident()):
        delivery.pipeline.wait()


def _in_child():
    delivery.start_afresh("was still running when the process forked")
