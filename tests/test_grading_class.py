"""A class is graded: a row for everybody, the points that are deserved, whatever is handed in."""

import json
import os

import notebooks
import pytest
import small_course as course
import submissions
from small_course import small_course  # noqa: F401 - a fixture

from ms_ext.cli.grading import answers
from ms_ext.grading import attacks, exercise
from ms_ext.grading.classroom import batch, bundle, gradebook, learners, preflight, rows
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


@pytest.fixture
def graded(tmp_path, tests, nursery):
    """A function: hand in what these learners made, grade it, the rows by learner and exercise."""

    def run(*everybody, out="grades.csv", keep_verdicts=False, tell=None, **more):
        for made in everybody:
            if not (tmp_path / "all" / made.learner).exists():
                submissions.write(tmp_path / "all", made)
        declared = tuple(tests.exercise(name) for name in tests.names)
        work = batch.Work(nursery, tests, declared, rows.version(), **more)
        crowd = learners.find(tmp_path / "all")
        results = list(batch.grade(work, crowd, tmp_path / out, keep_verdicts))
        for result in results if tell else ():
            tell(result)
        run.kept = sum(result.kept for result in results)
        return {gradebook.key(row): row for row in gradebook.read(tmp_path / out)}

    run.declared = [tests.exercise(name) for name in tests.names]
    return run


def small():
    return notebooks.Chapter.read(course.NAME)


def only(*names):
    """Learners of the small course, by what they are."""
    found = {made.learner: made for made in submissions.learners(small(), 3, attacks.bank())}
    return [found[name] for name in names]


def test_a_dozen_learners_get_what_they_deserve(graded):
    names = "right, the notebook", "right, a script with cells", "right, an old notebook"
    names += "right, fifty megabytes", "right, every cell twice", "mutant 1", "only 98.double"
    names += (
        "untouched",
        "nothing at all",
        "torn JSON",
        "attack exits_at_once",
        "attack patched_ms_ext",
    )
    everybody = only(*names)
    found = graded(*everybody)
    assert submissions.problems(found.values(), everybody, graded.declared) == []
    assert len(found) == 24


def test_a_second_run_keeps_what_has_not_changed(graded, tmp_path):
    """Partly right work too; what was edited, torn or not graded is done again."""
    everybody = only("mutant 1", "only 98.both", "nothing at all")
    first = graded(*everybody)
    book = tmp_path / "grades.csv"
    whole = book.read_bytes()
    assert graded() == first and graded.kept == 6 and book.read_bytes() == whole
    (tmp_path / "all" / "mutant 1" / "98_small.ipynb").write_text("{")
    lines = whole.splitlines(True)
    book.write_bytes(b"".join(lines[:-1]) + lines[-1][:40])
    again = graded()
    assert graded.kept == 3 and set(again) == set(first)
    codes = [row["code"] for (learner, _), row in again.items() if learner == "mutant 1"]
    assert codes == ["file-not-json", "file-not-json"]
    assert again["only 98.both", "98.both"] == first["only 98.both", "98.both"] | {
        name: again["only 98.both", "98.both"][name] for name in ("seconds", "cpu")
    }


def test_a_second_run_with_verdicts_keeps_those_that_did_not_pass(graded):
    told = []
    graded(*only("mutant 1", "nothing at all"), keep_verdicts=True)
    graded(keep_verdicts=True, tell=told.append)
    assert graded.kept == 4
    assert not any(result.verdict for result in told)
    assert all(result.verdict.code == result.row["code"] for result in told)


def test_a_stopped_batch_leaves_a_sound_gradebook(graded, tmp_path, tests, nursery, monkeypatch):
    graded(*only("untouched", "nothing at all", "torn JSON"))
    (tmp_path / "grades.csv").unlink()
    work = batch.Work(nursery, tests, tuple(graded.declared), rows.version(), 1)
    running = batch.grade(work, learners.find(tmp_path / "all"), tmp_path / "grades.csv")
    next(running)
    with pytest.raises(KeyboardInterrupt):
        running.throw(KeyboardInterrupt)
    assert len(gradebook.read(tmp_path / "grades.csv")) >= 1
    assert len(graded()) == 6 and graded.kept >= 1


def test_a_fault_of_the_grader_costs_one_row_and_is_told(graded, tmp_path, monkeypatch):
    everybody = only("right, the notebook", "nothing at all")
    judge = batch.answer.judge

    def faulty(nursery, learner, chosen, declared, **more):
        if declared.name == "98.both" and learner.name.startswith("right"):
            raise ZeroDivisionError("on purpose")
        return judge(nursery, learner, chosen, declared, **more)

    monkeypatch.setattr(batch.answer, "judge", faulty)
    found = graded(*everybody)
    row = found["right, the notebook", "98.both"]
    assert (row["status"], row["code"], row["points"]) == ("not graded", "grader-error", "")
    assert "on purpose" in row["headline"]
    assert len(found) == 4 and found["right, the notebook", "98.double"]["status"] == "passed"
    monkeypatch.setattr(batch.answer, "judge", judge)
    assert graded()["right, the notebook", "98.both"]["status"] == "passed" and graded.kept == 3


@pytest.mark.parametrize(
    "name",
    ["=cmd()", "'=cmd()", "Zoë Ångström, 3b", 'a "b"', "line\nbreak", "\u202eabc", "@x", "名前"]
    + [os.fsdecode(b"caf\xe9")],
)
def test_odd_names_survive_and_start_no_formula(graded, tmp_path, name):
    (tmp_path / "all" / name).mkdir(parents=True)
    found = graded()
    known = learners.printable(name)
    assert {learner for learner, _ in found} == {known}
    lines = (tmp_path / "grades.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(lines) == 2 and not any(line.strip('"').startswith(("=", "@")) for line in lines)


def test_flat_files_are_graded_and_do_not_see_one_another(graded, tmp_path):
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "ada_1_2_a.py").write_text("def double(x):\n    return x + x\n")
    (tmp_path / "all" / "eve_3_4_b.py").write_text("from ada_1_2_a import double\n")
    found = graded()
    assert found["ada_1", "98.double"]["status"] == "passed"
    assert found["eve_3", "98.double"]["code"] == "raises"


def test_a_file_may_import_what_lies_beside_it(graded, tmp_path):
    lay = {
        "98_small.py": "from mine import double\n",
        "mine.py": "def double(x):\n    return x + x\n",
    }
    row = graded(submissions.Made("ada", lay, {}))["ada", "98.double"]
    assert row["status"] == "passed"


def test_hints_are_counted_and_cost_what_the_teacher_says(graded):
    hint = {"application/vnd.ms-ext.hint+json": {"name": "98.double", "level": 2}}
    shown = notebooks.code(
        "ms.hint('98.double', 2)", [{"output_type": "execute_result", "data": hint}]
    )
    made = only("right, the notebook")[0]
    made.files["98_small.ipynb"]["cells"].append(shown)
    row = graded(made, hint_cost=0.25)["right, the notebook", "98.double"]
    assert (row["hints used"], row["earned"], row["of"], row["points"]) == ("2", "5", "5", "2.5")
    other = graded(hint_cost=0.0)["right, the notebook", "98.double"]
    assert graded.kept == 2 and other["points"] == "5"
    again = {}
    graded(hint_cost=0.5, keep_verdicts=True)
    graded(hint_cost=0.25, keep_verdicts=True, tell=lambda r: again.update({r.row["exercise"]: r}))
    assert graded.kept == 2 and again["98.double"].row["points"] == 2.5  # not the 0 of before


def test_everything_is_drawn_from_the_key(graded, tests):
    made = only("right, the notebook")
    row = graded(*made)["right, the notebook", "98.both"]
    assert tests.seed("ada", "98.both") != tests.seed("eve", "98.both")
    assert tests.seed("ada", "98.both") != tests._replace(key="x").seed("ada", "98.both")
    assert row["bundle"] == tests.sha and len(row["seed"]) == 12
    assert row["checks"] == "values 2/2; (hidden) 1/1"


# everybody -----------------------------------------------------------------------------------


SHARES = 6  # of the bank of attacks: each is in some class, and each class has its sixty


@pytest.mark.long
def test_sixty_learners_of_every_chapter(tmp_path_factory, monkeypatch, nursery):
    """Every expected score met, nobody lost, in every exercise there is."""
    monkeypatch.undo()  # the real book
    place = tmp_path_factory.mktemp("class")
    numbers, bank = (
        sorted({n.partition(".")[0] for n in exercise.names()}),
        submissions.attacks_here(),
    )
    for at, number in enumerate(numbers):
        chapter = notebooks.Chapter.read(number)
        everybody = list(submissions.learners(chapter, bank=bank[at % SHARES :: SHARES]))
        assert len(everybody) >= 60
        for made in everybody:
            submissions.write(place / number, made)
        tests = bundle.new(place / f"bundle {number}", exercise.names(number))
        declared = tuple(tests.exercise(name) for name in tests.names)
        work = batch.Work(nursery, tests, declared, rows.version(), 2)
        preflight.check(work, answers.of(tests.names))
        out = place / f"{number}.csv"
        count = sum(1 for _ in batch.grade(work, learners.find(place / number), out))
        found = gradebook.read(out)
        assert count == len(found) == len(everybody) * len(declared)
        assert json.dumps(submissions.problems(found, everybody, declared), default=str) == "[]"
