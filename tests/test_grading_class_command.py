"""The command that grades a class: what it refuses, what it says, what it writes."""

import contextlib
import os
import re
import shutil

import notebooks
import pytest
import small_course as course
import submissions
from small_course import small_course  # noqa: F401 - a fixture

from ms_ext.cli import grade
from ms_ext.cli.grading import answers
from ms_ext.engine import errors
from ms_ext.grading import attacks, exercise
from ms_ext.grading.classroom import batch, bundle, gradebook, preflight
from ms_ext.grading.sandbox import Nursery

pytestmark = pytest.mark.usefixtures("small_course")


@pytest.fixture(scope="module")
def nursery():
    with Nursery() as made:
        yield made


@pytest.fixture
def tests(tmp_path):
    """A bundle for the small course."""
    return bundle.new(tmp_path / "bundle", exercise.names("98"), "Small")


def small():
    return notebooks.Chapter.read(course.NAME)


def only(*names):
    """Learners of the small course, by what they are."""
    found = {made.learner: made for made in submissions.learners(small(), 3, attacks.bank())}
    return [found[name] for name in names]


# before a batch ------------------------------------------------------------------------------


def work_of(tests, nursery):
    declared = tuple(tests.exercise(name) for name in tests.names)
    return batch.Work(nursery, tests, declared, "1")


def test_the_example_in_a_bundle_works_as_it_stands(tests, nursery):
    for path in tests.path.glob("extra/*/*.py"):
        head, example = path.read_text().split('"# " in front:\n#\n')
        path.write_text(f'{head}"\n{re.sub("^# ?", "", example, flags=re.MULTILINE)}')
    work = work_of(tests, nursery)
    assert all(exercise.checks[-1].name == "mine" for exercise in work.exercises)
    preflight.check(work, answers.of(tests.names))


def test_an_extra_check_on_which_the_reference_raises_is_refused_with_its_words(tests, nursery):
    extra = tests.path / "extra" / course.NAME / "double.py"
    kept = "from ms_ext.grading.drawing import drawn\ndef odd(draw, n):\n    return {1: 2}, 3\n"
    kept += "checks = (checks[0]._replace(cases=drawn(odd)),)\n"
    extra.write_text(extra.read_text() + kept)
    with pytest.raises(errors.NotRunnable, match="TypeError.* takes 1 positional argument but 2"):
        preflight.check(work_of(tests, nursery), answers.of(tests.names))


def test_an_unfair_bundle_is_refused(tests, nursery):
    extra = tests.path / "extra" / course.NAME / "double.py"
    kept = extra.read_text()
    preflight.check(work_of(tests, nursery), answers.of(tests.names))
    wrong = "\nfrom ms_ext.grading.layers import values\nchecks = (checks[0]._replace(judge="
    for judge, told in (
        (
            "values.like(lambda x: x * 3)",
            r"98.double: the reference fails in floats-again \(values\)",
        ),
        (
            "lambda question, answer: None, needs=()",
            "the untouched starter earns points in floats-again",
        ),
    ):
        extra.write_text(f"{kept}{wrong}{judge}),)\n")
        with pytest.raises(errors.NotRunnable, match=told):
            preflight.check(work_of(tests, nursery), answers.of(tests.names))


# the command ---------------------------------------------------------------------------------


def test_the_command_grades_writes_and_goes_on(tmp_path, capsys):
    for made in only("right, the notebook", "mutant 1"):
        submissions.write(tmp_path / "all", made)
    book, kept = tmp_path / "grades.csv", tmp_path / "bundle"
    assert grade.main(["bundle", "new", str(kept), "--chapter", "small", "--title", "Mine"]) == 0
    assert grade.main(["bundle", "show", str(kept)]) == 0
    assert "98.double                    2 extra points" in capsys.readouterr().out
    command = ["class", str(tmp_path / "all"), "--tests", str(kept), "--out", str(book)]
    assert grade.main(command) == 0
    said = capsys.readouterr().out
    assert re.match(r"proved 2 exercises in \d+\.\d s\n4 results in", said)
    assert "2 passed, 1 partly, 1 failed" in said
    assert grade.main([*command, "-j", "1"]) == 0
    assert "4 of them from before" in capsys.readouterr().out
    assert [row["exercise"] for row in gradebook.read(book)] == ["98.both", "98.double"] * 2
    (tmp_path / "all" / "mutant 1" / "second.ipynb").write_text("{")
    assert grade.main(command) == 0
    told = "    mutant 1: second.ipynb was not read. The notebook is damaged: it is not JSON.\n"
    assert capsys.readouterr().out.count(told) == 1
    warned = {row["warnings"] for row in gradebook.read(book) if row["learner"] == "mutant 1"}
    assert warned == {told.strip().removeprefix("mutant 1: ")}
    assert kept.joinpath("bundle.json").stat().st_mode & 0o77 == 0 or os.name == "nt"
    shutil.rmtree(tmp_path / "all" / "mutant 1")
    assert grade.main(command) == 0
    said = capsys.readouterr().out
    assert "  1 learner in grades.csv has no folder any more: mutant 1\n" in said
    assert len(gradebook.read(book)) == 4


@pytest.mark.parametrize(
    "words, told",
    [
        (["--feedback", "{here}/file/pages"], "Nothing can be written at this place.\n"),
        (["--preset", "canvas", "--people", "{here}/people.csv"], "learner is not in the file of"),
        (["--preset", "moodle", "--people", "{here}/ada.csv"], "names nobody for Moodle"),
        (["--people", "{here}/none.csv"], "none.csv: no such file or directory\n"),
        (["--feed", "{here}/pages"], "unrecognized arguments: --feed"),
    ],
)
def test_what_would_fail_after_grading_is_told_before(tmp_path, tests, capsys, words, told):
    (tmp_path / "all" / "ada").mkdir(parents=True)
    (tmp_path / "file").write_text("")
    (tmp_path / "people.csv").write_text("learner,id\nbob,1\n")
    (tmp_path / "ada.csv").write_text("learner,name\nada,Ada\n")
    words = [word.format(here=tmp_path) for word in words]
    command = ["class", str(tmp_path / "all"), "--tests", str(tests.path), *words]
    with contextlib.suppress(SystemExit):
        assert grade.main([*command, "--out", str(tmp_path / "g.csv")]) == 2
    said = capsys.readouterr()
    assert told in said.err and "proved" not in said.out
    assert not (tmp_path / "g.csv").exists()


@pytest.mark.parametrize(
    "words, told",
    [
        (["clas"], "Did you mean 'class'?"),
        (["bundle", "new", "{repository}/build/b"], "inside the repository"),
        (["bundle", "new", "{here}/b", "--chapter", "smal"], "no chapter 'smal'"),
        (["class", "{here}/all", "--tests", "{here}", "--out", "{here}/g.csv"], "no bundle"),
        (["class", "{here}/all", "--tests", "x", "--out", "{here}/all/g.csv"], "among the submis"),
    ],
)
def test_wrong_words_are_explained(tmp_path, capsys, words, told):
    (tmp_path / "all" / "ada").mkdir(parents=True)
    filled = [word.format(here=tmp_path, repository=bundle.ROOT) for word in words]
    assert grade.main(filled) == 2
    assert told in capsys.readouterr().err


def test_another_table_is_no_gradebook(tmp_path):
    (tmp_path / "g.csv").write_text("name,grade\nada,1\n")
    with pytest.raises(errors.InvalidValue, match="no gradebook"):
        gradebook.mend(tmp_path / "g.csv")
    assert (tmp_path / "g.csv").read_text() == "name,grade\nada,1\n"


@pytest.mark.parametrize(
    "words",
    [
        ["me", "--html", "{here}/file/card.html"],
        ["table", "canvas", "{here}/g.csv", "--out", "{here}/file/tables"],
        ["dashboard", "{here}/g.csv", "--out", "{here}/none/d.ipynb"],
        ["bundle", "new", "{here}/file/bundle"],
    ],
)
def test_a_place_where_nothing_can_be_written_is_told(tmp_path, capsys, words):
    (tmp_path / "file").write_text("")
    gradebook.start(tmp_path / "g.csv")
    assert grade.main([word.format(here=tmp_path) for word in words]) == 2
    assert capsys.readouterr().err.startswith("Nothing can be written at this place.\n")
