"""How do stages hand work over without spinning? A bounded queue, and a count of what is done.

Who has to wait sleeps on a condition variable: a full queue holds its writer back, an empty one its
reader, and `Progress` whoever needs a result.
"""

import threading
from collections import deque

from .. import events


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
        lock = threading.Lock()
        self._filled, self._emptied = threading.Condition(lock), threading.Condition(lock)

    def put(self, item):
        """Append ``item``; wait while the queue is full. After ``close`` items are thrown away."""
        with self._emptied:
            if len(self._items) >= self.capacity and not self._closed:
                self._wait_for_room(item)
            if not self._closed:
                self._items.append(item)
                self._filled.notify()

    def take(self):
        """The oldest item; waits for one, and is None once the queue is closed and empty."""
        with self._filled:
            while not self._items and not self._closed:
                self._filled.wait()
            if not self._items:
                return None
            self._emptied.notify()
            return self._items.popleft()

    def close(self, discard=False):
        """Let readers run out of items, at once with ``discard``; nobody waits here any more."""
        with self._filled:
            self._closed = True
            if discard:
                self._items.clear()
            self._filled.notify_all()
            self._emptied.notify_all()

    def _wait_for_room(self, item):
        begin = events.now()
        while len(self._items) >= self.capacity and not self._closed:
            self._emptied.wait()
        if events.on:
            events.emit("stall", self.name, begin, events.now(), getattr(item, "number", 0))


class Progress:
    """How far a stage has come: tasks are numbered and finish in order.

    >>> progress = Progress()
    >>> progress.reach(3)
    >>> progress.wait(2), progress.wait(4, seconds=0)
    (True, False)
    """

    def __init__(self, reached=0):
        self.reached = reached
        self._changed = threading.Condition(threading.Lock())
        self._awaited = float("inf")  # the lowest number somebody waits for

    def reach(self, number):
        """Everything up to task ``number`` is done."""
        with self._changed:
            self.reached = max(self.reached, number)
            if number >= self._awaited:
                self._awaited = float("inf")
                self._changed.notify_all()

    def wait(self, number, seconds=None):
        """Sleep until task ``number`` is done, or the time is over; True if it is done."""
        if self.reached >= number:
            return True
        with self._changed:
            while self.reached < number:
                self._awaited = min(self._awaited, number)
                if not self._changed.wait(seconds):
                    break
        return self.reached >= number
