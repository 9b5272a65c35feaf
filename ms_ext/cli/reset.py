"""Start a chapter again: your notebook moves to work/earlier, a fresh copy takes its place."""

import sys

from ms_ext.book import learner
from ms_ext.engine import errors


def main(arguments: list[str]) -> int:
    """Move one chapter's notebook aside."""
    if len(arguments) != 1:
        print("Say which chapter: ms-ext reset tour", file=sys.stderr)
        return 2
    try:
        moved, fresh = learner.reset(arguments[0])
    except errors.InvalidValue as error:
        print(error, file=sys.stderr)
        return 2
    if moved:
        print(f"your notebook is now   {moved}")
    print(f"a fresh one is         {fresh}")
    return 0
