"""What is a timeline made of? Lanes, slices of work in them, and why a lane was idle in between.

This part knows no stage, stream or pipe: ``recorded`` and ``lanes`` make a ``Run`` of theirs. Times
are numbers from 0 on, nanoseconds where the run's unit is "ns".
"""

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple


class Slice(NamedTuple):
    """A lane at work. Slices of one ``call`` belong together: they light up together.

    ``again`` says that the time is already counted in another lane that this one shows in detail.
    """

    name: str
    lane: str
    start: float
    end: float
    call: int | str = 0
    bytes: int = 0
    nodes: tuple = ()
    line: str = ""
    again: bool = False

    @property
    def duration(self):
        """How long it took."""
        return self.end - self.start


class Gap(NamedTuple):
    """A lane without work between two slices.

    ``why`` is the reason; or, where the call that came next was late, the lane that had held it.
    """

    lane: str
    start: float
    end: float
    why: str
    late: Slice | None = None
    noun: str = "call"

    @property
    def duration(self):
        """How long nothing was done."""
        return self.end - self.start

    @property
    def kind(self):
        """The reason without the call, so that equal reasons can be counted together."""
        return f"waited for {self.why}" if self.late else self.why

    @property
    def reason(self):
        """The whole reason."""
        late = self.late
        return f"waited for {named(late, self.noun)} to leave {self.why}" if late else self.why


class Wait(NamedTuple):
    """Something that held a lane up: a sync of the caller, a full queue, a buffer in use."""

    words: str
    lane: str
    start: float
    end: float
    call: int | str = 0
    line: str = ""

    @property
    def duration(self):
        """How long it lasted."""
        return self.end - self.start


class Link(NamedTuple):
    """An order between two lanes: what begins at ``end`` waits for what ended at ``start``."""

    words: str
    lane: str
    start: float
    to: str
    end: float


class Lane(NamedTuple):
    """A row of the picture. ``follows``: lanes that work on a call before this one does.

    ``idle`` says why there is a gap where nothing better is known, ``inner`` why there is one
    within a call; ``hue`` is a colour, 1 to 4.
    """

    name: str
    hue: int = 1
    idle: str = ""
    follows: tuple = ()
    inner: str = ""


@dataclass(frozen=True)
class Run:
    """One run: lanes in their order, slices, waits, and what follows from them.

    ``returned`` is when the function that was run had returned, if that is known.

    >>> rows = [Slice("a", "in", 0, 4, 1), Slice("a", "out", 4, 6, 1), Slice("b", "in", 4, 8, 2)]
    >>> run = Run("", (Lane("in"), Lane("out", follows=("in",))), rows)
    >>> run.makespan, run.serial, run.overlap, run.bottleneck
    (8, 10, 1.25, 'in')
    """

    title: str
    lanes: tuple
    slices: tuple
    syncs: tuple = ()
    stalls: tuple = ()
    links: tuple = ()
    notes: tuple = ()
    unit: str = "ns"
    dropped: int = 0
    noun: str = "call"
    returned: float | None = None
    _sorted: dict = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def calls(self):
        """How many calls went through: kernels (k1, ...) and compilations (c1, ...) are none."""
        return len({each.call for each in self.slices if isinstance(each.call, int)})

    @cached_property
    def kernels(self):
        """How many kernels ran for no call of their own."""
        return len({each.call for each in self.slices if _letter(each.call) == "k"})

    @cached_property
    def compilations(self):
        """How often a function was compiled."""
        return len({each.call for each in self.slices if _letter(each.call) == "c"})

    @cached_property
    def makespan(self):
        """From the first slice's start to the last one's end."""
        return max((each.end for each in self.slices), default=0)

    @cached_property
    def serial(self):
        """The sum of all slices: what one thread would need for them."""
        return sum(each.end - each.start for each in self.slices if not each.again)

    @property
    def overlap(self):
        """How many lanes were at work on average: serial sum / makespan."""
        return self.serial / self.makespan if self.makespan else 0.0

    @cached_property
    def busy(self):
        """For each lane how long it was at work; slices side by side count once."""
        return {lane.name: _covered(self.lane(lane.name)) for lane in self.lanes}

    def utilisation(self, lane):
        """The part of the makespan that a lane was at work."""
        return self.busy[lane] / self.makespan if self.makespan else 0.0

    @cached_property
    def bottleneck(self):
        """The lane that was busiest; one that shows another lane's work in detail is none."""
        own = {each.lane for each in self.slices if not each.again}
        names = [lane.name for lane in self.lanes if lane.name in own]
        return max(names, key=self.busy.__getitem__, default="")

    def lane(self, name):
        """The slices of one lane in order of time."""
        if not self._sorted:
            self._sorted.update({lane.name: [] for lane in self.lanes})
            for each in sorted(self.slices, key=lambda each: each.start):
                self._sorted[each.lane].append(each)
        return self._sorted[name]

    @cached_property
    def waited(self):
        """How long the caller waited in all."""
        return sum(sync.duration for sync in self.syncs)

    def part(self, first, last):
        """The run of some calls alone, beginning at 0."""
        kept = [each for each in self.slices if each.call and first <= _number(each.call) <= last]
        start = min((each.start for each in kept), default=0)
        end = max((each.end for each in kept), default=0)

        def moved(parts):
            near = [each for each in parts if each.end > start and each.start < end]
            return tuple([e._replace(start=e.start - start, end=e.end - start) for e in near])

        return replace(
            self, slices=moved(kept), syncs=moved(self.syncs), stalls=moved(self.stalls),
            links=moved(self.links), returned=None, _sorted={},
        )  # fmt: skip

    # gaps -----------------------------------------------------------------------------------------

    def gaps(self, name):
        """Where one lane had nothing to do, and why."""
        return self._gaps[name]

    @cached_property
    def _gaps(self):
        return {lane.name: list(self._gaps_of(lane)) for lane in self.lanes}

    def _gaps_of(self, lane):
        until, last = None, None
        for each in self.lane(lane.name):
            if until is not None and each.start > until:
                if lane.inner and each.call == last.call:
                    yield Gap(lane.name, until, each.start, lane.inner)
                else:
                    yield self._gap(lane, until, each)
            until, last = max(until or 0, each.end), each

    def _gap(self, lane, since, following):
        name, until = lane.name, following.start
        held = self._held.get(name)
        if held and (wait := held.during(since, until)):
            return Gap(name, since, until, wait.words)
        came = self._ends.get(following.call, ()) if following.call else ()
        late = [(end, at) for at, end in came if since < end <= until and at in lane.follows]
        if late:
            return Gap(name, since, until, max(late)[1], following, self.noun)
        return Gap(name, since, until, lane.idle)

    @cached_property
    def _ends(self):
        """Call -> (lane, end) of each of its slices."""
        found = {}
        for each in self.slices:
            found.setdefault(each.call, []).append((each.lane, each.end))
        return found

    @cached_property
    def _held(self):
        found = {}
        for wait in (*self.stalls, *self.syncs):
            found.setdefault(wait.lane, []).append(wait)
        return {lane: _Held(waits) for lane, waits in found.items()}


class _Held:
    """The waits of one lane, to be looked up by time."""

    def __init__(self, waits):
        self.waits = sorted(waits, key=lambda wait: wait.start)
        self.starts = [wait.start for wait in self.waits]

    def during(self, start, end):
        """The longest wait among the few that begin last before ``end`` and reach into the gap."""
        last = bisect_right(self.starts, end)
        near = self.waits[max(last - 8, 0) : last]
        found = [wait for wait in near if wait.start < end and wait.end > start]
        return max(found, key=lambda wait: wait.end - wait.start, default=None)


def named(each, noun="call"):
    """A slice's call in words: ``call 3 (Exp)``, ``kernel k1 (Add)``.

    >>> named(Slice("Exp", "PyTask", 0, 5, 3))
    'call 3 (Exp)'
    """
    if not each.call:
        return each.name
    noun = {"k": "kernel", "c": "compilation"}.get(_letter(each.call), noun)
    return f"{noun} {each.call} ({each.name})" if each.name else f"{noun} {each.call}"


def _letter(call):
    """What a call that is no number begins with: k for a kernel, c for a compilation."""
    return call[0] if isinstance(call, str) else ""


def _number(call):
    """A call's number: a kernel's too (k3)."""
    return call if isinstance(call, int) else int(call[1:])


def _covered(slices):
    """How much time slices in order of their start cover."""
    total, until = 0, None
    for each in slices:
        if until is None or each.start >= until:
            total, until = total + each.end - each.start, each.end
        elif each.end > until:
            total, until = total + each.end - until, each.end
    return total
