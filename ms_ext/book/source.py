"""What does a chapter consist of? chapter.md as cells, and the same cells without their solutions.

A chapter is MyST Markdown: a few ``key: value`` lines between ``---``, prose, and code in
```` ```{code-cell} python ```` fences with an optional first line ``:tags: [predict]``. A reference
solution stands between two marker lines; its ``# stub:`` lines are what the learner gets instead:

    def when(x, y):
        # region solution
        # stub: return "not written yet"
        return x.dtype == y.dtype
        # endregion
"""

import re
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
OPEN = "# region solution"
CLOSE = "# endregion"
STUB = "# stub: "
_FENCE = "```{code-cell} python"
_TAGS = re.compile(r":tags: \[([\w, -]*)\]")


class Cell(NamedTuple):
    """A piece of prose or of code; ``line`` is where its text begins in chapter.md."""

    kind: str  # "markdown" or "code"
    text: str
    tags: tuple = ()
    line: int = 0


class Chapter(NamedTuple):
    """A chapter as its author wrote it."""

    name: str  # "00_tour"
    front: dict
    cells: tuple

    @property
    def title(self):
        """What the chapter is called."""
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


def read(name):
    """The chapter called ``name``.

    >>> read("tour").title
    'The ten-minute tour'
    """
    name = find(name)
    return parse((BOOK / name / "chapter.md").read_text(encoding="utf-8"), name)


def parse(text, name="chapter"):
    """The cells of a chapter's text. ``render`` writes the same text again."""
    lines = text.split("\n")
    front, at = _front(lines, name)
    cells, prose, first = [], [], at
    while at < len(lines):
        line = lines[at]
        if line == _FENCE:
            _add_prose(cells, prose, first)
            cell, at = _code(lines, at, name)
            cells.append(cell)
            prose, first = [], at
        elif line == "+++":
            _add_prose(cells, prose, first)
            prose, first, at = [], at + 1, at + 1
        else:
            prose.append(line)
            at += 1
    _add_prose(cells, prose, first)
    return Chapter(name, front, tuple(cells))


def _front(lines, name):
    if not lines or lines[0] != "---":
        return {}, 0
    front = {}
    for at, line in enumerate(lines[1:], 1):
        if line == "---":
            return front, at + 1
        key, colon, value = line.partition(": ")
        if not colon:
            _fail(name, at, "a line that is not 'key: value'")
        front[key] = value
    _fail(name, 0, "a '---' that is never closed")


def _code(lines, at, name):
    start, body, tags = at, [], ()
    at += 1
    if at < len(lines) and lines[at].startswith(":"):
        found = _TAGS.fullmatch(lines[at]) or _fail(
            name, at, f"an option that is not ':tags: [...]': {lines[at]}"
        )
        tags = tuple(found[1].replace(" ", "").split(","))
        at += 1
    first = at
    while at < len(lines) and lines[at] != "```":
        body.append(lines[at])
        at += 1
    if at == len(lines):
        _fail(name, start, "a code cell that is never closed")
    text = "\n".join(body)
    without_solution(text, f"{name}/chapter.md", first)
    return Cell("code", text, tags, first + 1), at + 1


def _add_prose(cells, prose, first):
    text = "\n".join(prose)
    if text.strip():
        skipped = next(i for i, line in enumerate(prose) if line.strip())
        cells.append(Cell("markdown", text.strip(), (), first + skipped + 1))


def _fail(name, at, what):
    raise errors.InvalidSyntax(f"{name}/chapter.md, line {at + 1} has {what}.")


def render(chapter):
    """The text of a chapter: ``parse(render(chapter)) == chapter`` but for line numbers."""
    head = [f"{key}: {value}" for key, value in chapter.front.items()]
    pieces = ["\n".join(["---", *head, "---"])] if head else []
    last = None
    for cell in chapter.cells:
        if cell.kind == "code":
            tags = [f":tags: [{', '.join(cell.tags)}]"] if cell.tags else []
            pieces.append("\n".join([_FENCE, *tags, cell.text, "```"]))
        else:
            pieces.append(f"+++\n\n{cell.text}" if last == "markdown" else cell.text)
        last = cell.kind
    return "\n\n".join(pieces) + "\n"


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
