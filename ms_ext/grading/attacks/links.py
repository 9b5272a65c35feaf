"""Puts links where the judge cleans up or reads: its folder, and names inside it."""

import os
import sys

HARMLESS = True
NEEDS = ("files",)


def attack(answer):
    """To the repository, to the root, and to itself; and the folder itself becomes one."""
    root = os.path.dirname(os.path.dirname(sys.modules["ms_ext"].__file__))
    here = os.getcwd()
    for number, place in enumerate((root, "/", here, "../..", root + "/book/00_tour/chapter.md")):
        try:
            os.symlink(place, f"link{number}")
            os.link(place, f"hard{number}")
            open(f"link{number}").read()
        except OSError:
            continue
    for change in (os.rmdir, lambda path: os.symlink(root, path)):
        try:
            change(here)
        except OSError:
            continue
    return answer
