"""How does a class stand? What went wrong where, what was hard, who needs a word.

Counts over the rows of grades.csv, each as a ``Chart``: a sentence, a picture, a table. The
notebook that ``notebook("grades.csv")`` writes calls these and nothing else.

>>> rows = [{"learner": "a", "exercise": "05.x", "status": "failed", "points": 0.0, "of": 3.0,
...          "code": "swapped", "hints used": "1"}]
>>> print(hardest(rows))
05.x earned 0 % of its points, attempted by 100 %.
exercise  % of points  % attempted
05.x                0          100
"""

import json
import os
from collections import Counter
from pathlib import Path

from ms_ext.engine import errors
from ms_ext.grading.classroom import dashboard_drawing as drawing
from ms_ext.grading.classroom import feedback, gradebook
from ms_ext.grading.classroom.chart import Chart, listed
from ms_ext.grading.classroom.rows import NOT_GRADED
from ms_ext.grading.submissions import PROBLEMS

NUMBERS = ("points", "of", "seconds")
NOT_ATTEMPTED = "not attempted"
STOPPED = ("too-long", "endless", "memory", "output", "ended")
MOST_CODES = 12
LEVELS = ("no hint", "a nudge", "the method", "a worked sibling")


def read(path):
    """The rows of a grades.csv, with points as numbers."""
    return [
        {**row, **{name: _number(row[name]) for name in NUMBERS}} for row in gradebook.read(path)
    ]


def _number(text):
    try:
        return float(text)
    except ValueError:
        return 0.0


def summary(rows):
    """The class in a few words, and whether all rows were graded in one way."""
    learners, exercises = _names(rows, "learner"), _names(rows, "exercise")
    known = [row for row in rows if row["status"] != NOT_GRADED]
    head = f"{_count(len(learners), 'learner')}, {_count(len(exercises), 'exercise')}: "
    lines = [head + f"{_share(known):.0f} % of all points earned."]
    if len(known) < len(rows):
        lines.append(f"{_count(len(rows) - len(known), 'row')} could not be graded: see below.")
    for name in ("bundle", "version"):
        if len(kinds := _names(rows, name)) > 1:
            lines.append(f"The rows differ in {name} ({listed(kinds)}): grade again to compare.")
    return Chart(" ".join(lines))


def heat_map(rows):
    """Which diagnosis came up how often in which exercise."""
    wrong = [row for row in rows if row["status"] != "passed"]
    counts = Counter((row["exercise"], row["code"]) for row in wrong)
    codes = [code for code, _ in Counter(row["code"] for row in wrong).most_common()]
    if not counts:
        return Chart("Nothing went wrong: every exercise of every learner passed.")
    kept = codes[:MOST_CODES]
    if len(codes) > MOST_CODES:
        kept[-1:] = ["others"]
        for exercise, code in list(counts):
            if code not in kept:
                counts[exercise, "others"] += counts.pop((exercise, code))
    exercises = sorted({exercise for exercise, _ in counts})
    grid = [[counts[exercise, code] for code in kept] for exercise in exercises]
    named = {pair: count for pair, count in counts.items() if pair[1] != "others"}
    exercise, code = max(named, key=named.get)
    sentence = (
        f"What went wrong where. Most often: {code} in {exercise}, {counts[exercise, code]}×."
    )
    table = _table(("exercise", *kept), exercises, grid)
    return Chart(sentence, drawing.heat_map(exercises, kept, grid), table)


def meanings(rows):
    """What the diagnoses of the class mean, the commonest first."""
    counts = Counter(row["code"] for row in rows if row["status"] != "passed")
    if not counts:
        return Chart("No diagnosis was given.")
    where = {row["code"]: row["exercise"] for row in rows}
    lines = [
        (code, number, feedback.meaning(code, where[code])) for code, number in counts.most_common()
    ]
    return Chart("What the diagnoses mean.", "", [("diagnosis", "times", "means"), *lines])


def hardest(rows):
    """The exercises by the share of their points that was earned, the hardest first."""
    bars = sorted((_share(own), name, _attempted(own)) for name, own in _by(rows, "exercise"))
    if not bars:
        return Chart("There are no grades yet.")
    share, name, attempted = bars[0]
    sentence = f"{name} earned {share:.0f} % of its points, attempted by {attempted:.0f} %."
    sentence = f"The hardest exercise: {sentence}" if len(bars) > 1 else sentence
    table = [("exercise", "% of points", "% attempted")]
    table += [(name, f"{share:.0f}", f"{attempted:.0f}") for share, name, attempted in bars]
    return Chart(sentence, drawing.bars(bars), table)


def hint_use(rows):
    """Up to which hint the learners went, for each exercise."""
    levels = [(row["exercise"], _level(row.get("hints used", ""))) for row in rows]
    counts = Counter(pair for pair in levels if pair[1] is not None)
    exercises = sorted({exercise for exercise, _ in counts})
    if not any(level for _, level in counts):
        return Chart("Nobody asked for a hint, or the files do not show it.")
    grid = [[counts[exercise, level] for level in range(len(LEVELS))] for exercise in exercises]
    asked = [sum(line[1:]) for line in grid]
    most = exercises[asked.index(max(asked))]
    sentence = f"Hints were asked for most in {most}: by {_count(max(asked), 'learner')}."
    table = _table(("exercise", *LEVELS), exercises, grid)
    return Chart(sentence, drawing.stacked(exercises, LEVELS, grid), table)


def _level(text):
    """The highest hint in "1, 2"; None where nothing is known."""
    digits = [int(letter) for letter in str(text) if letter in "0123"]
    return max(digits, default=None)


def scores(rows):
    """How the learners' totals are spread."""
    totals = sorted(_share(own) for _, own in _by(rows, "learner"))
    if not totals:
        return Chart("There are no grades yet.")
    bins = Counter(min(int(total // 10), 9) for total in totals)
    heights = [bins[number] for number in range(10)]
    middle = totals[len(totals) // 2]
    sentence = f"The totals of {len(totals)} learners; the middle one has {middle:.0f} %."
    sentence = sentence if len(totals) > 1 else f"The total of the learner: {middle:.0f} %."
    table = [(f"{10 * n}-{10 * n + 10} %", height) for n, height in enumerate(heights)]
    return Chart(sentence, drawing.histogram(heights), [("total", "learners"), *table])


def to_talk_to(rows, most=30):
    """Learners whose work says too little: not attempted, stopped, or not graded."""
    found = []
    for learner, own in _by(rows, "learner"):
        reasons = _reasons(own)
        if reasons:
            lost = sum(row["of"] - row["points"] for row in own)
            found.append((-lost, learner, "; ".join(reasons)))
    if not found:
        return Chart("Everybody attempted everything, and everything could be graded.")
    kept = [(learner, why) for _, learner, why in sorted(found)[:most]]
    more = f" The {most} who lost most are listed." if len(found) > most else ""
    sentence = f"{_count(len(found), 'learner')} to talk to.{more}"
    return Chart(sentence, "", [("learner", "why"), *kept])


def _reasons(own):
    blank = [row["exercise"] for row in own if row["status"] == NOT_ATTEMPTED]
    damaged = {row["exercise"]: row["code"] for row in own if row["code"] in PROBLEMS}
    unread = f"could not be read ({listed(sorted(set(damaged.values())))})"
    if len(blank) == len(own) == len(damaged):
        return [f"the work {unread}"]
    groups = {
        unread: damaged,
        "not attempted": [name for name in blank if name not in damaged],
        "stopped by a limit": [row["exercise"] for row in own if row["code"] in STOPPED],
        "the grader failed (look at the file yourself)": [
            row["exercise"] for row in own if row["status"] == NOT_GRADED
        ],
    }
    if len(blank) == len(own) and not damaged:
        return ["nothing attempted"]
    return [f"{why}: {listed(names)}" for why, names in groups.items() if names]


def _table(head, names, grid):
    return [head, *((name, *line) for name, line in zip(names, grid, strict=True))]


def _by(rows, column):
    groups = {}
    for row in rows:
        groups.setdefault(row[column], []).append(row)
    return sorted(groups.items())


def _names(rows, column):
    return sorted({row[column] for row in rows if row.get(column)})


def _share(rows):
    known = [row for row in rows if row["status"] != NOT_GRADED]
    possible = sum(row["of"] for row in known)
    return 100 * sum(row["points"] for row in known) / possible if possible else 0.0


def _attempted(rows):
    return 100 * sum(row["status"] != NOT_ATTEMPTED for row in rows) / len(rows)


def _count(number, what):
    return f"{number} {what}{'s' * (number != 1)}"


CELLS = (
    "# How the class stands\n\nRun the cells from top to bottom, again after each grading.",
    "from ms_ext.grading.classroom import dashboard",
    "rows = dashboard.read({name!r})\ndashboard.summary(rows)",
    "## What went wrong where\n\nA row for each exercise, a column for each diagnosis.",
    "dashboard.heat_map(rows)",
    "dashboard.meanings(rows)",
    "## What was hard",
    "dashboard.hardest(rows)",
    "## How far the hints were followed\n\nA hint costs nothing unless you said so.",
    "dashboard.hint_use(rows)",
    "## How the totals are spread",
    "dashboard.scores(rows)",
    "## Whom to talk to",
    "dashboard.to_talk_to(rows)",
)


def notebook(grades, path=None):
    """The dashboard of a grades.csv, written beside it unless it is there; its path."""
    grades = Path(grades)
    read(grades)  # a file that is none is told now, not in the notebook
    path = Path(path) if path else grades.with_name("dashboard.ipynb")
    name = Path(os.path.relpath(grades.resolve(), path.resolve().parent)).as_posix()
    if path.exists():
        _check_same(path, name)
        return path  # a teacher's notes may stand in it; run again it reads the grades anew
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    cells = [_cell(number, text, name) for number, text in enumerate(CELLS)]
    made = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def _check_same(path, name):
    if json.dumps(repr(name), ensure_ascii=False)[1:-1] not in path.read_text(encoding="utf-8"):
        raise errors.InvalidValue(
            "There is a dashboard of other grades at this place.",
            given=str(path),
            hint="Give this one another name with --out.",
        )


def _cell(number, text, name):
    made = {"id": f"dashboard-{number:02d}", "metadata": {}, "source": text}
    if text.startswith("#"):
        return {**made, "cell_type": "markdown"}
    source = text.replace("{name!r}", repr(name))
    return {**made, "cell_type": "code", "source": source, "execution_count": None, "outputs": []}
