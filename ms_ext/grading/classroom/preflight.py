"""Is this bundle fair? With it the reference must earn everything, and the starter nothing.

A missing package or a broken extra check would otherwise give a whole class the same wrong grade.
"""

from concurrent.futures import ThreadPoolExecutor

from ms_ext.engine import errors

from .. import judging
from ..sandbox.limits import Limits

REFERENCE, STARTER = "the reference", "the untouched starter"


def check(work, answers):
    """Raise if one is unfair; ``answers``: name -> (cells of the reference, of the starter)."""
    tasks = [(exercise, which) for exercise in work.exercises for which in (REFERENCE, STARTER)]
    with ThreadPoolExecutor(work.jobs) as pool:
        found = list(pool.map(lambda task: _unfair(work, *task, answers), tasks))
    wrong = [
        f"{exercise.name}: {why}" for (exercise, _), why in zip(tasks, found, strict=True) if why
    ]
    if wrong:
        raise errors.NotRunnable(
            "Nothing was graded: with this bundle the grades would be wrong.",
            given="\n           ".join(wrong),
            hint="Mend the bundle; `ms-ext doctor` says if something is missing here.",
        )


def _unfair(work, exercise, which, answers):
    """What is wrong with an exercise, or ""."""
    try:
        verdict = _verdict(work, exercise, which, answers)
    except Exception as error:  # a judge of the bundle's, on cases it cannot judge
        return f"the grader fails on {which}: {type(error).__name__}: {error}"
    if which == REFERENCE:
        lost = [
            f"{check.name} ({check.code})" for check in verdict.checks if check.points < check.of
        ]
        return lost and f"{which} fails in {', '.join(lost)}: {_why(verdict)}"
    earned = [check.name for check in verdict.checks if check.points > 0]
    return earned and f"{which} earns points in {', '.join(earned)}"


def _why(verdict):
    """What went wrong in full: of an exception the kind, the place and the words."""
    said = verdict.headline.replace("Your code", "it", 1)
    return " ".join(" ".join([said, verdict.detail]).split())


def _verdict(work, exercise, which, answers):
    child = work.nursery.child(reads=[], limits=Limits())
    try:
        # shown to the teacher alone, so a check of their own is explained like an open one
        shown = tuple([check._replace(open=True) for check in exercise.checks])
        cells = answers[exercise.name][which == STARTER]
        seed = work.bundle.seed(which, exercise.name)
        return judging.judge(
            exercise._replace(checks=shown), cells, child, work.nursery.child, seed=seed
        )
    finally:
        child.close()
