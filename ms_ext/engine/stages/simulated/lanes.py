"""When does which stage begin and end with which call? The pipeline's rules as a recurrence.

A stage takes its calls in order. It takes the next one when it has handed over the last, and hands
a call over when there is room in the queue behind it, which is when the next stage has taken the
call ``capacity`` places earlier. Every time is therefore the latest of a few earlier ones; which of
them it was is kept, so that the critical path can be read off.
"""

from typing import NamedTuple

from ... import errors
from ..task import STAGES, THREADS
from .program import StageCall, StageSync, listed

PY, FRONTEND, LAUNCH = STAGES[0], STAGES[1], STAGES[-1]


class StageSlice(NamedTuple):
    """A stage at work on a call; call 0 is work of the caller's own."""

    stage: str
    call: int
    start: object
    end: object


class Stall(NamedTuple):
    """A stage that could not hand a call over: the queue in front of ``full`` had no room."""

    stage: str
    call: int
    start: object
    end: object
    full: str


class Waited(NamedTuple):
    """A sync of the caller; ``raised`` is the call whose error it raised, 0 for none."""

    need: str
    of: int
    start: object
    end: object
    raised: int = 0


class Lost(NamedTuple):
    """A call without a result: ``stage`` did not get through, because of the error of ``cause``."""

    call: int
    stage: str
    time: object
    cause: int


class Moment(NamedTuple):
    """A time, and why it is no earlier: ``rule`` leads back to ``before``, over ``work`` if any."""

    time: object
    rule: str = "start"
    before: object = None
    work: StageSlice | None = None


class _Raised(Exception):
    """The program got an error at this point."""


def simulate(program, capacity=64, blocking=False, caught=False):
    """Run the program through the lanes; a ``Lanes`` with everything that happened."""
    if capacity is not None and (type(capacity) is not int or capacity < 0):
        raise errors.InvalidValue(
            "A queue holds a whole number of calls.",
            given=repr(capacity),
            hint="0 hands each call over from stage to stage directly; None is without limit.",
        )
    steps = listed(program)
    lanes = Lanes(steps, capacity, blocking, caught)
    for step in steps:
        try:
            lanes.step(step)
        except _Raised:
            if not caught:
                break
    return lanes


class Lanes:
    """The four lanes while a program runs, and what has happened so far."""

    def __init__(self, program, capacity, blocking, caught):
        self.program, self.caught = tuple(program), caught
        self.capacity, self.blocking = capacity, blocking
        self.caller = self.finished = Moment(0)
        self.calls, self.slices, self.stalls, self.syncs = [], [], [], []
        self.queued = {stage: [] for stage in THREADS}  # (put, taken) of each call
        self.lost, self.unseen, self.raised = {}, [], []
        self.refused = set()  # calls that raised at once, so that there is no result to use
        self._free = dict.fromkeys(THREADS, Moment(0))
        self._taken = {stage: [] for stage in THREADS}
        self._done = {stage: [] for stage in THREADS}

    def step(self, step):
        """One step of the program."""
        if isinstance(step, StageCall):
            self.calls.append(step)
            self._check_results(step.needs)
            self._block(step) if self.blocking else self._call(step)
        elif isinstance(step, StageSync):
            self._check_results([step.of] * (step.need in ("data", "shape") and step.of > 0))
            self._sync(step)
        else:
            self.caller = self._worked(PY, 0, self.caller, step.time)

    # calls ----------------------------------------------------------------------------------------

    def _call(self, call):
        """PyTask on the caller, then hand over from stage to stage."""
        number, behind = len(self.calls), PY
        ended = self._stage(PY, number, self.caller)
        if number in self.lost:
            self.caller = ended
            return self._refuse(number)
        for stage in THREADS:
            handed, taken = self._handed(stage, ended)
            if handed.time > ended.time:
                self.stalls.append(Stall(behind, number, ended.time, handed.time, stage))
            if behind == PY:
                self.caller = handed
            else:
                self._free[behind] = handed
            self.queued[stage].append((handed.time, taken.time))
            self._taken[stage].append(taken)
            ended = self._stage(stage, number, taken)
            self._done[stage].append(ended)
            behind = stage
        self._free[LAUNCH] = self.finished = ended

    def _handed(self, stage, ended):
        """(when a call is in the queue, when the stage takes it), from when it could be put."""
        free, taken = self._free[stage], self._taken[stage]
        if self.capacity == 0:
            direct = _latest(("busy", free), ("came", ended))
            return _latest(("came", ended), ("full", free)), direct
        first = None if self.capacity is None else len(taken) - self.capacity
        room = [] if first is None or first < 0 else [("full", taken[first])]
        handed = _latest(("came", ended), *room)
        return handed, _latest(("busy", free), ("came", handed))

    def _block(self, call):
        """All stages on the caller, one inside the other: their own times follow each other."""
        number = len(self.calls)
        for stage in STAGES:
            self.caller = self._stage(stage, number, self.caller)
        for stage in THREADS:
            self._done[stage].append(self.caller)
        self.finished = self.caller
        if number in self.lost:
            self._refuse(number)

    def _stage(self, stage, number, start):
        """A stage's turn with a call: its time, or nothing if the call has failed already."""
        call = self.calls[number - 1]
        self._inherit(stage, number, call, start.time)
        if number in self.lost:
            return start
        ended = self._worked(stage, number, start, call.times[STAGES.index(stage)])
        if call.fails == stage:
            self.lost[number] = Lost(number, stage, ended.time, number)
            if stage != PY and not self.blocking:
                self.unseen.append(number)
        return ended

    def _worked(self, stage, number, start, time):
        piece = StageSlice(stage, number, start.time, start.time + time)
        self.slices.append(piece)
        return Moment(piece.end, "worked", start, piece)

    def _inherit(self, stage, number, call, time):
        """A call fails with an earlier one whose result it needs, once that has failed."""
        if stage == PY or number in self.lost:
            return
        causes = [self.lost[need] for need in call.needs if need in self.lost]
        known = [lost for lost in causes if lost.time <= time]
        if known:
            self.lost[number] = Lost(number, stage, time, known[0].cause)

    def _refuse(self, number):
        self.refused.add(number)
        self._put_blanks(number)
        self._raise(self.lost[number])

    def _put_blanks(self, number):
        """A call that never was on its way keeps the lists as long as there are calls."""
        for stage in THREADS:
            self._done[stage] += [self.finished] * (number - len(self._done[stage]))

    def _check_results(self, numbers):
        for number in numbers:
            if number in self.refused:
                raise errors.InvalidValue(
                    f"A step uses the result of call {number}, which raised at the call itself.",
                    hint="Leave the step out, or let the call fail in a later stage.",
                )

    # waiting --------------------------------------------------------------------------------------

    def _sync(self, sync):
        begin, self.caller = self.caller, self._awaited(sync)
        cause = self._error_at(sync)
        raised = cause.cause if cause else 0
        self.syncs.append(Waited(sync.need, sync.of, begin.time, self.caller.time, raised))
        if cause:
            self._raise(cause)

    def _awaited(self, sync):
        if not sync.of:
            return self.caller
        if sync.need == "shape":
            done = self._done[FRONTEND][sync.of - 1]
        elif sync.need == "event":
            done = self._done[LAUNCH][sync.of - 1]
        else:
            done = self.finished
        return _latest(("program", self.caller), ("sync", done))

    def _error_at(self, sync):
        """The Lost that a sync raises: its own call's always, another one's if nobody saw it."""
        own = self.lost.get(sync.of)
        if sync.need == "shape":
            return own if own and own.stage == FRONTEND else None
        if sync.need == "event" or not sync.of:
            return None
        if sync.need == "data" and own:
            return own
        first = min(self.unseen, default=0)
        self.unseen.clear()
        return self.lost[first] if first else None

    def _raise(self, lost):
        if lost.cause in self.unseen:
            self.unseen.remove(lost.cause)
        self.raised.append(lost)
        raise _Raised


def _latest(*candidates):
    """The latest of some (rule, Moment); of several the first."""
    rule, moment = max(candidates, key=lambda candidate: candidate[1].time)
    return Moment(moment.time, rule, moment)
