"""Make or show a bundle: your key and your extra checks, kept outside (new PATH, show PATH)."""

import argparse

from ms_ext.book import source
from ms_ext.grading import exercise
from ms_ext.grading.classroom import bundle, places
from ms_ext.grading.classroom.summary import count


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="ms-ext grade bundle", description=__doc__, allow_abbrev=False
    )
    made.add_argument("what", choices=("new", "show"))
    made.add_argument("path", metavar="PATH", help="a folder outside the repository")
    made.add_argument("--chapter", metavar="NN", help="only this chapter's exercises")
    made.add_argument("--title", default="", help="what the course is called")
    return made


def main(arguments):
    """Make one, or say what one holds."""
    asked = options().parse_args(arguments)
    if asked.what == "new":
        names = exercise.names(asked.chapter and source.find(asked.chapter))
        with places.told(asked.path):
            made = bundle.new(asked.path, names, asked.title)
        print(
            f"{made.path} holds a fresh key and extra checks for {count(len(names), 'exercise')}."
        )
        print("Keep it where no learner reads; without its key no grade can be checked again.")
        print(f"  ms-ext grade class DIR --tests {asked.path} --out grades.csv")
        return 0
    found = bundle.read(asked.path)
    print(f"{found.title or 'a bundle'}\n  hash {found.sha}")
    for name in found.names:
        checks = [check for check in found.exercise(name).checks if not check.open]
        points = sum(check.points for check in checks)
        words = ", ".join(check.name for check in checks) or "no extra checks"
        print(f"  {name:<28} {points:g} extra point{'s' * (points != 1)}: {words}")
    return 0
