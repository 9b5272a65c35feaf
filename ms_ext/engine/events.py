"""What happened, when, on which thread? Fixed-size records in a bounded ring, while somebody asks.

The engine writes ``if events.on: events.emit(...)``; nothing is stored unless a ``record()`` block
is open. Blocks nest, each with its own ring; a full ring drops its oldest records and counts them.

| kind | name | numbers |
|---|---|---|
| stage | PyTask, FrontendTask, DeviceTask or LaunchTask | task number, bytes of the results |
| task | the op's name | task number, stream |
| line | the caller's line of a task or a sync | task number |
| mark | record or wait: a stream event | event, stream, number of the last task before it |
| stall | which queue was full | task number |
| sync | what waited | task number waited for |
| dispatch | the op's name | reason (``stages.policy.REASONS``), estimated FLOPs, bytes moved |
| op, fallback, control | the ops of a block that ran | bytes moved, id of its first node |
| compile | the function, and why it was compiled | number of its compilation |
| library | the function of a device library | its phase, bytes of workspace, what the cache did |
| backend | the backend | kernels, fallbacks |
| resize | the function, and what its open sizes are now | |
| tape | the function whose gradient it is | calls, bytes they hold, the most held on the way back |

A fallback without duration was built, not run; its number is its node.

>>> with record() as recording:
...     emit("op", "Add", 10, 25, 1)
>>> recording
Recording(1 event, 0 dropped)
>>> recording[0].name, recording[0].duration, recording[0].numbers
('Add', 15, (1,))
"""

import itertools
import threading
import time
from collections import deque
from contextlib import contextmanager
from typing import NamedTuple

from . import errors

__all__ = [
    "CAPACITY",
    "Event",
    "Recording",
    "ReferenceRing",
    "collect_from",
    "emit",
    "emit_for",
    "now",
    "on",
    "on_switch",
    "record",
]

CAPACITY = 1 << 16
MAX_NUMBERS = 4
on = False  # true while a block is open: the one thing to test before emitting
now = time.perf_counter_ns

_rings: tuple = ()
_lock = threading.Lock()
_listeners: list = []
_sources: list = []


class Event(NamedTuple):
    """One record: kind, name, start and end in nanoseconds, thread ident, up to four integers."""

    kind: str
    name: str
    start: int
    end: int
    thread: int
    numbers: tuple = ()

    @property
    def duration(self):
        """Nanoseconds from start to end."""
        return self.end - self.start


class ReferenceRing:
    """The ring in plain Python; ``kernels_pyx/events.pyx`` is the same, compiled.

    >>> ring = ReferenceRing(2)
    >>> for number in range(5):
    ...     ring.put("op", "Add", 0, 1, (number,))
    >>> ring.total, [record[-1] for record in ring.records()]
    (5, [(3,), (4,)])
    """

    def __init__(self, capacity):
        self.capacity = capacity
        self._serial = itertools.count(1)
        self._kept = deque(maxlen=capacity)

    def put(self, kind, name, start, end, numbers, thread=None):
        """Append a record, of this thread if none is given; a full ring's oldest gives way."""
        if type(kind) is not str or type(name) is not str:
            raise TypeError("An event's kind and name are strings.")
        if len(numbers) > MAX_NUMBERS:
            raise ValueError(f"An event carries at most {MAX_NUMBERS} numbers.")
        numbers = tuple(map(int, numbers))
        record = (kind, name, start, end, thread or threading.get_ident(), numbers)
        self._kept.append((next(self._serial), record))

    @property
    def total(self):
        """How many records were ever put."""
        return max((serial for serial, _ in tuple(self._kept)), default=0)

    def records(self):
        """What the ring holds, oldest first."""
        return [record for _, record in sorted(tuple(self._kept), key=lambda pair: pair[0])]


class Recording:
    """The events of one ``record()`` block; complete once the block is left."""

    def __init__(self, ring):
        self._ring = ring
        self.threads = {}

    @property
    def events(self):
        """The events kept, in the order they were written."""
        _collect()
        return list(map(Event._make, self._ring.records()))

    @property
    def dropped(self):
        """How many older events the full ring forgot."""
        return max(self._ring.total - self._ring.capacity, 0)

    def of(self, kind):
        """The events of one kind."""
        return [event for event in self.events if event.kind == kind]

    def __getitem__(self, index):
        return self.events[index]

    def __iter__(self):
        return iter(self.events)

    def __len__(self):
        return min(self._ring.total, self._ring.capacity)

    def __repr__(self):
        noun = "event" if len(self) == 1 else "events"
        return f"Recording({len(self)} {noun}, {self.dropped} dropped)"


@contextmanager
def record(capacity=CAPACITY):
    """Keep the events of this block, from all threads; at most ``capacity``, the latest ones.

    >>> with record(capacity=1) as recording:
    ...     emit("op", "Add", 0, 1)
    ...     emit("op", "Mul", 1, 2)
    >>> recording
    Recording(1 event, 1 dropped)
    """
    if type(capacity) is not int or capacity < 1:
        raise errors.InvalidValue("A ring needs room for at least one event.", given=repr(capacity))
    ring = _ring_class()(capacity)
    recording = Recording(ring)
    _change(lambda rings: (*rings, ring))
    try:
        yield recording
    finally:
        _collect()
        _change(lambda rings: tuple(r for r in rings if r is not ring))
        recording.threads = {thread.ident: thread.name for thread in threading.enumerate()}


def emit_for(thread, kind, name, start, end, *numbers):
    """``emit`` for another thread, which noted what happened without Python."""
    for ring in _rings:
        ring.put(kind, name, start, end, numbers, thread)


def emit(kind, name, start, end, *numbers):
    """Write an event into every open ring. Test ``events.on`` first: it is cheaper than a call."""
    for ring in _rings:
        ring.put(kind, name, start, end, numbers)


def collect_from(source):
    """Have ``source()`` emit what it has noted before somebody reads, or a block ends."""
    _sources.append(source)


def on_switch(listener):
    """Have ``listener(True)`` called when the first block opens, with False after the last."""
    _listeners.append(listener)
    if on:
        listener(True)


def _collect():
    for source in _sources:
        source()


def _change(edit):
    global _rings, on
    with _lock:
        before, _rings = on, edit(_rings)
        on = bool(_rings)
        if on != before:
            for listener in _listeners:
                listener(on)


def _ring_class():
    from ..kernels import get  # looked up when the first block opens, so that importing stays cheap

    compiled = get("events")
    return compiled.Ring if compiled else ReferenceRing
