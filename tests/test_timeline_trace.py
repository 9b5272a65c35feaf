"""Chrome's trace: its schema, lanes with names, flows inside slices, counters that are true."""

import json

import pytest
from timeline_records import NESTED, pipelined, recording

from ms_ext import viz
from ms_ext.engine import stages
from ms_ext.viz.timing import chrome_trace
from ms_ext.viz.timing.recorded import recorded


def traced(*runs):
    return json.loads(json.dumps(chrome_trace.trace(runs)))


def test_the_trace_passes_its_check_and_names_processes_and_lanes():
    runs = [recorded(recording(*pipelined()), "async"), recorded(recording(*NESTED), "sync")]
    trace = traced(*runs)
    assert chrome_trace.problems(trace) == []
    names = [e["args"]["name"] for e in trace["traceEvents"] if e["name"].endswith("_name")]
    assert names == ["async", *stages.STAGES, "sync", *stages.STAGES]
    assert {e["ph"] for e in trace["traceEvents"]} == set("MXstfC")
    first = next(e for e in trace["traceEvents"] if e["ph"] == "X")
    assert (first["name"], first["cat"], first["ts"], first["dur"]) == ("Mul", "PyTask", 0.0, 10.0)
    order = [e["args"]["sort_index"] for e in trace["traceEvents"] if "sort_index" in str(e)]
    assert order == [1, 2, 3, 4] * 2


def test_the_trace_of_pipes_counts_in_their_own_unit():
    rows = [("load", "CopyIn", 0, 4, 3), ("add", "Compute", 4, 7, 3), ("store", "CopyOut", 8, 9, 3)]
    trace = traced(*viz.lanes(rows, unit="cycles").runs)
    assert chrome_trace.problems(trace) == []
    ends = [e["ts"] + e["dur"] for e in trace["traceEvents"] if e["ph"] == "X"]
    assert max(ends) == 9
    flows = [e["ph"] for e in trace["traceEvents"] if e.get("id") == "1.3"]
    assert flows == ["s", "t", "f"]


def test_the_counters_say_how_many_calls_wait_in_front_of_a_stage():
    trace = traced(recorded(recording(*pipelined(calls=6))))
    counted = [
        (e["ts"], e["args"]["calls"])
        for e in trace["traceEvents"]
        if e["name"] == "waiting for LaunchTask"
    ]
    # DeviceTask ends a call each 10 µs from 30 on, LaunchTask begins one each 20 µs from 30 on
    assert max(count for _, count in counted) == 3 and counted[-1][1] == 0
    assert not any(e["name"] == "waiting for FrontendTask" for e in trace["traceEvents"])


def test_no_counters_where_events_are_missing():
    held = recording(*pipelined(calls=6))
    held._ring.capacity = 20
    run = recorded(held)
    assert run.dropped and not any(e["ph"] == "C" for e in traced(run)["traceEvents"])


def broken(change):
    trace = chrome_trace.trace([recorded(recording(*pipelined()), "async")])
    change(trace["traceEvents"])
    return chrome_trace.problems(trace)


def phase(events, wanted):
    return next(event for event in events if event["ph"] == wanted)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda es: es.append({"ph": "b"}), "unknown phase 'b'"),
        (lambda es: phase(es, "X").pop("ts"), "no 'ts'"),
        (lambda es: phase(es, "X").update(ts=-1.0), "'ts' is -1.0"),
        (lambda es: es.append({**phase(es, "X"), "ts": 0.0}), "earlier than the one before"),
        (lambda es: es.remove(phase(es, "f")), "does not begin once and end once"),
        (lambda es: phase(es, "s").update(tid=4), "outside every slice"),
        (lambda es: phase(es, "X").update(tid=9), "lane 9 of process 1 has no thread_name"),
        (lambda es: phase(es, "C").update(args={"calls": "3"}), "a counter that is no number"),
    ],
)
def test_the_check_finds_what_is_wrong(change, words):
    found = broken(change)
    assert any(words in problem for problem in found), found
