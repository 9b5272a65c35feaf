"""The door on every platform: `python3 lab.py COMMAND` is `./lab COMMAND`. `help` lists them.

Standard library only. The package's own __init__ would ask for NumPy, which is not there before
the environment is made; so bare packages stand in for it and let the door's modules be imported.
"""

import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parent
PACKAGES = ("ms_ext", "ms_ext.cli", "ms_ext.engine")


def bare_packages():
    """Make `from ms_ext.cli import door` work without running ms_ext/__init__.py."""
    for name in PACKAGES:
        package = sys.modules[name] = types.ModuleType(name)
        package.__path__ = [str(ROOT.joinpath(*name.split(".")))]


def main(arguments):
    """Run one command of the door."""
    if sys.hexversion < 0x030B0000:
        print("lab: this needs Python 3.11 or newer.", file=sys.stderr)
        return 1
    bare_packages()
    from ms_ext.cli import door

    return door.enter(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
