"""A chapter as an nbgrader assignment: sound marks, the same stubs, and the way back to grades."""

import ast
import json
import re

import pytest

from ms_ext.book import nbgrader, source
from ms_ext.cli.grading import nbgrader as word
from ms_ext.grading import exercise
from ms_ext.grading.classroom import chosen_file, gradebook, learners, presets

CHAPTERS = [source.read(name) for name in source.chapters() if exercise.names(name)]
each_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=[c.name for c in CHAPTERS])


def released(text):
    """What nbgrader makes of a cell: every region gives way to the course's stub."""
    lines, inside = [], False
    for line in text.split("\n"):
        if nbgrader.BEGIN in line:
            inside = True
            lines.append("# your code")
        elif nbgrader.END in line:
            inside = False
        elif not inside:
            lines.append(line)
    assert not inside
    return "\n".join(lines)


def marked(chapter):
    """(nbgrader's metadata, cell) of every cell that has some."""
    cells = nbgrader.notebook(chapter)["cells"]
    return [(c["metadata"]["nbgrader"], c) for c in cells if "nbgrader" in c["metadata"]]


def dumped(text):
    """The meaning of some code: its syntax tree, without texts that nobody uses."""
    tree = ast.parse(text)
    tree.body = [
        node for node in tree.body if not isinstance(getattr(node, "value", 0), ast.Constant)
    ]
    return ast.dump(tree)


@each_chapter
def test_metadata_is_what_schema_3_asks_for(chapter):
    switches = {"grade", "solution", "locked", "task"}
    ids = [about["grade_id"] for about, _ in marked(chapter)]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[\w-]+", each) for each in ids)
    for about, cell in marked(chapter):
        assert about["schema_version"] == 3 and cell["cell_type"] == "code"
        assert set(about) == switches | {"schema_version", "grade_id"} | (
            {"points"} if about["grade"] else set()
        )
        assert about["grade"] == about["locked"] != about["solution"] and not about["task"]


@each_chapter
def test_every_exercise_has_a_graded_cell_with_its_points(chapter):
    graded = {about["grade_id"]: about["points"] for about, _ in marked(chapter) if about["grade"]}
    names = exercise.names(chapter.name)
    topic = chapter.name.partition("_")[2]
    for name in names:
        wanted = exercise.load(name).points
        spelled = [name.replace(".", "-"), f"{topic}-{name.partition('.')[2]}"]
        assert [graded.get(each) for each in spelled if each in graded] == [wanted]
    assert len(graded) == len(names)


@each_chapter
def test_solutions_are_marked_and_learners_start_from_our_stubs(chapter):
    cells = nbgrader.notebook(chapter)["cells"]
    secrets = {
        line for cell in chapter.cells if cell.kind == "code"
        for line in source.solution_lines(cell.text)
    }  # fmt: skip
    for cell, ours in zip(cells, chapter.cells, strict=True):
        if not source.has_solution(ours.text):
            assert nbgrader.BEGIN not in cell["source"]
            continue
        given = released(cell["source"])
        assert dumped(given) == dumped(source.without_solution(ours.text))
        assert dumped(cell["source"]) == dumped(source.reference(ours.text))
        own = {line.strip() for line in given.split("\n")}
        assert own & secrets <= {s.strip() for s in source.without_solution(ours.text).split("\n")}


def test_a_stub_with_texts_of_its_own():
    text = "def f():\n    # region solution\n    # stub: '''later'''\n    return 1\n    # endregion"
    assert "later" in released(nbgrader.with_regions(text))
    assert dumped(nbgrader.with_regions(text)) == dumped(source.reference(text))


def test_the_graded_cell_ends_with_the_points():
    graded = [cell for about, cell in marked(CHAPTERS[-1]) if about["grade"]][0]
    shown = []

    class Verdict:
        points = 1.5

    class Ms:
        check = staticmethod(lambda name: Verdict())

    *lines, last = graded["source"].split("\n")
    space = {"ms": Ms, "display": shown.append}
    exec("\n".join(lines), space)
    assert eval(last, space) == 1.5 and repr(eval(last, space)) == "1.5"
    assert len(shown) == 1  # the verdict is shown beside it, not as the cell's value


def test_export_writes_a_valid_notebook_where_nbgrader_looks(tmp_path, capsys):
    import nbformat

    name = CHAPTERS[-1].name
    assert word.main([name, str(tmp_path), "week1"]) == 0
    path = tmp_path / "source" / "week1" / f"{name}.ipynb"
    nbformat.validate(nbformat.read(path, as_version=4))
    assert "generate_assignment week1" in capsys.readouterr().out
    assert "code_stub" in (tmp_path / "nbgrader_config.py").read_text()


def test_a_config_of_the_course_stays_and_what_it_lacks_is_told(tmp_path, capsys):
    config = tmp_path / "nbgrader_config.py"
    config.write_text("c = get_config()\n# c.ClearSolutions.code_stub = ...\n")
    word.main([CHAPTERS[-1].name, str(tmp_path), "week1"])
    assert "# c.ClearSolutions" in config.read_text()
    assert "Add this to" in capsys.readouterr().out
    config.write_text(nbgrader.CONFIG)
    word.main([CHAPTERS[-1].name, str(tmp_path), "week1"])
    assert "Add this to" not in capsys.readouterr().out


def test_what_nbgrader_collects_is_found_by_learner_and_exercise(tmp_path):
    chapter = CHAPTERS[-1]
    names = exercise.names(chapter.name)
    made = nbgrader.notebook(chapter)
    for cell in made["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = released(cell["source"])
        cell["metadata"].get("nbgrader", {}).update(checksum="0", cell_type=cell["cell_type"])
    for learner in ("ada", "bob"):
        folder = tmp_path / "submitted" / learner / "week1"
        folder.mkdir(parents=True)
        (folder / "timestamp.txt").write_text("2026-01-01 00:00:00 UTC")
        (folder / f"{chapter.name}.ipynb").write_text(json.dumps(made))
    (tmp_path / "source" / "week1").mkdir(parents=True)
    for place in (tmp_path, tmp_path / "submitted"):
        found = learners.find(place)
        assert [learner.name for learner in found] == ["ada", "bob"]
        for name in names:
            chosen = chosen_file.choose(found[0].files(), exercise.load(name).target, chapter.name)
            assert chosen.file.path.parts[-3:] == ("ada", "week1", f"{chapter.name}.ipynb")


def test_grades_go_back_as_nbgrader_writes_them(tmp_path):
    row = {"learner": "ada", "exercise": "05.mul", "status": "partly", "points": 1.5, "of": 2}
    gradebook.write(tmp_path / "grades.csv", [row | {"earned": 1.5}])
    rows = gradebook.read(tmp_path / "grades.csv")
    (path,), _ = presets.write("nbgrader", rows, tmp_path, group="chapter")
    assert path.read_text().splitlines()[1] == "Chapter 05,,,ada,,,,1.5,0,1.5,2"
