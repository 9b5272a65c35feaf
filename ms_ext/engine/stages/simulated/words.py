"""The schedule in words: its figures, its lanes, and why it takes as long as it does."""

import textwrap

from ..task import STAGES, THREADS
from .path import grouped

WIDE = 90  # columns of the sentence
MOST = 12  # calls whose times a text lists
OWN = "of the caller's own"
_SYNCS = {
    "data": "the values of call {of}", "shape": "the shape of call {of}",
    "synchronize": "every call", "event": "all calls up to {of}",
}  # fmt: skip


def amount(value, unit=""):
    """A time with its unit; nanoseconds in readable ones.

    >>> from fractions import Fraction
    >>> amount(12), amount(Fraction(7, 2), "ms"), amount(1_200_000, "ns"), amount(950, "ns")
    ('12', '7/2 ms', '1.2 ms', '0.95 µs')
    """
    if unit != "ns":
        return f"{value} {unit}".rstrip()
    name, factor = ("s", 10**9) if value >= 10**9 else ("ms", 10**6)
    name, factor = (name, factor) if value >= 10**6 else ("µs", 10**3)
    return f"{float(value / factor):,.4g} {name}"


def page(found):
    """All of it as text."""
    lines = [headline(found), textwrap.fill(why(found), WIDE), ""]
    wide = max(map(len, STAGES))
    for stage in STAGES:
        mark = "*" if stage == found.bottleneck else " "
        share = f"{float(found.utilisation(stage)):>4.0%}"
        lines.append(f"{stage:>{wide}}{mark} {share}  {_spans(found, stage)}")
    lines += [f"  queue  {each}" for each in _queues(found)]
    lines += [f"  stall  {each}" for each in map(stall_words(found), found.stalls[:MOST])]
    lines += [f"  sync   {each}" for each in map(sync_words(found), found.syncs[:MOST])]
    lines += [f"  error  {each}" for each in map(lost_words(found), found.lost.values())]
    return "\n".join(line.rstrip() for line in lines)


def headline(found):
    """Calls, makespan, serial sum, overlap."""
    calls, unit = len(found.calls), found.unit
    overlap = float(found.serial / found.makespan) if found.makespan else 0.0
    said = f"{calls:,} call{'s' * (calls != 1)} in {amount(found.makespan, unit)}"
    return f"{said}, serial sum {amount(found.serial, unit)}, overlap {overlap:.2f}×"


def _spans(found, stage):
    spans = found.of(stage)
    unit = "ns" if found.unit == "ns" else ""
    said = [f"{c}: {amount(start, unit)}–{amount(end, unit)}" for c, start, end in spans[:MOST]]
    more = [f"and {len(spans) - MOST:,} more"] * (len(spans) > MOST)
    return ", ".join(said + more) or "nothing"


def _queues(found):
    for stage in THREADS:
        if most := found.longest_queue(stage):
            calls = f"{most:,} call{'s' * (most != 1)}"
            yield f"in front of {stage}: up to {calls} of {_limit(found)}"


def _limit(found):
    return "any number" if found.capacity is None else str(found.capacity)


def stall_words(found):
    """A function of a stall to its sentence."""

    def said(stall):
        time = amount(stall.end - stall.start, found.unit)
        full = (
            f"the queue in front of {stall.full} was full"
            if found.capacity
            else f"{stall.full} was not free"
        )
        begin = amount(stall.start, found.unit)
        return f"{stall.stage} held call {stall.call} for {time} from {begin}: {full}"

    return said


def sync_words(found):
    """A function of a sync to its sentence."""

    def said(sync):
        time = amount(sync.end - sync.start, found.unit)
        what = _SYNCS[sync.need].format(of=sync.of) if sync.of else "nothing: no call was made"
        raised = f"; it raised the error of call {sync.raised}" if sync.raised else ""
        begin = amount(sync.start, found.unit)
        return f"the caller waited for {what} from {begin} for {time}{raised}"

    return said


def lost_words(found):
    """A function of a call without a result to what became of it."""

    def said(lost):
        if lost.call == lost.cause:
            at = amount(lost.time, found.unit)
            return f"call {lost.call} failed in its {lost.stage}, at {at}"
        why = f"call {lost.cause} had failed"
        return f"call {lost.call} never got through its {lost.stage}: {why}"

    return said


# why ----------------------------------------------------------------------------------------------


def why(found):
    """Why the makespan is what it is: the critical path, and what it says."""
    if not found.path:
        return "Nothing took any time."
    parts = [_part(found, group) for group in _told(grouped(found.path))]
    total = amount(found.makespan, found.unit)
    return f"It takes {total} = {' + '.join(parts)}. {_moral(found)}"


def _told(groups):
    """At most so many groups: the first ones, and what is left in one."""
    if len(groups) <= MOST:
        return groups
    kept, rest = groups[: MOST - 1], groups[MOST - 1 :]
    calls = sorted({call for group in rest for call in group[1]} - {0})
    return [*kept, ("further turns of the same kind", calls, sum(g[2] for g in rest), "")]


def _part(found, group):
    stage, calls, time, _ = group
    if calls == [0]:
        return f"{amount(time, found.unit)} {OWN}"
    return f"{amount(time, found.unit)} {stage} (call{_numbers(calls)})"


def _numbers(calls):
    """Calls in words.

    >>> _numbers([3]), _numbers([1, 2, 3]), _numbers([1, 4])
    (' 3', 's 1 to 3', 's 1, 4')
    """
    if len(calls) == 1:
        return f" {calls[0]}"
    if calls == list(range(calls[0], calls[-1] + 1)):
        return f"s {calls[0]} to {calls[-1]}"
    return f"s {', '.join(map(str, calls[:4]))}{', ...' * (len(calls) > 4)}"


def _moral(found):
    if found.blocking:
        return "Every stage runs on the caller's thread, one after the other: nothing overlaps."
    spent = dict.fromkeys((*STAGES, OWN), 0)
    for step in found.path:
        spent[step.stage if step.call else OWN] += step.end - step.start
    most = max(spent, key=spent.__getitem__)
    said = []
    turns = sum(step.because == "sync" for step in found.path)
    if turns:
        times = "once" if turns == 1 else f"{turns} times"
        said.append(f"The caller had to wait {times} before it could go on.")
    if any(step.because == "full" for step in found.path):
        said.append("A full queue held a stage back on the way.")
    if 2 * spent[most] > found.makespan and most == OWN:
        said.append("Most of it is the caller's own work: no stage makes that shorter.")
    elif 2 * spent[most] > found.makespan:
        free = amount(found.if_free(most), found.unit)
        said.append(f"Most of it is {most}; if that took no time, the whole would take {free}.")
    return " ".join(said) or "No stage has most of it."
