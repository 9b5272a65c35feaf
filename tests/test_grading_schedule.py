"""Order in time and memory: who waits for whom, when it ends, which buffers overlap."""

import pytest

from ms_ext.grading.drawing import Question
from ms_ext.grading.layers import schedule


def code(failure):
    return failure and failure.code


PAIRS = [("load", "compute"), ("compute", "store")]
order = schedule.happens_before(lambda q: PAIRS)
TIMES = {"load": 3, "compute": 4, "store": 2}
quick = schedule.makespan(lambda q: TIMES, lambda q: 7)


@pytest.mark.parametrize(
    "answer, expected",
    [
        ([["load", "a"], ["compute", "a"], ["store", "a"]], None),
        ([["load", "a"], ["compute", "b", ["load"]], ["store", "c", ["compute"]]], None),
        ([["store", "c", ["compute"]], ["compute", "b", ["load"]], ["load", "a"]], None),
        ([["load", "a"], ["compute", "b"], ["store", "c", ["compute"]]], "race"),
        ([["load", "a"], ["store", "a"]], "task-missing"),
        ([["load", "a"], ["load", "b"]], "task-twice"),
        ([["load", "a", ["compute"]], ["compute", "b", ["load"]]], "deadlock"),
        ([["load", "a", ["nobody"]]], "task-missing"),
        ([["load"]], "kind"),
        ([["load", "a", 3]], "kind"),
        ("load", "kind"),
        (None, "kind"),
    ],
)
def test_happens_before(answer, expected):
    assert code(order(Question(""), answer)) == expected


@pytest.mark.parametrize(
    "answer, expected",
    [
        ([["load", "a"], ["compute", "b"], ["store", "c"]], None),
        ([["load", "a"], ["compute", "a"], ["store", "b"]], None),
        ([["load", "a"], ["compute", "a"], ["store", "a"]], "too-late"),
        ([["sleep", "a"]], "task-unknown"),
        ([["load", "a"]], "task-missing"),
        (3, "kind"),
    ],
)
def test_makespan(answer, expected):
    assert code(quick(Question(""), answer)) == expected


buffers = schedule.buffers(
    lambda q: {"a": 64, "b": 64, "c": 64},
    lambda q: 128,
    lambda q: {"a": (0, 1), "b": (1, 2), "c": (2, 3)},
)


@pytest.mark.parametrize(
    "answer, expected",
    [
        ({"a": 0, "b": 64, "c": 0}, None),
        ({"a": 64, "b": 0, "c": 64}, None),
        ({"a": 0, "b": 63, "c": 0}, "overlap"),
        ({"a": 0, "b": 64, "c": 128}, "over-the-limit"),
        ({"a": 0, "b": 64}, "kind"),
        ({"a": 0, "b": 64, "c": -1}, "kind"),
        ({"a": 0, "b": 64, "c": 1.5}, "kind"),
        ([0, 64, 0], "kind"),
    ],
)
def test_buffers(answer, expected):
    assert code(buffers(Question(""), answer)) == expected
