"""What is in a learner's file? Its code cells, whatever state the file is in.

Reading never raises: a file that cannot be read is a Submission with a ``problem``. JSON is parsed
here; the learner's Python is not, that is left to the learner's process.
"""

import hashlib
import itertools
import json
import os
import re
import stat
import tokenize
from pathlib import Path
from typing import NamedTuple

from ms_ext.grading import magics
from ms_ext.grading.codes import CODES

FILE_BYTES = 128 << 20
CODE_CHARACTERS = 2 << 20
JSON_MARKS = 1 << 20  # brackets and commas: what a file costs once it is parsed
MOST_CELLS = 5000
VERDICT = "application/vnd.ms-ext.verdict+json"
HINT = "application/vnd.ms-ext.hint+json"

#: What may be wrong with a whole file, and what its learner is told.
PROBLEMS = {code: words.headline for code, words in CODES.items() if code.startswith("file-")}


class Submission(NamedTuple):
    """One file. ``shown``: the last verdict that its outputs hold, by exercise; ``hints``: levels.

    ``cells``: (name, text) of what is Python in it. ``problem``: "" or a key of PROBLEMS.
    """

    path: Path
    cells: tuple = ()
    sha: str = ""
    chapter: str = ""
    shown: dict = {}
    hints: dict = {}
    warnings: tuple = ()
    problem: str = ""

    def defines(self, target):
        """The names of the cells in which ``target`` seems to be defined."""
        return [name for name, text in self.cells if defines(text, target)]


def defines(text, target):
    """Does a name get its value in this text, which may not be quite Python?

    >>> defines("def f(x):", "f"), defines("f(x) == 3", "f"), defines("a, f = 1, 2", "f")
    (True, False, True)
    """
    return any(_gives(line.strip(), target) for line in text.split("\n") if target in line)


def _gives(line, target):
    """One line, in one pass over it: a learner's file may be made to take for ever."""
    name = rf"(?<![\w.]){re.escape(target)}\b"
    if re.match(rf"(?:async[ \t]+def|def|class)[ \t]+{name}", line):
        return True
    if re.match(r"(?:from|import)\b", line):
        return re.search(rf"{name}$", line) is not None
    *given, _ = re.split(r"(?<![=!<>:+*/|&^%@-])=(?!=)", line)
    plain = [part for part in given if _SIDE.match(part)]
    annotated = given[:1] if given and re.match(rf"{name}[ \t]*:", given[0]) else []
    return any(re.search(rf"{name}(?![ \t]*[(.\[])", part) for part in plain + annotated)


_SIDE = re.compile(r"[\w \t,*()\[\].]*\Z")  # what may stand left of a "="


def read(path):
    """The Submission in a file.

    >>> read("no-such-file.ipynb").problem
    'file-unreadable'
    """
    path = Path(path)
    data, problem = _bytes(path)
    if problem:
        return Submission(path, problem=problem)
    found = _notebook(path, data) if path.suffix == ".ipynb" else _python(path, data)
    if sum(len(text) for _, text in found.cells) > CODE_CHARACTERS:
        found = found._replace(cells=(), problem="file-too-large")
    cells = [(name, magics.python_of(text)) for name, text in found.cells]
    kept = tuple((name, text) for name, text in cells if text.strip())
    return found._replace(cells=kept, sha=hashlib.sha256(data).hexdigest())


def _bytes(path):
    """What a regular file holds; never waits for a pipe, never follows a link."""
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    limit = FILE_BYTES if path.suffix == ".ipynb" else 4 * CODE_CHARACTERS
    try:
        about = os.lstat(path)
        if not stat.S_ISREG(about.st_mode):
            return b"", "file-link"
        if about.st_size > limit:
            return b"", "file-too-large"
        with open(os.open(path, os.O_RDONLY | flags), "rb") as file:
            data = file.read(limit)
    except (OSError, ValueError):
        return b"", "file-unreadable"
    return data, "" if data.strip(b"\xef\xbb\xbf \t\r\n\0") else "file-empty"


# notebooks -----------------------------------------------------------------------------------


def _notebook(path, data):
    text, warnings = _decoded(data, json.detect_encoding(data))
    if sum(text.count(mark) for mark in "[{,") > JSON_MARKS:
        return Submission(path, problem="file-too-large")
    try:
        content = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError, MemoryError):
        return Submission(path, problem="file-not-json", warnings=warnings)
    cells = _cells_of(content)
    if cells is None:
        return Submission(path, problem="file-not-notebook", warnings=warnings)
    code = [cell for cell in cells if cell.get("cell_type", "code") == "code"]
    if len(code) > MOST_CELLS:
        return Submission(path, problem="file-too-large")
    texts = tuple((f"cell {at}", _source(cell)) for at, cell in enumerate(code, 1))
    return Submission(path, texts, "", _chapter(content, path), *_outputs(code), warnings)


def _object(pairs):
    """An object of the notebook; of an output only what the grader writes itself is kept."""
    made = dict(pairs)
    if "output_type" in made:
        data = made.get("data")
        data = data if isinstance(data, dict) else {}
        return {"output_type": "kept", "data": {k: data[k] for k in (VERDICT, HINT) if k in data}}
    return made


def _cells_of(content):
    """The cells of a notebook of format 4 or 3; None if this is none."""
    if not isinstance(content, dict):
        return None
    lists = [content.get("cells")]
    if isinstance(content.get("worksheets"), list):
        sheets = [sheet for sheet in content["worksheets"] if isinstance(sheet, dict)]
        lists = [sheet.get("cells") for sheet in sheets] or [[]]
    if not any(isinstance(each, list) for each in lists):
        return None
    cells = [cell for each in lists if isinstance(each, list) for cell in each]
    return [cell for cell in cells if isinstance(cell, dict)]


def _source(cell):
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(piece for piece in source if isinstance(piece, str))
    if not isinstance(source, str) or cell.get("language", "python") != "python":
        return ""
    return _clean(source)


def _chapter(content, path):
    """The chapter that a notebook says it is, or the name it has."""
    about = content.get("metadata")
    ours = about.get("ms_ext") if isinstance(about, dict) else None
    named = ours.get("chapter") if isinstance(ours, dict) else None
    return _clean(named) if isinstance(named, str) and named else path.stem


def _outputs(cells):
    """The last verdict and the highest hint of each exercise that the outputs show."""
    shown, hints = {}, {}
    lists = [cell["outputs"] for cell in cells if isinstance(cell.get("outputs"), list)]
    for output in itertools.chain(*lists):
        data = output.get("data") if isinstance(output, dict) else None
        if not isinstance(data, dict):
            continue
        verdict, hint = data.get(VERDICT), data.get(HINT)
        if isinstance(verdict, dict) and isinstance(verdict.get("name"), str):
            shown[verdict["name"]] = verdict
        if isinstance(hint, dict) and isinstance(hint.get("name"), str):
            level = hint.get("level")
            level = level if isinstance(level, int) and 1 <= level <= 9 else 1
            hints[hint["name"]] = max(level, hints.get(hint["name"], 0))
    return shown, hints


# Python files --------------------------------------------------------------------------------


def _python(path, data):
    """The cells of a Python file: from one ``# %%`` to the next, under the file's line numbers."""
    text, warnings = _decoded(data, _coding(data))
    cells, first = [], 0
    pieces = re.split(r"^(?=#[ \t]*%%)", _clean(text), flags=re.MULTILINE)
    if len(pieces) > MOST_CELLS // 10:  # each carries the empty lines of those before it
        return Submission(path, problem="file-too-large")
    for piece in pieces:
        if piece.strip() and not _PROSE.match(piece):
            name = f"{path.name}, cell {len(cells) + 1}" if len(pieces) > 1 else path.name
            cells.append((name, "\n" * first + piece))
        first += piece.count("\n")
    return Submission(path, tuple(cells), "", path.stem, {}, {}, warnings)


_PROSE = re.compile(r"#[ \t]*%%[^\n]*\[(?:markdown|md|raw)\]")
_MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_TABLES = re.compile(r"(utf-?(8|16|32)|ascii|iso-?8859|latin|cp|gb|big5|shift|euc|koi8|mac)")


def _coding(data):
    """The coding of a Python file, as its mark or its first two lines say."""
    for mark, coding in _MARKS.items():
        if data.startswith(mark):
            return coding
    lines = iter(data.splitlines(True)[:2])
    try:
        coding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
    except SyntaxError:  # not UTF-8 in its first lines, or a coding that does not exist
        return "utf-8"
    return coding if _TABLES.match(coding) else "utf-8"  # not punycode, which takes for ever


def _decoded(data, coding):
    """The text of a file, and what to warn of: it is read in any case."""
    for each in (coding, "utf-8", "latin-1"):
        try:
            text = data.decode(each)
        except (UnicodeError, LookupError):
            continue
        told = f"The file is not in {coding.upper()}; it was read as {each.upper()}."
        return text, () if each == coding else (told,)
    raise AssertionError("latin-1 reads every byte")


def _clean(text):
    """Line ends as ``\\n``; what is no character (half a surrogate pair) is a question mark."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "replace").decode("utf-8")
