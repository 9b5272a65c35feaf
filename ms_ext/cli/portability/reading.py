"""The Python of a file: a script, the cells of a notebook, or a chapter's portable cells.

>>> [part.cell for part in parts("work.ipynb", b'{"cells": []}')]
[]
"""

import ast
import io
import json
import tokenize
from pathlib import Path
from typing import NamedTuple

from ms_ext.book import myst
from ms_ext.engine import errors
from ms_ext.grading import magics


class Part(NamedTuple):
    """A piece of Python: the number of its cell, and the line on which it begins."""

    cell: int | None
    line: int
    text: str
    raw: str


def read(path):
    """The parts of a file; an error says why it cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise errors.InvalidValue(f"{path} cannot be read: {error.strerror}.") from None
    return parts(str(path), data)


def parts(name, data):
    """The parts of a file's content; its name says what it is."""
    kind = Path(name).suffix
    if kind == ".ipynb":
        return _notebook(name, data)
    if kind == ".md":
        return _chapter(name, data)
    if kind not in (".py", ".pyw", ""):
        raise errors.InvalidValue(
            f"{name} is neither Python nor a notebook.", hint="Give a .py, an .ipynb or chapter.md."
        )
    text = _decoded(name, data)
    return [Part(None, 1, text, text)]


def _decoded(name, data):
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise errors.InvalidValue(
            f"{name} is not text in UTF-8.", hint="Save it as UTF-8 in your editor."
        ) from None


def _notebook(name, data):
    try:
        cells = json.loads(data.decode("utf-8"))["cells"]
        codes = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
        texts = [text if isinstance(text, str) else "".join(text) for text in codes]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise errors.InvalidValue(
            f"{name} is not a notebook that can be read.",
            hint="It is JSON in UTF-8 with `cells`: save it again in Jupyter.",
        ) from None
    found = []
    for number, text in enumerate(texts, 1):
        found.append(Part(number, 1, magics.python_of(text), text))
    return found


def _chapter(name, data):
    """The portable cells of a chapter; every cell of one that has none."""
    _, cells = myst.parse(_decoded(name, data), name)
    codes = [cell for cell in cells if cell.kind == "code"]
    chosen = [cell for cell in codes if "portable" in cell.tags] or codes
    return [Part(None, c.line, magics.python_of(c.text), c.text) for c in chosen]


class Text(NamedTuple):
    """All parts as one syntax tree, whose lines are counted through."""

    tree: ast.Module
    starts: list  # (the first line in the tree, the part)

    def place(self, line):
        """The cell and its line of a line of the tree."""
        first, part = max((each for each in self.starts if each[0] <= line), key=lambda s: s[0])
        return part.cell, line - first + part.line


def parsed(name, pieces):
    """The syntax tree of all parts; an error names the line that is no Python."""
    body, starts, line = [], [], 1
    for part in pieces:
        tree = _tree(name, part)
        ast.increment_lineno(tree, line - 1)
        body += tree.body
        starts.append((line, part))
        line += part.text.count("\n") + 1
    return Text(ast.Module(body, []), starts or [(1, Part(None, 1, "", ""))])


def _tree(name, part):
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        return compile(part.text, name, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        at = getattr(error, "lineno", None) or 1
        place = f"cell {part.cell}, line {at}" if part.cell else f"line {at + part.line - 1}"
        reason = getattr(error, "msg", None) or "it is nested too deeply or has null bytes"
        raise errors.InvalidValue(f"{name}, {place} is not Python: {reason}.") from None
