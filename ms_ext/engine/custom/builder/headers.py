"""How is the long header read once, not for every op? As a precompiled one, with what it defines.

pybind11 and ``ms_extension/api.h`` are some 100,000 lines, and most of the time is not reading them
but compiling their functions into every op. So the headers are copied, each with GCC's ``#pragma
interface``: their functions are used and not defined. A support object, made from the same copies,
defines them once; the linker takes what an op needs. ::

    copies of the headers --g++ -x c++-header--> all.hpp.gch --+
                          --g++ -O1-----------> support.o ---- | --+
    the op's source ------------------- -include all.hpp ------+---+--> name.so

They are kept per compiler, flags, text of the headers and Python, in the environment's own folder.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import re
import shutil
import sys
from dataclasses import dataclass

from ... import toolchain
from ..loading import cache, places, sources
from . import flags
from .showing import notice

MOST_KEPT = 4  # each has some 130 MB
SECONDS = 900.0
ALL = '#include "ms_extension/api.h"\n#include <pybind11/stl.h>\n'
#: api.h includes it for Ascend alone, operators include it themselves: its functions are here too.
FUNCTION = "include/pynative/backward/function.h"
#: Parts of a folder of precompiled headers.
COPIES, HEADER, SUPPORT = "include", "all.hpp", "support.o"
_PARTS = ("pybind11", "ms_extension", "ms_extension.h", "include")
#: No collection of garbage while compiling: half a second of three.
EAGER = ("--param", "ggc-min-heapsize=1000000")


@dataclass
class Header:
    """What a source is compiled with: ``folder`` is None if the headers are read as they are."""

    folder: str | None = None

    @property
    def compiling(self):
        """The compiler's flags."""
        if self.folder is None:
            return []
        copies = os.path.join(self.folder, COPIES)
        return [*EAGER, f"-I{copies}", "-include", os.path.join(self.folder, HEADER)]

    @property
    def linking(self):
        """What the linker gets beside the op's own objects."""
        if self.folder is None:
            return []
        return ["-Wl,--gc-sections", os.path.join(self.folder, SUPPORT)]


@contextlib.contextmanager
def opened(compiler, cflags, includes, jobs):
    """The header for these flags, made now if it is not there, while the block goes on.

    ``cflags``: None if no source includes it.
    """
    if cflags is None or lacking(compiler, includes):
        yield Header()
        return
    kept = lasting(cflags)
    folder = os.path.join(home(), _key(compiler, kept))
    if os.path.isdir(folder):
        os.utime(folder)
        yield Header(folder)
        return
    with cache.held(f"{folder}.lock", SECONDS):
        if os.path.isdir(folder):  # while this process waited, another one made it
            yield Header(folder)
            return
        with _made(compiler, kept, folder, jobs) as header:
            yield header
    _tidy()


@contextlib.contextmanager
def _made(compiler, kept, folder, jobs):
    """A header that is being made; it gets its place when its support is there."""
    temporary = cache.beside(folder)
    try:
        support = _written(temporary)
        copies = f"-I{os.path.join(temporary, COPIES)}"
        includes = [copies, f"-I{pybind11()}", f"-I{toolchain.python_headers()}"]
        command = [compiler.path, *kept, *EAGER, *includes]
        header = os.path.join(temporary, HEADER)
        jobs.progress.say("the headers are compiled, this once")
        first = jobs.start([*command, "-x", "c++-header", header, "-o", f"{header}.gch"], header)
        sparing = ["-O1", "-g0", "-fno-stack-protector", "-fvisibility=hidden"]
        sparing += ["-ffunction-sections", "-fdata-sections"]
        target = os.path.join(temporary, SUPPORT)
        second = jobs.start([*command, *sparing, "-c", support, "-o", target], support)
        jobs.finish(first)
        try:
            header = Header(temporary)
            yield header
        finally:
            if not isinstance(sys.exc_info()[1], KeyboardInterrupt):
                jobs.finish(second)
                os.rename(temporary, folder)
                header.folder = folder
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _written(folder):
    """Write the copies, the header and the source of its support, whose path is returned."""
    copies = os.path.join(folder, COPIES)
    for root, names in ((pybind11(), _PARTS[:1]), (flags.INCLUDE, _PARTS[1:])):
        for name in names:
            path = os.path.join(root, name)
            copy = shutil.copytree if os.path.isdir(path) else shutil.copyfile
            os.makedirs(copies, exist_ok=True)
            copy(path, os.path.join(copies, name))
    header = os.path.join(folder, HEADER)
    with open(header, "w") as file:
        file.write(ALL)
    support = os.path.join(folder, "support.cpp")
    with open(support, "w") as file:
        for path, data in sources.files(header, [copies]):
            if path != header:
                file.write(f'#pragma implementation "{os.path.basename(path)}"\n')
                _declare_only(path, data, copies)
        file.write(f'#include "{HEADER}"\n#include "{FUNCTION}"\n')
    return support


def _declare_only(path, data, copies):
    """Have a copy's functions used, not defined; errors go on naming the original's lines."""
    name = os.path.relpath(path, copies)
    root = pybind11() if name.startswith("pybind11") else flags.INCLUDE
    original = os.path.join(root, name).replace("\\", "\\\\").replace('"', '\\"')
    with open(path, "wb") as file:
        file.write(f'#line 0 "{original}"\n#pragma interface\n'.encode() + data)


def lacking(compiler, includes):
    """Why headers are not precompiled here, or None."""
    if "clang" in compiler.version.lower() or os.path.basename(compiler.path) in ("cl", "cl.exe"):
        return "it needs GCC"
    if pybind11() is None or toolchain.python_headers() is None:
        return "pybind11 or Python.h is not there"
    for folder in includes:
        if folder != flags.INCLUDE and any(
            os.path.exists(os.path.join(folder, name)) for name in _PARTS[:2]
        ):
            return f"{folder} has headers of these names too"
    return None


@functools.cache
def pybind11():
    """The folder of pybind11's headers, or None."""
    spec = importlib.util.find_spec("pybind11")
    for folder in (spec and spec.submodule_search_locations) or ():
        if os.path.isfile(os.path.join(folder, "include", "pybind11", "pybind11.h")):
            return os.path.join(folder, "include")
    return None


def lasting(cflags):
    """The flags that a precompiled header depends on: all, but folders and names it never reads."""
    known = words()
    found, rest = [], iter(cflags)
    for flag in rest:
        if flag in ("-I", "-isystem", "-iquote", "-include"):
            next(rest, None)
        elif flag.startswith("-D"):
            name = flag[2:].partition("=")[0]
            if name in known or name.startswith("_") or name == "NDEBUG":
                found.append(flag)
        elif not flag.startswith("-I"):
            found.append(flag)
    return found


def words():
    """Every word in these headers that is not in a comment of one line."""
    return _words(pybind11())


@functools.cache
def _words(root):
    found = set()
    for _, data in _originals(root):
        found |= {w.decode() for w in re.findall(rb"\b[A-Za-z]\w+\b", re.sub(rb"//.*", b"", data))}
    return found - {"MS_EXTENSION_NAME"}


@functools.cache
def _originals(pybind):
    """(name, bytes) of every header that is copied."""
    return [
        (os.path.relpath(path, root), _bytes(path))
        for root, names in ((pybind, _PARTS[:1]), (flags.INCLUDE, _PARTS[1:]))
        if root is not None
        for name in names
        for path in _below(os.path.join(root, name))
    ]


def _below(path):
    """A file, or every file below a folder, in order."""
    if os.path.isfile(path):
        return [path]
    return sorted(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)


def _bytes(path):
    with open(path, "rb") as file:
        return file.read()


def version():
    """The file of pybind11 that is another one with each version, or None."""
    own = pybind11()
    return own and os.path.join(own, "pybind11", "detail", "common.h")


def _key(compiler, kept):
    what = hashlib.sha256("\0".join([compiler.path, compiler.version, sys.version, *kept]).encode())
    if any("native" in flag for flag in kept):
        what.update(" ".join(sorted(toolchain.cpu_features())).encode())
    for name, data in _originals(pybind11()):
        what.update(f"{name}\0{len(data)}\0".encode() + data)
    return f"headers-{what.hexdigest()[:24]}"


def home():
    """Where precompiled headers are: in the environment they were made for, or the user's cache."""
    if sys.prefix != sys.base_prefix or os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        path = os.path.join(sys.prefix, "var", "ms_ext")
        with contextlib.suppress(OSError):
            os.makedirs(path, exist_ok=True)
            if os.access(path, os.W_OK | os.X_OK):
                return path
    return places.folder("headers")


def _tidy():
    """Keep the headers that were used last, and nothing that a dead process left."""
    with os.scandir(home()) as entries:
        found = [e for e in entries if e.is_dir()]
    ready = sorted((e for e in found if e.name.startswith("headers-")), key=_time, reverse=True)
    for entry in [*ready[MOST_KEPT:], *(e for e in found if cache.is_left_behind(e.name))]:
        shutil.rmtree(entry.path, ignore_errors=True)


def _time(entry):
    return entry.stat().st_mtime_ns


def make_ahead():
    """Precompile the headers for the usual flags: a step of ``./lab build``."""
    from .compiler import Jobs
    from .showing import Progress

    compiler = toolchain.cxx_compiler()
    why = "there is no C++ compiler" if compiler is None else lacking(compiler, ())
    if why:
        return notice(f"headers: not precompiled, {why}")
    kept = flags.mindspores("ahead", None, False, ()) + extra(compiler)
    with Jobs("headers", Progress("the headers are compiled")) as jobs:
        with opened(compiler, kept, (), jobs):
            pass


def extra(compiler):
    """What GCC needs so that two ops do not share variables of one name."""
    return [] if "clang" in compiler.version.lower() else ["-fno-gnu-unique"]
