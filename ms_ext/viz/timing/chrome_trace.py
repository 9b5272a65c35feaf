"""How do other programs read a timeline? Chrome's trace format, for Perfetto, and a check of it.

Only what readers agree on: slices (X), names (M), one flow per call from lane to lane and one per
event between streams (s, t, f), and counters (C): how many calls wait in front of each stage. The
counters follow from the slices, so there are none where events were dropped.
"""

from bisect import bisect_right
from collections import Counter


def trace(runs):
    """The trace of some runs, one process each, as what ``json.dump`` writes."""
    events = []
    for process, run in enumerate(runs, 1):
        lanes = {lane.name: number for number, lane in enumerate(run.lanes, 1)}
        timed = [*_slices(process, run, lanes), *_flows(process, run, lanes)]
        timed += [*_links(process, run, lanes), *_waiting(process, run)]
        events += _names(process, run, lanes)
        events += sorted(timed, key=lambda event: (event["ts"], "Xstf C".index(event["ph"])))
    return {"traceEvents": events, "displayTimeUnit": "ns"}


def _names(process, run, lanes):
    yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": run.title or "run"}}
    for lane, number in lanes.items():
        place = {"ph": "M", "pid": process, "tid": number}
        yield {**place, "name": "thread_name", "args": {"name": lane}}
        yield {**place, "name": "thread_sort_index", "args": {"sort_index": number}}


def _time(run, value):
    """In microseconds; a unit of the run's own counts as one."""
    return value / 1000 if run.unit == "ns" else value


def _slices(process, run, lanes):
    for each in run.slices:
        args = {"call": each.call, "bytes": each.bytes}
        args |= {"nodes": " ".join(f"%{node}" for node in each.nodes)} if each.nodes else {}
        args |= {"line": each.line} if each.line else {}
        yield {
            "ph": "X", "name": each.name, "cat": each.lane, "pid": process, "tid": lanes[each.lane],
            "ts": _time(run, each.start), "dur": _time(run, each.duration), "args": args,
        }  # fmt: skip
    for wait in run.syncs:
        if wait.lane in lanes and wait.start >= 0:
            yield {
                "ph": "X", "name": wait.words, "cat": "sync", "pid": process,
                "tid": lanes[wait.lane], "ts": _time(run, wait.start),
                "dur": _time(run, wait.duration), "args": {"call": wait.call, "line": wait.line},
            }  # fmt: skip


def _flows(process, run, lanes):
    """One flow per call through its lanes: from its first slice to its last."""
    firsts = {}
    for each in sorted(run.slices, key=lambda each: each.start):
        if each.call and not each.again:
            firsts.setdefault(each.call, {}).setdefault(each.lane, each)
    for call, by_lane in firsts.items():
        path = list(by_lane.values())
        if len(path) > 1:
            for index, each in enumerate(path):
                last = index == len(path) - 1
                yield _point(
                    process,
                    f"{process}.{call}",
                    "call",
                    index,
                    last,
                    lanes[each.lane],
                    _time(run, each.start),
                )


def _links(process, run, lanes):
    """One flow per event: from the end of the last slice before it to the first after it."""
    for number, link in enumerate(run.links, 1):
        before = [each for each in run.lane(link.lane) if each.start <= link.start <= each.end]
        after = [each for each in run.lane(link.to) if each.start <= link.end <= each.end]
        if before and after:
            key = f"{process}.event{number}"
            end = _time(run, before[-1].start) + _time(run, before[-1].duration)  # as readers add
            passed = min(_time(run, link.start), end)
            yield _point(process, key, "event", 0, False, lanes[link.lane], passed)
            yield _point(process, key, "event", 1, True, lanes[link.to], _time(run, link.end))


def _point(process, key, name, index, last, thread, time):
    phase = "f" if last else "t" if index else "s"
    point = {"ph": phase, "name": name, "cat": "flow", "id": key, "pid": process, "tid": thread}
    return point | {"ts": time} | ({"bp": "e"} if last else {})


def _waiting(process, run):
    """How many calls have left one lane and not yet begun in the next, at each change."""
    if run.dropped:
        return
    for lane in run.lanes:
        if not lane.follows or not run.lane(lane.name):
            continue
        changes = Counter()
        begun = {each.call: each.start for each in reversed(run.lane(lane.name)) if each.call}
        left = {each.call: each.end for each in run.lane(lane.follows[-1]) if each.call}
        for call in begun.keys() & left.keys():
            if left[call] < begun[call]:
                changes[left[call]] += 1
                changes[begun[call]] -= 1
        waiting = 0
        for time in sorted(changes):
            waiting += changes[time]
            name = f"waiting for {lane.name}"
            place = {"ph": "C", "name": name, "pid": process, "tid": 0, "ts": _time(run, time)}
            yield place | {"args": {"calls": waiting}}


# checking ------------------------------------------------------------------------------------

_REQUIRED = {
    "X": ("name", "cat", "ts", "dur", "pid", "tid"),
    "M": ("name", "pid", "args"),
    "C": ("name", "ts", "pid", "args"),
    **dict.fromkeys("stf", ("name", "cat", "ts", "pid", "tid", "id")),
}


def problems(trace):
    """What is wrong with a trace, as sentences; an empty list if nothing is.

    >>> problems({"traceEvents": [{"ph": "Q"}]})
    ["event 0: unknown phase 'Q'"]
    """
    events = trace.get("traceEvents")
    if not isinstance(events, list):
        return ["there is no list traceEvents"]
    found = [text for index, event in enumerate(events) for text in _wrong_event(index, event)]
    return found or [*_wrong_order(events), *_wrong_flows(events), *_without_name(events)]


def _wrong_event(index, event):
    phase = event.get("ph")
    if phase not in _REQUIRED:
        yield f"event {index}: unknown phase {phase!r}"
        return
    for key in _REQUIRED[phase]:
        if key not in event:
            yield f"event {index}: no {key!r}"
    for key in ("ts", "dur"):
        if not isinstance(event.get(key, 0), int | float) or event.get(key, 0) < 0:
            yield f"event {index}: {key!r} is {event[key]!r}"
    if phase == "C" and not all(isinstance(v, int | float) for v in event["args"].values()):
        yield f"event {index}: a counter that is no number"


def _wrong_order(events):
    last = {}
    for index, event in enumerate(events):
        if "ts" in event:
            if event["ts"] < last.get(event["pid"], 0):
                yield f"event {index}: earlier than the one before it"
            last[event["pid"]] = event["ts"]


def _without_name(events):
    """Every lane with a slice has a name and a place in the order."""
    for kind in ("thread_name", "thread_sort_index"):
        named = {(e["pid"], e.get("tid")) for e in events if e["ph"] == "M" and e["name"] == kind}
        for pid, tid in sorted({(e["pid"], e["tid"]) for e in events if e["ph"] == "X"} - named):
            yield f"lane {tid} of process {pid} has no {kind}"


def _wrong_flows(events):
    threads, phases = {}, {}
    for event in events:  # in order of time; with the latest end of all slices so far
        if event["ph"] == "X":
            starts, ends = threads.setdefault((event["pid"], event["tid"]), ([], []))
            starts.append(event["ts"])
            ends.append(max(event["ts"] + event["dur"], ends[-1] if ends else 0))
    for index, event in enumerate(events):
        if event["ph"] in "stf":
            phases.setdefault(event["id"], []).append(event["ph"])
            starts, ends = threads.get((event["pid"], event["tid"]), ((), ()))
            last = bisect_right(starts, event["ts"]) - 1
            if last < 0 or ends[last] < event["ts"]:
                yield f"event {index}: a flow point outside every slice"
    for key, seen in phases.items():
        if seen.count("s") != 1 or seen.count("f") != 1 or seen[0] != "s" or seen[-1] != "f":
            yield f"flow {key}: {' '.join(seen)} does not begin once and end once"
