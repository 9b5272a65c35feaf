"""Run the workloads by name, or all of them: ``python -m benchmarks [w1 w4 ...]``."""

import importlib
import pkgutil
import sys

import benchmarks


def workloads():
    """Names of the workload scripts, in order."""
    found = (m.name for m in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(
        (n for n in found if n[0] == "w" and n[1].isdigit()),
        key=lambda n: (len(n.split("_")[0]), n),
    )


def main(wanted):
    """Run the workloads whose names begin with one of ``wanted``."""
    chosen = [n for n in workloads() if not wanted or any(n.split("_")[0] == w for w in wanted)]
    if not chosen:
        print(f"There is no such workload. Known: {', '.join(workloads())}")
        return 2
    for name in chosen:
        module = importlib.import_module(f"benchmarks.{name}")
        print(f"\n## {name}: {module.__doc__.splitlines()[0]}")
        module.main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
