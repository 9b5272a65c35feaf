"""Which versions, settings and compiled parts are in use here?"""

import importlib.metadata
import os
import platform
import sys

from ms_ext import kernels
from ms_ext.engine import toolchain

#: Every environment variable that ms_ext reads, and what it is for.
SETTINGS = {
    "MS_COMPILER_CACHE_PATH": "the folder of libraries that ops.Custom compiled",
    "MS_CUSTOM_AOT_WHITE_LIST": "the only folders that ops.Custom loads from",
    "MS_DEV_SAVE_GRAPHS": "1, 2 or 3: every compilation leaves its stages as files",
    "MS_DEV_SAVE_GRAPHS_PATH": "the folder of these files",
    "MS_EXT_BROWSER": "required: browser tests fail instead of being skipped",
    "MS_EXT_CHROMIUM": "the browser program for the tests",
    "MS_EXT_CORE": "reference: nothing compiled; compiled: no Python twin",
    "MS_EXT_CPU": "baseline: no kernels for newer CPUs",
    "MS_EXT_CUSTOM_PATH": "folders in which ops.Custom looks for libraries after the current one",
    "MS_EXT_ENGINE": "mindspore: the names that MindSpore has too come from it",
    "MS_EXT_ENV": "venv or conda: how ./lab makes .venv",
    "MS_EXT_JIT": "fixed: jit never changes its backend by itself",
    "MS_EXT_KERNELS": "skip: ./lab builds no kernels",
    "MS_EXT_LANGUAGE": "zh: chapters that have a Simplified Chinese text open in it",
    "MS_EXT_PINS": "none: ./lab takes the newest packages, not the proven set",
    "MS_EXT_STRICT": "2.10: forms that MindSpore 2.10 refuses are refused here with its errors",
}


def version(package: str) -> str:
    """The installed version of a package, without importing it."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def rows() -> list[tuple[str, str]]:
    """What to show, as (name, value) pairs."""
    built = [f"{name} ({kernels.variant(name)})" for name in kernels.available()]
    shown = [("python", f"{platform.python_version()} ({sys.executable})")]
    shown += [(name, version(name)) for name in ("ms-ext", "numpy", "cython", "jupyterlab")]
    shown.append(("kernels", ", ".join(built) or "none built"))
    shown.append(("x86-64-v3", "yes" if toolchain.cpu_runs_v3() else "no"))
    return shown + [(name, os.environ.get(name, f"unset ({SETTINGS[name]})")) for name in SETTINGS]


def main(arguments: list[str]) -> int:
    """Print the table."""
    if arguments:
        print(f"ms-ext config takes no arguments; given: {' '.join(arguments)}", file=sys.stderr)
        return 2
    for name, value in rows():
        print(f"{name:<24} {value}")
    return 0
