"""What does grades.csv hold? A row for every learner and exercise, written as they are graded.

Rows are appended and flushed one by one, so a stopped batch leaves a good file: a line that was
torn while it was written is dropped when the file is read, and of two rows for the same learner and
exercise the later one counts. Texts that a spreadsheet would take for a formula get a ' in front.
"""

import csv
import io
import os
from pathlib import Path

from ms_ext.engine import errors
from ms_ext.grading.classroom import people

COLUMNS = (
    "learner",
    "exercise",
    "status",
    "points",  # what counts: what was earned less the cost of hints
    "of",
    "earned",
    "code",
    "headline",
    "checks",
    "hints used",
    "file",
    "file sha",
    "folder sha",
    "answer sha",
    "seed",
    "bundle",
    "exercise sha",
    "version",
    "seconds",
    "cpu",
    "protections",
    "warnings",
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def key(row):
    """What a row is about."""
    return row["learner"], row["exercise"]


def safe(text):
    """Text that no spreadsheet takes for a formula.

    >>> safe("=cmd()"), safe("'=x"), safe("Ada")
    ("'=cmd()", "''=x", 'Ada')
    """
    return f"'{text}" if text.lstrip("'").startswith(FORMULA) else text


def unsafe(text):
    """The text that ``safe`` was given.

    >>> unsafe(safe("=cmd()"))
    '=cmd()'
    """
    return text[1:] if text.startswith("'") and text.lstrip("'").startswith(FORMULA) else text


def read(path):
    """The rows of a gradebook, each a dictionary of texts; the later of two for one thing."""
    return list(_parsed(path)[0].values())


def mend(path):
    """The rows by key; a torn last line is cut off, so that rows can be appended."""
    rows, good = _parsed(path)
    if good < os.path.getsize(path):
        os.truncate(path, good)
    return rows


def _parsed(path):
    """The rows by key, and how many bytes of the file are whole lines."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise errors.InvalidValue(
            "The gradebook cannot be read.", given=f"{path}: {people.plain(error)}"
        ) from None
    rows, good, kept = {}, 0, b""
    for part in data.splitlines(True):
        kept += part
        if kept.count(b'"') % 2 or not kept.endswith(b"\n"):
            continue  # inside a quoted text, or torn
        cells = next(csv.reader([kept.decode("utf-8", "replace")]), [])
        if not good:
            _check_head(path, cells)
        elif len(cells) == len(COLUMNS):
            row = dict(zip(COLUMNS, map(unsafe, cells), strict=True))
            rows[key(row)] = row
        good, kept = good + len(kept), b""
    return rows, good


def _check_head(path, cells):
    if tuple(cells) != COLUMNS:
        raise errors.InvalidValue(
            "This file is no gradebook of this version.",
            given=str(path),
            hint="`ms-ext grade class` writes one; its --out takes the name of no other file.",
        )


def start(path):
    """Make a gradebook without rows."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(_line(COLUMNS))


def append(file, row):
    """Write a row at the end of an open binary file, at once."""
    file.write(line(row))
    file.flush()


def line(row):
    """The bytes of a row."""
    return _line([safe(_text(row.get(name, ""))) for name in COLUMNS])


def _line(cells):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode("utf-8", "replace")


def _text(value):
    if isinstance(value, float):
        return f"{round(value, 4):g}"
    return str(value).replace("\0", "").replace("\r", " ")


def write(path, rows):
    """The whole gradebook anew, sorted; the old one stays until the new one is complete."""
    rows = sorted(rows, key=key)
    new = Path(f"{path}.new")
    new.write_bytes(_line(COLUMNS) + b"".join(map(line, rows)))
    os.replace(new, path)
