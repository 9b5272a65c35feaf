"""Which files may a child read, and where does it write? Its folder, Python, ms_ext, the learner's.

The chapters, the declarations of the exercises and the grader hold solutions: they are left out
even where a folder that may be read holds them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
#: What holds the answers.
SECRET = (PACKAGE.parent / "book", PACKAGE.parent / "exercises", PACKAGE / "grading")
PREFIX = "ms_ext_child_"  # of the names of children's folders
SYSTEM = (
    "/usr",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/sys/devices/system/cpu",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
)


def readable(reads=()):
    """(paths to read, folders of which only the names may be seen).

    >>> os.path.realpath(sys.base_prefix) in readable()[0]
    True
    """
    python = {sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}
    python |= {path for path in sys.path if path.endswith(("-packages", ".zip", "lib-dynload"))}
    whole, names = [], []
    for path in [*sorted(python), str(PACKAGE), *SYSTEM, *map(str, reads)]:
        _without_secrets(os.path.realpath(path), whole, names)
    return tuple(dict.fromkeys(whole)), tuple(dict.fromkeys(names))


def _without_secrets(path, whole, names):
    inside = [str(secret) for secret in SECRET if _holds(path, str(secret))]
    if not inside:
        if not any(_holds(str(secret), path) for secret in SECRET):
            whole.append(path)
        return
    names.append(path)
    for name in os.listdir(path):
        below = os.path.join(path, name)
        if not os.path.islink(below) and below not in inside:
            _without_secrets(below, whole, names)


def _holds(folder, path):
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def among(path, folders):
    """Is a path one of these folders, or below one? Links are followed.

    >>> among("/usr/lib/../bin", ["/usr"]), among("/usrlocal", ["/usr"])
    (True, False)
    """
    real = os.path.realpath(path)
    return any(_holds(folder, real) for folder in folders)


def make_folder():
    """A new folder that is the user's alone."""
    return os.path.realpath(tempfile.mkdtemp(prefix=PREFIX))


def remove_folder(path):
    """Remove a child's folder, whatever stands there now; links are never followed."""
    try:
        if os.path.islink(path):
            return os.unlink(path)
        shutil.rmtree(path)
    except FileNotFoundError:
        return None
    except (OSError, RecursionError):
        _remove_the_hard_way(path)


def _remove_the_hard_way(path):
    """Folders without rights, or nested deeper than Python goes."""
    if os.name == "nt":
        shutil.rmtree(path, ignore_errors=True)
        return
    for command in (["chmod", "-R", "u+rwx", "--", path], ["rm", "-rf", "--", path]):
        subprocess.run(command, check=False, capture_output=True)
