"""How do stages hand work over without spinning? Bounded queues, and counts of what is done.

``kernels_pyx/extension.pyx`` is the same, compiled, for programs with C++ operators.

Who has to wait sleeps at a gate until somebody opens it: a full queue holds its writer back, an
empty one its reader, and `Progress` whoever needs a result. Condition variables are made of such
gates; they are not used themselves, because Ctrl-C inside one can leave its lock locked for ever.
"""

import threading
from collections import deque

from .. import events


class Gate:
    """Closed until it is opened, once; waiting is a sleep that Ctrl-C can end.

    >>> gate = Gate()
    >>> gate.wait(seconds=0)
    False
    >>> gate.open()
    >>> gate.wait()
    True
    """

    __slots__ = ("_lock",)

    def __init__(self):
        self._lock = threading.Lock()
        self._lock.acquire()

    def wait(self, seconds=None):
        """Sleep until the gate is open, or the time is over; whether it is open."""
        return self._lock.acquire(timeout=-1 if seconds is None else seconds)

    def open(self):
        """Let the one who waits go on."""
        self._lock.release()


class BoundedQueue:
    """First in, first out, at most ``capacity`` items.

    >>> queue = BoundedQueue("LaunchTask", capacity=2)
    >>> queue.put("a"), queue.put("b"), queue.take(), queue.take()
    (None, None, 'a', 'b')
    >>> queue.close()
    >>> queue.take() is None
    True
    """

    def __init__(self, name, capacity):
        self.name, self.capacity = name, capacity
        self._items, self._closed = deque(), False
        self._lock = threading.Lock()
        self._readers, self._writers = deque(), deque()  # gates of those who sleep

    def put(self, item):
        """Append ``item``; wait while the queue is full. After ``close`` items are thrown away."""
        begin = None
        while (gate := self._try_put(item)) is not None:
            begin = begin or events.now()
            gate.wait()
        if begin and events.on:
            events.emit("stall", self.name, begin, events.now(), getattr(item, "number", 0))

    def take(self):
        """The oldest item; waits for one, and is None once the queue is closed and empty."""
        while True:
            with self._lock:
                if self._items:
                    _wake_one(self._writers)
                    return self._items.popleft()
                if self._closed:
                    return None
                gate = Gate()
                self._readers.append(gate)
            gate.wait()

    def close(self, discard=False):
        """Let readers run out of items, at once with ``discard``; nobody waits here any more."""
        with self._lock:
            self._closed = True
            if discard:
                self._items.clear()
            while self._readers or self._writers:
                _wake_one(self._readers)
                _wake_one(self._writers)

    def _try_put(self, item):
        """Append the item, or give a gate that opens when there may be room."""
        with self._lock:
            if not self._closed and len(self._items) >= self.capacity:
                self._writers.append(Gate())
                return self._writers[-1]
            if not self._closed:
                self._items.append(item)
                _wake_one(self._readers)
            return None


def _wake_one(gates):
    if gates:
        gates.popleft().open()


class Progress:
    """How far a stage has come: calls are numbered and finish in order.

    >>> progress = Progress()
    >>> progress.reach(3)
    >>> progress.wait(2), progress.wait(4, seconds=0)
    (True, False)
    """

    def __init__(self, reached=0):
        self.reached = reached
        self._lock = threading.Lock()
        self._waiting = []  # (number, gate)

    def reach(self, number):
        """Everything up to call ``number`` is done."""
        self.reached = max(self.reached, number)
        if self._waiting:
            with self._lock:
                for awaited, gate in self._waiting:
                    if awaited <= self.reached:
                        gate.open()
                self._waiting = [w for w in self._waiting if w[0] > self.reached]

    def wait(self, number, seconds=None):
        """Sleep until call ``number`` is done, or the time is over; whether it is done."""
        if self.reached >= number:
            return True
        gate = Gate()
        with self._lock:
            self._waiting.append((number, gate))
        if self.reached >= number:  # it came meanwhile, and perhaps nobody saw the gate
            return True
        gate.wait(seconds)
        return self.reached >= number


class Lanes:
    """A queue and a count for each stage; the calls that enter are numbered from ``issued`` on.

    >>> from types import SimpleNamespace
    >>> lanes, call = Lanes(("FrontendTask", "LaunchTask"), 4, issued=7), SimpleNamespace()
    >>> lanes.submit(call)
    >>> call.number, lanes.issued, lanes.queues["FrontendTask"].take() is call
    (8, 8, True)
    """

    def __init__(self, stages, capacity, issued):
        self.issued = issued
        self.queues = {stage: BoundedQueue(stage, capacity) for stage in stages}
        self.progress = {stage: Progress(issued) for stage in stages}
        self._first = self.queues[stages[0]]

    def submit(self, task):
        """Number ``task`` and put it into the first queue."""
        self.issued += 1
        task.number = self.issued
        self._first.put(task)

    def pass_by(self):
        """The number of a call that its caller runs himself, while nothing else is in flight."""
        self.issued += 1
        for progress in self.progress.values():
            progress.reach(self.issued)
        return self.issued

    def work_here(self):
        """This thread is a stage; nothing follows from that here."""

    def take_unseen(self):
        """Failures of calls that Python never saw: none, there are only Python's."""
        return ()
