"""How is a planned graph run while events are recorded? In frames that tell of every step.

Each launch is an event of kind "op" ("fallback" where NumPy computes for want of a kernel), named
after its ops; a branch, a loop or a call is one of kind "control" around those of its graphs. The
numbers are the bytes moved and the id of the block's first node: a node is in one block only, so
that names it (``Executable.listing`` has the others).
"""

import threading
from contextlib import contextmanager

from .. import errors, events
from ._frames import CONTROL, ONE, SEVERAL

_patience = threading.local()
FOREVER = float("inf")


@contextmanager
def at_most(seconds):
    """In this block a run that is recorded on this thread stops after so many seconds.

    >>> with at_most(1.0), events.record() as recording:
    ...     tell("op", "Add", events.now(), 12, 7)
    >>> recording[0].numbers
    (12, 7)
    """
    before = getattr(_patience, "until", FOREVER)
    _patience.until = events.now() + int(seconds * 1e9)
    try:
        yield
    finally:
        _patience.until = before


def tell(kind, name, start, moved, node):
    """Emit the event of a block that began at ``start`` and ends now."""
    end = events.now()
    events.emit(kind, name, start, end, moved, node)
    if end > getattr(_patience, "until", FOREVER):
        raise errors.NotRunnable("The run was stopped: it took longer than it was given.")


def watch(plan, arguments, labels):
    """The results of ``plan``; ``labels[plan]``: (kind, name, bytes, node) of each of its steps,
    None of a step that nobody needs to hear of."""
    frames, answer = [_frame(plan, arguments, labels)], None
    while frames:
        try:
            wanted, arguments = frames[-1].send(answer)
        except StopIteration as done:
            frames.pop()
            answer = done.value
            continue
        frames.append(_frame(wanted, arguments, labels))
        answer = None
    return answer


def _frame(plan, arguments, labels):
    """A plan as a generator that passes on what its control steps ask for."""
    values = plan.template.copy()
    values[: len(arguments)] = arguments
    for step, label in zip(plan.code, labels[plan], strict=True):
        kind, function, operands, result, dead = step
        places = (operands,) if kind == ONE else operands
        start = events.now()
        value = function(*[values[i] for i in places])
        if kind == CONTROL:
            value = yield from value
        if label:
            told, name, moved, node = label
            tell(told, name, start, moved, node)
        for slot, each in zip(result, value, strict=True) if kind == SEVERAL else [(result, value)]:
            values[slot] = each
        for slot in dead:
            values[slot] = None
    return [values[i] for i in plan.results]
