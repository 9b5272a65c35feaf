"""The four stages once more, as a clock that moves from one happening to the next.

Written for the tests of ``simulate_stages`` and without a look at it: queues are lists, stages hold
what they work on, and at each instant whatever can happen does, the lowest call first.
"""

import heapq
import random

from ms_ext.engine.stages import STAGES
from ms_ext.runtime import StageCall, StageSync, StageWork


class EventLoop:
    """One run of a program; ``slices``, ``syncs`` and ``raised`` are what came of it."""

    def __init__(self, program, capacity, caught=False):
        self.program, self.capacity, self.caught = list(program), capacity, caught
        self.calls = [step for step in self.program if isinstance(step, StageCall)]
        self.now, self.clock = 0, []  # (time, order, what happens then)
        self.queues = {stage: [] for stage in STAGES[1:]}
        self.at_work = dict.fromkeys(STAGES[1:])  # stage -> (call, whether it has finished)
        self.done = {stage: set() for stage in STAGES[1:]}
        self.lost, self.unseen, self.raised = {}, [], []  # lost: call -> (stage, cause)
        self.slices, self.syncs, self.queued = set(), [], []
        self.issued, self.place, self.over = 0, 0, False
        self.caller = "free"  # "working", ("hand over", call), ("wait", sync, since), "free"

    def run(self):
        """Move the clock until nothing is left to happen."""
        self._settle()
        while self.clock:
            self.now = self.clock[0][0]
            while self.clock and self.clock[0][0] == self.now:
                heapq.heappop(self.clock)[2]()
            self._settle()
        return self

    @property
    def makespan(self):
        return max((end for _, _, _, end in self.slices), default=0)

    def _later(self, time, action):
        heapq.heappush(self.clock, (self.now + time, len(self.slices) + len(self.clock), action))

    def _settle(self):
        """Everything that can happen now, the lowest call first."""
        while True:
            possible = [*self._takes(), *self._hand_overs(), *self._caller_steps()]
            if not possible:
                break
            min(possible, key=lambda pair: pair[0])[1]()
        self.queued.append((self.now, {stage: len(q) for stage, q in self.queues.items()}))

    # stages ---------------------------------------------------------------------------------------

    def _takes(self):
        for stage in STAGES[1:]:
            if self.at_work[stage] is None and self.queues[stage]:
                yield self.queues[stage][0], lambda stage=stage: self._take(stage)

    def _take(self, stage):
        call = self.queues[stage].pop(0)
        self._begin(stage, call)

    def _begin(self, stage, call):
        causes = [self.lost[need] for need in self.calls[call - 1].needs if need in self.lost]
        if call not in self.lost and causes:
            self.lost[call] = stage, causes[0][1]
        if call in self.lost:
            return self._finish(stage, call)
        self.at_work[stage] = call, False
        time = self.calls[call - 1].times[STAGES.index(stage)]
        if time:
            self._later(time, lambda: self._worked(stage, call, self.now - time))
        else:
            self._worked(stage, call, self.now)
        return None

    def _worked(self, stage, call, since):
        self.slices.add((stage, call, since, self.now))
        if self.calls[call - 1].fails == stage:
            self.lost[call] = stage, call
            self.unseen.append(call)
        self._finish(stage, call)

    def _finish(self, stage, call):
        self.done[stage].add(call)
        self.at_work[stage] = None if stage == STAGES[-1] else (call, True)

    def _hand_overs(self):
        for stage, behind in zip(STAGES[1:], STAGES[2:], strict=False):
            held = self.at_work[stage]
            if held and held[1] and self._room(behind):
                yield held[0], lambda s=stage, b=behind: self._hand_over(s, b)

    def _room(self, stage):
        if self.capacity is None:
            return True
        if self.capacity == 0:
            return self.at_work[stage] is None
        return len(self.queues[stage]) < self.capacity

    def _hand_over(self, stage, behind):
        call, self.at_work[stage] = self.at_work[stage][0], None
        self._put(behind, call)

    def _put(self, stage, call):
        if self.capacity == 0:
            self._begin(stage, call)
        else:
            self.queues[stage].append(call)

    # the caller -----------------------------------------------------------------------------------

    def _caller_steps(self):
        last = len(self.calls) + 1
        if self.caller == "free" and self.place < len(self.program) and not self.over:
            yield last, self._next
        elif self.caller[0] == "hand over" and self._room(STAGES[1]):
            yield last, self._submit
        elif self.caller[0] == "wait" and self._arrived(self.caller[1]):
            yield last, self._awake

    def _next(self):
        step = self.program[self.place]
        self.place += 1
        if isinstance(step, StageSync):
            self.caller = ("wait", step, self.now)
            return
        call = 0
        if isinstance(step, StageCall):
            self.issued += 1
            call = self.issued
        time = step.time if isinstance(step, StageWork) else step.py
        self.caller = "working"
        since = self.now
        self._later(time, lambda: self._called(call, since))

    def _called(self, call, since):
        self.slices.add((STAGES[0], call, since, self.now))
        self.caller = ("hand over", call) if call else "free"

    def _submit(self):
        call, self.caller = self.caller[1], "free"
        self._put(STAGES[1], call)

    def _arrived(self, sync):
        if sync.need == "shape":
            return sync.of in self.done[STAGES[1]]
        most = sync.of if sync.need == "event" else self.issued
        return all(call in self.done[STAGES[-1]] for call in range(1, most + 1))

    def _awake(self):
        _, sync, since = self.caller
        self.caller, error = "free", 0
        own = self.lost.get(sync.of) if sync.need in ("shape", "data") else None
        if own and (sync.need == "data" or own[0] == STAGES[1]):
            error = own[1]
            self.unseen = [call for call in self.unseen if call != error]
        elif sync.need in ("data", "synchronize") and self.unseen:
            error, self.unseen = min(self.unseen), []
        self.syncs.append((sync.need, sync.of, since, self.now, error))
        if error:
            self.over = not self.caught


def drawn(seed, most=9, failing=False):
    """A random program with its capacity: calls, works and syncs; times from 0, or from 1."""
    rng = random.Random(seed)
    low = 1 if failing else 0
    program, calls = [], 0
    for _ in range(rng.randint(1, most)):
        kind = rng.random()
        if calls and kind < 0.2:
            need = rng.choice(("data", "shape", "synchronize", "event"))
            program.append(StageSync(need, rng.randint(1, calls)))
        elif kind < 0.3:
            program.append(StageWork(rng.randint(low, 4)))
        else:
            times = [rng.randint(low, rng.choice((2, 9))) for _ in STAGES]
            needs = tuple(rng.sample(range(1, calls + 1), min(calls, rng.randint(0, 2))))
            fails = rng.choice(STAGES[1:]) if failing and rng.random() < 0.3 else ""
            program.append(StageCall(*times, needs=needs, fails=fails))
            calls += 1
    return program, rng.choice((0, 1, 1, 2, 3, None))
