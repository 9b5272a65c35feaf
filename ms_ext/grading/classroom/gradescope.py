"""How does an autograder on Gradescope report grades? A results.json for each submission.

Gradescope calls it the autograder's output: a ``score`` for the whole, and ``tests``, each with a
``score``, a ``max_score``, an ``output`` and a ``visibility``. What is "hidden" is for the teacher
alone; while a test is hidden, Gradescope does not show students their total either.
"""

import json
import re
from pathlib import Path

from ms_ext.grading.classroom import feedback, people
from ms_ext.grading.classroom.gradebook import key
from ms_ext.grading.classroom.rows import NOT_GRADED

TEXT = dict.fromkeys(("output_format", "test_output_format", "test_name_format"), "text")
_CHECK = re.compile(r"(.+) (\S+)/(\S+)")
HIDDEN = "(hidden)"


def write(rows, folder, graded=()):
    """Write gradescope/LEARNER/results.json for every learner; the paths.

    ``graded``: results with a ``row`` and a ``verdict``, to show what went wrong in full.
    """
    said = {
        key(each.row): str(feedback.shared(each.verdict))
        for each in graded
        if each.verdict is not None
    }
    by_learner = {}
    for row in rows:
        by_learner.setdefault(row["learner"], []).append(row)
    paths = []
    for learner, own in sorted(by_learner.items()):
        path = Path(folder) / "gradescope" / people.file_name(learner) / "results.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            json.dumps(results(own, said), indent=1, ensure_ascii=False), encoding="utf-8"
        )
        paths.append(path)
    return paths


def results(rows, said):
    """What Gradescope reads of one learner; ``said``: key of a row -> its verdict as text."""
    rows = sorted(rows, key=lambda row: row["exercise"])
    known = [row for row in rows if row["status"] != NOT_GRADED]
    failed = [row["exercise"] for row in rows if row["status"] == NOT_GRADED]
    total = f"{feedback.points(rows)}."
    total += f" Not graded yet: {', '.join(failed)}." if failed else ""
    return {
        "score": round(sum(float(row["points"]) for row in known), 4),
        "output": total,
        **TEXT,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [test for row in known for test in _tests(row, said.get(key(row)))],
        "extra_data": {name: known[0][name] for name in ("bundle", "version")} if known else {},
    }


def _tests(row, said):
    """A test for each open check of an exercise, one for all hidden ones, one for hints."""
    parsed = [_CHECK.fullmatch(each).groups() for each in row["checks"].split("; ") if each]
    said = said or feedback.meaning(row["code"], row["exercise"])
    tests = []
    for name, score, of in parsed:
        tests.append(_test(row, name, float(score), float(of), said))
        if tests[-1]["output"]:  # in full once for an exercise, then in a sentence
            said = feedback.meaning(row["code"], row["exercise"])
    cost = float(row["earned"]) - float(row["points"])
    if cost > 0:
        tests.append({"name": f"{row['exercise']}: hints", "score": round(-cost, 4)})
    return tests


def _test(row, name, score, of, said):
    passed = score >= of
    hidden = name == HIDDEN
    title = "checks that the teacher keeps" if hidden else name
    return {
        "name": f"{row['exercise']}: {title}",
        "score": score,
        "max_score": of,
        "status": "passed" if passed else "failed",
        "output": "" if passed or hidden else said,
        "visibility": "hidden" if hidden else "visible",
    }
