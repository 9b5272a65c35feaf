"""What follows from a simulated run: makespan, utilisation, lengths of queues, and the order.

>>> found = simulate_stages([(1, 2, 1, 4)] * 3)
>>> found.makespan, found.serial, found.bottleneck, found.utilisation("LaunchTask")
(16, 24, 'LaunchTask', Fraction(3, 4))
>>> found.span(2, "LaunchTask")
(8, 12)
"""

from fractions import Fraction
from functools import cached_property

from ... import errors, events
from ..pipeline import CAPACITY
from ..task import STAGES, THREADS
from . import path, words
from .lanes import simulate
from .measured import program_of
from .program import StageCall, exact


def simulate_stages(program, capacity=CAPACITY, blocking=False, caught=False, unit=""):
    """The exact schedule of a program in the four stages: calls, and where its caller waits.

    A call is four times, PyTask to LaunchTask, or a ``StageCall``; between calls may stand
    ``StageSync`` and ``StageWork``. ``capacity``: of each queue, 0 for none, None without limit.
    ``blocking``: as after ``launch_blocking``. An error that reaches the caller ends the program,
    unless it is ``caught``. A Recording is the program that was recorded, with its measured times.

    >>> from ms_ext.engine.stages.simulated import StageSync
    >>> print(simulate_stages([(1, 2, 1, 4), (1, 2, 1, 4), StageSync("shape"), (1, 2, 1, 4)]))
    3 calls in 16, serial sum 24, overlap 1.50×
    It takes 16 = 1 PyTask (call 1) + 2 FrontendTask (call 1) + 1 DeviceTask (call 1) + 12
    LaunchTask (calls 1 to 3). Most of it is LaunchTask; if that took no time, the whole would
    take 9.
    <BLANKLINE>
          PyTask   19%  1: 0–1, 2: 1–2, 3: 5–6
    FrontendTask   38%  1: 1–3, 2: 3–5, 3: 6–8
      DeviceTask   19%  1: 3–4, 2: 5–6, 3: 8–9
      LaunchTask*  75%  1: 4–8, 2: 8–12, 3: 12–16
      queue  in front of FrontendTask: up to 1 call of 64
      queue  in front of LaunchTask: up to 1 call of 64
      sync   the caller waited for the shape of call 2 from 2 for 3
    """
    if isinstance(program, events.Recording):
        program, blocking = program_of(program)
        caught, unit = True, unit or "ns"
    return StageSchedule(simulate(program, capacity, blocking, caught), unit)


class StageSchedule:
    """Who worked when, exactly: ``slices``, ``stalls``, ``syncs``, ``lost`` and what they mean."""

    def __init__(self, lanes, unit=""):
        self.unit, self.capacity, self.blocking = unit, lanes.capacity, lanes.blocking
        self.program, self.calls, self.caught = lanes.program, tuple(lanes.calls), lanes.caught
        self.slices = tuple(lanes.slices)
        self.stalls, self.syncs = tuple(lanes.stalls), tuple(lanes.syncs)
        self.lost, self.raised = dict(lanes.lost), tuple(lanes.raised)
        self.returned = lanes.caller.time
        self._queued = {stage: tuple(pairs) for stage, pairs in lanes.queued.items()}
        self._end = max(lanes.finished, lanes.caller, key=lambda moment: moment.time)

    @property
    def makespan(self):
        """From the start of the program until everything is finished, the caller's work too."""
        return self._end.time

    @cached_property
    def serial(self):
        """The sum of all stages of all calls: what one thread alone would need for them."""
        return sum(each.end - each.start for each in self.slices if each.call)

    def busy(self, stage):
        """How long a stage was at work on calls."""
        return sum(end - start for _, start, end in self.of(stage))

    def utilisation(self, stage):
        """The part of the makespan that a stage was at work, as a Fraction."""
        return Fraction(self.busy(stage)) / self.makespan if self.makespan else Fraction(0)

    @cached_property
    def bottleneck(self):
        """The stage that worked longest; of several the first."""
        return max(STAGES, key=self.busy)

    @cached_property
    def waited(self):
        """How long the caller waited at syncs, and because the first queue was full."""
        stalls = [each for each in self.stalls if each.stage == STAGES[0]]
        return sum(each.end - each.start for each in (*self.syncs, *stalls))

    def of(self, stage):
        """(call, start, end) of each call in one stage, in order of time."""
        return self._by_stage[_stage(stage)]

    def span(self, call, stage):
        """(start, end) of one call in one stage; None where it did not come that far."""
        found = [(start, end) for number, start, end in self.of(stage) if number == call]
        return found[0] if found else None

    @cached_property
    def _by_stage(self):
        found = {stage: [] for stage in STAGES}
        for each in self.slices:
            if each.call:
                found[each.stage].append((each.call, each.start, each.end))
        return found

    def queue(self, stage):
        """How many calls wait in front of a stage: (time, length) whenever that changes."""
        change = {}
        for put, taken in self._waiting(stage):
            change[put] = change.get(put, 0) + 1
            change[taken] = change.get(taken, 0) - 1
        found, length = [(0, 0)], 0
        for time in sorted(change):
            length += change[time]
            if length != found[-1][1]:
                found = found[:-1] if found[-1][0] == time else found
                found.append((time, length))
        return tuple(found)

    def longest_queue(self, stage):
        """The most calls that waited in front of a stage."""
        return max(length for _, length in self.queue(stage))

    def _waiting(self, stage):
        if _stage(stage) == STAGES[0]:
            raise errors.InvalidValue(
                f"No queue is in front of {stage}: it runs on the caller's thread.",
                hint=f"Queues are in front of {', '.join(THREADS)}.",
            )
        return [pair for pair in self._queued[stage] if pair[1] > pair[0]]

    @cached_property
    def path(self):
        """The critical path: a tuple of steps without a gap, from 0 to the makespan."""
        return path.critical(self._end)

    def if_free(self, stage):
        """What the makespan would be if a stage took no time for any call.

        >>> simulate_stages([(1, 2, 1, 4)] * 5).if_free("LaunchTask")
        12
        """
        field = StageCall._fields[STAGES.index(_stage(stage))]
        steps = [
            step._replace(**{field: 0}) if isinstance(step, StageCall) else step
            for step in self.program
        ]
        found = simulate(steps, self.capacity, self.blocking, self.caught)
        return max(found.finished.time, found.caller.time)

    def why(self):
        """Why the makespan is what it is, in words."""
        return words.why(self)

    def at(self, time):
        """Stage -> the call it is at work on at a time; 0 where it is idle."""
        time, found = exact(time), dict.fromkeys(STAGES, 0)
        for each in self.slices:
            if each.call and each.start <= time < each.end:
                found[each.stage] = each.call
        return found

    def __repr__(self):
        return words.page(self)


def _stage(stage):
    if stage not in STAGES:
        raise errors.InvalidValue(
            f"There is no stage {stage!r}.", hint=errors.did_you_mean(str(stage), STAGES)
        )
    return stage
