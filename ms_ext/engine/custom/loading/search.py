"""Where is the file that ``func`` means? The current folder first, then ``MS_EXT_CUSTOM_PATH``.

| ``func`` | means |
|---|---|
| ``"./my_ops.so:my_mul"`` | the function my_mul of that file |
| ``"./my_ops.cc:my_mul"`` | the same, of a source that is compiled first |
| ``"./attention_fused.so"`` | the only kernel that the file exports |
| ``"my_mul"`` | that function of libmy_mul.so, my_mul.so, or of any library that exports it |

>>> split("./my_ops.so:my_mul"), split("my_mul"), split("./attention_fused.so")
(('./my_ops.so', 'my_mul'), (None, 'my_mul'), ('./attention_fused.so', None))
"""

import os
from dataclasses import dataclass

from . import elf

PATH_VARIABLE = "MS_EXT_CUSTOM_PATH"
WHITE_LIST = "MS_CUSTOM_AOT_WHITE_LIST"
SOURCES = (".cc", ".cpp", ".cxx", ".c", ".cu")
LIBRARIES = (".so", ".dylib", ".dll")
MOST_LOOKED_INTO = 256


@dataclass(frozen=True)
class Folder:
    """A folder of the search path and why it is one."""

    path: str
    why: str

    def __str__(self):
        return f"{self.path} ({self.why})"


@dataclass(frozen=True)
class Found:
    """A file, and files of the same name further down the path that it hides."""

    path: str
    shadowed: tuple = ()


def split(func):
    """(file, symbol) that a text names; None for what it does not say."""
    file, colon, symbol = func.rpartition(":")
    if colon and os.path.isfile(func):
        return func, None  # a folder's name has a colon
    if colon and not symbol.startswith(("/", "\\")):  # C:\my_ops.so has a colon too
        return file or None, symbol or None
    is_file = os.path.dirname(func) or func.endswith(SOURCES + LIBRARIES) or ".so." in func
    return (func, None) if is_file else (None, func)


def is_source(path):
    """Whether a file has to be compiled first."""
    return path.endswith(SOURCES)


def folders():
    """The search path: each folder once."""
    named = os.environ.get(PATH_VARIABLE, "").split(os.pathsep)
    pairs = [(os.getcwd(), "the current folder"), *((n, PATH_VARIABLE) for n in named if n)]
    seen, path = set(), []
    for folder, why in pairs:
        real = os.path.realpath(folder)
        if real not in seen:
            seen.add(real)
            path.append(Folder(os.path.abspath(folder), why))
    return path


def find_file(file, path, trace):
    """The file on the path, or None; an absolute name is looked for nowhere else."""
    if os.path.isabs(file):
        return _first([file], trace)
    return _first([os.path.normpath(os.path.join(f.path, file)) for f in path], trace)


def find_symbol(symbol, path, trace):
    """The library for a bare name: by its own name, else by what it exports; or None."""
    for ending in LIBRARIES[:1] if os.name == "posix" else LIBRARIES:
        names = (f"lib{symbol}{ending}", f"{symbol}{ending}")
        candidates = [os.path.join(f.path, name) for name in names for f in path]
        candidates.sort(key=lambda c: [f.path for f in path].index(os.path.dirname(c)))
        if found := _first(candidates, trace):
            return found
    offering = [each for folder in path for each in exporters(symbol, folder.path)]
    for each in offering[:1]:
        trace.remark("look", each, "found", f"{each} exports {symbol!r}.")
    return Found(offering[0], tuple(offering[1:])) if offering else None


def _first(candidates, trace):
    """The first candidate that is a file; later ones of the same name are shadowed."""
    for number, candidate in enumerate(candidates):
        with trace.step("look", candidate) as step:
            found = os.path.isfile(candidate)
            verdict = "is a file" if found else "is not there"
            step.say("found" if found else "missing", f"{candidate} {verdict}.")
        if found:
            return Found(candidate, _hidden_by(candidate, candidates[number + 1 :]))
    return None


def _hidden_by(first, later):
    name, real = os.path.basename(first), os.path.realpath(first)
    return tuple(
        path
        for path in later
        if os.path.basename(path) == name
        and os.path.isfile(path)
        and os.path.realpath(path) != real
    )


def exporters(symbol, folder):
    """The libraries of a folder that export a function, in the order of their names."""
    found = []
    for name in libraries(folder):
        path = os.path.join(folder, name)
        try:
            if symbol in elf.read(path).exported:
                found.append(path)
        except (OSError, elf.Malformed):
            continue  # whatever it is, it exports no kernel; `diagnose` tells what it is
    return found


def libraries(folder):
    """The names of a folder's libraries, sorted, at most MOST_LOOKED_INTO."""
    return [name for name in _names(folder) if name.endswith(LIBRARIES)][:MOST_LOOKED_INTO]


def near(file, path):
    """The names of files on the path that could have been meant."""
    endings = SOURCES + LIBRARIES
    return sorted({n for folder in path for n in _names(folder.path) if n.endswith(endings)})


def _names(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def outside_white_list(path):
    """The folder that MS_CUSTOM_AOT_WHITE_LIST allows if the path lies outside it, else None."""
    allowed = os.environ.get(WHITE_LIST)
    if allowed is None:
        return None
    allowed, path = os.path.realpath(allowed), os.path.realpath(path)
    return None if os.path.commonpath([path, allowed]) == allowed else allowed
