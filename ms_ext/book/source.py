"""What does a chapter consist of? Cells of prose and code, in one language, solved or not.

``myst`` reads and writes the text of chapter.md. A reference solution stands between two marker
lines; its ``# stub:`` lines are what the learner gets instead:

    def when(x, y):
        # region solution
        # stub: return "not written yet"
        return x.dtype == y.dtype
        # endregion

Prose in another language follows its English cell, after a line ``+++ {"lang": "zh"}``; code is
shared. ``read`` gives the cells of one language, ``written`` all of them.
"""

import re
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors

from . import myst

Cell = myst.Cell
ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
OPEN = "# region solution"
CLOSE = "# endregion"
STUB = "# stub: "
#: A shorter line of a solution, such as "else:", gives nothing away.
SHORTEST = 8
ENGLISH = "en"
#: What every chapter begins with besides its title: it is a notebook, and this is its kernel.
FRONT = {
    "file_format": "mystnb",
    "kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"},
}


class Chapter(NamedTuple):
    """A chapter: as its author wrote it, or (from ``read``) in one language."""

    name: str  # "00_tour"
    front: dict
    cells: tuple
    language: str = ENGLISH

    @property
    def title(self):
        """What the chapter is called; in another language, what its first heading says."""
        if self.language != ENGLISH:
            prose = "\n".join(cell.text for cell in self.cells if cell.kind == "markdown")
            if heading := re.search(r"^# (.+)$", prose, re.MULTILINE):
                return heading[1]
        return self.front.get("title", self.name)


def chapters():
    """The names of all chapters, in order.

    >>> "00_tour" in chapters()
    True
    """
    return sorted(path.parent.name for path in BOOK.glob("[0-9]*/chapter.md"))


def find(name):
    """The full name of a chapter: "00_tour", "tour" and "0" mean the same.

    >>> find("tour")
    '00_tour'
    """
    known = chapters()
    for each in known:
        number, _, topic = each.partition("_")
        if str(name) in (each, topic, number, number.lstrip("0") or "0"):
            return each
    raise errors.InvalidValue(
        f"There is no chapter {name!r}.", hint=errors.did_you_mean(name, known)
    )


def read(name, language=ENGLISH):
    """The chapter called ``name``, its prose in ``language``.

    >>> read("tour").title
    'The ten-minute tour'
    """
    return in_language(written(name), language)


def written(name):
    """The chapter called ``name`` as its author wrote it: the prose of every language.

    >>> written("tour").name
    '00_tour'
    """
    name = find(name)
    return parse((BOOK / name / "chapter.md").read_text(encoding="utf-8"), name)


def parse(text, name="chapter"):
    """The cells of a chapter's text. ``render`` writes the same text again."""
    front, cells = myst.parse(text, name)
    for cell in cells:
        if cell.kind == "code":
            without_solution(cell.text, f"{name}/chapter.md", cell.line - 1)
    return Chapter(name, front, cells)


def render(chapter):
    """The text of a chapter: ``parse(render(chapter)) == chapter`` but for line numbers."""
    return myst.render(chapter.front, chapter.cells)


def normal(text, name="chapter"):
    """A chapter's text as JupyterLab saves it: ``book/NN_topic/chapter.md`` is kept in this form.

    >>> print(normal("---\\ntitle: One\\n---\\n# One"))
    ---
    file_format: mystnb
    kernelspec:
      name: python3
      display_name: Python 3 (ipykernel)
    title: One
    ---
    <BLANKLINE>
    # One
    <BLANKLINE>
    """
    chapter = parse(text, name)
    return render(chapter._replace(front={**FRONT, **chapter.front}))


def languages(chapter):
    """The languages of a chapter's prose, English first; ``chapter`` is a name or ``written``.

    >>> languages("tour")[0]
    'en'
    """
    cells = chapter.cells if isinstance(chapter, Chapter) else written(chapter).cells
    others = {cell.language for cell in cells if cell.kind == "markdown"} - {ENGLISH}
    return (ENGLISH, *sorted(others))


def in_language(chapter, language):
    """A chapter as written, with the prose of one language only.

    >>> small = parse('# One\\n\\n+++ {"lang": "zh"}\\n\\n# 一')
    >>> in_language(small, "zh").title
    '一'
    """
    known = languages(chapter)
    if language not in known:
        raise errors.InvalidValue(
            f"Chapter {chapter.name} is not written in {language!r}.",
            given=f"it has {', '.join(known)}",
        )
    kept = tuple(c for c in chapter.cells if c.kind == "code" or c.language == language)
    return chapter._replace(cells=kept, language=language)


# the learner's side --------------------------------------------------------------------------


def has_solution(text):
    """Does this cell hold a reference solution?"""
    return any(line.strip() == OPEN for line in text.split("\n"))


def without_solution(text, place="the cell", first=0):
    """The code a learner gets: each marked region gives way to its stub lines.

    >>> print(without_solution("f = 0\\n# region solution\\nf = 7\\n# endregion"))
    f = 0
    ...  # your code
    """
    kept, region = [], None
    for at, line in enumerate(text.split("\n")):
        word = line.strip()
        if word in (OPEN, CLOSE) and (region is None) != (word == OPEN):
            raise errors.InvalidSyntax(f"{place}, line {first + at + 1}: a lone {word!r}.")
        if word == OPEN:
            region = []
        elif word == CLOSE:
            indent = line[: len(line) - len(line.lstrip())]
            kept += region or [f"{indent}...  # your code"]
            region = None
        elif region is None:
            kept.append(line)
        elif word.startswith(STUB):
            kept_indent = line[: len(line) - len(line.lstrip())]
            region.append(kept_indent + word[len(STUB) :])
    if region is not None:
        raise errors.InvalidSyntax(f"{place}: {OPEN!r} is never closed.")
    return "\n".join(kept)


def reference(text):
    """The code with its solution, without the marker lines."""
    return "\n".join(line for _, line in reference_lines(text))


def reference_lines(text):
    """The lines of ``reference(text)``, each with its place among the author's lines (from 0)."""
    lines = enumerate(text.split("\n"))
    return [(at, line) for at, line in lines if not _is_marker(line.strip())]


def solution_lines(text):
    """The lines inside the marked regions, stripped: no learner's file may hold one."""
    inside, found = False, []
    for line in text.split("\n"):
        word = line.strip()
        if word in (OPEN, CLOSE):
            inside = word == OPEN
        elif inside and word and not word.startswith(STUB):
            found.append(word)
    return found


def _is_marker(word):
    return word in (OPEN, CLOSE) or word.startswith(STUB)
