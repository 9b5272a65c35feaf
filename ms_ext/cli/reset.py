"""Start a chapter or one exercise again; what you wrote is kept in work/earlier."""

import sys

from ms_ext.book import learner
from ms_ext.engine import errors


def main(arguments: list[str]) -> int:
    """Move a chapter's notebook aside, or give one exercise its first text back."""
    if len(arguments) != 1:
        print("Say what to begin again: ms-ext reset tour, or 05.mul_bprop", file=sys.stderr)
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
    return 0
