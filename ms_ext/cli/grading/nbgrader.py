"""Make an nbgrader assignment of a chapter: CHAPTER COURSE ASSIGNMENT; into COURSE/source."""

import argparse

from ms_ext.book import nbgrader


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="ms-ext grade nbgrader", description=__doc__, allow_abbrev=False
    )
    made.add_argument("chapter", metavar="CHAPTER", help="tour, 5, 05_bprop_contract")
    made.add_argument("course", metavar="COURSE", help="the folder of the course")
    made.add_argument("assignment", metavar="ASSIGNMENT", help="what nbgrader calls it")
    return made


def main(arguments):
    """Write the source notebook; say what comes next."""
    asked = options().parse_args(arguments)
    path = nbgrader.export(asked.chapter, asked.course, asked.assignment)
    print(f"{path}\n  cd {asked.course} && nbgrader generate_assignment {asked.assignment}")
    if not nbgrader.configured(asked.course):
        print(f"Add this to {asked.course}/nbgrader_config.py first:\n{nbgrader.CONFIG}")
    print(
        "What nbgrader grades runs in the learner's own kernel, where anything can be faked. For\n"
        f"grades that count: ms-ext grade class {asked.course}/submitted --tests BUNDLE --out CSV"
    )
    return 0
