"""From replies to a verdict: whatever comes back, there is one, and garbage earns nothing."""

import io

import numpy as np
import pytest

from ms_ext.grading import answering, judging, wire
from ms_ext.grading.drawing import drawn
from ms_ext.grading.examples import exercises
from ms_ext.grading.exercise import Check, Exercise, Mistake, Mutant
from ms_ext.grading.layers import values


class Here:
    """Answers in this process; only for answers that are known."""

    def __init__(self):
        self.answering, self.asked = answering.Answering(), []

    def ask(self, message):
        self.asked.append(message)
        sent = wire.read(io.BytesIO(wire.encode(message)))
        return wire.read(io.BytesIO(wire.encode(self.answering.reply(sent))))

    def close(self):
        """Nothing to end."""


class Saying:
    """Finds and runs anything, then says the same to every question."""

    def __init__(self, reply):
        self.reply = reply

    def ask(self, message):
        if "find" in message:
            return {"found": {"cells": ["a"], "places": ["a"], "broken": [], "sha": "0"}}
        return {"ran": True} if "run" in message else self.reply


def judged(exercise, text, seed=judging.PUBLIC):
    return judging.judge(exercise, [("cell 1", text)], Here(), Here, seed)


ALL = [each for each in vars(exercises).values() if isinstance(each, Exercise)]
REPLIES = [
    None, 3, [], {}, {"answer": None}, {"answer": 0}, {"answer": [[]]}, {"answer": {"graphs": [3]}},
    {"answer": {"graph": None, "refusals": 7}}, {"answer": {"graphs": 3, "answers": None}},
    {"answer": wire.Other("Cell")}, {"answer": (None, None)}, {"answer": {"a": "b"}},
    {"answer": np.zeros((0, 3), "f4")}, {"answer": np.array(1 + 2j)}, {"answer": [[1, 2, 3]]},
    {"answer": "ms_ext graph 1"}, {"answer": [["a", "b", [["c"]]]]}, {"answer": float("nan")},
    {"answer": {"a": 0, "b": True, "c": None}}, {"answer": [["load", ["x"]]]},
    {"error": None}, {"error": "words"}, {"error": {}}, {"error": {"kinds": 3, "words": [1]}},
    {"error": {"kind": None, "kinds": [None], "words": None, "place": 1}},
    {"stopped": "time"}, {"stopped": 7}, {"stopped": None}, {"stopped": ["a"]},
]  # fmt: skip


@pytest.mark.parametrize("exercise", ALL, ids=[each.target for each in ALL])
@pytest.mark.parametrize("reply", REPLIES, ids=[f"{r!r:.40}" for r in REPLIES])
def test_whatever_is_said_there_is_a_verdict_and_no_point(exercise, reply):
    verdict = judging.judge(exercise, [("a", "x")], Saying(reply), Here)
    assert verdict.status == "failed" and verdict.points == 0 and verdict.code
    assert verdict.headline and str(verdict) and verdict._repr_html_()


@pytest.mark.parametrize("reply", [None, 3, {}, {"stopped": "time"}, {"error": {}}, {"found": 3}])
def test_a_process_that_finds_nothing(reply):
    class Silent:
        def ask(self, message):
            return reply

    verdict = judging.judge(exercises.double, [("a", "x")], Silent(), Here)
    assert verdict.status == "failed" and verdict.points == 0


# points -------------------------------------------------------------------------------------------


def row(draw, n):
    """a row"""
    return (draw(n),)


def table(draw, m, n):
    """a table"""
    return (draw(m, n),)


def check(name, family, points=1, **more):
    judge = values.like(lambda x: x * 2)
    return Check(name, f"{name}s", points, "call", drawn(family), judge, inputs="x", **more)


BOTH = Exercise("double", "Double it.", (check("row", row, 2), check("table", table, 3)))
RIGHT = "def double(x):\n    return x * 2"
ROWS = "def double(x):\n    return x * 2 if x.ndim == 1 else x"
TABLES = "def double(x):\n    return x * 2 if x.ndim == 2 else x"


@pytest.mark.parametrize(
    "text, points, status", [(RIGHT, 5, "passed"), (ROWS, 2, "partly"), (TABLES, 3, "partly")]
)
def test_each_check_earns_its_points(text, points, status):
    verdict = judged(BOTH, text)
    assert (verdict.points, verdict.of, verdict.status) == (points, 5, status)


def test_a_check_that_needs_another_earns_nothing_without_it():
    exercise = BOTH._replace(
        checks=(check("row", row, 2), check("table", table, 3, needs=("row",)))
    )
    verdict = judged(exercise, TABLES)
    assert verdict.points == 0 and verdict.checks[1].code == "not-earned"
    assert judged(exercise, ROWS).points == 2 and judged(exercise, RIGHT).points == 5


def test_a_check_that_is_not_open_shows_nothing_of_its_cases():
    hidden = check("table", table, 3)._replace(open=False, title="secret title")
    verdict = judged(BOTH._replace(checks=(check("row", row, 2), hidden)), ROWS)
    assert (verdict.status, verdict.points, verdict.code) == ("partly", 2, "values")
    assert verdict.witness is None and verdict.picture is None
    assert not verdict.checks[1].open


def test_mistakes_are_recognised_and_kept_when_the_case_is_made_smaller():
    mistake = Mistake(
        "tripled", lambda f: np.allclose(f.got, 3 * f.operands[0]), "Tripled.", "why", "look"
    )
    verdict = judged(BOTH._replace(mistakes=(mistake,)), "def double(x):\n    return x * 3")
    assert (verdict.code, verdict.headline, verdict.next) == ("tripled", "Tripled.", "look")
    assert verdict.witness.inputs == (("x", "f32[1]", "[1.]"),)
    assert (verdict.witness.expected, verdict.witness.got) == ("2.0", "3.0")


def test_the_smallest_failing_case_is_found():
    text = "def double(x):\n    return x * 2 if x.size < 20 else x"
    verdict = judged(BOTH, text)
    assert "f32[20]" in verdict.witness.title or "f32[2" in verdict.witness.title
    shape = verdict.witness.inputs[0][1]
    assert int(shape[4:-1]) < 24, shape


def test_other_seeds_draw_other_cases():
    one, other = Here(), Here()
    for child, seed in ((one, "a"), (other, "b")):
        judging.judge(BOTH, [("cell 1", RIGHT)], child, Here, seed)
    first = [child.asked[2]["operands"][0] for child in (one, other)]
    assert not np.array_equal(*first)


def test_two_definitions_are_warned_of_in_files_and_not_in_a_session():
    cells = [("cell 1", ROWS), ("cell 2", RIGHT)]
    verdict = judging.judge(BOTH, cells, Here(), Here)
    assert verdict and "cell 1 and cell 2: the last one counts" in verdict.warnings[0]
    session = [("In[1]", ROWS), ("In[2]", RIGHT)]
    assert judging.judge(BOTH, session, Here(), Here).warnings == ()


def test_the_same_text_has_the_same_sha_whatever_its_spaces():
    assert judged(BOTH, RIGHT).sha == judged(BOTH, RIGHT + "  # said\n\n").sha != ""
    assert judged(BOTH, RIGHT).sha != judged(BOTH, ROWS).sha


def test_a_mutant_must_change_one_place():
    with pytest.raises(ValueError, match="exactly one place"):
        Mutant("a", "x", "y").edited("x + x")
    assert Mutant("a", "x +", "y +", (("+ x", "+ z"),)).edited("x + x") == "y + z"


def test_an_error_with_words_of_its_own_is_told():
    text = "class Odd(Exception):\n    def __str__(self):\n        return 1 / 0\n\n"
    verdict = judged(BOTH, text + "def double(x):\n    raise Odd")
    assert verdict.code == "raises" and "Odd" in verdict.headline
