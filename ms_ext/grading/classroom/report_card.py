"""What does a learner's work earn so far? Every exercise with its mark, points and next step.

A card is made from the saved files alone. What the notebooks show is only compared with it: a pass
that the saved cells do not earn is told.
"""

from typing import NamedTuple

from ms_ext.grading import verdict_text as words
from ms_ext.grading.verdict import MARKS, WORDS

WIDE = 30


class Section(NamedTuple):
    """A chapter on the card."""

    title: str
    verdicts: tuple


def stale(verdict, shown):
    """What to say about a verdict that the saved notebook shows, a dictionary or None.

    >>> from ms_ext.grading.verdict import Verdict
    >>> stale(Verdict("05.f", "failed", "values", ""), {"status": "passed", "sha": "1"})[:42]
    'The notebook shows a pass that the saved c'
    """
    if not shown or shown.get("status") != "passed":
        return ""
    if verdict.status != "passed":
        return (
            "The notebook shows a pass that the saved cells do not earn: a cell was deleted or "
            "changed after the check. Run it again from the top, check, and save."
        )
    if shown.get("sha") and shown["sha"] != verdict.sha:
        return "The pass that the notebook shows is of another text; what is saved passes as well."
    return ""


def total(sections):
    """(points, of, passed, exercises) of a card."""
    verdicts = [verdict for section in sections for verdict in section.verdicts]
    earned, of = sum(v.points for v in verdicts), sum(v.of for v in verdicts)
    return earned, of, sum(v.status == "passed" for v in verdicts), len(verdicts)


def text(sections):
    """The card for a terminal."""
    lines = []
    for section in sections:
        lines += [section.title]
        for verdict in section.verdicts:
            lines += _lines(verdict)
        lines.append("")
    return "\n".join([*lines, in_all(sections)])


def in_all(sections):
    """The last line of a card."""
    earned, of, passed, count = total(sections)
    exercises = "exercise" if count == 1 else "exercises"
    return f"In all {words.points(earned, of)}; {passed} of {count} {exercises} passed."


def _lines(verdict):
    earned = f"{words.number(verdict.points)}/{words.number(verdict.of)}"
    plain = verdict.status == "passed" or verdict.code == "untouched"
    code = "" if plain else verdict.code
    status = WORDS[verdict.status]
    lines = [f"  {MARKS[verdict.status]} {verdict.name:<{WIDE}} {earned:>5}  {status:<17} {code}"]
    if not plain:
        lines += [f"      {line}" for line in verdict.headline.splitlines()]
        lines += [f"      next: {verdict.next}"] if verdict.next else []
    lines += [f"      ! {warning}" for warning in verdict.warnings]
    return [line.rstrip() for line in lines]
