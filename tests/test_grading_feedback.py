"""A learner's page says all that helps, nothing of hidden checks, and is text whatever is in it."""

import re
from dataclasses import replace

import pytest

from ms_ext.grading import codes
from ms_ext.grading.classroom import feedback
from ms_ext.grading.classroom import rows as gradebook_rows
from ms_ext.grading.verdict import CheckResult, Picture, Verdict, Witness

SECRET = "zq9"  # in every word of the hidden checks
OPEN = CheckResult("values", "the right values", 2, 2, 9, 9)
WRONG = CheckResult("values", "the right values", 0, 2, 1, 9, "values")
HIDDEN = (
    CheckResult("zq9-tall", "tall zq9 inputs", 0, 1, 0, 4, "shape", open=False),
    CheckResult("zq9-wide", "wide zq9 inputs", 1, 1, 4, 4, "", open=False),
    CheckResult("zq9-deep", "deep zq9 inputs", 0, 1, 0, 4, "zq9-own-code", open=False),
)
WITNESS = Witness("zq9 case", "zq9", "zq9", (("zq9", "f32[1]", "[zq9]"),), "zq9", "zq9", "zq9")
TOLD = {
    "headline": "zq9 headline", "detail": "zq9 detail", "next": "zq9 next", "printed": "zq9",
    "witness": WITNESS, "picture": Picture("<svg>zq9</svg>", "zq9", "zq9"),
}  # fmt: skip


def verdict(status, code, *checks, name="05.mul_bprop", **told):
    told = {"headline": "A headline.", **told}
    earned, of = sum(c.points for c in checks), sum(c.of for c in checks)
    return Verdict(name, status, code, checks=checks, points=earned, of=of, **told)


def result(made, **more):
    row = gradebook_rows.of_verdict(made) | {
        "exercise": made.name,
        "version": "1",
        "bundle": "b" * 64,
    }
    row |= {"points": made.points, "warnings": "", "file": "week5/05.ipynb", "file sha": "f" * 64}
    return feedback.Result(row | more, made)


def page(*results, learner="ada"):
    return feedback.render(learner, results)


def words(text):
    """What a reader sees of a page."""
    return re.sub(r"<[^>]+>", " ", re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL))


@pytest.mark.parametrize("code", ["values", "raises", "too-long", "zq9-own-code"])
@pytest.mark.parametrize("status", ["partly", "failed"])
def test_nothing_of_a_failing_hidden_check_is_in_the_page(status, code):
    shown = page(result(verdict(status, code, OPEN, *HIDDEN, **TOLD)))
    assert SECRET not in shown
    assert "Your teacher keeps 3 more checks: 1 passes, 1 of 3 points." in shown
    assert "A result has the wrong shape." in shown  # the plain words of a code
    assert feedback.KEPT_BACK in words(shown)


def test_where_an_open_check_fails_its_case_is_shown_but_nothing_printed():
    told = {**TOLD, "witness": Witness("open case", expected="3.0"), "headline": "Wrong way round."}
    told |= {"detail": "dx comes first.", "next": "Which one?", "picture": None}
    shown = page(result(verdict("failed", "values", WRONG, *HIDDEN, **told)))
    assert SECRET not in shown
    for text in ("open case", "3.0", "Wrong way round.", "dx comes first.", "Which one?"):
        assert text in words(shown)


def test_passed_with_hidden_checks():
    hidden = replace(HIDDEN[1], points=1)
    shown = page(result(verdict("passed", "passed", OPEN, hidden, printed="zq9")))
    assert SECRET not in shown and "Your teacher keeps 1 more check: 1 passes" in shown


def test_without_hidden_checks_everything_is_shown():
    made = verdict("failed", "values", WRONG, **TOLD)
    assert feedback.shared(made) == made
    assert words(page(result(made))).count(SECRET) >= 10
    assert "our teacher keeps" not in page(result(made))


@pytest.mark.parametrize("code", codes.CODES)
def test_every_code_has_words_without_gaps(code):
    assert re.fullmatch(r"[A-Z][^{}`]+\.", feedback.meaning(code))


def test_the_mistakes_of_an_exercise_have_words_too():
    from ms_ext.grading import exercise

    own = [m for m in exercise.load("05.mul_bprop").mistakes if m.code not in codes.CODES]
    assert own and all(feedback.meaning(m.code, "05.mul_bprop") == m.headline for m in own)
    assert feedback.meaning(own[0].code, "no.such") == "The answer is not what was asked for."


def test_hostile_text_stays_text():
    evil = '<script>alert("x")</script><img src=x onerror=alert(1)>'
    check = replace(WRONG, title=evil)
    told = dict.fromkeys(("headline", "detail", "next", "printed"), evil)
    made = verdict(
        "failed", "values", check, **told, witness=replace(WITNESS, got=evil, title=evil)
    )
    shown = page(result(made, warnings=evil, file=evil), learner=evil)
    assert "<script" not in shown and "<img" not in shown
    assert "default-src 'none'" in shown  # and whatever slips through is never run
    index = feedback.index([result(made, learner=evil, warnings=evil).row])
    assert "<script" not in index and "<img" not in index


def test_the_page_asks_nobody_for_anything():
    shown = page(result(verdict("failed", "values", WRONG, **TOLD)))
    assert not re.search(
        r"https?://|@import|url\(|<link(?! rel=\"icon\" href=\"data:)|<script", shown
    )


def test_warnings_the_file_and_how_it_was_graded_are_told():
    twice = "`mul_bprop` stands in cell 4 and cell 9: the last one counts."
    shown = words(page(result(verdict("passed", "passed", OPEN), warnings=twice)))
    assert "stands in cell 4 and cell 9" in shown and shown.count("the last one counts") == 1
    assert "week5/05.ipynb" in shown and f"bundle {'b' * 12}." in shown


def test_what_could_not_be_graded_is_no_zero():
    row = result(verdict("passed", "passed", OPEN)).row
    failed = {"status": "not graded", "points": "", "earned": "", "code": "grader-error"}
    shown = words(
        page(
            result(verdict("passed", "passed", OPEN)),
            feedback.Result(row | failed | {"exercise": "05.z"}, None),
        )
    )
    assert "2 of 2 points, 1 of 2 exercises passed." in shown and feedback.NOT_GRADED in shown


def test_what_hints_cost_is_told():
    shown = words(page(result(verdict("passed", "passed", OPEN), points=1.8)))
    assert "1 of 1 exercise passed." in shown
    assert "Earned 2, with hints 1.8." in shown and "1.8 of 2 points" in shown


def test_every_exercise_is_listed_and_linked():
    names = ["05.b", "05.a", "10.c"]
    shown = page(*(result(verdict("passed", "passed", OPEN, name=name)) for name in names))
    assert re.findall(r'href="#([^"]+)"', shown) == sorted(names)
    assert re.findall(r'<section id="([^"]+)"', shown) == sorted(names)


def test_the_class_has_an_index_with_working_links(tmp_path):
    learners = ["ada", "<script>", "a b", "a_b"]
    made = verdict("partly", "values", OPEN, WRONG)
    for name in learners:
        feedback.write(tmp_path, name, [result(made, learner=name)])
    rows = [result(made, learner=name).row for name in learners]
    path = feedback.write_index(
        tmp_path, [*rows, rows[0] | {"exercise": "05.x", "status": "failed"}]
    )
    links = re.findall(r'href="([^"#]+\.html)"', path.read_text(encoding="utf-8"))
    assert len(set(links)) == len(learners) and all((tmp_path / link).exists() for link in links)
