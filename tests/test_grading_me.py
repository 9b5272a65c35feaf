"""The report card: made from the saved files alone, and honest about what the notebooks show."""

import notebooks
import pytest
import submissions
from small_course import NAME, small_course  # noqa: F401 - a fixture

from ms_ext.book import learner, source
from ms_ext.cli import grade, reset
from ms_ext.grading.classroom import report_card
from ms_ext.grading.submissions import VERDICT
from ms_ext.grading.verdict import Verdict

pytestmark = pytest.mark.usefixtures("small_course")


@pytest.fixture
def card(tmp_path, capsys):
    """A function: save these files into work/, grade them, what is printed."""

    def run(*words, **files):
        made = submissions.Made("work", {f"{k}.ipynb": v for k, v in files.items()}, {})
        submissions.write(tmp_path, made)
        capsys.readouterr()
        assert grade.main(["me", "--work", str(tmp_path / "work"), *words]) == 0
        return capsys.readouterr().out

    return run


def small():
    return notebooks.Chapter.read(NAME)


def showing(notebook, name, status="passed", sha="0"):
    """The notebook with a saved verdict in its outputs."""
    shown = {VERDICT: {"name": name, "status": status, "sha": sha}}
    made = notebooks.copy(notebook)
    output = {"output_type": "execute_result", "data": shown}
    made["cells"].append(notebooks.code(f'ms.check("{name}")', [output]))
    return made


def test_the_card_has_every_exercise_with_points_and_next_step(card):
    mixed = notebooks.mutated(small(), 1)[0]  # double is wrong for integers, both gives one value
    said = card("98", **{NAME: mixed})
    assert "98_small: Two small exercises" in said
    assert "◐ 98.double" in said and "2/3" in said and "partly right      dtype" in said
    assert "✗ 98.both" in said and "0/2" in said and "next: " in said
    assert "In all 2 of 5 points; 0 of 2 exercises passed." in said
    assert "!" not in said
    assert said.endswith(
        "`ms-ext grade me --html card.html` shows each case on which an answer is wrong.\n"
    )


def test_what_nobody_has_touched_is_not_attempted(card):
    said = card(**{NAME: small().starter})
    assert "○ 98.double" in said and "○ 98.both" in said and "✗" not in said
    assert (
        "This is still what the chapter gave you." not in said
    )  # twelve times would bury the rest


def test_of_two_languages_the_one_that_was_worked_in_counts(card):
    """The untouched copy that would come first by its name costs nothing."""
    right = small().solved
    said = card(**{NAME: right, f"{NAME}.zh": small().starter})
    assert "✓ 98.double" in said and "✓ 98.both" in said and "still what the chapter" not in said
    assert "In all 5 of 5 points" in said


def test_a_pass_thanks_to_a_deleted_cell_is_told(card):
    kept = notebooks.changed(small().solved, lambda text: None if "def both" in text else text)
    said = card(**{NAME: showing(kept, "98.both")})
    assert "○ 98.both" in said and "In all 3 of 5 points" in said
    assert said.count("! The notebook shows a pass that the saved cells do not earn") == 1


def test_a_pass_of_another_text_is_told(card):
    said = card(**{NAME: showing(small().solved, "98.both")})
    assert "! The pass that the notebook shows is of another text" in said
    assert "In all 5 of 5 points; 2 of 2 exercises passed." in said


def test_a_pass_that_is_what_is_saved_is_not_talked_about():
    fresh = Verdict("98.both", "passed", "passed", "", sha="1")
    assert report_card.stale(fresh, {"status": "passed", "sha": "1"}) == ""
    assert report_card.stale(fresh, None) == ""


def test_nothing_is_told_where_the_output_is_no_pass(card):
    said = card(**{NAME: showing(small().solved, "98.both", status="failed")})
    assert "!" not in said and "2 of 2 exercises passed" in said
    assert "shows each case" not in said


def test_scripts_count_and_old_attempts_do_not(tmp_path, capsys):
    old = tmp_path / "work" / learner.OLD
    old.mkdir(parents=True)
    (old / f"{NAME}-1.ipynb").write_text(notebooks.text(small().solved))
    (tmp_path / "work" / "mine.py").write_text("def double(x):\n    return x + x\n")
    assert grade.main(["me", "98", "--work", str(tmp_path / "work")]) == 0
    said = capsys.readouterr().out
    assert "✓ 98.double" in said and "○ 98.both" in said


def test_the_page_holds_every_verdict(card, tmp_path):
    said = card("--html", str(tmp_path / "card.html"), **{NAME: small().starter})
    page = (tmp_path / "card.html").read_text(encoding="utf-8")
    assert "98.double" in page and "98.both" in page and "card.html" in said


def test_nothing_begun_is_no_error(tmp_path, capsys):
    assert grade.main(["me", "--work", str(tmp_path / "nowhere")]) == 0
    assert "nothing to grade yet" in capsys.readouterr().out


def test_an_unknown_chapter_is_named(capsys):
    assert grade.main(["me", "smal"]) == 2
    assert "no chapter 'smal'" in capsys.readouterr().err


def test_reset_keeps_the_old_attempt(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(learner, "WORK", tmp_path / "work")
    path = learner.write_learner_copy("98")
    path.write_text("mine")
    assert reset.main(["98"]) == 0
    assert (tmp_path / "work" / learner.OLD / f"{NAME}-1.ipynb").read_text() == "mine"
    assert source.read("98").title and path.read_text() != "mine"
