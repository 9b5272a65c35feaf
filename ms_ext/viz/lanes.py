"""Which stage was busy when, and why not in between? The numbers behind the timeline.

Times are nanoseconds from the first bar, calls are numbered from 1. In blocking mode stages run
inside each other; a bar is then only the time that belongs to no inner stage, so busy times add up.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..engine.stages import STAGES


class Bar(NamedTuple):
    """A stage at work on one call."""

    stage: str
    number: int
    op: str
    start: int
    end: int
    bytes: int


class Gap(NamedTuple):
    """A stage without work between two of its bars."""

    stage: str
    start: int
    end: int
    reason: str


class Sync(NamedTuple):
    """The caller waiting for a result."""

    need: str
    start: int
    end: int
    number: int


@dataclass(frozen=True)
class Lanes:
    """One run: the bars of each stage, the caller's waits, and what follows from them."""

    title: str
    bars: tuple
    syncs: tuple
    stalls: tuple
    dropped: int = 0

    @cached_property
    def calls(self):
        """How many calls went through."""
        return len({bar.number for bar in self.bars})

    @cached_property
    def makespan(self):
        """From the first bar's start to the last one's end."""
        return max((bar.end for bar in self.bars), default=0)

    @cached_property
    def serial(self):
        """The sum of all bars: what one thread would need for them."""
        return sum(self.busy.values())

    @property
    def overlap(self):
        """How many stages were at work on average: serial sum / makespan."""
        return self.serial / self.makespan if self.makespan else 0.0

    @cached_property
    def busy(self):
        """Nanoseconds each stage was at work."""
        busy = dict.fromkeys(STAGES, 0)
        for bar in self.bars:
            busy[bar.stage] += bar.end - bar.start
        return busy

    def utilisation(self, stage):
        """The part of the makespan that a stage was at work."""
        return self.busy[stage] / self.makespan if self.makespan else 0.0

    @property
    def bottleneck(self):
        """The stage that was busiest."""
        return max(STAGES, key=self.busy.__getitem__)

    def lane(self, stage):
        """The bars of one stage in order of time."""
        return sorted((bar for bar in self.bars if bar.stage == stage), key=lambda bar: bar.start)

    def gaps(self, stage):
        """Where one stage had nothing to do, and why."""
        bars = self.lane(stage)
        pairs = zip(bars, bars[1:], strict=False)
        return [Gap(stage, a.end, b.start, self._reason(a, b)) for a, b in pairs if b.start > a.end]

    def _reason(self, last, following):
        if last.stage == STAGES[0]:
            return self._reason_of_caller(last.end, following.start)
        before = STAGES[STAGES.index(last.stage) - 1]
        came = max((b.end for b in self._by_call[following.number] if b.stage == before), default=0)
        if came > last.end:
            return f"waited for call {following.number} ({following.op}) to leave {before}"
        return "had work but no processor: another thread was running"

    def _reason_of_caller(self, start, end):
        if any(s.start < end and s.end > start for s in self.stalls):
            return "held back: the queue in front of FrontendTask was full"
        if any(s.start < end and s.end > start for s in self.syncs):
            return "the caller waited for a result"
        return "the caller did something else"

    @cached_property
    def _by_call(self):
        found = {}
        for bar in self.bars:
            found.setdefault(bar.number, []).append(bar)
        return found


def lanes(recording, title=""):
    """The lanes of a recording.

    >>> from ms_ext.engine import events
    >>> with events.record() as recording:
    ...     events.emit("task", "Add", 100, 120, 1)
    ...     events.emit("stage", "PyTask", 100, 120, 1, 0)
    ...     events.emit("stage", "LaunchTask", 130, 150, 1, 8)
    >>> found = lanes(recording)
    >>> found.makespan, found.serial, found.bars[0].op
    (50, 40, 'Add')
    """
    kept = recording.events
    names = {e.numbers[0]: e.name for e in kept if e.kind == "task"}
    first = min((e.numbers[0] for e in kept if e.kind == "stage"), default=1) - 1
    pieces = [piece for thread in _by_thread(kept) for piece in _exclusive(thread)]
    origin = min((start for _, start, _ in pieces), default=0)
    bars = tuple(
        Bar(
            e.name,
            e.numbers[0] - first,
            names.get(e.numbers[0], "?"),
            start - origin,
            end - origin,
            e.numbers[1],
        )
        for e, start, end in sorted(pieces, key=lambda piece: piece[1])
    )
    waits = {kind: [] for kind in ("sync", "stall")}
    for e in kept:
        if e.kind in waits:
            number = e.numbers[0] - first
            waits[e.kind].append(Sync(e.name, e.start - origin, e.end - origin, number))
    syncs = tuple(s for s in waits["sync"] if s.need not in ("drain", "count"))
    return Lanes(title, bars, syncs, tuple(waits["stall"]), recording.dropped)


def _by_thread(kept):
    threads = {}
    for event in kept:
        if event.kind == "stage":
            threads.setdefault(event.thread, []).append(event)
    return threads.values()


def _exclusive(events_of_thread):
    """(event, start, end) pieces: what of an event lies in no event inside it."""
    open_events, pieces = [], []

    def close_until(time):
        while open_events and open_events[-1][0].end <= time:
            event, since = open_events.pop()
            pieces.append((event, since, event.end))
            if open_events:
                open_events[-1][1] = event.end

    for event in sorted(events_of_thread, key=lambda e: (e.start, -e.end)):
        close_until(event.start)
        if open_events:
            outer, since = open_events[-1]
            pieces.append((outer, since, event.start))
        open_events.append([event, event.start])
    close_until(float("inf"))
    return [piece for piece in pieces if piece[2] > piece[1]]
