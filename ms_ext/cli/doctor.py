"""What is missing on this machine, what does that cost, and how is it got?"""

import functools
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass

from ms_ext import kernels
from ms_ext.cli.steps import ROOT
from ms_ext.engine import toolchain

SOURCES = ROOT / "kernels_pyx"


@dataclass(frozen=True)
class Finding:
    """One thing looked for: `seen` says what was found (None: missing), `cost` what that means."""

    name: str
    look: Callable[[], str | None]
    cost: str
    way: str

    def line(self, seen: str | None) -> str:
        """One line for the learner.

        >>> Finding("dot", lambda: None, "plainer pictures", "apt install graphviz").line(None)
        'missing  dot: plainer pictures. Get it: apt install graphviz'
        """
        if seen:
            return f"ok       {self.name}: {seen}"
        return f"missing  {self.name}: {self.cost}. Get it: {self.way}"


def module(name):
    """A look for an importable module, without importing it (but what is around it)."""

    def look():
        try:
            return "installed" if importlib.util.find_spec(name) else None
        except ModuleNotFoundError:  # what is around it is not there
            return None

    return look


def found_compiler(find):
    """A look for a compiler: its version and path."""

    def look():
        compiler = find()
        return f"{compiler.version} ({compiler.path})" if compiler else None

    return look


def compiled_kernels():
    """Which kernels are built, if all of them are and none is older than its source."""
    wanted = {path.stem for path in SOURCES.glob("*.pyx")}
    built = kernels.available()
    if not built or wanted - set(built) or kernels.stale():
        return None
    return ", ".join(f"{name} ({kernels.variant(name)})" for name in built)


def kernel_cost():
    """What is wrong with the kernels, in words."""
    lacking = sorted({path.stem for path in SOURCES.glob("*.pyx")} - set(kernels.available()))
    parts = [f"not built: {', '.join(lacking)}"] if lacking else []
    if old := kernels.stale():
        parts.append(f"older than their source: {', '.join(old)}")
    return f"{'; '.join(parts) or 'none there'}; the same results, slower"


@functools.cache
def open_walls():
    """The protections around graded answers that this system does not allow; tried, not guessed."""
    from ms_ext.grading import sandbox

    return [name for name, in_force, _ in sandbox.report() if not in_force]


def walls():
    """Are graded answers held by every protection?"""
    return None if open_walls() else "all in force"


APT = "sudo apt install "
LAB = "./lab (or: pip install 'ms-ext[lab]')"


def findings() -> list[Finding]:
    """Everything that is looked for: what others are made with comes before them."""
    return [*builders(), *packages(), *surroundings()]


def builders() -> list[Finding]:
    """What kernels are built with, the kernels, and what other code of one's own needs."""
    return [
        Finding(
            "C compiler",
            found_compiler(toolchain.c_compiler),
            "kernels cannot be built, NumPy does their work",
            f"{APT}gcc, then ./lab build",
        ),
        Finding(
            "Python.h",
            toolchain.python_headers,
            "kernels cannot be built, as without a C compiler",
            f"{APT}python3-dev, then ./lab build",
        ),
        Finding("compiled kernels", compiled_kernels, kernel_cost(), "./lab build"),
        Finding(
            "C++ compiler",
            found_compiler(toolchain.cxx_compiler),
            "no C++ operators, passes or backends of your own",
            f"{APT}g++",
        ),
    ]


def packages() -> list[Finding]:
    """The packages of Python without which something is missing."""
    return [
        Finding("jupyterlab", module("jupyterlab"), "no notebooks, so no ./lab", LAB),
        Finding("jupytext", module("jupytext"), "chapter.md opens as a text, for authors", LAB),
        Finding("sphinx", module("sphinx"), "no static book", LAB),
        Finding("ipywidgets", module("ipywidgets"), "no sliders or buttons in notebooks", LAB),
        Finding("matplotlib", module("matplotlib"), "no timeline figures (.svg, .png, .pdf)", LAB),
        Finding("ml_dtypes", module("ml_dtypes"), "no bfloat16", LAB),
        Finding("scikit-learn", module("sklearn"), "no digits to train on (ms-ext data)", LAB),
        Finding("pybind11", module("pybind11"), "no C++ ops with ops.CustomOpBuilder", LAB),
        Finding("protobuf", module("google.protobuf"), "no .ckpt files (safetensors work)", LAB),
    ]


def surroundings() -> list[Finding]:
    """Programs and the system itself."""
    return [
        Finding(
            "dot (Graphviz's program)",  # the Python package of that name is not asked
            toolchain.dot,
            "graphs are laid out more plainly",
            f"{APT}graphviz",
        ),
        Finding(
            "protections for grading",
            walls,
            f"answers are held less tightly, without: {', '.join(open_walls())}",
            "a container, as book/appendix/trust.md says",
        ),
        Finding("Chromium", toolchain.chromium, "browser tests are skipped", f"{APT}chromium"),
    ]


def main(arguments: list[str]) -> int:
    """Print one line per finding; what is missing is no error, everything works without it."""
    if arguments:
        print(f"ms-ext doctor takes no arguments; given: {' '.join(arguments)}", file=sys.stderr)
        return 2
    seen = [(finding, finding.look()) for finding in findings()]
    for finding, answer in sorted(seen, key=lambda pair: pair[1] is not None):
        print(finding.line(answer))
    return 0
