"""What is in a library, and where would the rest come from? The whole of what `nm` and `ldd` tell.

| role of an exported name | what finds it |
|---|---|
| "kernel" | ``func="./lib.so:name"``; nobody can see which arguments it takes |
| "companion" | the loader, beside the kernel: nameInit, nameInferShape, nameInferType |
| "module" | ``import name``: it is PyInit_name |
| "C++" | other C++ code that declares it alike |
| "inline" | C++ of headers, of which every library has its own copy |
| "data" | what is no function |
"""

import functools
import os
from dataclasses import dataclass

from . import clinic, elf, objects, surroundings
from .demangle import demangled

#: What g++ links with, asked or not.
USUAL = ("libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6")
PYTHON, NOBODY = "Python", ""
_ENTRY = "PyInit_"


@dataclass(frozen=True)
class Name:
    """An exported name: as it is in the file, as a reader says it, and its role."""

    name: str
    shown: str
    role: str


@dataclass(frozen=True)
class Contents:
    """What a file exports, needs, and from whom; ``libraries`` maps a needed one to its file."""

    path: str
    kind: str
    architecture: str
    exported: tuple
    needs: dict  # the library's file name, PYTHON or NOBODY -> names
    libraries: dict  # name -> path, or None if it is not on this machine
    source: str = ""  # what it was made of, where that was asked for

    @property
    def file(self):
        """What a reader calls it: the source that was named, else the file."""
        return self.source or os.path.basename(self.path)

    @property
    def nobodys(self):
        """Needed names that nobody offers."""
        return self.needs.get(NOBODY, ())

    @property
    def absent(self):
        """Needed libraries that are not on this machine."""
        return [name for name, path in self.libraries.items() if path is None]

    def of(self, role):
        """The exported names of a role."""
        return [each for each in self.exported if each.role == role]


def contents(path, source=""):
    """What is in a library or an object file; elf.Malformed if it is neither.

    >>> import sys
    >>> contents(sys.executable).kind in ("a program", "a shared library")
    True
    """
    path = os.path.abspath(path)
    tables = objects.read(path)
    is_object = tables.kind == 1
    wanted = USUAL if is_object else tables.needed
    found = {name: surroundings.find(name, path, tables.run_path) for name in wanted}
    return Contents(
        path,
        elf.KINDS.get(tables.kind, "a file"),
        tables.architecture,
        tuple(_names(tables)),
        _providers(tables, [each for each in found.values() if each]),
        {} if is_object else found,
        source,
    )


def twice(one, other):
    """Names of functions that two libraries both export, inline ones aside.

    >>> libc = contents(surroundings.find("libc.so.6", surroundings.PYTHON))
    >>> "malloc" in twice(libc, libc)
    True
    """
    mine = {e.name for e in one.exported if e.role not in ("inline", "data")}
    return sorted(mine & {e.name for e in other.exported if e.role not in ("inline", "data")})


# what is exported --------------------------------------------------------------------------------


def _names(tables):
    defined = {s.name: s for s in tables.symbols if s.is_defined}
    kernels = set(clinic.kernels([n for n, s in defined.items() if s.is_function]))
    for name in sorted(defined):
        yield Name(name, demangled(name), _role(defined[name], kernels))


def _role(symbol, kernels):
    name = symbol.name
    if name.startswith("_Z"):
        return _cxx_role(symbol)
    if not symbol.is_function:
        return "data"
    if name.startswith(_ENTRY):
        return "module"
    if name in kernels:
        return "kernel"
    ending = next((e for e in clinic.COMPANIONS if name.endswith(e)), None)
    return "companion" if ending else "data" if name.startswith("_") else "kernel"


def _cxx_role(symbol):
    """C++ of one's own, or of headers: those are weak, so that the linker keeps one of several."""
    if not symbol.is_function or symbol.name.startswith(("_ZT", "_ZGV")):
        return "data"
    return "inline" if symbol.is_weak else "C++"


# what is needed ----------------------------------------------------------------------------------


def _providers(tables, paths):
    """Who offers each needed name: {library: names}; the ones that nobody offers under NOBODY."""
    left, found = set(tables.undefined), {}
    for path, label in (*_around(paths), *_of_python()):
        if not left:
            break
        offered = left & _offered(path, *_state(path))
        left -= offered
        if offered:
            found[label] = tuple(sorted({*found.get(label, ()), *offered}))
    return {NOBODY: tuple(sorted(left)), **found} if left else found


def _around(paths):
    """The libraries, then those that they need in turn: (path, name)."""
    seen, waiting = set(), list(paths)
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        yield path, os.path.basename(path)
        tables = _tables(path, *_state(path))
        if tables is not None:
            further = (surroundings.find(n, path, tables.run_path) for n in tables.needed)
            waiting += [each for each in further if each]


def _of_python():
    """What this process offers to all that it loads."""
    for path, name in _around([surroundings.PYTHON]):
        is_it = path == surroundings.PYTHON or name.startswith("libpython")
        yield path, PYTHON if is_it else name


def _state(path):
    state = os.stat(path)
    return state.st_mtime_ns, state.st_size


@functools.lru_cache(maxsize=64)
def _tables(path, *_state):
    try:
        return elf.read(path)
    except (OSError, elf.Malformed):
        return None


@functools.lru_cache(maxsize=64)
def _offered(path, *state):
    tables = _tables(path, *state)
    return frozenset(s.name for s in tables.symbols if s.is_defined) if tables else frozenset()
