"""Which lines of Python made which nodes? The functions of the learner, whole where they are short.

Files of a library are only named: nobody wants to read them beside their own three lines.
"""

import ast
import functools
import linecache
import os
import sysconfig

from ...engine.errors import PACKAGE
from ..drawing.labels import place
from .links import Line, Pane, cut

MOST = 200  # lines of source in all
AROUND = 2  # lines beside one that made nodes, where functions are too long to be shown
_LIBRARIES = ("site-packages", "dist-packages")


def python(rows):
    """The pane of the source lines that made these Rows (id -> Row).

    >>> python({}).about
    'No node says which line it came from.'
    """
    learners, libraries = {}, {}
    for row in rows.values():
        where = _where(row, rows)
        if where is not None:
            side = libraries if is_library(where.file) else learners
            side.setdefault(where.file, {}).setdefault(where.line, []).append((row.id, where.text))
    lines = _learners(learners)
    if libraries:
        lines.append(Line("in libraries"))
        lines += [_named(file, found) for file, found in sorted(libraries.items())]
    if not lines:
        return Pane("Python", [], "No node says which line it came from.")
    about = "The lines that made the nodes, in the functions around them."
    return Pane("Python", cut(lines, "your file", 2 * MOST), about)


def _where(row, rows):
    """The place of a node, or that of the node it was made from."""
    seen = set()
    while row is not None and row.where is None and row.origin not in seen:
        seen.add(row.origin)
        row = rows.get(row.origin)
    return None if row is None else row.where


@functools.lru_cache(256)  # a graph has many nodes of few files
def is_library(file):
    """Whether a file is of this package, another one, or Python itself.

    >>> is_library(__file__), is_library("/home/me/work.py")
    (True, False)
    """
    folders = file.replace("\\", "/").split("/")
    standard = sysconfig.get_paths()["stdlib"]
    return (
        file.startswith(PACKAGE)
        or not set(folders).isdisjoint(_LIBRARIES)
        or file.startswith(standard + os.sep)
    )


def _named(file, found):
    """A library's file in one line, with the nodes that it made."""
    parts = file.replace("\\", "/").split("/")
    package = parts.index("ms_ext") if file.startswith(PACKAGE) and "ms_ext" in parts else -1
    name = "/".join(parts[package:]) if package >= 0 else "/".join(parts[-2:])
    ids = tuple([node for line in sorted(found) for node, _ in found[line]])
    return Line(f"  {name}, line {', '.join(map(str, sorted(found)))}", ids)


def _learners(files):
    """The lines of the learner's files: whole functions if all of them fit, else excerpts."""
    whole = {file: _functions(file, set(found)) for file, found in files.items()}
    if sum(map(len, whole.values())) > MOST:
        whole = {file: _excerpts(set(found)) for file, found in files.items()}
    return [line for file in files for line in _file(file, files[file], sorted(whole[file]))]


def _file(file, found, wanted):
    text, last = linecache.getlines(file), None
    yield Line(place(f"{file}:0").rpartition(":")[0])
    for number in wanted:
        made = found.get(number, ())
        shown = made[0][1] if made and made[0][1] else _line(text, number)
        if shown is not None:
            if last is not None and number > last + 1:
                yield Line("...")
            yield Line(shown.rstrip(), tuple([node for node, _ in made]), str(number))
            last = number


def _line(text, number):
    return text[number - 1] if 0 < number <= len(text) else None


def _excerpts(lines):
    return {near for line in lines for near in range(line - AROUND, line + AROUND + 1)}


def _functions(file, lines):
    """The numbers of all lines of the functions that these lines stand in."""
    found, spans = set(lines), _spans("".join(linecache.getlines(file)))
    for line in lines:
        around = [span for span in spans if span[0] <= line <= span[1]]
        if around:
            first, last = max(around)  # the innermost begins last
            found.update(range(first, last + 1))
    return found


@functools.lru_cache(32)
def _spans(text):
    """(first line, last line) of every function in a text, decorators included."""
    try:
        tree = ast.parse(text)
    except SyntaxError:  # a notebook's cell with magics
        return ()
    return tuple(
        (min([node.lineno, *(each.lineno for each in node.decorator_list)]), node.end_lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
