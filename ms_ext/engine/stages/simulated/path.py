"""Why is the makespan what it is? The chain of work that leaves no gap from the start to the end.

Each time of a schedule is the latest of a few earlier ones. Going back from the end to the one that
it was, and so on, leads to the start; what was worked on this way is the critical path. Whatever is
made shorter beside it changes nothing.
"""

from typing import NamedTuple

from ..task import STAGES

#: How a step of the path hangs on the one before it; the strongest of several is told.
RULES = ("sync", "full", "busy", "came", "program", "start")


class Step(NamedTuple):
    """A piece of the critical path: ``because`` says why it could not begin earlier.

    "start": the program began. "program": the caller came to it. "came": the call came from the
    stage before. "busy": the stage was at work on the call before. "full": there was no room in the
    queue. "sync": the caller had to wait.
    """

    stage: str
    call: int
    start: object
    end: object
    because: str


def critical(end):
    """The steps from 0 to the Moment ``end``, in order of time."""
    found, rules, moment = [], [], end
    while moment is not None:
        if moment.work is not None:
            if moment.work.end > moment.work.start:
                _explain(found, rules)
                found.append(moment.work)
                rules = []
        elif moment.rule != "start":
            rules.append(moment.rule)
        moment = moment.before
    _explain(found, rules)
    return tuple(reversed([each for each in found if isinstance(each, Step)]))


def _explain(found, rules):
    """The last piece, that is the one after these rules, becomes a Step."""
    if found and not isinstance(found[-1], Step):
        told = next((rule for rule in RULES if rule in rules), "start")
        on_caller = found[-1].stage == STAGES[0] and found[-1].start > 0
        inner = told == "start" and found[-1].start > 0  # blocking: stage after stage
        told = "program" if on_caller and told in ("came", "start") else told
        found[-1] = Step(*found[-1], "came" if inner and not on_caller else told)


def grouped(steps):
    """Neighbouring steps of one stage together: (stage, calls, time, rule of the first).

    >>> steps = [Step("PyTask", 1, 0, 1, "start"), Step("LaunchTask", 1, 1, 5, "came"),
    ...          Step("LaunchTask", 2, 5, 9, "busy")]
    >>> grouped(steps)
    [('PyTask', [1], 1, 'start'), ('LaunchTask', [1, 2], 8, 'came')]
    """
    found = []
    for step in steps:
        own = step.call == 0  # work of the caller is no stage
        if found and found[-1][0] == step.stage and own == (found[-1][1] == [0]):
            stage, calls, time, rule = found[-1]
            calls = calls if own else [*calls, step.call]
            found[-1] = stage, calls, time + step.end - step.start, rule
        else:
            found.append((step.stage, [step.call], step.end - step.start, step.because))
    return found
