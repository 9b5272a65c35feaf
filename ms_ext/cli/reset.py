"""Start a chapter or one exercise again; what you wrote is kept in the folder "earlier"."""

import argparse
import sys
from pathlib import Path

from ms_ext.book import learner
from ms_ext.engine import errors
from ms_ext.grading import exercise

USAGE = """\
  ms-ext reset tour                  a whole chapter, by its topic or number
  ms-ext reset 05.mul_bprop          one exercise: only its cell
  ms-ext reset 05 --work ~/lessons   in another folder than work
What you wrote is kept in work/earlier."""


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="ms-ext reset", description=__doc__, epilog=USAGE, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    made.add_argument("what", nargs="*", help="a chapter (tour, 5) or an exercise (05.mul_bprop)")
    made.add_argument("--work", metavar="FOLDER", type=Path, help="the notebooks are there")
    return made


def main(arguments: list[str]) -> int:
    """Move a chapter's notebook aside, or give one exercise its first text back."""
    asked = options().parse_args(arguments)
    if len(asked.what) != 1:
        wrong = "One at a time.\n" if asked.what else ""
        print(f"{wrong}Say what to begin again:\n{USAGE}", file=sys.stderr)
        return 2
    (what,) = asked.what
    try:
        if asked.work is not None and not asked.work.is_dir():
            raise errors.InvalidValue(f"There is no folder {asked.work}.")
        again = learner.reset_exercise if "." in what else learner.reset
        moved, fresh = again(what, asked.work)
    except errors.InvalidValue as error:
        print(error, file=sys.stderr)
        return 2
    if moved:
        print(f"what you wrote is kept in   {moved}")
    print(f"begin again in              {fresh}")
    if moved:
        print("If JupyterLab has it open   File > Reload Notebook from Disk, before you go on")
    if "." in what:
        target = exercise.load(what).target
        print(f"begun again                 the cell that defines {target}; all other work stays")
    return 0
