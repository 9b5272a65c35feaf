"""How is something made once for all processes? Under its key, behind a lock, in one step.

A lock is a file that its process holds open; the system lets go of it when the process ends, so a
killed build leaves nothing that others would wait for. A product appears under its name whole, or
not at all. The newest products of each source are kept, older ones go.
"""

import contextlib
import os
import re
import secrets
import time

try:
    import fcntl
except ImportError:  # Windows: two builds at once both do the work, and the last one stays
    fcntl = None

from ... import errors
from . import places

MOST_PRODUCTS = 24  # of one source's name: edits of the last days
WAIT = 0.02
_TEMPORARY = re.compile(r"\.?(\d+)-[0-9a-f]{16}\b")


class Busy(errors.NotRunnable):
    """Another process has been making the same thing for longer than it may."""


def product(stem, key, ending=".so"):
    """Where the thing of this key is, or will be."""
    return os.path.join(places.folder("built"), f"{stem}-{key}{ending}")


def newest(stem, key, digits):
    """The newest thing whose key begins with the same digits, or None."""
    beginning = f"{stem}-{key[:digits]}"
    alike = [e for e in _entries(places.folder("built")) if e.name.startswith(beginning)]
    alike = [e for e in alike if not e.name.endswith(".lock")]
    return max(alike, key=lambda entry: entry.stat().st_mtime_ns).path if alike else None


def made(path, make, seconds):
    """Have ``make(temporary)`` write the product unless it is there; True if it was made now."""
    if os.path.exists(path):
        return False
    with held(f"{path}.lock", seconds):
        if os.path.exists(path):  # while this process waited, another one made it
            return False
        temporary = beside(path)
        try:
            make(temporary)
            os.replace(temporary, path)
        finally:
            with contextlib.suppress(OSError):
                os.remove(temporary)
        tidy(path)
        return True


def beside(path):
    """A new name in the same folder, which shows whose it is."""
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{os.getpid()}-{secrets.token_hex(8)}-{name}")


@contextlib.contextmanager
def held(path, seconds):
    """Hold a lock; TimeoutError's words if somebody else holds it for longer than that."""
    if fcntl is None:
        yield
        return
    until = time.monotonic() + seconds
    while (descriptor := _taken(path)) is None:
        if time.monotonic() > until:
            raise Busy(
                f"Another process (pid {_holder(path)}) has been compiling the same source for "
                f"{seconds:.0f} seconds.",
                given=f"its lock is {path}",
                hint="Wait for it, or end that process: its lock goes with it.",
            )
        time.sleep(WAIT)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.remove(path)
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _taken(path):
    """A descriptor that holds the lock, or None if another process or thread has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
            return descriptor
    except (BlockingIOError, FileNotFoundError):  # not found: its holder just removed it
        pass
    except OSError:
        return descriptor  # a file system without locks does without
    os.close(descriptor)
    return None


def _holder(path):
    try:
        with open(path, encoding="ascii") as file:
            return file.read() or "unknown"
    except (OSError, ValueError):
        return "unknown"


def tidy(path):
    """Remove older files of the same source's name, and what dead processes left behind."""
    folder, name = os.path.split(path)
    stem = name.rpartition("-")[0]
    alike = []
    for entry in _entries(folder):
        if entry.name.rpartition("-")[0] == stem and not entry.name.endswith(".lock"):
            with contextlib.suppress(OSError):
                alike.append((entry.stat().st_mtime_ns, entry.path))
    for _, old in sorted(alike, reverse=True)[MOST_PRODUCTS:]:
        with contextlib.suppress(OSError):
            os.remove(old)  # who has it open goes on with it
    remove_left_behind(folder)


def remove_left_behind(folder):
    """Remove temporary files whose process is no more."""
    for entry in _entries(folder):
        if is_left_behind(entry.name):
            with contextlib.suppress(OSError):
                os.remove(entry.path)


def is_left_behind(name):
    """Whether a file has the temporary name of a process that is no more."""
    found = _TEMPORARY.match(name)
    return bool(found) and not _is_running(int(found[1]))


def _entries(folder):
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
