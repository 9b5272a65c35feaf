"""How does a built library become a module in this process, and what is said if it does not?

The loader's own words come first, as MindSpore hands them on; then what they mean here.
"""

import contextlib
import os
import sys
from importlib import machinery, util

from ... import errors
from .proxy import OpModule

_opened = {}  # the name of a module -> how many were opened under it
_places = {}  # path of a library -> the file that it was when it was opened


class CannotImport(errors.MsExtError, ImportError):
    """A library that did not become a module."""


def opened(path, name, kind, sources):
    """The ops of a library."""
    if kind == "functions":
        from . import kinds

        return OpModule(kinds.functions(path, name, sources), None)
    if kind == "stages":
        from ...stages import cpp_calls  # noqa: F401  (the other side of the header's table)
    found = module(path, name, sources)
    if kind == "cython":
        from . import kinds

        found = kinds.on_tensors(found)
    return OpModule(None, found)


def module(path, name, sources=()):
    """The Python module of a library, under its own name."""
    shown, before = _distinct(name), sys.modules.get(name)
    try:
        with _place(path) as place:
            loader = machinery.ExtensionFileLoader(shown, place)
            spec = machinery.ModuleSpec(shown, loader, origin=place)
            found = util.module_from_spec(spec)
            loader.exec_module(found)
    except ImportError as why:
        raise _explained(path, name, why, sources) from None
    found.__file__ = spec.origin = path
    _opened[name] = _opened.get(name, 0) + 1
    sys.modules[name] = found if _is_free(before) else before
    return found


@contextlib.contextmanager
def _place(path):
    """Where the system's loader is to find a library: what it opened under a name, it goes on
    meaning by that name, so a library that was built again is opened by another one."""
    state = os.stat(path)
    if _places.setdefault(path, state.st_ino) == state.st_ino:
        yield path
        return
    other = f"{path}.{os.getpid()}-{state.st_ino}.so"
    os.link(path, other)
    try:
        yield other
    finally:
        os.remove(other)


def _distinct(name):
    """pybind11 hands out the module that it made first under a name; another one is wanted here."""
    return f"ms_ext_again{_opened[name]}.{name}" if name in _opened else name


def _is_free(module):
    """Whether a name is free, or a library's of ours: an op named json is not to replace json."""
    file = getattr(module, "__file__", None) or ""
    return module is None or os.path.basename(file) == f"{module.__name__.rpartition('.')[2]}.so"


def _explained(path, name, why, sources):
    """The error for a library that the system or Python refused."""
    text = str(why)
    if "PyInit_" in text:
        return CannotImport(
            text,
            given=f"{os.path.basename(path)} exports {_exported(path)}",
            hint="Bind the functions to Python at the end of a source:\n"
            'PYBIND11_MODULE(MS_EXTENSION_NAME, m) { m.def("add3", &add3); }',
        )
    if "undefined symbol: " in text:
        return _undefined(path, text, sources)
    from ..loading import clinic

    findings = [f for f in clinic.diagnose(path) if f.reason not in ("no-kernel", "mangled-symbol")]
    hint = findings[0].hint if findings else None
    return CannotImport(text, given=findings[0].message if findings else name, hint=hint)


def _exported(path):
    from ..loading import clinic, elf

    try:
        names = elf.read(path).exported
    except (OSError, elf.Malformed):
        return "nothing that can be read"
    plain = [clinic.plain_name(each) or each for each in names]
    shown = [each for each in plain if each.isidentifier() and not each.startswith("_")]
    return ", ".join(shown[:8]) or "no function"


def _undefined(path, text, sources):
    from ..loading import clinic

    symbol = text.rpartition("undefined symbol: ")[2].partition(",")[0].strip()
    shown = clinic.plain_name(symbol) or symbol
    named = ", ".join(map(os.path.basename, sources)) or os.path.basename(path)
    return CannotImport(
        text,
        given=f"{named} uses {shown}, which no library that it is linked with has",
        hint=f"Define {shown} in one of the sources, name the source that defines it too, or link "
        "with its library: ldflags='-lname'.",
    )
