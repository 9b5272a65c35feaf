"""``%%cpp_op NAME``: how is an op written in a notebook's cell?

::

    %%cpp_op add3 --cflags "-O3"
    #include "ms_extension/api.h"
    ...
    PYBIND11_MODULE(MS_EXTENSION_NAME, m) { m.def("add3", &add3); }

The cell is compiled and ``add3`` is the module then. An edited cell is another module, so it can be
run again and again; what does not compile is named by the cell's own lines. ``--mindspore`` prints
the line that builds the same with MindSpore.
"""

import hashlib
import os
import shlex
import sys

from ... import errors
from ..loading import cache, language, sources
from .builder import CustomOpBuilder

USAGE = '%%cpp_op NAME [--cflags "..."] [--ldflags "..."] [--backend Ascend] [--mindspore]'
_VALUES = ("--cflags", "--ldflags", "--backend", "--include", "--build-dir")
_SWITCHES = ("--mindspore", "--debug")
MOST_KEPT = 8


def run(shell, line, cell):
    """The magic: build the cell, name the module, say what is in it."""
    name, options = _read(line)
    source = sources.written(cell, _ending(cell), stem=name, at=(_cell_file(), 2))
    words = "\0".join([cell, *map(str, sorted(options.items()))])
    version = hashlib.sha256(words.encode()).hexdigest()[:8]
    folder = options.get("--build-dir") or os.path.join(_root(), name)
    builder = CustomOpBuilder(
        f"{name}_{version}",
        source,
        backend=options.get("--backend"),
        include_paths=[*shlex.split(options.get("--include", "")), sources.folder(source)],
        cflags=options.get("--cflags"),
        ldflags=options.get("--ldflags"),
        build_dir=folder,
        debug_mode="--debug" in options,
    )
    module = builder.load()
    shell.user_ns[name] = module
    print(f"{name}: {', '.join(dir(module)) or 'nothing is bound'}")
    if "--mindspore" in options:
        print(builder.mindspore_command())
    _tidy(os.path.realpath(folder), name)


def _ending(cell):
    """How the name of a file with this text ends: what it says of its language."""
    if "PYBIND11_MODULE" in cell or "::" in cell:
        return ".cpp"
    found = language.language(cell)
    return {"c": ".c", "cython": ".pyx", "python": ".pyx"}.get(found, ".cpp")


def _read(line):
    """(the name, option -> value) of the magic's own line."""
    try:
        words = shlex.split(line)
    except ValueError as why:
        raise errors.InvalidValue(f"%%cpp_op {line}: {why}.", hint=USAGE) from None
    names, options, rest = [], {}, iter(words)
    for word in rest:
        option, equals, value = word.partition("=")
        if option in _VALUES:
            options[option] = value if equals else next(rest, "")
        elif word in _SWITCHES:
            options[word] = True
        elif word.startswith("-"):
            hint = f"{errors.did_you_mean(word, (*_VALUES, *_SWITCHES))}\n{USAGE}"
            raise errors.InvalidValue(f"%%cpp_op does not know {word}.", hint=hint)
        else:
            names.append(word)
    if len(names) != 1 or not names[0].isidentifier():
        given = ", ".join(names) or "nothing"
        raise errors.InvalidValue("%%cpp_op takes one name.", given=given, hint=USAGE)
    return names[0], options


def _root():
    return os.environ.get("MS_COMPILER_CACHE_PATH") or "./kernel_meta"


def _cell_file():
    """The name that Python knows the cell by."""
    frame = sys._getframe(1)
    while frame.f_back is not None and errors.inside(frame.f_code.co_filename):
        frame = frame.f_back
    return frame.f_code.co_filename


def _tidy(folder, name):
    """Keep the libraries of the cell's last versions; who has an older one open goes on with it."""
    found = [e for e in os.scandir(folder) if e.name.startswith(f"{name}_")]
    ready = sorted((e for e in found if e.name.endswith(".so")), key=lambda e: e.stat().st_mtime_ns)
    for entry in ready[:-MOST_KEPT]:
        for path in (entry.path, os.path.join(folder, f".{entry.name.removesuffix('.so')}.json")):
            if os.path.exists(path):
                os.remove(path)
    for entry in os.scandir(folder):
        if entry.name.endswith(".o") and not cache.is_left_behind(entry.name):
            os.remove(entry.path)
