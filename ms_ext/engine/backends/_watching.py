"""How is a planned graph run while events are recorded? In frames that tell of every step.

Each launch is an event of kind "op" ("fallback" where NumPy computes for want of a kernel), named
after its ops; a branch, a loop or a call is one of kind "control" around those of its graphs. The
numbers are the bytes moved and the id of the block's first node: a node is in one block only, so
that names it (``Executable.listing`` has the others).
"""

import threading
from contextlib import contextmanager

from .. import errors, events
from ._frames import CONTROL, Plan, execute_deep

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
    return execute_deep(_Watched(labels).twin(plan), arguments)


class _Watched:
    """Plans whose steps tell of themselves, each made once."""

    def __init__(self, labels):
        self.labels, self.twins = labels, {}

    def twin(self, plan):
        """The same plan, run in frames, with steps that tell."""
        made = self.twins.get(plan)
        if made is None:
            made = self.twins[plan] = Plan()
            made.deep, made.template, made.results = True, plan.template, plan.results
            steps = zip(plan.code, self.labels[plan], strict=True)
            made.code = [
                (step[0], self._telling(*step[:2], label), *step[2:]) for step, label in steps
            ]
        return made

    def _telling(self, kind, function, label):
        if kind == CONTROL:
            return lambda *operands: self._control(function(*operands), label)
        return _telling(function, label) if label else function

    def _control(self, control, label):
        """A control step that asks for the twins of the plans it needs."""
        start, answer = events.now(), None
        while True:
            try:
                wanted, arguments = control.send(answer)
            except StopIteration as done:
                if label:
                    tell(label[0], label[1], start, *label[2:])
                return done.value
            answer = yield self.twin(wanted), arguments


def _telling(function, label):
    kind, name, moved, node = label

    def step(*operands):
        start = events.now()
        value = function(*operands)
        tell(kind, name, start, moved, node)
        return value

    return step
