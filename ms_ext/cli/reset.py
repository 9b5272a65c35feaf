"""Start a chapter or one exercise again; what you wrote is kept in work/earlier."""

import sys

from ms_ext.book import learner
from ms_ext.engine import errors
from ms_ext.grading import exercise

USAGE = """\
  ms-ext reset tour             a whole chapter, by its topic or number
  ms-ext reset 05.mul_bprop     one exercise: only its cell
What you wrote is kept in work/earlier."""


def main(arguments: list[str]) -> int:
    """Move a chapter's notebook aside, or give one exercise its first text back."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    if len(arguments) != 1:
        wrong = "One at a time.\n" if arguments else ""
        print(f"{wrong}Say what to begin again:\n{USAGE}", file=sys.stderr)
        return 2
    try:
        again = learner.reset_exercise if "." in arguments[0] else learner.reset
        moved, fresh = again(arguments[0])
    except errors.InvalidValue as error:
        print(error, file=sys.stderr)
        return 2
    if moved:
        print(f"what you wrote is kept in   {moved}")
    print(f"begin again in              {fresh}")
    if "." in arguments[0]:
        target = exercise.load(arguments[0]).target
        print(f"begun again                 the cell that defines {target}; all other work stays")
        print("If JupyterLab has it open   File > Reload Notebook from Disk, before you go on")
    return 0
