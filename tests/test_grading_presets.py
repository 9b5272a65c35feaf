"""The tables for other gradebooks hold what their importers look for, and no guesses."""

import csv
import json

import pytest

from ms_ext.cli import grade
from ms_ext.engine import errors
from ms_ext.grading.classroom import gradebook, people, presets
from ms_ext.grading.classroom.feedback import Result
from ms_ext.grading.verdict import CheckResult, Verdict


def row(learner, exercise, status="passed", points=2.0, of=2.0, **more):
    made = {"learner": learner, "exercise": exercise, "status": status, "points": points, "of": of}
    made |= {
        "earned": points,
        "code": "passed",
        "checks": "values 2/2",
        "bundle": "b",
        "version": "1",
    }
    return made | more


NOT_GRADED = {
    "status": "not graded",
    "points": "",
    "earned": "",
    "code": "grader-error",
    "checks": "",
}
ROWS = [
    row("ada", "05.mul"),
    row("ada", "05.sub", "partly", 1.5, 3.0, code="values", checks="values 1.5/2; (hidden) 0/1"),
    row("bob", "05.mul", "not attempted", 0.0, code="missing", checks="values 0/2"),
    row("bob", "05.sub", of=3.0, **NOT_GRADED),
]
PEOPLE = "learner,name,email,id,login,sis_id,section\nada,Ada L,ada@x.org,7,adal,S7,A\n"
PEOPLE += "bob,Bob,bob@x.org,8,bobb,S8,B\ncyd,Cyd,cyd@x.org,9,cydd,S9,B\n"


@pytest.fixture
def crowd(tmp_path):
    """``crowd(text)``: the people of a file with this text."""

    def read(text=PEOPLE):
        path = tmp_path / "people.csv"
        path.write_text(text, encoding="utf-8")
        return people.read(path)

    return read


def written(kind, tmp_path, rows=ROWS, crowd=None, group="exercise"):
    paths, notes = presets.write(kind, rows, tmp_path, crowd, group)
    with open(paths[0], encoding="utf-8", newline="") as file:
        return list(csv.reader(file)), notes


def test_rows_of_a_gradebook_come_through(tmp_path):
    path = tmp_path / "grades.csv"
    gradebook.start(path)
    with open(path, "ab") as file:
        for each in ROWS:
            gradebook.append(file, each)
    assert presets.table(gradebook.read(path)) == presets.table(ROWS)


def test_canvas(tmp_path, crowd):
    lines, notes = written("canvas", tmp_path, crowd=crowd())
    assert lines == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "05.mul", "05.sub"],
        ["    Points Possible", "", "", "", "", "2", "3"],
        ["Ada L", "7", "S7", "adal", "A", "2", "1.5"],
        ["Bob", "8", "S8", "bobb", "B", "0", ""],
    ]
    assert any("bob (05.sub)" in note for note in notes) and any("cyd" in note for note in notes)


def test_canvas_without_a_file_of_people_takes_the_folder_for_the_login(tmp_path):
    lines, _ = written("canvas", tmp_path)
    assert lines[2][:5] == ["ada", "", "", "ada", ""]


def test_moodle(tmp_path, crowd):
    lines, _ = written("moodle", tmp_path, crowd=crowd())
    assert lines[0] == ["Full name", "Username", "ID number", "Email address"] + [
        "05.mul (2)",
        "05.sub (3)",
    ]
    assert lines[2] == ["Bob", "bobb", "8", "bob@x.org", "0", "-"]


def test_moodle_shows_only_what_is_known_of_people(tmp_path, crowd):
    lines, _ = written("moodle", tmp_path, crowd=crowd("learner,email\nada,a@x\nbob,b@x\n"))
    assert lines[0][:2] == ["Full name", "Email address"]
    with pytest.raises(errors.InvalidValue, match="nobody for Moodle"):
        written("moodle", tmp_path, crowd=crowd("learner,name\nada,Ada\nbob,Bob\n"))


def test_nbgrader_has_the_columns_of_its_own_export(tmp_path, crowd):
    lines, _ = written("nbgrader", tmp_path, crowd=crowd(), group="chapter")
    assert (
        lines[0]
        == (
            "assignment duedate timestamp student_id last_name first_name email raw_score "
            "late_submission_penalty score max_score"
        ).split()
    )
    assert lines[1] == ["Chapter 05", "", "", "7", "L", "Ada", "ada@x.org", "3.5", "0", "3.5", "5"]


@pytest.mark.parametrize(
    ("group", "titles", "ada"),
    [
        ("exercise", ["05.mul", "05.sub"], ["2", "1.5"]),
        ("chapter", ["Chapter 05"], ["3.5"]),
        ("total", ["Exercises"], ["3.5"]),
    ],
)
def test_grades_are_added_up_and_what_is_unknown_stays_unknown(tmp_path, group, titles, ada):
    lines, _ = written("canvas", tmp_path, group=group)
    assert lines[0][5:] == titles and lines[2][5:] == ada
    assert lines[3][-1] == ""  # bob has an answer that could not be graded


def test_gradescope(tmp_path):
    paths, _ = presets.write("gradescope", ROWS, tmp_path)
    assert [path.parent.name for path in paths] == ["ada", "bob"]
    ada, bob = (json.loads(path.read_text(encoding="utf-8")) for path in paths)
    assert ada["score"] == 3.5 and ada["stdout_visibility"] == "hidden"
    assert [(t["name"], t["score"], t["max_score"], t["visibility"]) for t in ada["tests"]] == [
        ("05.mul: values", 2, 2, "visible"),
        ("05.sub: values", 1.5, 2, "visible"),
        ("05.sub: checks that the teacher keeps", 0, 1, "hidden"),
    ]
    assert ada["tests"][1]["output"] == "The values are wrong."
    assert bob["score"] == 0 and "Not graded yet: 05.sub" in bob["output"]


def test_gradescope_shows_an_open_verdict_in_full_and_a_hidden_one_never(tmp_path):
    checks = (
        CheckResult("values", "right values", 0, 2, 1, 9, "values"),
        CheckResult("zq9", "zq9", 0, 1, 0, 4, "zq9", open=False),
    )
    told = {"next": "Look here.", "printed": "zq9", "checks": checks, "of": 3}
    verdict = Verdict("05.mul", "failed", "values", "The values are wrong.", **told)
    made = row("ada", "05.mul", "failed", 0.0, 3.0, checks="values 0/2; (hidden) 0/1")
    result = Result(made | {"code": "values"}, verdict)
    (path,), _ = presets.write("gradescope", [result.row], tmp_path, results=[result])
    text = path.read_text(encoding="utf-8")
    assert "Look here." in text and "zq9" not in text


def test_every_failing_open_check_tells_gradescope_something(tmp_path):
    made = row("ada", "05.mul", "failed", 0.0, code="values", checks="values 0/1; compiled 0/1")
    (path,), _ = presets.write("gradescope", [made], tmp_path)
    tests = json.loads(path.read_text(encoding="utf-8"))["tests"]
    assert [test["output"] for test in tests] == ["The values are wrong."] * 2


def test_hints_that_cost_something_are_told_to_gradescope(tmp_path):
    rows = [row("ada", "05.mul", points=1.5, earned=2.0)]
    (path,), _ = presets.write("gradescope", rows, tmp_path)
    made = json.loads(path.read_text(encoding="utf-8"))
    assert made["score"] == 1.5 == sum(test["score"] for test in made["tests"])


@pytest.mark.parametrize("kind", ["canvas", "moodle", "nbgrader"])
def test_no_name_becomes_a_formula(tmp_path, kind):
    rows = [row("=HYPERLINK(1)", "05.mul")]
    lines, _ = written(kind, tmp_path, rows=rows)
    assert not any(cell.startswith(("=", "+", "@")) for line in lines for cell in line)
    assert any("=HYPERLINK" in cell for line in lines for cell in line)


def test_a_learner_who_is_not_in_the_file_is_an_error(tmp_path, crowd):
    with pytest.raises(errors.InvalidValue, match=r"given: bob\n.*Known: 'ada', 'bobb'"):
        written("canvas", tmp_path, crowd=crowd("learner,id\nada,1\nbobb,2\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learner,id\nada,1\nada,2\n", "The learner in line 3 .* is the same as in line 2"),
        ("learner,id\nada,1\nbob,1\n", "The id in line 3 .* is the same as in line 2"),
        ("learner,email\nada,A@x.org\nbob,a@x.org\n", "The email in line 3"),
        ("learner,id\n,1\n", "The learner in line 2 .* is empty"),
        ("name,id\nada,1\n", "no column 'learner'"),
        ("learner,mail\nada,1\n", "Did you mean 'email'"),
        ("", "no column 'learner'"),
    ],
)
def test_files_of_people_with_mistakes(crowd, text, message):
    with pytest.raises(errors.InvalidValue, match=message):
        crowd(text)


def test_a_file_of_people_that_is_none(tmp_path):
    (tmp_path / "latin.csv").write_bytes(b"learner,name\nada,Ad\xe9\n")
    for name in ("latin.csv", "missing.csv"):
        with pytest.raises(errors.InvalidValue, match="cannot be read"):
            people.read(tmp_path / name)


def test_a_table_of_something_else_is_told_plainly(tmp_path, capsys):
    (tmp_path / "people.csv").write_text(PEOPLE)
    assert grade.main(["table", "nbgrader", str(tmp_path / "people.csv")]) == 2
    assert "`ms-ext grade class` writes one" in capsys.readouterr().err
    assert grade.main(["table", "nbgrader", str(tmp_path / "none.csv")]) == 2
    said = capsys.readouterr().err
    assert said.count("none.csv") == 1 and "none.csv: no such file or directory" in said


def test_empty_numbers_and_a_byte_order_mark_do_no_harm(crowd):
    known = crowd("\ufefflearner,id\nada,\nbob,\n\n")
    assert set(known) == {"ada", "bob"}


def test_unknown_kinds_and_groups(tmp_path):
    with pytest.raises(errors.InvalidValue, match="Did you mean 'canvas'"):
        presets.write("canva", ROWS, tmp_path)
    with pytest.raises(errors.InvalidValue, match="chapter"):
        presets.table(ROWS, "chapters")


@pytest.mark.parametrize("names", [("a b", "a_b"), ("<a>", "a"), ("..", "-"), ("index", "Index")])
def test_learners_never_share_a_file(names):
    files = [people.file_name(name) for name in names]
    assert len({file.lower() for file in files}) == len(files)
    assert all(file not in ("index", "") and "/" not in file for file in files)
