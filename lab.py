"""The door on every platform: `python3 lab.py COMMAND` is `./lab COMMAND`. `help` lists them.

The door's modules need the standard library only, and `import ms_ext` loads nothing by itself; so
this runs before anything is installed.
"""

import sys
from pathlib import Path

if __name__ == "__main__":
    if sys.hexversion < 0x030B0000:
        sys.exit("lab: this needs Python 3.11 or newer.")
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from ms_ext.cli import door

    sys.exit(door.enter(sys.argv[1:]))
