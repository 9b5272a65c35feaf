"""What can be asked of an answer that goes through the four stages? Its values, and its waits.

Which calls were made and where the caller waited goes back as plain data; times do not. The judge
puts its own times to them.
"""

from ms_ext import runtime
from ms_ext.engine import events
from ms_ext.engine.events import Recording
from ms_ext.engine.stages.simulated import StageCall, StageSync, program_of


def staged(ask):
    """What ``ask()`` gives while every op goes through the stages, and the steps of its program.

    A step is [op's name] for a call, [what it waited for, call] for a wait.
    """
    with runtime.dispatch("stages"), events.record(1 << 17) as kept:
        answer = ask()
        ended = events.now()
        runtime.synchronize()
    return {"answer": answer, "steps": [*map(_step, _program(kept, ended))]}


def _program(kept, ended):
    """The calls and the waits of a recording up to ``ended``."""
    steps = program_of(_Until(kept, ended))[0]
    return [step for step in steps if isinstance(step, StageCall | StageSync)]


def _step(step):
    return [step.name] if isinstance(step, StageCall) else [step.need, step.of]


class _Until:
    """A recording without the waits behind a time: nobody's program asked for those."""

    def __init__(self, recording: Recording, ended):
        self.recording, self.ended = recording, ended

    def of(self, kind):
        """The events of one kind."""
        found = self.recording.of(kind)
        return [e for e in found if kind != "sync" or e.start < self.ended]
