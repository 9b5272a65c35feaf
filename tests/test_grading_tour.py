"""The tour's exercise, as a learner meets it: the starter and typical mistakes fail for the right
reason, right answers pass whatever their shape, and hostile ones get a verdict like any other."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext.book import learner, source
from ms_ext.cli.grading import checker
from ms_ext.grading import exercise, judging
from ms_ext.grading.sandbox import Limits, Nursery
from ms_ext.grading.verdict import Verdict

NAME = "00.add_neg_to_sub"
EXERCISE = exercise.load(NAME)
SOLVED = learner.code_cells(source.read("tour"), solved=True)
AGAIN = "\nadd_neg_to_sub = ms.graph.pattern_pass(source, target, when)\n"


@pytest.fixture(scope="module")
def nursery():
    with Nursery() as made:
        yield made


@pytest.fixture
def judged(nursery):
    """``judged(text)``: the verdict on the solved chapter with one more cell at its end."""

    def run(text, cells=SOLVED, seed=judging.PUBLIC):
        child = nursery.child(limits=Limits(wall=4.0, processor=1))
        try:
            return judging.judge(EXERCISE, [*cells, ("more", text)], child, nursery.child, seed)
        finally:
            child.close()

    return run


def test_it_has_two_names():
    assert exercise.load("tour.add_neg_to_sub").name == EXERCISE.name == NAME


def test_the_untouched_starter_is_not_attempted_and_says_what_is_missing(tmp_path):
    verdict = ms.check(NAME, learner.write_learner_copy("tour", tmp_path))
    assert (verdict.status, verdict.code, verdict.points) == ("not attempted", "untouched", 0)
    assert "not attempted yet" in str(verdict) and "failed" not in str(verdict)
    assert "Write your answer" in verdict.next
    assert "Add(x, %0)" in verdict.witness.before
    assert [check.points for check in verdict.checks] == [0, 0, 0, 0]


def test_a_starter_that_was_changed_has_been_attempted(tmp_path):
    path = learner.write_learner_copy("tour", tmp_path)
    path.write_text(path.read_text().replace("Neg has another user and stays", "no, never"))
    assert ms.check(NAME, path).status == "failed"


def test_a_pass_says_what_comes_next(tmp_path):
    text = "import ms_ext as ms\nfrom ms_ext import ops\n" + EXERCISE.variants["written again"]
    (tmp_path / "answer.py").write_text(text)
    verdict = ms.check(NAME, tmp_path / "answer.py")
    assert verdict and "01_five_steps.ipynb" in verdict.next and "next:" in str(verdict)


def test_the_chapter_that_is_named_comes_next_whatever_its_number():
    assert "09_two_modes.ipynb" in checker.after("06.gate_step")
    assert "06_gradient_clinic.ipynb" in checker.after("05.two_outputs_bprop")
    assert "07_source_autodiff.ipynb" in checker.after("10.guarded")


def test_after_the_last_exercise_the_report_card_is_named():
    said = [name for name in exercise.names() if "`ms-ext grade me`" in checker.after(name)]
    assert [name.partition(".")[0] for name in said] == [exercise.names()[-1].partition(".")[0]]
    assert checker.after("77.nothing") == ""


def edited(mutant):
    """The chapter's cells with the mistake in the cell that holds the solution."""
    return [
        (name, mutant.edited(text) if mutant.old in text and "add_neg_to_sub = " in text else text)
        for name, text in SOLVED
    ]


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
    "operand-order": (_values_differ, 0),
    "another-user": (_nothing_is_saved, 4),
    "dtype-ignored": (_neg_wraps, 4),
}


@pytest.mark.parametrize("code", WITNESS)
def test_a_typical_mistake_is_recognised(judged, code):
    mutant = next(each for each in EXERCISE.mutants if each.code == code)
    verdict, (shows, points) = judged("", edited(mutant)), WITNESS[code]
    assert (verdict.code, verdict.points, verdict.of) == (code, points, 5)
    assert verdict.headline and verdict.detail and verdict.next
    assert 0 < verdict.passed < verdict.total
    shows(verdict.witness)


@pytest.mark.parametrize("shape", EXERCISE.variants)
def test_a_right_answer_passes_whatever_its_shape(judged, shape):
    verdict = judged(EXERCISE.variants[shape], seed="another seed")
    assert verdict, verdict
    assert verdict.points == verdict.of == 5 and verdict.passed == verdict.total


def when(body):
    """The reference with another ``when``."""
    return f"import os, sys\n\ndef when(x, y, match):\n    {body}\n{AGAIN}"


HOSTILE = {
    "sys.exit(0)": ("ended", 0),
    "os._exit(0)": ("ended", 0),
    "return bytearray(1 << 34)": ("memory", 0),
    "while True: pass": ("too-long", 0),
    "print('x' * 1_000_000); return not match.shared and x.dtype == y.dtype": ("passed", 5),
    "os.write(1, b'nonsense'); return not match.shared and x.dtype == y.dtype": ("passed", 5),
    "return match.sharde": ("raises", 0),
    "return 3": ("raises", 0),
}


@pytest.mark.parametrize("body", HOSTILE)
def test_hostile_code_gets_a_verdict(judged, body):
    verdict = judged(when(body))
    assert (verdict.code, verdict.points) == HOSTILE[body]
    assert len(verdict.printed) < 5000


def test_a_pass_that_never_ends_is_named(judged):
    verdict = judged("add_neg_to_sub = ms.graph.pattern_pass(source, lambda x, y: x + (-y))\n")
    assert verdict.code == "endless" and "rewrites its own result" in verdict.detail


def test_patched_comparisons_change_nothing(tmp_path, monkeypatch):
    """Neither in the learner's file nor in the session that asks."""
    monkeypatch.setattr(np, "array_equal", lambda *_, **__: True)
    (mutant,) = [each for each in EXERCISE.mutants if each.code == "operand-order"]
    patch = "import numpy as np\nnp.array_equal = np.allclose = lambda *a, **k: True\n"
    use = "add_neg_to_sub = (np, add_neg_to_sub)[1]\n"
    wrong = next(text for _, text in edited(mutant) if "add_neg_to_sub = " in text)
    path = tmp_path / "answer.py"
    path.write_text(f"import ms_ext as ms\nfrom ms_ext import ops\n{wrong}\n{patch}{use}")
    assert ms.check(NAME, path).code == "operand-order"


FORGED = """
from ms_ext.engine import ir
ir.dump = lambda graph: "ms_ext graph 1\\ngraph a@1(%1 x: f32[2]) {\\n  return %1\\n}\\n"
add_neg_to_sub = (ir.dump, add_neg_to_sub)[1]
"""


def test_a_forged_answer_is_not_believed(judged):
    verdict = judged(FORGED)
    assert verdict.code in ("interface", "invalid") and verdict.points == 0


@pytest.mark.parametrize(
    "text, status, code",
    [
        ("x = 1", "not attempted", "missing"),
        ("add_neg_to_sub = = 3", "failed", "syntax"),
        ("add_neg_to_sub = 3", "failed", "raises"),
        ("add_neg_to_sub = undefined_name", "failed", "raises"),
    ],
)
def test_what_is_no_pass_at_all(judged, text, status, code):
    verdict = judged(text, cells=())
    assert (verdict.status, verdict.code) == (status, code) and not verdict


def test_an_unknown_exercise_is_named():
    with pytest.raises(ValueError, match="Did you mean 'tour.add_neg_to_sub'"):
        ms.check("tour.add_neg_to_sum")


def test_a_verdict_is_data_text_and_html():
    verdict = Verdict(NAME, "failed", "raises", "<b>", "a & b")
    assert Verdict.read(verdict.data()) == verdict
    assert "&lt;b&gt;" in verdict._repr_html_() and "<b>" in str(verdict)
