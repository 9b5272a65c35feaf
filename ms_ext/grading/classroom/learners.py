"""Whose files lie in a folder of submissions? One Learner for each folder or file, none left out.

As people collect them: DIR/<learner>/..., nbgrader's submitted/<learner>/<assignment>/, Moodle's
"Ada Lovelace_123_assignsubmission_file_" folders, Canvas' "lovelaceada_123_456_file.ipynb" files.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading import submissions

KINDS = (".ipynb", ".py")
PACKED = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
#: Copies that programs make beside the work; "earlier" is where `ms-ext reset` moves old attempts.
ASIDE = {"__pycache__", "__MACOSX", "earlier", "node_modules", "venv", "env"}
FILES, DEPTH = 1000, 30  # of one learner; more is a mistake or an attack

_MOODLE = re.compile(r"(.+_\d+)_assignsubmission_[a-z]+(?:_(.*))?", re.DOTALL)
_CANVAS = re.compile(r"([^_]+)(?:_LATE)?_(\d+)_\d+_(.+)", re.DOTALL)


class Learner(NamedTuple):
    """A learner's name, unique in the class; the files, and the folder if it is theirs alone."""

    name: str
    paths: tuple
    folder: Path | None = None
    warnings: tuple = ()

    def files(self):
        """All files, read."""
        return [submissions.read(path) for path in self.paths]

    def shown(self, path):
        """A path as a row says it."""
        inside = path.relative_to(self.folder) if self.folder else Path(path.name)
        return printable(inside.as_posix())


def find(directory):
    """The learners of a folder of submissions, by name."""
    directory = _submitted(Path(directory))
    found = {}
    for entry in sorted(directory.iterdir()):
        if _is_aside(entry):
            continue
        if entry.is_symlink() and (entry.is_dir() or entry.suffix.lower() in KINDS):
            name = printable(_of_folder(entry.name) if entry.is_dir() else _of_file(entry))
            _add(found, name, None, (), ("It is a link and was not read.",))
            continue
        if entry.is_dir():
            name = printable(_of_folder(entry.name))
            _add(found, name, entry, *walk(entry))
        elif entry.suffix.lower() in KINDS:
            name = printable(_of_file(entry))
            _add(found, name, None, (entry,), ())
    if not found:
        raise errors.InvalidValue(
            "This folder holds no submissions.",
            given=str(directory),
            hint="Put one folder for each learner into it, with their notebooks.",
        )
    return [found[name] for name in sorted(found)]


def _is_aside(entry):
    """What no learner handed in: the copies of programs, and hidden files; not a "..folder"."""
    hidden = entry.name.startswith(".") and not (entry.name.startswith("..") and entry.is_dir())
    return hidden or entry.name in ASIDE


def _submitted(directory):
    if not directory.is_dir():
        raise errors.InvalidValue("There is no such folder of submissions.", given=str(directory))
    inner = directory / "submitted"
    others = [each for each in directory.iterdir() if each.is_dir() and each != inner]
    course = {"source", "release", "autograded", "feedback"} & {each.name for each in others}
    return inner if inner.is_dir() and (course or not others) else directory


def _of_folder(name):
    moodle = _MOODLE.fullmatch(name)
    return moodle[1] if moodle else name


def _of_file(path):
    moodle, canvas = _MOODLE.fullmatch(path.stem), _CANVAS.fullmatch(path.stem)
    if moodle:
        return moodle[1]
    return f"{canvas[1]}_{canvas[2]}" if canvas else path.stem


def _add(found, name, folder, paths, warnings):
    """A learner may have several folders or files: Moodle and Canvas part them."""
    new = Learner(name, tuple(paths), folder, tuple(warnings))
    old = found.get(name, Learner(name, ()))
    one = new if not old.paths else old if not new.paths else None
    found[name] = Learner(
        name,
        (*old.paths, *new.paths),
        one.folder if one else None,
        (*old.warnings, *new.warnings),
    )


def walk(folder):
    """The files below a folder, and what to warn of; links are never followed."""
    paths, warnings = [], []

    def unreadable(error):
        warnings.append(f"{printable(error.filename)} cannot be opened.")

    for place, folders, names in os.walk(folder, onerror=unreadable):
        if len(Path(place).relative_to(folder).parts) >= DEPTH:
            warnings.append(f"Folders more than {DEPTH} deep were not read.")
            folders.clear()
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in ASIDE)
        for path in [Path(place, name) for name in sorted(names) if not name.startswith(".")]:
            kind, name = path.suffix.lower(), printable(path.name)
            if kind in PACKED:
                warnings.append(f"{name} is packed and was not read.")
            elif kind in KINDS and path.is_symlink():
                warnings.append(f"{name} is a link and was not read.")
            elif kind in KINDS:
                paths.append(path)
        if len(paths) > FILES:
            warnings.append(f"There are too many files; only {FILES} were read.")
            break
    return paths[:FILES], tuple(dict.fromkeys(warnings))


def printable(name):
    """A file's name as text that can be written anywhere, still different for different names.

    >>> printable(b"caf\\xe9\\n".decode("utf-8", "surrogateescape"))
    'caf\\\\xe9\\\\n'
    """
    whole = re.sub(r"[\x00-\x1f\x7f\\]", lambda c: c[0].encode("unicode_escape").decode(), name)
    return whole.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def digest(files):
    """A hash of all that was read of a learner."""
    seen = hashlib.sha256()
    for file in files:
        seen.update(f"{printable(file.path.name)}\0{file.sha}\0{file.problem}\n".encode())
    return seen.hexdigest()
