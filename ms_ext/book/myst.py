"""How is a chapter's text read as cells and written back? As Jupytext does it, byte for byte.

A chapter is MyST Markdown: ``key: value`` lines between ``---``, prose, and code in
```` ```{code-cell} ipython3 ```` fences with an optional first line ``:tags: [predict]``. A line
``+++`` begins another cell of prose, ``+++ {"lang": "zh"}`` one in another language. JupyterLab
opens such a file as a notebook; what it saves is what ``render`` writes (book/jupytext.toml).
"""

import json
import re
from typing import NamedTuple

from ms_ext.engine import errors

_CELL = re.compile(r"(`{3,})\{code-cell\}(?: (?:python|ipython3))?\s*")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_TAGS = re.compile(r"tags: \[([\w, -]*)\]")
_BREAK = re.compile(r"\+\+\+(?: (\{.*\}))? *")
#: A value that YAML takes as it stands, in one line: no quotes, no marks.
_PLAIN = re.compile(r"[^\s'\"\[\]{}>|*&!%#`@,?:-](?:[^:#]|:(?!\s|$)|(?<!\s)#){0,69}")


class Cell(NamedTuple):
    """A piece of prose or of code; ``line`` is where its text begins in chapter.md."""

    kind: str  # "markdown" or "code"
    text: str
    tags: tuple = ()
    line: int = 0
    language: str = "en"  # of prose; code belongs to every language


def parse(text, name="chapter"):
    """(front matter, cells) of a chapter's text.

    >>> parse("# Goal\\n```{code-cell} ipython3\\n:tags: [predict]\\n\\nguess = 3\\n```\\n")[1][1]
    Cell(kind='code', text='guess = 3', tags=('predict',), line=5, language='en')
    """
    lines = text.removesuffix("\n").split("\n")
    front, at = _front(lines, name)
    cells, prose = [], _Prose(at)
    while at < len(lines):
        if opening := _CELL.fullmatch(lines[at]):
            cells += prose.cell()
            cell, at = _code(lines, at, opening[1], name)
            cells.append(cell)
            prose = _Prose(at)
        elif lines[at].startswith("+++"):
            cells += prose.cell()
            language = _language(lines, at, name)
            at += 1
            prose = _Prose(at, language)
        else:
            end = _after_fence(lines, at)
            prose.lines += lines[at:end]
            at = end
    return front, (*cells, *prose.cell())


class _Prose:
    """The lines of a cell of prose while they are read."""

    def __init__(self, first, language="en"):
        self.first, self.language, self.lines = first, language, []

    def cell(self):
        """The cell as a list of one; of none where nothing is said."""
        text = "\n".join(self.lines)
        if not text.strip():
            return []
        skipped = next(at for at, line in enumerate(self.lines) if line)
        text = text.lstrip("\n").rstrip()
        return [Cell("markdown", text, (), self.first + skipped + 1, self.language)]


def _after_fence(lines, at):
    """The line after this one; after a fence that begins here, so that its text is no cell."""
    opening = _FENCE.match(lines[at])
    if not opening:
        return at + 1
    mark = opening[1]
    closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}} *")
    for end in range(at + 1, len(lines)):
        if closing.fullmatch(lines[end]):
            return end + 1
    return len(lines)


def _front(lines, name):
    """The front matter: plain values, and groups of them one step further in."""
    if not lines or lines[0] != "---":
        return {}, 0
    front, group = {}, None
    for at, line in enumerate(lines[1:], 1):
        if line == "---":
            return front, at + 1
        key, colon, value = line.strip().partition(":")
        indented = line.startswith("  ")
        if not colon or indented and group is None:
            fail(name, at, "a line that is not 'key: value'")
        if value and not _PLAIN.fullmatch(value.strip()):
            fail(name, at, "a value that is long or has quotes, a colon or a '#'")
        if indented:
            group[key] = value.strip()
        else:
            front[key] = value.strip() or {}
            group = front[key] if not value.strip() else None
    return fail(name, 0, "a '---' that is never closed")


def _code(lines, at, fence, name):
    """The code cell whose fence opens at this line, and the line after it."""
    end = next((e for e in range(at + 1, len(lines)) if _closes(lines[e], fence)), None)
    if end is None:
        fail(name, at, "a code cell that is never closed")
    tags, first = _tags(lines, at + 1, end, name)
    while first < end and not lines[first].strip():
        first += 1  # as the one between the options and the code
    text = "\n".join(lines[first:end]).rstrip("\n")
    return Cell("code", text, tags, first + 1), end + 1


def _closes(line, fence):
    return re.fullmatch(rf"`{{{len(fence)},}} *", line)


def _tags(lines, at, end, name):
    """The tags of a code cell, and the line after them; both of Jupytext's spellings."""
    if at < end and lines[at] == "---":
        after = next((e for e in range(at + 1, end) if lines[e] == "---"), end)
        told, after = " ".join(line.strip() for line in lines[at + 1 : after]), after + 1
    elif at < end and lines[at].startswith(":"):
        told, after = lines[at][1:], at + 1
    else:
        return (), at
    found = _TAGS.fullmatch(told.strip())
    if not found or after < end and lines[after].startswith(":"):
        fail(name, at, f"an option that is not ':tags: [...]': {lines[at]}")
    return tuple(found[1].replace(" ", "").split(",")) if found[1].strip() else (), after


def _language(lines, at, name):
    """The language that a line ``+++ {"lang": "zh"}`` announces."""
    found = _BREAK.fullmatch(lines[at])
    try:
        about = json.loads(found[1] or "{}") if found else None
    except ValueError:
        about = None
    if not isinstance(about, dict) or not set(about) <= {"lang"}:
        fail(name, at, f"""something else than '+++' or '+++ {{"lang": "zh"}}': {lines[at]}""")
    return about.get("lang", "en")


def fail(name, at, what):
    """Stop: the line ``at`` (from 0) of a chapter is not as it should be."""
    raise errors.InvalidSyntax(f"{name}/chapter.md, line {at + 1} has {what}.")


def render(front, cells):
    """The text of a chapter in the form in which JupyterLab saves it.

    >>> print(render({}, parse("# Goal\\n```{code-cell} python\\nx = 1\\n```\\n+++\\nRun it.")[1]))
    # Goal
    <BLANKLINE>
    ```{code-cell} ipython3
    x = 1
    ```
    <BLANKLINE>
    Run it.
    <BLANKLINE>
    """
    pieces = ["\n".join(["---", *_head(front), "---"])] if front else []
    after_prose = False
    for cell in cells:
        if cell.kind == "code":
            pieces.append(_written(cell))
        elif cell.language != "en":
            pieces.append(f"+++ {json.dumps({'lang': cell.language})}\n\n{cell.text}")
        else:
            pieces.append(f"+++\n\n{cell.text}" if after_prose else cell.text)
        after_prose = cell.kind == "markdown"
    return "\n\n".join(pieces) + "\n"


def _head(front):
    for key, value in sorted(front.items()):
        if isinstance(value, dict):
            yield f"{key}:"
            yield from (f"  {inner}: {text}" for inner, text in value.items())
        else:
            yield f"{key}: {value}"


def _written(cell):
    """A code cell between its fences."""
    options = [f":tags: [{', '.join(cell.tags)}]", ""] if cell.tags else []
    if not options and cell.text.startswith((":", "---")):
        options = [""]
    fence = "```"
    for line in cell.text.split("\n"):
        if line.startswith(fence):
            fence = "`" * (len(line) - len(line.lstrip("`")) + 1)
    return "\n".join([f"{fence}{{code-cell}} ipython3", *options, cell.text, fence])
