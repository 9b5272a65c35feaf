"""How does a course that lives in nbgrader use a chapter? As a source notebook of an assignment.

``export("05", COURSE, "week5")`` writes COURSE/source/week5/05_bprop_contract.ipynb;
``nbgrader generate_assignment week5`` makes the learners' version of it. nbgrader cuts out what
stands between ``### BEGIN SOLUTION`` and ``### END SOLUTION``; a graded cell whose last value is a
number earns so many points. A cell's stub stands in the source as a text between two regions, and
is code once those are cut out: learners start from the same stubs as in work/.

The way back needs nothing of this: ``ms-ext grade class`` reads nbgrader's submitted/ folder.
"""

import json
import re
from pathlib import Path

from ms_ext.grading import exercise

from . import learner, source

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
CHECK = re.compile(r"\bcheck\(\"([\w.]+)\"\)")
#: What nbgrader should leave where it cuts: its own choice ends the cell with an error.
CONFIG = """c = get_config()
c.ClearSolutions.code_stub = {"python": "# your code"}
"""


def export(name, course, assignment):
    """Write a chapter as the source of an assignment; its path.

    nbgrader_config.py is written beside it unless the course has one.
    """
    chapter = source.read(name)
    path = Path(course) / "source" / assignment / f"{chapter.name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(notebook(chapter), indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    config = Path(course) / "nbgrader_config.py"
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    return path


def configured(course):
    """Does the course leave a comment where nbgrader cuts a solution out?"""
    text = (Path(course) / "nbgrader_config.py").read_text(encoding="utf-8")
    return bool(re.search(r"^[^#\n]*\bcode_stub\b", text, re.MULTILINE))


def notebook(chapter):
    """The chapter as nbgrader's source notebook (plain data).

    >>> cells = notebook(source.read("tour"))["cells"]
    >>> [c["metadata"]["nbgrader"]["points"] for c in cells if _graded(c)]  # doctest: +ELLIPSIS
    [...]
    """
    made = learner.notebook(chapter, solved=True)
    for at, (cell, ours) in enumerate(zip(made["cells"], chapter.cells, strict=True)):
        if ours.kind != "code":
            continue
        if source.has_solution(ours.text):
            cell["source"] = with_regions(ours.text)
            cell["metadata"]["nbgrader"] = _marked(f"{chapter.name}-answer-{at}", solution=True)
        elif found := CHECK.search(ours.text):
            _grade(cell, found[1])
    return made


def _grade(cell, name):
    """A cell that checks becomes one that nbgrader grades: its last value is the points earned."""
    points = exercise.load(name).points
    lines = [f'verdict = ms.check("{name}")', "display(verdict)", "float(verdict.points)"]
    cell["source"] = "\n".join(lines)
    number = re.sub(r"[^\w-]", "-", name)
    cell["metadata"]["nbgrader"] = {**_marked(number, grade=True, locked=True), "points": points}


def _marked(grade_id, **on):
    """nbgrader's metadata of a cell, schema 3: all its switches, and an id of [A-Za-z0-9_-]."""
    switches = dict.fromkeys(("grade", "solution", "locked", "task"), False) | on
    return {"schema_version": 3, "grade_id": grade_id, **switches}


def _graded(cell):
    return cell["metadata"].get("nbgrader", {}).get("grade", False)


def with_regions(text):
    """A cell with its stub as a text, then its solution, in nbgrader's marks.

    >>> print(with_regions("# region solution\\n# stub: f = 0\\nf = 7\\n# endregion"))
    ### BEGIN SOLUTION
    r'''
    ### END SOLUTION
    f = 0
    ### BEGIN SOLUTION
    '''
    f = 7
    ### END SOLUTION
    """
    stub = source.without_solution(text)
    quotes = '"""' if "'''" in stub else "'''"
    lines = [BEGIN, f"r{quotes}", END, stub, BEGIN, quotes, source.reference(text), END]
    return "\n".join(lines)
