"""Write the page of all diagnosis codes, with an example of each, run now: [PAGE]."""

import sys
from pathlib import Path

from ms_ext.book import codes, source
from ms_ext.grading.sandbox import Nursery

PAGE = source.BOOK / "appendix" / "codes.md"
HEAD = """# Diagnosis codes

A check answers with a code: one word that stands in the verdict, in the teacher's table and in the
dashboard. Each example below was run by the checker when this page was written:
`ms-ext grade codes`.
"""
OF_ONE = "## Of single exercises"


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
    found = codes.everything(make_child)
    own = [special(each) for each in found if each.exercise]
    parts = general([each for each in found if not each.exercise]), OF_ONE, *own
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def general(found):
    """The page's first part: the codes that any exercise can give."""
    parts = [HEAD, "## For every exercise", *map(_general, found)]
    return "\n\n".join(part.strip("\n") for part in parts)


def _general(shown):
    head = f"### {shown.code}\n\n{codes.words(shown.code)}"
    if shown.verdict is None:
        return f"{head}\n\n{codes.ELSEWHERE[shown.code]}"
    asked = f"The exercise: {shown.contract}"
    said = _block("text", codes.in_short(shown.verdict))
    return "\n\n".join([head, asked, _block("python", shown.answer), said])


def special(shown):
    """A section of the second part: a code that one exercise gives."""
    said = _block("text", codes.in_short(shown.verdict))
    return f"### {shown.exercise}: {shown.code}\n\n{said}"


def _block(language, text):
    return f"```{language}\n{text.strip(chr(10))}\n```"
