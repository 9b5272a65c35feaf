"""How do other programs read a timeline? Chrome's trace format, for Perfetto, and a check of it.

Only what readers agree on: slices (X), names (M), one flow per call (s, t, f) from stage to stage.
"""

from ..engine.stages import STAGES

FLOW = {"PyTask": "s", "FrontendTask": "t", "DeviceTask": "t", "LaunchTask": "f"}


def trace(runs):
    """The trace of some ``Lanes``, one process each, as what ``json.dump`` writes."""
    events = []
    for process, run in enumerate(runs, 1):
        events += _names(process, run)
        events += sorted(_slices(process, run), key=lambda event: event["ts"])
    return {"traceEvents": events, "displayTimeUnit": "ns"}


def _names(process, run):
    yield {"ph": "M", "name": "process_name", "pid": process, "args": {"name": run.title or "run"}}
    for number, stage in enumerate(STAGES, 1):
        place = {"ph": "M", "pid": process, "tid": number}
        yield {**place, "name": "thread_name", "args": {"name": stage}}
        yield {**place, "name": "thread_sort_index", "args": {"sort_index": number}}


def _slices(process, run):
    whole = {call for call, stages in _stages_of(run).items() if stages == set(STAGES)}
    begun = set()
    for bar in run.bars:
        place = {"pid": process, "tid": 1 + STAGES.index(bar.stage), "ts": bar.start / 1000}
        yield {
            **place,
            "ph": "X",
            "name": bar.op,
            "cat": bar.stage,
            "dur": (bar.end - bar.start) / 1000,
            "args": {"call": bar.number, "bytes": bar.bytes},
        }
        if bar.number in whole and (bar.stage, bar.number) not in begun:
            begun.add((bar.stage, bar.number))
            flow = {**place, "ph": FLOW[bar.stage], "name": "call", "cat": "flow"}
            flow["id"] = f"{process}.{bar.number}"
            yield flow | ({"bp": "e"} if bar.stage == STAGES[-1] else {})


def _stages_of(run):
    found = {}
    for bar in run.bars:
        found.setdefault(bar.number, set()).add(bar.stage)
    return found


# checking ------------------------------------------------------------------------------------

_REQUIRED = {
    "X": ("name", "cat", "ts", "dur", "pid", "tid"),
    "M": ("name", "pid", "args"),
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
    return found or [*_wrong_order(events), *_wrong_flows(events)]


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


def _wrong_order(events):
    last = {}
    for index, event in enumerate(events):
        if "ts" in event:
            if event["ts"] < last.get(event["pid"], 0):
                yield f"event {index}: earlier than the one before it"
            last[event["pid"]] = event["ts"]


def _wrong_flows(events):
    slices = [e for e in events if e["ph"] == "X"]
    phases = {}
    for index, event in enumerate(events):
        if event["ph"] not in "stf":
            continue
        phases.setdefault(event["id"], []).append(event["ph"])
        if not any(_holds(s, event) for s in slices):
            yield f"event {index}: a flow point outside every slice"
    for key, seen in phases.items():
        if seen.count("s") != 1 or seen.count("f") != 1 or seen[0] != "s" or seen[-1] != "f":
            yield f"flow {key}: {' '.join(seen)} does not begin once and end once"


def _holds(slice_, point):
    same = (slice_["pid"], slice_["tid"]) == (point["pid"], point["tid"])
    return same and slice_["ts"] <= point["ts"] <= slice_["ts"] + slice_["dur"]
