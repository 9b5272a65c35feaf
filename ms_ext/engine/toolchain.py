"""What does this machine offer (compilers, dot, browser, CPU), and what are its files called?

Standard library only: the door and setup.py use this before anything is installed. It is read at
`import ms_ext` too, so the slower parts of the library are imported where they are used.
"""

import functools
import importlib.machinery
import os
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

WINDOWS = os.name == "nt"
EXTENSION_SUFFIX = importlib.machinery.EXTENSION_SUFFIXES[0]
BIN_FOLDER = "Scripts" if WINDOWS else "bin"

#: What the compiler flag -march=x86-64-v3 may use, in the words of /proc/cpuinfo.
X86_64_V3 = frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe".split())
#: The same features where NumPy has its own word for them.
NUMPY_WORDS = {"bmi": "bmi1", "fma3": "fma", "lzcnt": "abm"}


@dataclass(frozen=True)
class Compiler:
    """A compiler that was found: the program and the first line of its --version."""

    path: str
    version: str


def c_compiler(prefix: str | Path = sys.prefix) -> Compiler | None:
    """The C compiler that builds kernels: $CC, conda's in `prefix`, Python's, or one on the PATH.

    >>> compiler = c_compiler()
    >>> compiler is None or bool(compiler.path)
    True
    """
    first = [_environment_word("CC"), *_conda_compilers(prefix, "cc"), _configured("CC")]
    return _compiler(_first_program(*first, "gcc", "clang", "cc", "cl"))


def cxx_compiler(prefix: str | Path = sys.prefix) -> Compiler | None:
    """The C++ compiler that builds plugins and custom operators, found in the same order."""
    return _compiler(cxx_program(prefix))


def cxx_program(prefix: str | Path = sys.prefix) -> str | None:
    """Where the C++ compiler is; unlike `cxx_compiler` nothing is run to ask its version."""
    first = [_environment_word("CXX"), *_conda_compilers(prefix, "c++")]
    return _first_program(*first, "g++", "clang++", "c++", "cl")


def python_headers(include: str | None = None) -> str | None:
    """The folder with Python.h, which compiling a kernel needs, or None."""
    import sysconfig

    folder = include or sysconfig.get_path("include")
    return folder if Path(folder, "Python.h").is_file() else None


def program_on_path(name: str) -> str | None:
    """Where a program is, or None."""
    if WINDOWS:  # where endings count too
        import shutil

        return shutil.which(name)
    # shutil brings in its compressions: 8 ms of the 1 ms that a built op takes to be loaded
    path = os.environ.get("PATH", os.defpath)
    folders = [""] if os.path.dirname(name) else filter(None, path.split(os.pathsep))
    found = (os.path.join(folder, name) for folder in folders)
    return next((p for p in found if os.access(p, os.X_OK) and not os.path.isdir(p)), None)


def dot() -> str | None:
    """Graphviz's layout program, or None."""
    return program_on_path("dot")


def chromium() -> str | None:
    """A Chromium that a test can drive without a window: $MS_EXT_CHROMIUM or one on the PATH."""
    named = os.environ.get("MS_EXT_CHROMIUM")
    names = [named] if named else ["chromium", "chromium-browser", "google-chrome", "chrome"]
    return next(filter(None, map(program_on_path, names)), None)


def has_screen() -> bool:
    """Is there a person at a desktop who could see a window?"""
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        return False
    if WINDOWS or sys.platform == "darwin":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def python_in(prefix: Path) -> Path:
    """The Python program of the environment in folder `prefix`."""
    if WINDOWS and (prefix / "conda-meta").is_dir():
        return prefix / "python.exe"
    return prefix / BIN_FOLDER / ("python.exe" if WINDOWS else "python")


def activated(prefix: Path) -> dict[str, str]:
    """The surroundings for a program of the environment `prefix`: its programs come first."""
    folders = [prefix / BIN_FOLDER]
    if WINDOWS:
        folders += [prefix, prefix / "Library" / "bin"]
    path = os.pathsep.join([*map(str, folders), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "VIRTUAL_ENV": str(prefix)}


def is_x86_64() -> bool:
    """Can the x86-64-v3 variants of kernels be built for this machine at all?"""
    return platform.machine().lower() in ("x86_64", "amd64")


@functools.cache
def cpu_features() -> frozenset[str]:
    """The CPU's features in the words of /proc/cpuinfo, as far as NumPy or Linux tell them."""
    return _features_from_numpy() or _features_from_linux()


def cpu_runs_v3() -> bool:
    """Does this CPU run code compiled with -march=x86-64-v3?"""
    return is_x86_64() and X86_64_V3 <= cpu_features()


def _features_from_numpy():
    multiarray = getattr(sys.modules.get("numpy._core"), "_multiarray_umath", None)
    table = getattr(multiarray, "__cpu_features__", {})
    words = {word.lower() for word, present in table.items() if present}
    return frozenset(NUMPY_WORDS.get(word, word) for word in words)


def _features_from_linux():
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return frozenset()
    for line in text.splitlines():
        if line.startswith(("flags", "Features")):
            return frozenset(line.partition(":")[2].split())
    return frozenset()


def _environment_word(name):
    words = os.environ.get(name, "").split()
    return words[0] if words else None


def _conda_compilers(prefix, ending):
    if not os.path.isdir(os.path.join(prefix, "conda-meta")):
        return []
    return sorted(map(str, Path(prefix, BIN_FOLDER).glob(f"*-conda-*-{ending}")))


def _configured(name):
    import sysconfig

    words = (sysconfig.get_config_var(name) or "").split()
    return words[0] if words else None


def _first_program(*programs):
    return next(filter(None, map(program_on_path, filter(None, programs))), None)


def _compiler(path):
    return Compiler(path, _version(path)) if path else None


@functools.cache
def _version(path):
    import subprocess

    arguments = [path] if Path(path).stem == "cl" else [path, "--version"]
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return "version unknown"
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0] if lines else "version unknown"
