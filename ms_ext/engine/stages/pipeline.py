"""Which threads run the stages, and how does a call travel through them?

Three daemon threads, started at the first call, each with one bounded queue in front of it:

    caller --PyTask--> [queue] FrontendTask --> [queue] DeviceTask --> [queue] LaunchTask

Every stage takes its calls in the order they were made, so results are those of one thread.
"""

import threading
from collections import deque

from .. import events
from .queue import Lanes
from .task import THREADS, Interrupted
from .work import step

_ALL = 1 << 62  # a number that no call has
CAPACITY = 64  # calls waiting in front of a stage; a full queue makes the caller wait


class Mark:
    """A place between two calls: ``time`` is when LaunchTask came past it, None before that."""

    __slots__ = ("number", "time")

    def __init__(self, number):
        self.number, self.time = number, None


class Pipeline:
    """The three threads, their queues, and how far they have come."""

    def __init__(self, capacity=CAPACITY, issued=0, make_lanes=Lanes):
        self.capacity, self._make_lanes = capacity, make_lanes
        self.lanes = make_lanes(THREADS, capacity, issued)
        self.queues, self.progress = self.lanes.queues, self.lanes.progress
        self.flight = deque()  # calls not finished yet, oldest first
        self.unseen = []  # failures that nobody has been told about
        self.threads = {}
        self._running = dict.fromkeys(THREADS, False)
        self._idents = frozenset()
        self._order, self._at_marks = threading.Lock(), threading.Lock()
        self._marks = []

    @property
    def issued(self):
        """How many calls were made, also those of earlier pipelines."""
        return self.lanes.issued

    def successor(self):
        """A pipeline of the same kind whose calls are numbered on from here."""
        return Pipeline(self.capacity, self.issued, self._make_lanes)

    def submit(self, task):
        """Number ``task`` and send it on its way; waits if the first queue is full."""
        with self._order:
            self.start()
            self.flight.append(task)
            self.lanes.submit(task)

    def pass_by(self):
        """The number of a call that its caller runs himself, while nothing else is in flight."""
        with self._order:
            return self.lanes.pass_by()

    def mark(self):
        """A mark behind every call made so far."""
        mark = Mark(self.issued)
        with self._at_marks:
            self._marks.append(mark)
        self._pass_marks()
        return mark

    def _pass_marks(self):
        with self._at_marks:
            reached = self.progress[THREADS[-1]].reached
            for mark in self._marks:
                mark.time = events.now() if mark.number <= reached else None
            self._marks = [mark for mark in self._marks if mark.time is None]

    def wait(self, number=None, stage=THREADS[-1], seconds=None):
        """Sleep until ``stage`` has done call ``number``, without one all calls made so far."""
        return self.progress[stage].wait(self.issued if number is None else number, seconds)

    @property
    def idle(self):
        """Whether every call made so far is finished."""
        return self.progress[THREADS[-1]].reached >= self.issued

    def is_stage(self, ident):
        """Whether this is one of the three threads."""
        return ident in self._idents

    def close(self, patience):
        """End the threads after what is queued; False if one takes over ``patience`` seconds."""
        self.queues[THREADS[0]].close()
        for thread in self.threads.values():
            thread.join(patience)
        return not any(thread.is_alive() for thread in self.threads.values())

    def abandon(self):
        """Give up what is not finished: queues are emptied and a running function is interrupted.

        Returns the unfinished calls. A C function keeps its thread until it returns.
        """
        import ctypes  # only here: it is slow to import

        for queue in self.queues.values():
            queue.close(discard=True)
        for stage, thread in self.threads.items():
            if self._running[stage]:
                raised = ctypes.py_object(Interrupted)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), raised)
        left = list(self.flight)
        for progress in self.progress.values():
            progress.reach(_ALL)
        self._pass_marks()
        return left

    def start(self):
        """Start the threads, if they do not run yet."""
        if self.threads:
            return
        targets = [*THREADS[1:], None]
        for stage, following in zip(THREADS, targets, strict=True):
            self.threads[stage] = threading.Thread(
                target=self._live, args=(stage, following), name=f"ms_ext {stage}", daemon=True
            )
        for thread in self.threads.values():
            thread.start()
        self._idents = frozenset(thread.ident for thread in self.threads.values())

    def _live(self, stage, following):
        """The life of one stage thread: until its queue is closed, or its work is given up."""
        try:
            self._work(stage, following)
        except Interrupted:
            pass
        except BaseException:  # a fault of ours: whoever waits must not wait for ever
            self.abandon()
            raise

    def _work(self, stage, following):
        queue, progress = self.queues[stage], self.progress[stage]
        self.lanes.work_here()
        while (task := queue.take()) is not None:
            self._running[stage] = True
            failure = step(stage, task)
            self._running[stage] = False
            if failure is not None:
                self.unseen.append(failure)
            if following is None:
                self.flight.popleft().let_go()
            progress.reach(task.number)
            if following is None and self._marks:
                self._pass_marks()
            if following is not None:
                self.queues[following].put(task)
            del task, failure  # sleeping must not keep tensors alive
        if following is not None:
            self.queues[following].close()
