"""How do grades come into Canvas, Moodle and nbgrader? In the files that they read.

What is not known stays empty: a row whose grading failed is no zero. Formulas of spreadsheets in
names are made harmless. The formats, as their makers' importers read them:

* Canvas, "Gradebook import" (CSV): ``Student, ID, SIS User ID, SIS Login ID, Section``, then a
  column for each assignment, found by its title; a second line "Points Possible". An unknown title
  makes a new assignment, an empty cell changes nothing.
* Moodle, "Grade import" from CSV: any columns; while importing, the teacher maps one to the user
  (e-mail address, ID number or username) and the others to grade items; "-" is no grade. A grade
  item that the import makes has a maximum of 100: make it first, with the one in the heading.
* nbgrader, the table that its ``nbgrader export`` writes.
"""

import csv
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading.classroom import gradebook, gradescope
from ms_ext.grading.classroom import people as people_of
from ms_ext.grading.classroom.rows import NOT_GRADED

GROUPS = {
    "exercise": lambda name: name,
    "chapter": lambda name: f"Chapter {name.partition('.')[0]}",
    "total": lambda name: "Exercises",
}


class Table(NamedTuple):
    """Points by learner: a column has a title and what can be earned; None is unknown."""

    columns: tuple  # of (title, of)
    points: dict  # learner -> tuple of numbers or None


def table(rows, group="exercise"):
    """The rows of grades.csv side by side, a line for each learner.

    >>> rows = [{"learner": "a", "exercise": "05.x", "status": "partly", "points": "1", "of": "3"}]
    >>> table(rows, "chapter")
    Table(columns=(('Chapter 05', 3.0),), points={'a': (1.0,)})
    """
    if group not in GROUPS:
        hint = errors.did_you_mean(group, GROUPS)
        raise errors.InvalidValue(f"Grades cannot be added up by {group!r}.", hint=hint)
    titled = GROUPS[group]
    most, earned = {}, {}
    for row in rows:
        most[row["exercise"]] = max(float(row["of"]), most.get(row["exercise"], 0.0))
        column = earned.setdefault(row["learner"], {}).setdefault(titled(row["exercise"]), [])
        column.append(None if row["status"] == NOT_GRADED else float(row["points"]))
    columns = {}
    for name in sorted(most):
        columns[titled(name)] = columns.get(titled(name), 0.0) + most[name]
    lines = {
        learner: tuple([_sum(own.get(title, (0.0,))) for title in columns])
        for learner, own in sorted(earned.items())
    }
    return Table(tuple(columns.items()), lines)


def _sum(points):
    return None if None in points else sum(points)


def number(points):
    """Points as text: no needless fraction, nothing for what is unknown.

    >>> number(2.0), number(1 / 3), number(None)
    ('2', '0.333', '')
    """
    return "" if points is None else f"{round(points, 3):g}"


def canvas(grades, folder, people=None):
    """canvas.csv: "Grades > Import" of a course reads it."""
    head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    possible = ["    Points Possible", "", "", "", "", *(number(of) for _, of in grades.columns)]
    lines = [[*head, *(title for title, _ in grades.columns)], possible]
    for person in people_of.of(grades.points, people):
        login = person.login or ("" if person.id or person.sis_id else person.learner)
        known = [person.name or person.learner, person.id, person.sis_id, login, person.section]
        lines.append([*map(gradebook.safe, known), *map(number, grades.points[person.learner])])
    return [_write_csv(Path(folder) / "canvas.csv", lines)]


def moodle(grades, folder, people=None):
    """moodle.csv: "Grades > Import > CSV file" reads it; map the first columns to the user."""
    crowd, heads = _moodle_users(grades.points, people)
    titles = [f"{title} ({number(of)})" for title, of in grades.columns]  # no other place for it
    lines = [["Full name", *heads, *titles]]
    for person in crowd:
        who = [person.name or person.learner, *(getattr(person, field) for field in heads.values())]
        scores = [number(points) or "-" for points in grades.points[person.learner]]
        lines.append([*map(gradebook.safe, who), *scores])
    return [_write_csv(Path(folder) / "moodle.csv", lines)]


def _moodle_users(learners, people):
    """(the Persons, which columns say who they are: title -> field)."""
    known = {"Username": "login", "ID number": "id", "Email address": "email"}
    crowd = people_of.of(learners, people)
    if people is None:
        crowd = [person._replace(login=person.learner) for person in crowd]
    heads = {head: field for head, field in known.items() if any(getattr(p, field) for p in crowd)}
    if not heads:
        hint = f"Moodle finds a learner by one of {', '.join(known.values())}: add such a column."
        raise errors.InvalidValue("The file of people names nobody for Moodle.", hint=hint)
    return crowd, heads


def check_people(kinds, learners, people):
    """Raise now if one of these tables could not say who the learners are."""
    if set(kinds) & set(PRESETS):
        people_of.of(learners, people)
    if "moodle" in kinds:
        _moodle_users(learners, people)


def nbgrader(grades, folder, people=None):
    """nbgrader.csv, with the columns of ``nbgrader export``; a column of ours is an assignment."""
    head = "assignment duedate timestamp student_id last_name first_name email".split()
    lines = [[*head, "raw_score", "late_submission_penalty", "score", "max_score"]]
    crowd = people_of.of(grades.points, people)
    for at, (title, of) in enumerate(grades.columns):
        for person in crowd:
            last, first = _names(person.name)
            who = [person.id or person.learner, last, first, person.email]
            score = number(grades.points[person.learner][at])
            lines.append([title, "", "", *map(gradebook.safe, who), score, "0", score, number(of)])
    return [_write_csv(Path(folder) / "nbgrader.csv", lines)]


def _names(name):
    """(last, first) of "Last, First" or "First Last"."""
    if "," in name:
        last, _, first = name.partition(",")
        return last.strip(), first.strip()
    first, _, last = name.rpartition(" ")
    return last, first


def _write_csv(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(lines)
    return path


PRESETS = {"canvas": canvas, "moodle": moodle, "nbgrader": nbgrader}
KINDS = (*PRESETS, "gradescope")


def write(kind, rows, folder, people=None, group="exercise", results=()):
    """Write the rows of grades.csv as ``kind``; (the paths, what the teacher should know).

    ``people``: what ``people.read`` gives, or None. ``group``: a key of GROUPS. ``results``: each
    with a ``row`` and a ``verdict``; Gradescope shows these in full.
    """
    if kind not in KINDS:
        raise errors.InvalidValue(
            f"Grades are not written for {kind!r}.", hint=errors.did_you_mean(kind, KINDS)
        )
    learners = sorted({row["learner"] for row in rows})
    if kind == "gradescope":
        return gradescope.write(rows, folder, results), _notes(rows, learners, None)
    paths = PRESETS[kind](table(rows, group), folder, people)
    return paths, _notes(rows, learners, people)


def _notes(rows, learners, people):
    """What is left out, in words."""
    failed = [
        f"{row['learner']} ({row['exercise']})" for row in rows if row["status"] == NOT_GRADED
    ]
    absent = people_of.without_work(learners, people)
    told = {"Not graded, so left empty: ": failed, "No work of, so not in the file: ": absent}
    return [f"{what}{', '.join(names)}" for what, names in told.items() if names]
