"""Which arrows does a recording hold? Each function of a library that was called is one, or two."""

from typing import NamedTuple

from ...engine.libraries.announcing import CACHE, PHASES

LANES = ("caller", "runner", "cache", "library")
_MADE = {"miss": "none kept: make one", "busy": "all busy: make another"}


class Step(NamedTuple):
    """An arrow: the stage, from lane to lane, words; ``call`` numbers the recording's calls."""

    stage: str
    source: str
    target: str
    words: str
    call: int
    start: int
    took: int
    bytes: int = 0
    cache: str = ""


def found(recording):
    """The arrows of all calls that go to a library, in the order of their beginnings."""
    functions, places = recording.of("library"), _Places(recording)
    numbers = sorted({places.number(each) for each in functions} - {0})
    order = {number: place for place, number in enumerate(numbers, 1)}
    steps = []
    for event in recording.of("task"):
        if event.numbers[0] in order:
            steps += _run(event, order[event.numbers[0]], places)
    for event in functions:
        call = order.get(places.number(event), 0)
        steps += _arrows(event, places.stage(event), call)
    return sorted(steps, key=lambda step: step.start)


def asked(recording):
    """[function, stage] of each function of a library that was called, the first one first."""
    places = _Places(recording)
    found = sorted(recording.of("library"), key=lambda event: event.start)
    return [[event.name, places.stage(event)] for event in found]


def _run(event, call, places):
    number = event.numbers[0]
    words = f"{event.name}.Run"
    yield Step("PyTask", "caller", "runner", words, call, event.start, event.end - event.start)
    inferred = places.inferred(number)
    if inferred is not None:
        words, took = "dtypes and shapes", inferred.end - inferred.start
        yield Step("FrontendTask", "runner", "runner", words, call, inferred.start, took)


def _arrows(event, stage, call):
    phase, size, cache = event.numbers
    phase, cache = PHASES[phase], CACHE[cache]
    start, took = event.start, event.end - event.start
    if phase == "create":
        yield Step(stage, "runner", "cache", event.name, call, start, took, 0, cache)
        if cache == "hit":
            yield Step(stage, "cache", "runner", "one that is free", call, start, 0)
            return
        yield Step(stage, "cache", "library", _MADE[cache], call, start, 0)
        yield Step(stage, "library", "runner", "a new one", call, start, 0)
    elif phase == "workspace":
        yield from _workspace(event, stage, call, size, cache)
    else:
        target = "cache" if phase == "free" else "library"
        yield Step(stage, "runner", target, event.name, call, start, took)


def _workspace(event, stage, call, size, cache):
    start, took = event.start, event.end - event.start
    answer = f"{size} bytes of workspace"
    if not cache:
        yield Step(stage, "runner", "library", event.name, call, start, took)
        yield Step(stage, "library", "runner", answer, call, start, 0, size)
        return
    yield Step(stage, "runner", "cache", event.name, call, start, took, 0, cache)
    if cache == "miss":
        yield Step(stage, "cache", "library", "not kept: prepare it", call, start, 0)
    source = "library" if cache == "miss" else "cache"
    yield Step(stage, source, "runner", f"executor, {answer}", call, start, 0, size)


class _Places:
    """In which stage of which call something happened: the innermost that holds it."""

    def __init__(self, recording):
        self._stages = recording.of("stage")
        self._tasks = sorted(recording.of("task"), key=lambda event: event.start)

    def inferred(self, number):
        """The FrontendTask of a call, or None."""
        return next(
            (e for e in self._stages if e.name == "FrontendTask" and e.numbers[0] == number), None
        )

    def stage(self, event):
        """The stage that a library's function was called in; outside of all it is PyTask."""
        holder = self._holder(event)
        return "PyTask" if holder is None else holder.name

    def number(self, event):
        """The number of its call; before Run it is that of the next one of this thread."""
        holder = self._holder(event)
        if holder is not None:
            return holder.numbers[0]
        later = (e for e in self._tasks if e.thread == event.thread and e.start >= event.start)
        return next((e.numbers[0] for e in later), 0)

    def _holder(self, event):
        held = [
            e
            for e in self._stages
            if e.thread == event.thread and e.start <= event.start and event.end <= e.end
        ]
        return min(held, key=lambda e: e.end - e.start, default=None)
