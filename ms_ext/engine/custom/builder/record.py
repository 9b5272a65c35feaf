"""What was a library made of, and is that still so? Told by a few looks at files, not by reading.

A file is the same if its size, its time and its place on the disk are. One that was written so
shortly before the library that an edit could have kept its time is read again, and so is everything
when a header was added to a folder of them: it could be found before another one now.
"""

import json
import os
import sys

RACY = 50_000_000  # nanoseconds: some file systems' clocks are coarse
#: What is asked of the version of this package that made a record.
FORM = 2
#: What an #include never means, and what comes and goes beside sources.
_NEVER = (".py", ".pyc", ".ipynb", ".so", ".o", ".json", ".log", ".txt", ".png", "kernel_meta")


def path(folder, name):
    """Where the record of a library is."""
    return os.path.join(folder, f".{name}.json")


def read(folder, name):
    """The record, or None."""
    try:
        with open(path(folder, name), encoding="utf-8") as file:
            found = json.load(file)
        return found if found["form"] == FORM else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write(folder, name, **entries):
    """Keep a record; it appears whole."""
    from ..loading import cache

    target = path(folder, name)
    temporary = cache.beside(target)
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({"form": FORM, **entries}, file)
    os.replace(temporary, target)


def is_fresh(record, product, made_with):
    """Whether the library that a record tells of is there, made so, of files as they are now."""
    if record is None or record["made_with"] != made_with:
        return False
    if look(product) != record["product"]:
        return False
    if not all(_is_same_folder(*entry) for entry in record["folders"]):
        return False
    return all(look(file) == entry for file, entry in record["files"])


def look(file):
    """[size, time, place on the disk] of a file; of a file that is not there, zeros."""
    try:
        state = os.stat(file)
    except OSError:
        return [0, 0, 0]
    return [state.st_size, state.st_mtime_ns, state.st_ino]


def of_files(files, now):
    """(file, what it looks like) of each; one that was written just now matches nothing later."""
    found = []
    for file in files:
        size, time, place = look(file)
        found.append([file, [size, time if now - time > RACY else -1, place]])
    return found


def of_folders(folders):
    """(folder, its time, the names in it that an #include could mean) of each."""
    return [[folder, look(folder)[1], _names(folder)] for folder in folders]


def _is_same_folder(folder, time, names):
    """Whether no header came or went: other files come and go in a folder of work."""
    return look(folder)[1] == time or _names(folder) == names


def _names(folder):
    try:
        found = os.listdir(folder)
    except OSError:
        return []
    return sorted(n for n in found if not n.endswith(_NEVER) and n[:1] not in "._")


def tools(compiler):
    """What compiles, in words that change when it does."""
    return [compiler or "no compiler", *map(str, look(compiler) if compiler else ()), sys.version]
