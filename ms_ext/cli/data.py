"""Which data sets are there without a network? This lists them, or writes one into a folder.

ms-ext data                what there is
ms-ext data digits DIR     writes it there
"""

import sys
from pathlib import Path

from ms_ext.dataset.digits import write_digits
from ms_ext.engine import errors

#: name -> what it is, and what writes it into a folder and tells (file, shape) of each.
SETS = {
    "digits": (
        "1797 real handwritten digits of the UCI repository, 28x28, a fifth of them held out",
        write_digits,
    ),
}


def listing():
    """One line per data set."""
    rows = [f"  ms-ext data {name} DIR    {text}" for name, (text, _) in SETS.items()]
    return "\n".join(["Data sets that need no network:", *rows])


def main(arguments: list[str]) -> int:
    """List the sets, or write one."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(listing())
        return 0
    name, *places = arguments
    if name not in SETS or len(places) != 1 or places[0].startswith("-"):
        wrong = f"{name}: there is no such data set." if name not in SETS else "Name one folder."
        print(f"ms-ext data {wrong}\n{listing()}", file=sys.stderr)
        return 2
    folder = Path(places[0])
    try:
        written = SETS[name][1](folder)
    except (errors.MsExtError, OSError) as error:
        print(f"ms-ext data {name}: {error}", file=sys.stderr)
        return 1
    for file, shape in written:
        print(f"written  {folder / file}  {' x '.join(map(str, shape))}")
    print(f"\nTo use it:\n  from mindspore.dataset import MnistDataset\n"
          f"  train = MnistDataset({str(folder)!r}, 'train')")  # fmt: skip
    return 0
