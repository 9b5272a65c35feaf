"""What is drawn of some runs: one description for the figure, the page and the text.

Up to ``MOST`` slices are drawn one by one. Above that a lane is cut into equal parts, and each part
says how busy the lane was, how many calls began, and which took longest; nothing is left out.
"""

from typing import NamedTuple

from .slices import Run, named
from .words import amount, facts, headline, waiting

MOST = 2000  # slices and waits in one picture
MOST_LINES = 150  # sync lines of a run; those that are closer than a hair are drawn as one
PARTS = 240  # of a lane, where slices are too many


class Box(NamedTuple):
    """A slice, or a ``part`` of a lane; ``share``: how much of that time the lane was busy.

    ``facts``: (what, text) pairs, the same for hovering and for the page's detail.
    """

    start: float
    end: float
    call: int | str
    name: str
    facts: tuple
    nodes: tuple = ()
    share: float = 1.0
    part: bool = False
    again: bool = False


class Row(NamedTuple):
    """One lane of one run."""

    name: str
    share: str
    hue: int
    busiest: bool
    boxes: list
    gaps: list


class Mark(NamedTuple):
    """A time without work and its sentence: a gap, a wait; a sync is drawn at its end."""

    start: float
    end: float
    words: str


class Strip(NamedTuple):
    """One run: what stands above it, its lanes, its syncs, and where the caller waited."""

    run: Run
    title: str
    about: str
    rows: list
    lines: list
    waits: list
    returned: float | None


class Sheet(NamedTuple):
    """All runs on one time axis; ``notes`` are sentences that belong to the picture."""

    strips: list
    span: float
    unit: str
    notes: list


def sheet(runs):
    """The Sheet of some runs that have slices."""
    total = sum(len(run.slices) + len(run.syncs) for run in runs)
    span = max([_latest(run) for run in runs], default=0) or 1
    unit = runs[0].unit if runs else "ns"
    lanes = sum(len(run.lanes) for run in runs)
    parts = 0 if total <= MOST else max(min(PARTS, MOST // max(lanes, 1)), 10)
    strips = [_strip(run, span, parts) for run in runs]
    notes = list(dict.fromkeys(note for run in runs for note in run.notes))
    if parts:
        notes.append(_told(runs, strips))
    return Sheet(strips, span, unit, notes)


def _latest(run):
    return max(run.makespan, run.returned or 0, max((sync.end for sync in run.syncs), default=0))


def _told(runs, strips):
    drawn = sum(len(row.boxes) for strip in strips for row in strip.rows)
    slices, calls = sum(len(run.slices) for run in runs), sum(run.calls for run in runs)
    return (
        f"{drawn:,} bars stand for {slices:,} slices of {calls:,} calls: a bar is as high as its "
        "lane was busy in that time. save('trace.json') has every slice; part(1, 100) draws "
        "calls 1 to 100 alone."
    )


def _strip(run, span, parts):
    rows = []
    for lane in run.lanes:
        boxes = _parts(run, lane.name, span, parts) if parts else _slices(run, lane.name)
        gaps = [] if parts else [_idle(run, gap) for gap in run.gaps(lane.name)]
        share = f"{run.utilisation(lane.name):.0%}"
        rows.append(Row(lane.name, share, lane.hue, lane.name == run.bottleneck, boxes, gaps))
    waits = [] if parts else [Mark(s.start, s.end, _said(run, [s])) for s in run.syncs]
    return Strip(run, headline(run), waiting(run), rows, _lines(run, span), waits, run.returned)


def _idle(run, gap):
    time = amount(gap.duration, run.unit)
    return Mark(gap.start, gap.end, f"{gap.lane} idle {time}: {gap.reason}")


def _slices(run, lane):
    gaps = {gap.end: gap for gap in run.gaps(lane)}
    return [_box(run, each, gaps.get(each.start)) for each in run.lane(lane)]


def _box(run, each, gap):
    return Box(
        each.start,
        each.end,
        each.call,
        each.name,
        facts(run, each, gap),
        nodes=each.nodes,
        again=each.again,
    )


# many slices --------------------------------------------------------------------------------------


def _parts(run, lane, span, parts):
    wide = span / parts
    busy, begun, longest = [0.0] * parts, [0] * parts, [None] * parts
    for each in run.lane(lane):
        first = min(int(each.start / wide), parts - 1)
        begun[first] += 1
        for index in range(first, min(int(each.end / wide), parts - 1) + 1):
            inside = min(each.end, (index + 1) * wide) - max(each.start, index * wide)
            busy[index] += inside
            if longest[index] is None or each.duration > longest[index].duration:
                longest[index] = each
    return [
        _part(run, index * wide, wide, busy[index] / wide, begun[index], longest[index])
        for index in range(parts)
        if longest[index] is not None
    ]


def _part(run, start, wide, share, begun, longest):
    share = min(share, 1.0)
    until = amount(start + wide, run.unit)
    several = f"{begun} {'begins' if begun == 1 else 'begin'}"
    text = f"{longest.lane} from {amount(start, run.unit)} to {until}: busy {share:.0%}, {several}"
    most = f"{named(longest, run.noun)}, {amount(longest.duration, run.unit)}"
    told = (("", text), ("longest", most))
    return Box(start, start + wide, longest.call, longest.name, told, longest.nodes, share, True)


def _lines(run, span):
    """The syncs as lines; those that are closer than a hair to the one before are one."""
    near = span / MOST_LINES if len(run.syncs) > MOST_LINES else 0
    groups = []
    for sync in sorted(run.syncs, key=lambda sync: sync.end):
        if groups and sync.end - groups[-1][0].end < near:
            groups[-1].append(sync)
        else:
            groups.append([sync])
    return [Mark(group[0].start, group[-1].end, _said(run, group)) for group in groups]


def _said(run, group):
    time = amount(sum(sync.duration for sync in group), run.unit)
    first = group[0]
    if len(group) > 1:
        return f"{len(group)} waits, {time} in all; the first: {first.words}{_at(first)}"
    return f"{first.words} for {time}{_at(first)}"


def _at(wait):
    return f", {wait.line}" if wait.line else ""
