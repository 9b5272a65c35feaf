"""A recording as a program: the same calls, with the times that their stages took.

What threads add to that (waking up, waiting for a processor or for Python's lock) is in no stage's
time, so a simulated schedule is what the same stages would do if handing over cost nothing.
"""

from ..task import STAGES, THREADS
from .program import StageCall, StageSync, StageWork

PY = STAGES[0]
_NEEDS = {"count": "shape", "drain": "event"}  # waits of our own that raise nothing


def program_of(recording):
    """(program, blocking) of a Recording; calls are numbered from 1, as in ``viz.timeline``.

    >>> from ms_ext.engine import events
    >>> with events.record() as recording:
    ...     for name, start, end in (("PyTask", 0, 5), ("LaunchTask", 9, 20)):
    ...         events.emit("stage", name, start, end, 7, 0)
    ...     events.emit("sync", "data", 8, 21, 7)
    >>> program_of(recording)
    ([StageCall(5, 0, 0, 11), StageWork(time=3), StageSync('data', 1)], False)
    """
    stages, names = _by_call(recording), {e.numbers[0]: e.name for e in recording.of("task")}
    if not stages:
        return [], False
    first, blocking = min(stages) - 1, any(map(_nested, stages.values()))
    program, until = [], None
    for event in sorted(_on_the_caller(recording, stages), key=lambda event: event.start):
        if until is not None and event.start > until:
            program.append(StageWork(event.start - until))
        number = event.numbers[0]
        if event.kind == "stage":
            times = _times(stages[number], blocking)
            program.append(StageCall(*times, names.get(number, "")))
        elif event.kind == "sync" and number > first:
            need = _NEEDS.get(event.name, event.name)
            program.append(StageSync(need, 0 if need == "synchronize" else number - first))
        until = max(until or 0, event.end)
    return program, blocking


def _by_call(recording):
    """Number of a call -> stage -> its event; calls that the ring forgot in part are left out."""
    found = {}
    for event in recording.of("stage"):
        found.setdefault(event.numbers[0], {})[event.name] = event
    return {number: stages for number, stages in found.items() if PY in stages}


def _on_the_caller(recording, stages):
    """What the caller did: PyTasks, waits for room in the first queue, syncs."""
    yield from (found[PY] for found in stages.values())
    yield from (event for event in recording.of("stall") if event.name == THREADS[0])
    yield from recording.of("sync")


def _nested(stages):
    """Whether a call ran on its caller's thread, every stage inside the one before it."""
    inner = stages.get(THREADS[0])
    return inner is not None and inner.thread == stages[PY].thread


def _times(stages, blocking):
    """The times of the four stages; in blocking mode without what ran inside them."""
    spent = {stage: stages[stage].duration if stage in stages else 0 for stage in STAGES}
    if blocking:
        inner = sum(spent[stage] for stage in THREADS[1:])
        spent[PY] -= spent[THREADS[0]]
        spent[THREADS[0]] -= inner
    return tuple(spent.values())
