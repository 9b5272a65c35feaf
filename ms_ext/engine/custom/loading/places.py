"""Where does the loader keep what it makes? In a folder of the user's, or where he says.

``$MS_COMPILER_CACHE_PATH`` if it is set (as for MindSpore), else the user's folder for caches, else
a private folder among the temporary ones.
"""

import os
import stat
import sys
import tempfile

from ... import errors

VARIABLE = "MS_COMPILER_CACHE_PATH"


def folder(name):
    """A folder of that name, made if it was not there, which only this user may write into."""
    for parent in _parents():
        path = os.path.join(parent, "custom", name)
        try:
            os.makedirs(path, mode=0o700, exist_ok=True)
        except OSError:
            continue
        if os.access(path, os.W_OK | os.X_OK):
            return path
    raise errors.NotRunnable(
        "There is no folder to keep compiled libraries in.",
        given=f"tried {', '.join(_parents())}",
        hint=f"Set {VARIABLE} to a folder that you may write into.",
    )


def _parents():
    named = os.environ.get(VARIABLE)
    if named:
        return [os.path.abspath(named)]
    return [os.path.join(_users(), "ms_ext"), *_temporary()]


def _users():
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.expanduser("~/Library/Caches")
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


def _temporary():
    """A folder among everybody's temporary ones, if it is this user's alone."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    path = os.path.join(tempfile.gettempdir(), f"ms_ext-{user}")
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        state = os.lstat(path)
    except OSError:
        return []
    own = user in ("user", state.st_uid) and stat.S_ISDIR(state.st_mode)
    return [path] if own and not state.st_mode & 0o022 else []
