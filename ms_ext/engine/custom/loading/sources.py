"""What is a source made of? Its own text and every header of the learner's that it includes.

Two builds are the same build if all of these are the same, and the compiler, its flags and the
processor too; that is the key of the compile cache.
"""

import ast
import hashlib
import linecache
import os
import platform
import re
import sys

from ... import errors, toolchain
from . import cache, places

#: The folder of headers that come with this package.
INCLUDE = os.path.join(errors.PACKAGE, "include")
MOST_HEADERS = 500
TEXT_DIGITS = 20  # of a key, for the text alone
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.M)


def key(path, folders, more, made_with=()):
    """The key of a build: 20 hexadecimal digits for what is built, 12 for what it is made with.

    ``more``: the learner's own flags. ``made_with``: the command and the compiler's version.
    """
    what = hashlib.sha256()
    for part in (*more, platform.machine(), " ".join(sorted(toolchain.cpu_features()))):
        what.update(part.encode() + b"\0")
    for name, data in contents(path, folders):
        what.update(f"{name}\0{len(data)}\0".encode() + data)
    tools = hashlib.sha256("\0".join(made_with).encode())
    return what.hexdigest()[:TEXT_DIGITS] + tools.hexdigest()[:12]


def contents(path, folders):
    """(name, bytes) of a source and of each file it includes that lies in its folder or in ours.

    What lies elsewhere belongs to the compiler or the system, and changes with them.
    """
    return [(os.path.basename(file), data) for file, data in files(path, folders)]


def files(path, folders):
    """(path, bytes) of the same files."""
    waiting, seen, found = [path], {os.path.realpath(path)}, []
    while waiting and len(found) < MOST_HEADERS:
        file = waiting.pop()
        with open(file, "rb") as opened:
            data = opened.read()
        found.append((file, data))
        for quoted, angled in _INCLUDE.findall(data):
            name = os.fsdecode(quoted or angled)
            for folder in (os.path.dirname(file), *folders):
                header = os.path.join(folder, name)
                if os.path.isfile(header):
                    if os.path.realpath(header) not in seen:
                        seen.add(os.path.realpath(header))
                        waiting.append(header)
                    break
    return found


# texts -------------------------------------------------------------------------------------------

_written = set()  # the files of this process's texts
UNPLACED = "the source text"  # it was put together by a program: nobody knows where
_literals = {}  # path of a file that was written for a text -> (file, first line) of its literal


def written(text, ending, stem="text", at=None):
    """A file that holds a text, named by it; where the learner wrote the text is remembered.

    ``at``: (file, line) of its first line, if that is known; otherwise it is looked for.
    """
    data = text.encode()
    path = os.path.join(places.folder("texts"), f"{stem}-{hashlib.sha256(data).hexdigest()[:20]}")
    path += ending
    if not _holds(path, data):
        temporary = cache.beside(path)
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
        cache.tidy(path)
    _written.add(path)
    if found := at or literal(text):
        _literals[path] = found
    return path


def _holds(path, data):
    try:
        with open(path, "rb") as file:
            return file.read() == data
    except OSError:
        return False


def literal(text):
    """(file, line) where the calling code of the learner writes this text, or None."""
    frame = sys._getframe(1)
    while frame is not None and errors.inside(frame.f_code.co_filename):
        frame = frame.f_back
    file = frame.f_code.co_filename if frame is not None else None
    lines = linecache.getlines(file, frame.f_globals) if file else []
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return None
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value == text]
    return (file, found[0].lineno) if found else None


def learners_place(path, line):
    """(file, line) that a reader knows for a line of a file: of the text's literal if it is one."""
    file, first = _literals.get(path, (UNPLACED if is_text(path) else path, 1))
    return file, first + line - 1


def folder(path):
    """Where the headers of a source are looked for: beside it, or beside what has its text."""
    if not is_text(path):
        return os.path.dirname(path)
    beside = os.path.dirname(_literals.get(path, ("", 1))[0])
    return beside if os.path.isdir(beside) else os.getcwd()


def is_text(path):
    """Whether a file was written for a text of the learner's."""
    return path in _written
