"""Make a notebook about a class: CSV; what went wrong where, what was hard, whom to talk to."""

import argparse

from ms_ext.grading.classroom import dashboard, places


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="ms-ext grade dashboard", description=__doc__, allow_abbrev=False
    )
    made.add_argument("grades", metavar="CSV", help="what `ms-ext grade class` wrote")
    made.add_argument("--out", metavar="NOTEBOOK", help="instead of dashboard.ipynb beside it")
    return made


def main(arguments):
    """Write the notebook; say how to open it."""
    asked = options().parse_args(arguments)
    with places.told(asked.out or asked.grades):
        path = dashboard.notebook(asked.grades, asked.out)
    print(f"{path}\n  jupyter lab {path}")
    return 0
