"""Is this still what the chapter gave? Then nobody has attempted it, whatever a check says of it.

The notebook, the report card and a class's table all say so in the same words.
"""

from dataclasses import replace

from . import codes
from .verdict import CheckResult


def told(exercise, verdict, starter):
    """The verdict; "not attempted" if what it judged is the starter, whose sha is given.

    What the checks found stays below: where a broken program is to be mended, it is the way in.
    """
    if verdict or not verdict.sha or verdict.sha != starter:
        return verdict
    headline, step = codes.CODES["untouched"]
    found = "\n".join(filter(None, [f"As it stands: {verdict.headline}", verdict.detail]))
    return replace(
        verdict,
        status="not attempted",
        code="untouched",
        headline=headline,
        detail=found,
        next=step.replace("{target}", exercise.target),
        checks=unasked(exercise),
        points=0,
    )


def unasked(exercise):
    """The results of the checks where there is nothing to judge."""
    return tuple(
        [CheckResult(each.name, each.title, 0, each.points, open=each.open)
         for each in exercise.checks]
    )  # fmt: skip
