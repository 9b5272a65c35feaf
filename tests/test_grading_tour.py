"""The tour's exercise proves itself: the starter and typical mistakes fail for the right reason."""

import numpy as np
import pytest

from ms_ext.book import learner
from ms_ext.grading import check, exercise
from ms_ext.grading.verdict import Verdict

NAME = "tour.add_neg_to_sub"
EXERCISE = exercise.load(NAME)
REFERENCE = EXERCISE.variants["the reference"]
AGAIN = "\nadd_neg_to_sub = ms.graph.pattern_pass(source, target, when)\n"


@pytest.fixture
def checked(tmp_path):
    """``checked(text)``: the verdict on an answer."""

    def run(text):
        path = tmp_path / "answer.py"
        path.write_text(text)
        return check(NAME, path)

    return run


def test_the_untouched_starter_fails_with_a_plain_reason(tmp_path):
    verdict = check(NAME, learner.write_learner_copy("tour", tmp_path))
    assert (verdict.status, verdict.code) == ("failed", "never-fires")
    assert "not written yet" in verdict.detail and verdict.next
    assert "Add(x, %0)" in verdict.witness.before and len(verdict.hints) == 3


@pytest.mark.parametrize("code", EXERCISE.mutants)
def test_a_typical_mistake_is_recognised(checked, code):
    verdict = checked(EXERCISE.mutants[code])
    assert (verdict.status, verdict.code) == ("failed", code)
    assert verdict.headline and verdict.detail and verdict.next
    assert 0 < verdict.passed < verdict.total
    WITNESS[code](verdict.witness)


def _values_differ(witness):
    assert witness.place.startswith("at [0]") and witness.inputs
    assert float(witness.expected) == -float(witness.got) != 0


def _nothing_is_saved(witness):
    assert witness.before.count("Neg") == witness.after.count("Neg") == 1
    assert witness.before.endswith("2 nodes") and witness.after.endswith("2 nodes")


def _neg_wraps(witness):
    assert {kind for _, kind, _ in witness.inputs} == {"i32[2]", "i8[2]"}
    assert "y = -128" in witness.place and int(witness.expected) - int(witness.got) == -256


WITNESS = {
    "operand-order": _values_differ,
    "another-user": _nothing_is_saved,
    "dtype-ignored": _neg_wraps,
}


@pytest.mark.parametrize("shows", EXERCISE.variants)
def test_a_right_answer_passes_whatever_its_shape(checked, shows):
    verdict = checked(EXERCISE.variants[shows])
    assert verdict, verdict
    assert (verdict.passed, verdict.hints) == (len(EXERCISE.cases), ())


def when(body):
    """The reference with another ``when``."""
    return f"{REFERENCE}\nimport os, sys\n\ndef when(x, y, match):\n    {body}\n{AGAIN}"


HOSTILE = {
    "sys.exit(0)": "ended",
    "os._exit(0)": "ended",
    "return bytearray(1 << 34)": "memory",
    "print('x' * 1_000_000); return True": "another-user",
    "os.write(1, b'nonsense'); return True": "another-user",
    "return match.sharde": "raises",
    "return 3": "raises",
}


@pytest.mark.parametrize("body", HOSTILE)
def test_hostile_code_gets_a_verdict(checked, body):
    verdict = checked(when(body))
    assert (verdict.status, verdict.code) == ("failed", HOSTILE[body])
    assert len(verdict.printed) < 5000


def test_an_endless_loop_is_stopped(checked):
    assert checked(when("while True: pass")).code == "too-long"


def test_a_pass_that_never_ends_is_named(checked):
    text = REFERENCE + "\nadd_neg_to_sub = ms.graph.pattern_pass(target, lambda x, y: x - y - 0)\n"
    verdict = checked(text)
    assert verdict.code == "endless" and "target" in verdict.detail


def test_patched_comparisons_change_nothing(checked, monkeypatch):
    """Neither in the learner's file nor in the session that asks."""
    monkeypatch.setattr(np, "array_equal", lambda *_, **__: True)
    patch = "\nimport numpy as np\nnp.array_equal = np.allclose = lambda *a, **k: True\n"
    use = "add_neg_to_sub = (np, add_neg_to_sub)[1]\n"
    assert checked(EXERCISE.mutants["operand-order"] + patch + use).code == "operand-order"


def test_a_forged_answer_is_not_believed(checked):
    forged = (
        REFERENCE
        + """
from ms_ext.engine import ir
ir.dump = lambda graph: "ms_ext graph 1\\ngraph a@1(%1 x: f32[2]) {\\n  return %1\\n}\\n"
add_neg_to_sub = (ir.dump, add_neg_to_sub)[1]
"""
    )
    assert checked(forged).code in ("interface", "invalid")


@pytest.mark.parametrize(
    "text, status, code",
    [
        ("x = 1", "not attempted", "missing"),
        ("add_neg_to_sub = = 3", "failed", "syntax"),
        ("add_neg_to_sub = 3", "failed", "raises"),
        ("add_neg_to_sub = undefined_name", "failed", "raises"),
    ],
)
def test_what_is_no_pass_at_all(checked, text, status, code):
    verdict = checked(text)
    assert (verdict.status, verdict.code) == (status, code) and not verdict


def test_an_unknown_exercise_is_named():
    with pytest.raises(ValueError, match="Did you mean 'tour.add_neg_to_sub'"):
        check("tour.add_neg_to_sum")


def test_a_verdict_is_data_text_and_html():
    verdict = Verdict(NAME, "failed", "raises", "<b>", "a & b", hints=("one", "two", "three"))
    assert Verdict.of(verdict.data()) == verdict
    assert "&lt;b&gt;" in verdict._repr_html_() and "<b>" in repr(verdict)
    assert verdict.hint(2) == "two"
