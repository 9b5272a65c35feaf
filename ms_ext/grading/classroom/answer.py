"""What does one learner's answer to one exercise earn? It is judged in a process of its own."""

from .. import codes, judging, untouched
from .. import exercise as exercises
from ..sandbox.limits import Limits, Usage
from ..verdict import Verdict
from . import chosen_file


def attempt(nursery, learner, chosen, exercise, chapter, **how):
    """(Chosen, Verdict, Usage) as ``judge`` gives them, of a file that is more than the starter.

    A learner may hold the notebook of a chapter in two languages and have worked in one of them.
    """
    verdict, usage = judge(nursery, learner, chosen, exercise, **how)
    while verdict.code == "untouched" and chosen.others:
        chosen = chosen_file.choose(chosen.others, exercise.target, chapter)
        verdict, usage = judge(nursery, learner, chosen, exercise, **how)
    return chosen, verdict, usage


def judge(nursery, learner, chosen, exercise, seed=judging.PUBLIC, starters=None):
    """(the Verdict, what the learner's process used) for a chosen file.

    ``starters``: what ``starters`` gave; an answer that is still the starter was not attempted.
    """
    if chosen.code:
        return not_attempted(exercise, chosen.code), Usage()
    own = [str(learner.folder.resolve())] if learner.folder else []
    beside = [str(chosen.file.path.parent.resolve())] if learner.folder else []
    child = nursery.child(reads=own, limits=Limits())
    try:
        verdict = judging.judge(
            exercise, chosen.file.cells, child, nursery.child, seed=seed, path=beside
        )
    finally:
        usage = child.close()
    return untouched.told(exercise, verdict, (starters or {}).get(exercise.name)), usage


def starters(nursery, cells):
    """Name of an exercise -> sha of its untouched text; ``cells``: name -> those of the starter."""
    child = nursery.child()
    try:
        return {
            name: judging.sha_of(exercises.load(name).target, each, child)
            for name, each in cells.items()
        }
    finally:
        child.close()


def not_attempted(exercise, code):
    """The Verdict where there is nothing to judge."""
    headline, step = codes.CODES[code]
    return Verdict(
        exercise.name,
        "not attempted",
        code,
        headline.replace("{target}", exercise.target),
        next=step.replace("{target}", exercise.target),
        checks=untouched.unasked(exercise),
        of=exercise.points,
    )
