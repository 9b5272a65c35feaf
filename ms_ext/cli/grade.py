"""Grade exercises: your own, a class's, or the grader itself; `ms-ext grade` lists the words."""

import difflib
import importlib
import sys
from pathlib import Path

from ms_ext.cli.main import commands
from ms_ext.engine import errors

WORDS = Path(__file__).parent / "grading"


def usage():
    """One line per word."""
    lines = [f"  ms-ext grade {name:<9} {text}" for name, text in commands(WORDS).items()]
    return "\n".join(["What can be graded, and what belongs to it:", *lines])


def main(arguments):
    """Run one word; without one, list them."""
    if not arguments or arguments[0] in ("help", "-h", "--help"):
        print(usage())
        return 0
    name, *rest = arguments
    known = commands(WORDS)
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        meant = f" Did you mean '{near[0]}'?" if near else ""
        print(f"ms-ext grade {name}: there is no such word.{meant}\n{usage()}", file=sys.stderr)
        return 2
    try:
        return importlib.import_module(f"ms_ext.cli.grading.{name}").main(rest) or 0
    except errors.MsExtError as error:
        print(error, file=sys.stderr)
        return 2
