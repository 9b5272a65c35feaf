"""Which examples get which diagnosis code, as the checker says now? For the pages of all codes.

The general codes come from ``grading.examples``; those of an exercise from its mutants, each a
change of the chapter's reference. Only the verdict is shown, never the reference.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading import exercise as exercises
from ms_ext.grading import judging, magics, selftest
from ms_ext.grading.codes import CODES
from ms_ext.grading.examples import EXAMPLES
from ms_ext.grading.sandbox import Limits
from ms_ext.grading.verdict import Verdict

from . import learner, source

SHORT = Limits(wall=5.0, processor=1, output=1 << 20)
#: Codes that no answer gets by itself, and when they are given.
ELSEWHERE = {
    "passed": "Every check passes.",
    "untouched": "A saved copy in which nobody has written yet. `ms.check` in the notebook goes on "
    "and says what is missing.",
    "no-file": "A learner's folder that holds only a text file.",
    "file-empty": "A notebook of 0 bytes, as a broken download leaves it.",
    "file-not-json": 'A notebook whose end is missing: `{"cells": [`',
    "file-not-notebook": 'A JSON file without cells: `{"answer": 42}`',
    "file-too-large": "A notebook whose outputs hold a film.",
    "file-link": "`answer.ipynb -> /etc/passwd`",
    "file-unreadable": "A file that the account of the checker may not read.",
    "not-earned": "A check that builds on another one: its own cases pass, the other check fails.",
    "grader-error": "Something is wrong with the checker or the machine. No points are given or "
    "taken; the teacher sees it at the end of the batch.",
}


class Shown(NamedTuple):
    """A code and what leads to it: an answer with its verdict, or a sentence where none does."""

    code: str
    exercise: str = ""  # "" for the codes that any exercise can give
    contract: str = ""
    answer: str = ""
    verdict: Verdict | None = None

    def data(self):
        """Plain data, for JSON."""
        return [*self[:4], None if self.verdict is None else self.verdict.data()]

    @classmethod
    def read(cls, data):
        """What ``data()`` gave."""
        *words, verdict = data
        return cls(*words, None if verdict is None else Verdict.read(verdict))


def words(code):
    """What a code says, and what to do next, without an exercise around it.

    >>> words("missing")
    'Nothing here defines `answer`. Run (or save) the cell that makes `answer`, then check again.'
    """
    plain = CODES[code]
    text = f"{plain.headline} {plain.next}".replace("{target}", "answer")
    return text.replace("{kind}", "an error").strip()


def general(make_child):
    """Every general code as Shown, in their order; ``make_child(limits=...)`` gives a learner's
    process."""
    with ThreadPoolExecutor(4) as pool:  # most of them wait for a clock
        return list(pool.map(lambda code: _general(code, make_child), CODES))


def _general(code, make_child):
    if code in ELSEWHERE:
        return Shown(code)
    _, exercise, text = next(each for each in EXAMPLES if each[0] == code)
    verdict = _judged(exercise, [("cell 1", text)], make_child)
    if verdict.code != code:
        raise errors.InvalidValue(f"The example of {code!r} gets another code.", given=f"{verdict}")
    return Shown(code, "", exercise.contract, text, verdict)


def special(name, judged):
    """The codes that only one exercise gives, each with the verdict on a change that earns it.

    ``judged(mutant)`` gives the verdict on the chapter's reference with that change.
    """
    exercise, chapter = exercises.load(name), source.read(name.partition(".")[0])
    own = {mistake.code for mistake in exercise.mistakes}
    for code in dict.fromkeys(mutant.code for mutant in exercise.mutants):
        if code in own:
            mutant = next(each for each in exercise.mutants if each.code == code)
            verdict = silent(judged(mutant), chapter)
            yield Shown(code, name, exercise.contract, "", verdict)


def _mutants_of(name, make_child):
    """``judged`` for ``special``: the change is made and its answer judged now."""
    chapter = source.read(name.partition(".")[0])
    solved = learner.code_cells(chapter, solved=True)
    cells = [(title, magics.python_of(text)) for title, text in solved]
    exercise = exercises.load(name)
    return lambda mutant: _judged(exercise, selftest.mutated(cells, mutant), make_child, Limits())


def silent(verdict, chapter):
    """The verdict with "..." where it quotes a line of the chapter's solutions, as errors do."""
    text = json.dumps(verdict.data(), ensure_ascii=False)
    for cell in chapter.cells:
        for line in source.solution_lines(cell.text):
            if len(line) > source.SHORTEST:
                text = text.replace(json.dumps(line, ensure_ascii=False)[1:-1], "...")
    return Verdict.read(json.loads(text))


def _judged(exercise, cells, make_child, limits=SHORT):
    child = make_child(limits=limits)
    try:
        return judging.judge(exercise, cells, child, lambda: make_child(limits=limits))
    finally:
        child.close()


def everything(make_child):
    """All of them: the general ones, then those of each exercise."""
    found = general(make_child)
    for name in exercises.names():
        found += special(name, _mutants_of(name, make_child))
    return found


def in_short(verdict):
    """The verdict as text, without its picture, hints and times."""
    lines = str(replace(verdict, picture=None)).splitlines()
    ends = [at for at, line in enumerate(lines) if line.startswith("  hints:")]
    return "\n".join(lines[: ends[0] if ends else -1])
