"""How does a file stay whole when the process dies while it is written?

The new bytes go to a temporary file in the same folder; when all of them are on the disk (fsync) it
takes the place of the old file in one step (rename), and the folder is told to keep that (fsync).
Whenever the process ends, the name stands for the old file or for the new one, never for half of
one. What a process that died left behind is removed by the next that writes the same name.
"""

import contextlib
import errno
import glob
import os
import secrets

from .. import errors

try:
    import fcntl
except ImportError:  # Windows: temporary files of dead processes stay
    fcntl = None

#: As MindSpore leaves them: only the owner reads, nobody writes.
MODE = 0o400
_KINDS = {
    errno.ENOENT: errors.NoFolder,
    errno.ENOTDIR: errors.NoFolder,
    errno.EACCES: errors.NotAllowed,
    errno.EPERM: errors.NotAllowed,
    errno.EROFS: errors.NotAllowed,
    errno.EISDIR: errors.IsFolder,
}
_HINTS = {
    errors.NoFolder: "Make the folder first: os.makedirs(folder, exist_ok=True).",
    errors.NotAllowed: "Choose a folder that you may write to.",
    errors.IsFolder: "Give the name of a file, not of a folder.",
    errors.CannotWrite: "Make room on the disk, or choose another folder; nothing was changed.",
}


@contextlib.contextmanager
def replacing(path):
    """A file to write to that takes the place of ``path`` when the block ends without an error.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "w.ckpt")
    >>> with replacing(path) as file:
    ...     _ = file.write(b"abc")
    >>> os.path.getsize(path), os.listdir(os.path.dirname(path))
    (3, ['w.ckpt'])
    """
    path = os.path.realpath(path)
    try:
        _remove_left_behind(path)
        temporary, file = _temporary(path)
        try:
            with file:
                yield file
                _settle(file)
                if fcntl is None:  # Windows renames no open file
                    file.close()
                os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.remove(temporary)
            raise
        _keep(os.path.dirname(path))
    except OSError as why:
        if isinstance(why, errors.MsExtError):
            raise
        raise _cannot(path, why) from None


def _temporary(path):
    """A new file beside ``path``, held so that nobody takes it for one left behind."""
    while True:
        name = f"{_pattern(path)}{secrets.token_hex(6)}.tmp"
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        file = os.fdopen(descriptor, "wb")
        if fcntl is not None:
            _hold(descriptor)
        if os.path.exists(name):  # else another process removed it before it was held
            return name, file
        file.close()


_BINARY = getattr(os, "O_BINARY", 0)


def _hold(descriptor):
    """Lock a temporary file; a file system without locks does without."""
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _pattern(path):
    """How the names of the temporary files of ``path`` begin; a long name is cut."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name[:40]}.")


def _settle(file):
    """Have the bytes and the rights on the disk."""
    file.flush()
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), MODE)
    os.fsync(file.fileno())


def _keep(folder):
    """Have the new name on the disk, where a folder can be asked for that."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as why:
        if why.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems that know no such thing
            raise
    finally:
        os.close(descriptor)


def _remove_left_behind(path):
    """Remove temporary files of ``path`` that no living process holds."""
    for name in glob.glob(f"{glob.escape(_pattern(path))}*.tmp") if fcntl is not None else ():
        with contextlib.suppress(OSError), open(name, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.remove(name)


def _cannot(path, why):
    kind = _KINDS.get(why.errno, errors.CannotWrite)
    error = kind(
        f"The checkpoint file {path} could not be written: {why.strerror or why}.",
        hint=_HINTS[kind],
    )
    error.errno, error.strerror, error.filename = why.errno, why.strerror, path
    return error
