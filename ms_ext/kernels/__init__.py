"""Which compiled modules are there, which variant suits this CPU, and are they up to date?

Nothing is imported before `get` asks for it. Every module is optional: `get` answers None where it
was not built, and the caller goes on with NumPy.

    MS_EXT_CORE=reference   no compiled module at all
    MS_EXT_CPU=baseline     never the variant for newer CPUs
"""

import importlib
import json
import os
import warnings
import zlib
from pathlib import Path

from ms_ext.engine import toolchain

HERE = Path(__file__).parent
SOURCES = HERE.parent.parent / "kernels_pyx"
RECORD = HERE / "built.json"

_modules: dict[str, object] = {}


class KernelOutOfDate(UserWarning):
    """A compiled module does not fit the text it was made from, or this Python."""


def get(name: str):
    """The compiled module `name` in the variant for this CPU, or None.

    >>> get("no_such_kernel") is None
    True
    """
    if os.environ.get("MS_EXT_CORE") == "reference":
        return None
    if name not in _modules:
        _modules[name] = _load(name)
    return _modules[name]


def available() -> tuple[str, ...]:
    """The names that `get` can answer, without importing any of them."""
    files = HERE.glob(f"*{toolchain.EXTENSION_SUFFIX}")
    names = {path.name.removesuffix(toolchain.EXTENSION_SUFFIX) for path in files}
    return tuple(sorted(names - {f"{name}_v3" for name in names}))


def variant(name: str) -> str | None:
    """Which build of `name` this CPU gets: "x86-64-v3", "baseline", or None where there is none."""
    if not _exists(name):
        return None
    return "x86-64-v3" if _module_name(name).endswith("_v3") else "baseline"


def failures() -> dict[str, str]:
    """What the last build could not make, with the compiler's words."""
    return {name: entry["error"] for name, entry in _record().items() if "error" in entry}


def stale() -> tuple[str, ...]:
    """The compiled modules whose sources changed since they were built (editable checkout only)."""
    return tuple(name for name in available() if _changed_files(name))


def checksum(path: Path) -> str:
    """What a source is recognised by, here and in setup.py; quick, since every import asks."""
    return f"{zlib.crc32(path.read_bytes()):08x}"


def _load(name):
    if not _exists(name):
        return None
    if changed := _changed_files(name):
        text = f"The compiled kernel '{name}' is older than {', '.join(changed)}: run ./lab build"
        warnings.warn(text, KernelOutOfDate, stacklevel=3)
    try:
        return importlib.import_module(f"{__name__}.{_module_name(name)}")
    except ImportError as error:
        text = f"The compiled kernel '{name}' does not load ({error}): run ./lab build"
        warnings.warn(text, KernelOutOfDate, stacklevel=3)
        return None


def _module_name(name):
    newer = os.environ.get("MS_EXT_CPU") != "baseline" and _exists(f"{name}_v3")
    return f"{name}_v3" if newer and toolchain.cpu_runs_v3() else name


def _exists(name):
    return (HERE / f"{name}{toolchain.EXTENSION_SUFFIX}").is_file()


def _record():
    try:
        return json.loads(RECORD.read_text())
    except (OSError, ValueError):
        return {}


def _changed_files(name):
    files = _record().get(_module_name(name), {}).get("files", {})
    there = {each: known for each, known in files.items() if (SOURCES / each).is_file()}
    return [each for each, known in there.items() if checksum(SOURCES / each) != known]
