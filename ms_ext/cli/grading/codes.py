"""Write the page of all diagnosis codes, with an example of each, run now: [PAGE].

The general codes come from ``grading.examples``; those of an exercise from its mutants, each a
change of the chapter's reference. Only the change is printed, never the reference.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from ms_ext.book import source
from ms_ext.cli.grading import answers
from ms_ext.engine import errors
from ms_ext.grading import exercise as exercises
from ms_ext.grading import judging, selftest
from ms_ext.grading.codes import CODES
from ms_ext.grading.examples import EXAMPLES
from ms_ext.grading.sandbox import Limits, Nursery

PAGE = source.BOOK / "appendix" / "codes.md"
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
HEAD = """# Diagnosis codes

A check answers with a code: one word that stands in the verdict, in the teacher's table and in the
dashboard. Each example below was run by the checker when this page was written:
`ms-ext grade codes`.
"""


def main(arguments):
    """Write it."""
    if len(arguments) > 1:
        print("Say one path at most: ms-ext grade codes [PAGE]", file=sys.stderr)
        return 2
    path = Path(arguments[0]) if arguments else PAGE
    with Nursery() as nursery:
        path.write_text(page(nursery.child), encoding="utf-8")
    print(path)
    return 0


def page(make_child):
    """The page as Markdown; ``make_child(limits=...)`` gives a fresh learner's process."""
    with ThreadPoolExecutor(4) as pool:  # most of them wait for a clock
        general = list(pool.map(lambda code: _general(code, make_child), CODES))
    parts = [HEAD, "## For every exercise", *general, "## Of single exercises"]
    for name in exercises.names():
        parts += _special(exercises.load(name), make_child)
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _general(code, make_child):
    plain = CODES[code]
    words = f"{plain.headline} {plain.next}".replace("{target}", "answer")
    head = f"### {code}\n\n{words.replace('{kind}', 'an error')}"
    if code in ELSEWHERE:
        return f"{head.strip()}\n\n{ELSEWHERE[code]}"
    _, exercise, text = next(each for each in EXAMPLES if each[0] == code)
    verdict = _judged(exercise, [("cell 1", text)], make_child)
    if verdict.code != code:
        raise errors.InvalidValue(f"The example of {code!r} gets another code.", given=f"{verdict}")
    asked = f"The exercise: {exercise.contract}"
    return "\n\n".join([head, asked, _block("python", text), _block("text", _said(verdict))])


def _special(exercise, make_child):
    """The codes that only this exercise gives, each with the change that leads to it."""
    cells, seen = answers.of([exercise.name])[exercise.name][0], set()
    own = {mistake.code for mistake in exercise.mistakes}
    for mutant in exercise.mutants:
        if mutant.code not in own or mutant.code in seen:
            continue
        seen.add(mutant.code)
        verdict = _judged(exercise, selftest.mutated(cells, mutant), make_child)
        head = f"### {exercise.name}: {mutant.code}"
        yield "\n\n".join([head, _block("text", _said(verdict))])


def _judged(exercise, cells, make_child):
    child = make_child(limits=SHORT)
    try:
        return judging.judge(exercise, cells, child, lambda: make_child(limits=SHORT))
    finally:
        child.close()


def _said(verdict):
    """The verdict without its picture, hints and times."""
    lines = str(replace(verdict, picture=None)).splitlines()
    ends = [at for at, line in enumerate(lines) if line.startswith("  hints:")]
    return "\n".join(lines[: ends[0] if ends else -1])


def _block(language, text):
    return f"```{language}\n{text.strip(chr(10))}\n```"
