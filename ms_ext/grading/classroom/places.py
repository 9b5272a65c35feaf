"""Can something be written there? Asked before a class is graded, not when it is done."""

import contextlib
import tempfile
from pathlib import Path

from ms_ext.engine import errors
from ms_ext.grading.classroom import people


@contextlib.contextmanager
def told(path):
    """What the system says against writing at a place becomes a sentence."""
    try:
        yield
    except OSError as error:
        raise errors.InvalidValue(
            "Nothing can be written at this place.",
            given=f"{error.filename or path}: {people.plain(error)}",
            hint="Name a folder that you may write to, on a disk that has room.",
        ) from None


def folder(path):
    """Make a folder if need be, and see that a file can be made in it."""
    with told(path):
        Path(path).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return Path(path)


def file(path):
    """See that a file can be made at a place, or the one that is there added to."""
    path = Path(path)
    folder(path.parent)
    with told(path):
        if path.exists():
            path.open("ab").close()
