"""Events: kept only inside a record() block, in order, bounded, drops counted, from any thread."""

import subprocess
import sys
import threading

import pytest

from ms_ext import kernels
from ms_ext.engine import errors, events

compiled = kernels.get("events")
RINGS = {"reference": events.ReferenceRing} | ({"compiled": compiled.Ring} if compiled else {})


@pytest.fixture(params=sorted(RINGS))
def ring_class(request, monkeypatch):
    monkeypatch.setattr(events, "_ring_class", lambda: RINGS[request.param])
    return RINGS[request.param]


def names(recording):
    return [event.name for event in recording]


def test_a_record_comes_back_as_it_was_put(ring_class):
    ring = ring_class(8)
    ring.put("stage", "PyTask", 5, 2**62, (7, -1, 2**40))
    assert ring.records() == [("stage", "PyTask", 5, 2**62, threading.get_ident(), (7, -1, 2**40))]
    assert (ring.total, ring.capacity) == (1, 8)


def test_a_full_ring_keeps_the_latest_and_counts_the_rest(ring_class):
    ring = ring_class(3)
    for number in range(10):
        ring.put("op", f"op{number}", 0, 1, ())
    assert [record[1] for record in ring.records()] == ["op7", "op8", "op9"]
    assert ring.total == 10


@pytest.mark.parametrize(
    "fields, error",
    [
        ((1, "name", 0, 1, ()), TypeError),
        (("op", None, 0, 1, ()), TypeError),
        (("op", "name", 0, 1, (1, 2, 3, 4, 5)), ValueError),
        (("op", "name", 0, 1, ("x",)), ValueError),
    ],
)
def test_a_record_that_does_not_fit_is_refused_and_leaves_no_trace(ring_class, fields, error):
    ring = ring_class(3)
    with pytest.raises(error):
        ring.put(*fields)
    assert (ring.total, ring.records()) == (0, [])


def test_strings_that_fell_out_of_the_ring_are_released(ring_class):
    name = "".join(["a name", " of its own"])
    before = sys.getrefcount(name)
    ring = ring_class(2)
    for _ in range(50):
        ring.put("op", name, 0, 1, ())
    assert sys.getrefcount(name) == before + 2
    del ring
    assert sys.getrefcount(name) == before


def test_nothing_is_kept_outside_a_block(ring_class):
    assert not events.on
    events.emit("op", "before", 0, 1)
    with events.record() as recording:
        assert events.on
        events.emit("op", "inside", 0, 1)
    events.emit("op", "after", 0, 1)
    assert not events.on
    assert names(recording) == ["inside"]


def test_blocks_nest_and_each_counts_its_own_drops(ring_class):
    with events.record() as outer:
        events.emit("op", "a", 0, 1)
        with events.record(capacity=1) as inner:
            events.emit("op", "b", 0, 1)
            events.emit("op", "c", 0, 1)
        events.emit("op", "d", 0, 1)
    assert (names(outer), outer.dropped) == (["a", "b", "c", "d"], 0)
    assert (names(inner), inner.dropped) == (["c"], 1)
    assert repr(inner) == "Recording(1 event, 1 dropped)"


def test_a_block_left_by_an_error_is_closed(ring_class):
    with pytest.raises(KeyError), events.record():
        raise KeyError
    assert not events.on


def test_many_threads_write_without_losing_or_mixing_records(ring_class):
    def write(letter):
        for number in range(400):
            events.emit("op", letter, number, number + 1, number)

    with events.record() as recording:
        threads = [threading.Thread(target=write, args=(letter,)) for letter in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(recording) == 1600
    for letter in "abcd":
        mine = [event for event in recording if event.name == letter]
        assert [event.numbers[0] for event in mine] == list(range(400))
        assert len({event.thread for event in mine}) == 1


def test_the_recording_names_its_threads_and_sorts_by_kind(ring_class):
    with events.record() as recording:
        events.emit("op", "Add", 3, 9)
        events.emit("stage", "PyTask", 3, 9, 1)
    assert [event.name for event in recording.of("stage")] == ["PyTask"]
    assert recording.threads[recording[0].thread] == threading.current_thread().name
    assert recording[0].duration == 6


@pytest.mark.parametrize("capacity", [0, -1, 2.5, "many"])
def test_a_ring_without_room_is_refused(capacity):
    with pytest.raises(errors.InvalidValue, match="room for at least one event"):
        with events.record(capacity=capacity):
            pass


def test_listeners_hear_the_first_block_open_and_the_last_one_close(monkeypatch):
    heard = []
    monkeypatch.setattr(events, "_listeners", [])
    events.on_switch(heard.append)
    with events.record(), events.record():
        assert heard == [True]
    assert heard == [True, False]


def test_importing_opens_no_ring_and_loads_no_compiled_module():
    code = "import sys; from ms_ext.engine import events; print(events.on, sorted(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("False")
    assert "ms_ext.kernels.events" not in shown.stdout
