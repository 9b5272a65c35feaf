"""Which checkpoints lie in a folder under a prefix, and which of them have to go?"""

import contextlib
import os
import re
import time

from ...engine import errors

AT_FAILURE = "_breakpoint.ckpt"


def made(folder):
    """A folder, made if it is not there; its whole path.

    >>> made("/tmp")
    '/tmp'
    """
    if not isinstance(folder, str):
        raise errors.InvalidType("The path is invalid, the type should be string.")
    folder = os.path.realpath(folder)
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as why:
        raise errors.NotAllowed(
            f"The folder {folder} for checkpoints cannot be made: {why.strerror}.",
            hint="Choose one that you may write to.",
        ) from None
    return folder


def unused(folder, prefix, at_failure=False):
    """The prefix, or the first of ``prefix_1, prefix_2, ...`` behind all that files have.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> open(os.path.join(folder, "net_2-1_1.ckpt"), "w").close()
    >>> unused(folder, "net"), unused(folder, "other")
    ('net_3', 'other')
    """
    pattern = re.compile(re.escape(prefix) + r"(?:_(\d+))?-.*\.(?:ckpt|safetensors)")
    files = [name for name in os.listdir(folder) if name.endswith(AT_FAILURE) == at_failure]
    found = [match for match in map(pattern.fullmatch, files) if match]
    highest = max((int(match[1] or 0) for match in found), default=None)
    return prefix if highest is None else f"{prefix}_{highest + 1}"


def kept(folder, prefix, format):
    """The files of a prefix, the oldest first."""
    pattern = re.compile(re.escape(prefix) + r"-\d+_\d+\." + re.escape(format))
    names = os.listdir(folder) if os.path.isdir(folder) else []  # if gone, writing will say so
    files = [os.path.join(folder, name) for name in names if pattern.fullmatch(name)]
    return sorted(files, key=os.path.getmtime)


def make_room(folder, prefix, config):
    """Remove what is too much before one more is saved."""
    files = kept(folder, prefix, config.format)
    if most := config.keep_checkpoint_max:
        gone = files[: max(len(files) - most + 1, 0)]
    else:  # of the last minutes only the oldest stays
        first = time.time() - 60 * config.keep_checkpoint_per_n_minutes
        gone = [file for file in files if os.path.getmtime(file) > first][1:]
    for file in gone:
        with contextlib.suppress(FileNotFoundError):
            os.remove(file)
