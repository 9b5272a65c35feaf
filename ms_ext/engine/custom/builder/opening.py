"""How does a built library become a module in this process, and what is said if it does not?

The loader's own words come first, as MindSpore hands them on; then what they mean here.
"""

import os
import sys
from importlib import machinery, util

from ... import errors
from .proxy import OpModule

_opened = {}  # the name of a module -> how many were opened under it


class CannotImport(errors.MsExtError, ImportError):
    """A library that did not become a module."""


def opened(path, name, kind, sources):
    """The ops of a library."""
    if kind == "functions":
        from . import kinds

        return OpModule(kinds.functions(path, name), None)
    if kind == "stages":
        from ...stages import cpp_calls  # noqa: F401  (the other side of the header's table)
    found = module(path, name, sources)
    if kind == "cython":
        from . import kinds

        found = kinds.on_tensors(found)
    return OpModule(None, found)


def module(path, name, sources=()):
    """The Python module of a library, under its own name."""
    shown = _distinct(name)
    spec = util.spec_from_file_location(shown, path)
    if spec is None:
        spec = machinery.ModuleSpec(shown, machinery.ExtensionFileLoader(shown, path), origin=path)
    try:
        found = util.module_from_spec(spec)
        spec.loader.exec_module(found)
    except ImportError as why:
        raise _explained(path, name, why, sources) from None
    _opened[name] = _opened.get(name, 0) + 1
    if _is_ours(sys.modules.get(name)):
        sys.modules[name] = found
    return found


def _distinct(name):
    """pybind11 hands out the module that it made first under a name; another one is wanted here."""
    return f"ms_ext_again{_opened[name]}.{name}" if name in _opened else name


def _is_ours(module):
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
