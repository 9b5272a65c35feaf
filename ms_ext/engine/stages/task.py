"""What is one op call on its way through the stages, and what is kept of it when it fails?"""

import functools
import linecache
import os
import sys
import threading

from .. import events
from ..errors import PACKAGE
from ..ir import Where

STAGES = ("PyTask", "FrontendTask", "DeviceTask", "LaunchTask")
THREADS = STAGES[1:]  # PyTask runs on the thread that calls


class _Caller(threading.local):
    stream = 0  # the id of the stream that this thread sends its work to


caller = _Caller()


class Task:
    """One call: ``operands`` are tensors, numbers, or ``Later`` results of earlier calls.

    ``private`` says that the tensors among them are copies made for this call.

    Stages fill it in: ``types`` (FrontendTask), ``storage`` (DeviceTask), ``results`` (LaunchTask);
    ``failure`` stops it. ``outputs`` are the tensors the caller already holds.
    """

    __slots__ = (
        "attributes", "failure", "number", "op", "operands", "outputs", "packed", "place",
        "owner", "private", "results", "storage", "types",
    )  # fmt: skip

    def __init__(self, op, operands, attributes, place=None):
        self.op, self.operands, self.attributes, self.place = op, operands, attributes, place
        self.number, self.packed, self.private = 0, False, False
        self.outputs = self.storage = ()
        self.owner = None  # what must live until the call is finished
        self.types = self.results = self.failure = None

    def let_go(self):
        """Forget what the last stage needed, so that no chain of old calls stays alive."""
        self.operands = self.outputs = self.storage = ()
        self.owner = None


class Interrupted(BaseException):
    """Raised inside a stage thread whose work was given up; ends the thread."""


class Later:
    """An operand that an earlier call is still to produce."""

    __slots__ = ("index", "task")

    def __init__(self, task, index):
        self.task, self.index = task, index


class Failure:
    """An error on its way to the learner: raised at the next sync, with the op and the line."""

    __slots__ = ("error", "name", "number", "stage", "traceback")

    def __init__(self, error, task, stage):
        self.error, self.name, self.number, self.stage = error, task.op.name, task.number, stage
        self.traceback = _learners_part(error.__traceback__)
        error.__traceback__ = self.traceback
        where = line_of(task.place)
        if getattr(error, "where", False) is None:
            error.where = where
        called = f"; it was called at {where}:  {where.text.strip()}" if where else ""
        error.add_note(f"'{task.op.name}' did not get through its {stage}{called}")

    def throw(self):
        """Raise the error as if it had just happened."""
        raise self.error.with_traceback(self.traceback)


def calling_place():
    """Where the learner's code called us: (code object, line), cheap to keep."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return (frame.f_code, frame.f_lineno) if frame is not None else None


def line_of(place):
    """The line of a ``calling_place`` with its text.

    >>> str(line_of(calling_place())).startswith("<doctest")
    True
    """
    if place is None:
        return None
    code, number = place
    text = linecache.getline(code.co_filename, number).rstrip("\n")
    start = len(text) - len(text.lstrip())
    return Where(code.co_filename, number, start, len(text), text)


def announce(task, begin, end, copied):
    """Tell who records that a call left PyTask: op, stream, the bytes it copied, its line."""
    events.emit("task", task.op.name, begin, end, task.number, caller.stream)
    events.emit("stage", "PyTask", begin, end, task.number, copied)
    announce_line(task.place, begin, end, task.number)


def announce_line(place, begin, end, number):
    """Tell who records which line of the learner's code a call or a wait came from."""
    if place is not None:
        code, line = place
        events.emit("line", _line_words(code.co_filename, line), begin, end, number)


@functools.lru_cache(maxsize=1024)  # recording must not slow down what it records
def _line_words(file, line):
    text = linecache.getline(file, line).strip()[:100]
    where = os.path.basename(str(Where(file, line)))
    return f"{where}: {text}" if text else where


def _learners_part(traceback):
    """The part of a traceback that lies in the learner's own functions, or None."""
    while traceback is not None and traceback.tb_frame.f_code.co_filename.startswith(PACKAGE):
        traceback = traceback.tb_next
    return traceback
