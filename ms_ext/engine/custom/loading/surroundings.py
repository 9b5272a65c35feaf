"""Where would the system's loader find a library that another one needs?

Asked only when something went wrong, to tell what is missing; the loader itself has the last word.
"""

import glob
import os
import sys

from . import elf

#: A file of this machine's own kind.
PYTHON = os.path.realpath(sys.executable)
_USUAL = ("/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib")


def find(name, beside, run_path=None):
    """The file that ``name`` would be for a library at ``beside``, or None."""
    if "/" in name:
        return name if os.path.exists(name) else None
    return next(filter(None, (_loaded(name), _on_disk(name, beside, run_path))), None)


def _loaded(name):
    """A library of that name which this process has open already."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as lines:
            paths = {line.split(None, 5)[-1].strip() for line in lines if "/" in line}
    except OSError:
        return None
    return next((p for p in sorted(paths) if os.path.basename(p) == name), None)


def _on_disk(name, beside, run_path):
    for folder in _folders(beside, run_path):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and _fits(path):
            return path
    return None


def _folders(beside, run_path):
    origin = os.path.dirname(os.path.abspath(beside))
    for text in (run_path or "").split(":"):
        if text:
            yield text.replace("${ORIGIN}", origin).replace("$ORIGIN", origin)
    yield from filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":"))
    yield from _configured("/etc/ld.so.conf")
    yield from _USUAL


def _configured(file, depth=0):
    """The folders that a configuration of the loader names, with the files it includes."""
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            words = [line.partition("#")[0].split() for line in lines]
    except OSError:
        return
    for line in filter(None, words):
        if line[0] == "include" and depth < 4:
            for pattern in line[1:]:
                whole = os.path.join(os.path.dirname(file), pattern)
                for each in sorted(glob.glob(whole)):
                    yield from _configured(each, depth + 1)
        elif line[0].startswith("/"):
            yield line[0]


def _fits(path):
    """Whether a file is for this machine: the loader passes over others."""
    try:
        return elf.machine(path) == elf.machine(PYTHON)
    except OSError:
        return False
