"""Does the saved notebook say what the session ran? Only what is saved counts in the end.

No server is asked: the kernel's surroundings name the file, or nothing is said.
"""

import ast
import os
from pathlib import Path

from ms_ext.grading import find, submissions

UNSAVED = "not saved yet when this was checked: save it (Ctrl+S), only the saved file counts"
GONE = (
    "this verdict rests on {cells}, which the saved notebook does not have: save it (Ctrl+S), or "
    "bring back what was deleted; only the saved file counts"
)
ORDER = (
    "the saved notebook, run from top to bottom, comes to another `{target}` than this session: "
    "put its cells in the order in which you ran them"
)


def notebook_file(shell):
    """The notebook that a shell belongs to, None where nothing names it."""
    names = [shell.user_ns.get(each) for each in ("__vsc_ipynb_file__", "ipynb_path")]
    for name in (*names, os.environ.get("JPY_SESSION_NAME")):
        if isinstance(name, str | os.PathLike) and Path(name).suffix == ".ipynb":
            if Path(name).is_file():
                return Path(name)
    return None


def difference(cells, path, target):
    """What to warn of, "" if the saved notebook comes to the same answer as the session's cells.

    >>> difference([("In[1]", "f = 1")], "no-such-file.ipynb", "f")
    ''
    """
    read = submissions.read(path)
    if read.problem:
        return ""
    ran, kept = _behind(cells, target), _behind(read.cells, target)
    if [text for _, text in ran] == [text for _, text in kept]:
        return ""
    there = {text for _, body in _bodies(read.cells) for text in body}
    missing = [cell for cell, text in ran if text not in there]
    if not missing:
        return ORDER.format(target=target)
    if ran[-1][1] not in there:
        return UNSAVED
    return GONE.format(cells=" and ".join(dict.fromkeys(missing)))


def _behind(cells, target):
    """The statements that make the target, as (cell, meaning)."""
    bodies = dict(_bodies(cells))
    pieces = find.answer(list(cells), target).pieces
    return [(piece.name, bodies[piece.name][index]) for piece in pieces for index in piece.keep]


def _bodies(cells):
    """The top-level statements of each cell that is Python, without comments and spaces."""
    for name, text in cells:
        try:
            yield name, [ast.dump(statement) for statement in ast.parse(text).body]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
