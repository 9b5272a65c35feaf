"""Run the workloads by name, or all of them: ``python -m benchmarks [w1 w4 ...]``."""

import ast
import importlib
import pkgutil
import sys
from pathlib import Path

import benchmarks


def workloads():
    """Names of the workload scripts, in order."""
    found = (m.name for m in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(
        (n for n in found if n[0] == "w" and n[1].isdigit()),
        key=lambda n: (len(n.split("_")[0]), n),
    )


def title(name):
    """The first line of a workload's own words, read without running it."""
    tree = ast.parse((Path(benchmarks.__path__[0]) / f"{name}.py").read_text())
    return ast.get_docstring(tree).splitlines()[0]


def main(wanted):
    """Run the workloads whose names begin with one of ``wanted``; their list for --help."""
    if {"-h", "--help", "help"} & set(wanted):
        print(__doc__.splitlines()[0])
        print(*(f"  {name:<20} {title(name)}" for name in workloads()), sep="\n")
        return 0
    chosen = [n for n in workloads() if not wanted or any(n.split("_")[0] == w for w in wanted)]
    if not chosen:
        print(f"There is no such workload. Known: {', '.join(workloads())}")
        return 2
    for name in chosen:
        print(f"\n## {name}: {title(name)}")
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
