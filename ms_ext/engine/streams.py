"""What are streams and events where one LaunchTask computes everything in order?

Streams are names: all of them share the one launch queue, so what a stream would wait for has
always been sent before. An event marks a place in that queue; its time is when LaunchTask came by.
"""

import itertools
import threading

from . import errors, events
from .stages import delivery
from .stages.task import caller

_ids, _event_ids = itertools.count(1), itertools.count(1)


class Stream:
    """An order of work; here every stream has the same one.

    >>> Stream().query()
    True
    """

    def __init__(self, priority=0):
        self.priority, self.id = priority, next(_ids)

    def synchronize(self):
        """Wait for everything sent so far; raises the first error that nobody has seen."""
        delivery.synchronize()

    def query(self):
        """Whether everything sent so far is finished."""
        return delivery.pipeline.idle

    def record_event(self, event=None):
        """Mark this place of the queue with ``event``, a new one if none is given."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event):
        """What is sent from now on runs after ``event``: it stands behind it in the queue."""
        event.wait(self)

    def wait_stream(self, stream):
        """What is sent from now on runs after what ``stream`` was given: it stands behind it."""
        self.wait_event(stream.record_event())

    def __repr__(self):
        return f"Stream(device_name=CPU, stream id:{self.id})"


class _State(threading.local):
    def __init__(self):
        self.stream = DEFAULT


DEFAULT = Stream()
DEFAULT.id = 0
_state = _State()


def default_stream():
    """The stream of everything that names none."""
    return DEFAULT


def current_stream():
    """The stream that this thread sends its work to."""
    return _state.stream


def set_cur_stream(stream):
    """Send this thread's work to ``stream`` from now on; None: to the default stream."""
    if stream is not None and not isinstance(stream, Stream):
        raise errors.InvalidType(
            "The current stream must be a Stream.",
            given=f"{stream!r:.60}",
            hint="Make one: Stream().",
        )
    _state.stream = DEFAULT if stream is None else stream
    caller.stream = _state.stream.id


class StreamCtx:
    """``with StreamCtx(stream):`` the block's work goes to ``stream``.

    >>> other = Stream()
    >>> with StreamCtx(other):
    ...     current_stream() is other
    True
    """

    def __init__(self, ctx_stream):
        self.stream, self._before = ctx_stream, None

    def __enter__(self):
        self._before = current_stream()
        set_cur_stream(self.stream)

    def __exit__(self, *_error):
        set_cur_stream(self._before)


class Event:
    """A mark in the queue; two of them measure the time between.

    >>> first, second = Event(enable_timing=True), Event(enable_timing=True)
    >>> first.record(), second.record(), second.synchronize()
    (None, None, None)
    >>> first.elapsed_time(second) >= 0
    True
    """

    def __init__(self, enable_timing=False, blocking=False):
        self.enable_timing, self.blocking = enable_timing, blocking
        self._mark, self.id = None, next(_event_ids)

    def record(self, stream=None):
        """Mark what has been sent so far."""
        self._mark = delivery.pipeline.mark()
        self._tell("record", stream)

    def wait(self, stream=None):
        """What is sent from now on runs after the mark: it stands behind it in the queue."""
        if self._mark is not None:
            self._tell("wait", stream)

    def _tell(self, what, stream):
        if events.on:
            at, stream = events.now(), current_stream() if stream is None else stream
            events.emit("mark", what, at, at, self.id, stream.id, delivery.pipeline.issued)

    def query(self):
        """Whether the mark has been passed; one that was never set has."""
        return self._mark is None or self._mark.time is not None

    def synchronize(self):
        """Wait until the mark has been passed."""
        if self._mark is not None:
            delivery.wait_until(self._mark)

    def elapsed_time(self, end_event):
        """Milliseconds from this mark to that of ``end_event``."""
        both = (self, end_event)
        if not all(e.enable_timing and e._mark and e._mark.time is not None for e in both):
            raise errors.NotRunnable(
                "The time between two events is not known.",
                given="an event without enable_timing, or not recorded, or not passed yet",
                hint="Event(enable_timing=True), record() both, then synchronize() the second.",
            )
        return (end_event._mark.time - self._mark.time) / 1e6
