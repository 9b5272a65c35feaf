"""What is done when a library has to be made: look at all that goes into it, compile, link, note.

Objects and the library get their names when they are whole, so nobody meets half of one; what was
compiled of an older text is gone before the first compiler starts, as a stale library misleads.
"""

import hashlib
import os
import shlex
import time

from ... import errors, toolchain
from ..loading import cache, clinic, compiling, cython, sources
from . import building, flags, given, headers, kinds, record
from . import compiler as compilers
from .compiler import Jobs
from .showing import Progress

SECONDS = 1200.0
LOCK, LOG = "build.lock", ".build_log.txt"


def made(order, made_with):
    """(the library, its kind): compiled, or found to be up to date after all."""
    given.sources(order.sources)
    try:
        with cache.held(os.path.join(order.folder, LOCK), SECONDS):
            cache.remove_left_behind(order.folder)
            return _made(order, made_with)
    except OSError as why:
        if isinstance(why, errors.MsExtError):
            raise
        raise building.cannot_write(order.folder, why) from None


def _made(order, made_with):
    found, now = record.read(order.folder, order.name), time.time_ns()
    files = _files(order)
    entries = {
        "made_with": made_with,
        "files": record.of_files([path for path, _ in files], now),
        "folders": record.of_folders(sorted({os.path.dirname(p) for p, _ in files})),
        "key": _key(files, made_with),
    }
    is_same = found is not None and found["key"] == entries["key"]
    if is_same and record.look(order.product) == found["product"]:
        record.write(order.folder, order.name, **{**found, **entries})
        return order.product, found["kind"]
    compilers.removed(order.product)
    compilers.removed(record.path(order.folder, order.name))
    kind = kinds.kind_of(order.sources, b"\n".join(data for path, data in files if _is_own(path)))
    objects = _MAKERS[kind](order, (found or {}).get("objects", {}))
    product = record.look(order.product)
    entries |= {"kind": kind, "objects": objects, "product": product}
    record.write(order.folder, order.name, **entries)
    return order.product, kind


def _files(order):
    """(path, bytes) of the sources and of every header that lies beside them or is ours."""
    found, folders = {}, [*order.includes, flags.INCLUDE]
    for source in order.sources:
        found.update(sources.files(source, [sources.folder(source), *folders]))
    version = headers.version()
    if version:  # it stands for all of pybind11
        with open(version, "rb") as file:
            found[version] = file.read()
    return sorted(found.items())


def _is_own(path):
    """Whether a file is the learner's, none of the headers that come from elsewhere."""
    return not path.startswith((flags.INCLUDE, headers.pybind11() or flags.INCLUDE))


def _key(files, made_with):
    what = hashlib.sha256("\0".join(made_with).encode())
    for path, data in files:
        what.update(f"{path}\0{len(data)}\0".encode() + data)
    return what.hexdigest()


# C++ with pybind11 -------------------------------------------------------------------------------


def _library(order, known):
    """Compile each source whose object is not up to date, and link."""
    for source in order.sources:
        if (found := clinic.device_source(source, source)) is not None:
            raise compilers.failed(order.name, found.error())
    compiler = _compiler(order, toolchain.cxx_compiler(), False)
    texts = {source: _text(order, source) for source in order.sources}
    binding = [source for source, text in texts.items() if kinds.binds(text)]
    long = [source for source in binding if not _changes(source)]
    cflags = [*order.cflags, *headers.extra(compiler)]
    own = [f"-I{folder}" for folder in order.includes] + _foreign(order, bool(binding))
    with_what = [*cflags, *own, compiler.version, *record.tools(compiler.path)]
    with_what += map(str, record.look(headers.version() or ""))
    keys = [_key([(source, text)], with_what) for source, text in texts.items()]
    objects = dict(zip(_objects(order), keys, strict=True))
    wanted = [
        (source, target)
        for source, (target, key) in zip(order.sources, objects.items(), strict=True)
        if known.get(target) != key or not os.path.isfile(os.path.join(order.folder, target))
    ]
    with Jobs(order.name, Progress(f"{order.name} is compiled")) as jobs:
        around = [*order.includes, *map(os.path.dirname, order.sources)]
        with headers.opened(compiler, cflags if long else None, around, jobs) as header:
            jobs.progress.say(f"{order.name} is compiled")
            _compile(order, jobs, [compiler.path], [*cflags, *own], wanted, long, header)
        jobs.progress.say(f"{order.name} is linked")
        _link(order, jobs, compiler, list(objects), header)
        _log(order, jobs)
    return objects


def _compile(order, jobs, program, cflags, wanted, long, header):
    """Compile sources, all at once; those that include the long header profit from it."""
    started = []
    for source, target in wanted:
        temporary = cache.beside(os.path.join(order.folder, target))
        first = header.compiling if source in long else []
        command = [*program, *first, *cflags, "-c", source, "-o", temporary]
        started.append((jobs.start(command, source), temporary, target))
    try:
        jobs.finish(*(job for job, _, _ in started))
        for _, temporary, target in started:
            os.replace(temporary, os.path.join(order.folder, target))
    finally:
        for _, temporary, _ in started:
            compilers.removed(temporary)


def _link(order, jobs, compiler, objects, header):
    temporary = cache.beside(order.product)
    parts = [os.path.join(order.folder, each) for each in objects]
    try:
        command = [compiler.path, *parts, *header.linking, *order.ldflags, "-o", temporary]
        jobs.run(command, order.sources[0] if order.sources else order.product)
        os.replace(temporary, order.product)
    finally:
        compilers.removed(temporary)


def _objects(order):
    """The names of the objects: as in MindSpore by the source's, but no two alike."""
    names = []
    for source in order.sources:
        stem = os.path.splitext(os.path.basename(source))[0]
        if f"{stem}.o" in names:
            stem += "-" + hashlib.sha256(os.path.abspath(source).encode()).hexdigest()[:8]
        names.append(f"{stem}.o")
    return names


def _text(order, source):
    folders = [sources.folder(source), *order.includes, flags.INCLUDE]
    return b"\n".join(data for _, data in sources.files(source, folders))


def _changes(source):
    with open(source, "rb") as file:
        return kinds.changes(file.read(), headers.words())


def _foreign(order, binds):
    """Where Python and, for sources that bind with it, pybind11 have their headers."""
    python = toolchain.python_headers()
    if not binds:
        return [f"-I{python}"] if python else []
    own = any(os.path.isdir(os.path.join(each, "pybind11")) for each in order.includes)
    if headers.pybind11() is None and not own:
        raise errors.NotRunnable(
            f"Error building extension '{order.name}': pybind11 is not there, which binds C++ "
            "functions to Python.",
            hint="Install it: `pip install pybind11` (./lab does). Plain C functions need none:\n"
            + clinic.SIGNATURE.format("my_op"),
        )
    if python is None:
        raise errors.NotRunnable(
            f"Error building extension '{order.name}': Python.h is not there.",
            hint="Install it: `sudo apt install python3-dev`.",
        )
    return [f"-I{folder}" for folder in (headers.pybind11(), python) if folder]


def _compiler(order, found, is_c):
    """The compiler, if there is one."""
    if found is None:
        named = order.sources[0] if order.sources else order.name
        raise compiling.no_compiler(named, is_c).error()
    return found


# the other kinds ---------------------------------------------------------------------------------


def _functions(order, _known):
    """One command compiles and links plain C functions: no header, no binding."""
    is_c = all(source.endswith(".c") for source in order.sources)
    found = toolchain.c_compiler() if is_c else toolchain.cxx_compiler()
    compiler = _compiler(order, found, is_c)
    cflags = [f for f in order.cflags if f != "-pie" and not (is_c and f.startswith("-std=c++"))]
    includes = [f"-I{folder}" for folder in order.includes]
    each = [word for s in order.sources for word in ("-x", "c" if s.endswith(".c") else "c++", s)]
    temporary = cache.beside(order.product)
    tail = ["-x", "none", *order.ldflags, "-lm", "-o", temporary]
    with Jobs(order.name, Progress(f"{order.name} is compiled")) as jobs:
        try:
            command = [compiler.path, *cflags, *headers.extra(compiler), *includes, *each, *tail]
            jobs.run(command, order.sources[0])
            os.replace(temporary, order.product)
        finally:
            compilers.removed(temporary)
        _log(order, jobs)
    return {}


def _cython(order, _known):
    """A module of Python's from one .pyx."""
    try:
        cython.made(order.sources[0], order.name, order.product)
    except errors.MsExtError as error:
        if getattr(error, "reason", None) != "compile-error":
            raise
        raise compilers.failed(order.name, error) from None
    return {}


def _log(order, jobs):
    lines = [shlex.join(command) for command in jobs.log]
    with open(os.path.join(order.folder, LOG), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


_MAKERS = {"stages": _library, "module": _library, "functions": _functions, "cython": _cython}
