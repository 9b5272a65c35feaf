"""What was recorded, as lanes: the four stages, streams, compilations, kernels of compiled graphs.

Calls are numbered from 1. In blocking mode stages run inside each other; a slice is then only the
time that belongs to no inner stage, so busy times add up.
"""

from bisect import bisect_right

from ...engine import compiled
from ...engine.stages import STAGES
from ..drawing.labels import place
from .slices import Lane, Link, Run, Slice, Wait

KERNELS, COMPILE = "kernels", "compile"
NEEDS = {
    "data": "the caller waited for elements",
    "shape": "the caller waited for a shape",
    "synchronize": "the caller waited for everything (synchronize)",
    "event": "the caller waited for an event",
}
_INTERNAL = ("drain", "count")  # waits of ours, not of the learner's program
_NO_PROCESSOR = "had work, but another thread was running (Python runs one at a time)"
_INNER = "its thread ran another stage of the same call"
_SHARED = "All streams share the one launch queue: their work never overlaps here."
_ON_CALLER = "A compiled graph runs its kernels on the caller's thread, not through the stages."


def recorded(recording, title="", ended=None, blocks=None):
    """A Run of a recording. ``blocks``: a kernel's first node -> (its nodes, source line); without
    them they are looked up in the compiled graphs that are alive. ``ended`` is when the program had
    returned: waiting after that is not its own.

    >>> from ms_ext.engine import events
    >>> with events.record() as recording:
    ...     events.emit("task", "Add", 100, 120, 1)
    ...     events.emit("stage", "PyTask", 100, 120, 1, 0)
    ...     events.emit("stage", "LaunchTask", 130, 150, 1, 8)
    >>> found = recorded(recording)
    >>> found.makespan, found.serial, found.slices[0].name
    (50, 40, 'Add')
    """
    log = _Log(recording, ended)
    if blocks is None:
        blocks = known_blocks(log.nodes()) if log.ran else {}
    stages, kernels, compiled = log.stages(), log.kernels(blocks), log.compilations()
    streams, links = log.streams(stages)
    lanes = [lane for lane in _LANES if stages]
    lanes += [Lane(name, 4, "nothing was sent to it") for name in streams]
    lanes += [Lane(COMPILE, 2, "nothing was compiled")] * bool(compiled)
    lanes += [Lane(KERNELS, 3, "no kernel of a compiled graph ran")] * bool(kernels)
    slices = [*stages, *(each for lane in streams.values() for each in lane), *compiled, *kernels]
    notes = [_SHARED] * bool(streams) + [_ON_CALLER] * bool(kernels and not stages)
    return Run(
        title, tuple(lanes), tuple(slices), log.syncs(), log.stalls(), tuple(links),
        tuple(notes), dropped=recording.dropped, returned=log.returned(),
    )  # fmt: skip


_LANES = tuple(
    Lane(
        stage,
        number,
        "the caller did something else" if number == 1 else _NO_PROCESSOR,
        STAGES[number - 2 : number - 1] if number > 1 else (),
        _INNER,
    )
    for number, stage in enumerate(STAGES, 1)
)


class _Log:
    """The events of a recording by kind, with times from the first slice on."""

    def __init__(self, recording, ended):
        self.kinds, self.ended = {}, ended
        for event in recording.events:
            self.kinds.setdefault(event.kind, []).append(event)
        kernels = [e for e in (*self.of("op"), *self.of("fallback")) if e.end > e.start]
        self.ran = sorted([*kernels, *self.of("backend")], key=lambda event: event.start)
        self.first = min((e.numbers[0] for e in self.of("stage")), default=1) - 1
        begun = (*self.of("stage"), *self.ran, *self.of("compile"))
        self.origin = min((e.start for e in begun), default=0)
        self.places = {(e.numbers[0], e.start): e.name for e in self.of("line")}

    def returned(self):
        """When the program had returned."""
        return None if self.ended is None else self.ended - self.origin

    def of(self, kind):
        """The events of one kind."""
        return self.kinds.get(kind, ())

    def stages(self):
        """The slices of the four stages."""
        tasks = {e.numbers[0]: e for e in self.of("task")}
        lines = {n: self.places.get((n, e.start), "") for n, e in tasks.items()}
        pieces = [piece for thread in _by_thread(self.of("stage")) for piece in _exclusive(thread)]
        found = []
        for event, start, end in sorted(pieces, key=lambda piece: piece[1]):
            number, size = event.numbers
            name = tasks[number].name if number in tasks else "?"
            found.append(
                Slice(
                    name, event.name, start - self.origin, end - self.origin,
                    number - self.first, size, (), lines.get(number, ""),
                )
            )  # fmt: skip
        return found

    def nodes(self):
        """The first node of each kernel that ran."""
        return {node for e in self.ran if e.kind != "backend" for node in e.numbers[1:]}

    def kernels(self, blocks):
        """What ran of compiled graphs; inside a stage it is that call's, and its time counted."""
        inside = _Inside(self.of("stage"))
        found, alone = [], 0
        for event in self.ran:
            outer = inside.of(event)
            alone += outer is None
            call = f"k{alone}" if outer is None else outer.numbers[0] - self.first
            built = event.kind == "backend"
            size, *first = (0,) if built else event.numbers
            name = f"build on {event.name}" if built else event.name
            nodes, line = blocks.get(first[0], (first, "")) if first else ((), "")
            times = event.start - self.origin, event.end - self.origin
            again = outer is not None or (built and self.compiled_during(event))
            found.append(Slice(name, KERNELS, *times, call, size, tuple(nodes), line, again))
        return found

    def compilations(self):
        """What was compiled, and why: c1, c2, ... in order of time."""
        found = sorted(self.of("compile"), key=lambda event: event.start)
        return [
            Slice(e.name, COMPILE, e.start - self.origin, e.end - self.origin, f"c{number}")
            for number, e in enumerate(found, 1)
        ]

    def compiled_during(self, event):
        """Whether an event is a part of a compilation."""
        return any(e.start <= event.start and event.end <= e.end for e in self.of("compile"))

    def syncs(self):
        """Where the caller waited for a result."""
        return tuple(
            Wait(
                NEEDS.get(e.name, f"the caller waited for: {e.name}"), STAGES[0],
                e.start - self.origin, e.end - self.origin, e.numbers[0] - self.first,
                self.places.get((e.numbers[0], e.start), ""),
            )
            for e in self.of("sync")
            if e.name not in _INTERNAL and (self.ended is None or e.start < self.ended)
        )  # fmt: skip

    def stalls(self):
        """Where a full queue held back the stage in front of it."""
        return tuple(
            Wait(
                f"held back: the queue in front of {e.name} was full",
                STAGES[STAGES.index(e.name) - 1],
                e.start - self.origin, e.end - self.origin, e.numbers[0] - self.first,
            )
            for e in self.of("stall")
        )  # fmt: skip

    # streams --------------------------------------------------------------------------------------

    def streams(self, stages):
        """Stream -> what LaunchTask did for it, and the events between them; none for one alone."""
        stream_of = {e.numbers[0] - self.first: e.numbers[1] for e in self.of("task")
                     if len(e.numbers) > 1}  # fmt: skip
        marks = self.of("mark")
        if not any(stream_of.values()) and not marks:
            return {}, []
        used = {*stream_of.values(), *(e.numbers[1] for e in marks)}
        found = {_stream(number): [] for number in sorted(used)}
        for each in stages:
            if each.lane == STAGES[-1] and each.call in stream_of:
                lane = _stream(stream_of[each.call])
                found[lane].append(each._replace(lane=lane, again=True))
        return found, list(self.links(found, marks))

    def links(self, streams, marks):
        """From where an event was passed to the first work that stood behind it."""
        records = {e.numbers[0]: e for e in marks if e.name == "record"}
        work = sorted((s for lane in streams.values() for s in lane), key=lambda each: each.call)
        for wait in (e for e in marks if e.name == "wait" and e.numbers[0] in records):
            key, onto, issued = wait.numbers
            _, of, behind = records[key].numbers
            passed = [s for s in work if s.call <= behind - self.first]
            after = [s for s in streams[_stream(onto)] if s.call > issued - self.first]
            if passed and after:
                words = f"event {key}: {_stream(onto)} goes on after {_stream(of)}"
                yield Link(words, _stream(of), passed[-1].end, _stream(onto), after[0].start)


def known_blocks(first_nodes):
    """For kernels by their first node: (ids of all their nodes, the source line of the first)."""
    found = {}
    for graph in compiled.ALIVE:
        kernels = graph.executable.kernels
        blocks = {k.nodes[0]: k.nodes for k in kernels if k.nodes[0] in first_nodes}
        if blocks:
            nodes = (node for each in graph.graph.all_graphs() for node in each.order())
            lines = {node.id: _line(node.where) for node in nodes if node.id in blocks}
            found |= {first: (ids, lines.get(first, "")) for first, ids in blocks.items()}
    return found


def _line(where):
    if where is None:
        return ""
    return f"{place(where)}: {where.text.strip()}" if where.text else place(where)


def _stream(number):
    return f"stream {number}" if number else "default stream"


class _Inside:
    """Which stage a kernel ran in: the innermost one of its thread at that time."""

    def __init__(self, stages):
        self.threads = {}
        for event in sorted(stages, key=lambda e: e.start):
            self.threads.setdefault(event.thread, []).append(event)
        self.starts = {thread: [e.start for e in found] for thread, found in self.threads.items()}

    def of(self, event):
        """The stage event around ``event``, or None."""
        known = self.threads.get(event.thread, ())
        last = bisect_right(self.starts.get(event.thread, ()), event.start)
        near = known[max(last - len(STAGES), 0) : last]
        return next((e for e in reversed(near) if e.end >= event.end), None)


def _by_thread(stages):
    threads = {}
    for event in stages:
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
