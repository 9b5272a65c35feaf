"""A simulated schedule of the four stages as lanes: the same picture as of what was recorded."""

from fractions import Fraction

from ...engine.stages import STAGES
from ...engine.stages.simulated import words
from .recorded import NEEDS
from .slices import Lane, Run, Slice, Wait

_INNER = "its thread ran another stage of the same call"
_LANES = tuple(
    Lane(
        stage,
        number,
        "the caller went on to its next call" if number == 1 else "no call was there for it",
        STAGES[number - 2 : number - 1] if number > 1 else (),
        _INNER,
    )
    for number, stage in enumerate(STAGES, 1)
)
_ONE_THREAD = tuple(
    Lane(stage, number, "its thread ran the other stages, which are inside of each other")
    for number, stage in enumerate(STAGES, 1)
)


def simulated(found, title=""):
    """The Run of a StageSchedule.

    >>> from ms_ext.runtime import simulate_stages
    >>> run = simulated(simulate_stages([(1, 2, 1, 4)] * 3), "predicted")
    >>> run.makespan, run.bottleneck, run.gaps("FrontendTask")
    (16, 'LaunchTask', [])
    """
    slices = [
        Slice(found.calls[call - 1].name, stage, _plain(start), _plain(end), call)
        for stage, call, start, end in found.slices
        if call and end > start
    ]
    held = [*map(_stall, found.stalls), *(_own(s) for s in found.slices if not s.call)]
    return Run(
        title,
        _ONE_THREAD if found.blocking else _LANES,
        tuple(slices),
        syncs=tuple(map(_sync, found.syncs)),
        stalls=tuple(held),
        notes=tuple(map(words.lost_words(found), found.lost.values())),
        unit=found.unit,
        returned=_plain(found.returned),
    )


def _plain(time):
    """A time that can be drawn."""
    return float(time) if isinstance(time, Fraction) else time


def _stall(stall):
    words = f"held back: the queue in front of {stall.full} was full"
    return Wait(words, stall.stage, _plain(stall.start), _plain(stall.end), stall.call)


def _own(piece):
    words = "the caller did something of its own"
    return Wait(words, piece.stage, _plain(piece.start), _plain(piece.end))


def _sync(sync):
    raised = f"; the error of call {sync.raised} was raised" if sync.raised else ""
    words = NEEDS[sync.need] + raised
    return Wait(words, STAGES[0], _plain(sync.start), _plain(sync.end), sync.of)
