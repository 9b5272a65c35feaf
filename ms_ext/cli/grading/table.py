"""Write grades for another gradebook: KIND CSV; canvas, moodle, nbgrader or gradescope."""

import argparse
from pathlib import Path

from ms_ext.grading.classroom import gradebook, people, places, presets


def options():
    """What can be said on the command line."""
    made = argparse.ArgumentParser(
        prog="ms-ext grade table", description=__doc__, allow_abbrev=False
    )
    made.add_argument("kind", metavar="KIND", help=", ".join(presets.KINDS))
    made.add_argument("grades", metavar="CSV", help="what `ms-ext grade class` wrote")
    made.add_argument("--people", metavar="CSV", help=f"learner,{','.join(people.FIELDS)}")
    made.add_argument("--group", choices=presets.GROUPS, default="exercise", help="of a column")
    made.add_argument("--out", metavar="FOLDER", help="instead of the folder of CSV")
    return made


def main(arguments):
    """Write the table; say what is left out."""
    asked = options().parse_args(arguments)
    crowd = people.read(asked.people) if asked.people else None
    folder = asked.out or Path(asked.grades).parent
    rows = gradebook.read(asked.grades)
    with places.told(folder):
        paths, notes = presets.write(asked.kind, rows, folder, crowd, asked.group)
    print("\n".join(map(str, [*paths, *notes])))
    return 0
