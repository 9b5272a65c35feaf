"""What real MindSpore would refuse: ms-ext portable [--json] FILE (.py, .ipynb, chapter.md)."""

import json
import sys

from ms_ext.engine import errors


def main(arguments):
    """List it, line by line; 1 if anything is refused or answered differently there."""
    files = [each for each in arguments if each != "--json"]
    if not files or any(each.startswith("-") for each in files):
        print("ms-ext portable [--json] FILE ...", file=sys.stderr)
        return 2
    from .portability import examine

    try:
        found = {file: examine(file) for file in files}
    except errors.MsExtError as error:
        print(f"ms-ext portable: {error}", file=sys.stderr)
        return 2
    print(_json(found) if "--json" in arguments else _text(found))
    return 1 if any(each.counts for some in found.values() for each in some) else 0


def _json(found):
    """Every finding as an object, below its file."""
    return json.dumps(
        {
            file: [each._asdict() | {"counts": each.counts} for each in some]
            for file, some in found.items()
        },
        indent=1,
    )


def _text(found):
    """Every finding in words, and how many count."""
    lines = [each.told(file) for file, some in found.items() for each in some]
    counted = sum(each.counts for some in found.values() for each in some)
    beside = sum(not each.counts for some in found.values() for each in some)
    if counted:
        told = f"{counted} line{'s' if counted != 1 else ''} to change for MindSpore 2.10"
    else:
        told = "Nothing that MindSpore 2.10 refuses was found"
    return "\n".join([*lines, told + (f"; {beside} to look at." if beside else ".")])
