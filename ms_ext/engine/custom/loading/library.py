"""When is a library opened, and when closed? One handle for all who use it; the last closes it.

The system's loader knows a library by its name and its place on the disk, so a file that was
written anew would go on meaning the old code, and one written over would take the code away under
running kernels. A learner's own library is therefore opened from a copy that has no name any more
once it is open; what the compile cache holds never changes and is opened where it lies.
"""

import _ctypes  # ctypes' own door to dlopen: it alone can close a library again
import gc
import os
import secrets
import shutil
import sys
import threading
import weakref

from . import elf, places

_open = weakref.WeakValueDictionary()  # what a file was when it was opened -> Library
_lock = threading.RLock()


class CannotOpen(OSError):
    """The system's loader refused a library; the text is its own."""


class Library:
    """An open library. It is closed when nobody holds it any more."""

    def __init__(self, path, in_place):
        self.path, self.exports = path, ()
        self.handle = _opened(path) if in_place else _opened_from_copy(path)
        self._close = weakref.finalize(self, _closed, self.handle)
        self._close.atexit = False  # the process's end closes everything, after its last kernel

    @property
    def alive(self):
        """Whether it is still open."""
        return self._close.alive

    def address(self, symbol):
        """Where a function begins, or None."""
        try:
            return _ctypes.dlsym(self.handle, symbol) or None
        except (OSError, ValueError):  # ValueError: a name with a zero byte
            return None


def library(path, origin=None):
    """The open library of a file, and whether it had been open before.

    ``origin``: the source of a library from the compile cache. Each source has a library of its
    own, with variables of its own, though another one may have the same text.
    """
    key = (origin, *_as_it_is(path))
    with _lock:
        found = _open.get(key)
        if found is not None:
            return found, True
        is_free = all(each.path != path for each in _open.values())
        stays = origin is not None and is_free or _needs_its_place(path)
        made = _open[key] = Library(path, stays)
        return made, False


def open_libraries():
    """All libraries that are open, by their paths."""
    with _lock:
        return sorted(set(_open.values()), key=lambda each: each.path)


def _as_it_is(path):
    state = os.stat(path)
    return path, state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns


def _needs_its_place(path):
    """Whether it looks for other libraries beside itself."""
    run_path = elf.read(path).run_path or ""
    return "$ORIGIN" in run_path or "${ORIGIN}" in run_path


def _opened_from_copy(path):
    copy = os.path.join(places.folder("open"), f"{os.getpid()}-{secrets.token_hex(8)}.so")
    try:
        shutil.copyfile(path, copy)
        return _opened(copy, path)
    finally:
        if os.path.exists(copy):
            os.remove(copy)


def _opened(path, shown=None):
    """A handle: everything a library needs is looked for now, not in the middle of a call."""
    try:
        return _ctypes.dlopen(path, os.RTLD_NOW | os.RTLD_LOCAL)
    except OSError as why:
        text = str(why) if shown is None else str(why).replace(path, shown)
        raise CannotOpen(text) from None


def _closed(handle):
    """Close it, but not within a collection: see `_around_collection`."""
    if sys.is_finalizing():
        return
    if _collecting[0]:
        _waiting.append(handle)
    else:
        _ctypes.dlclose(handle)


_collecting, _waiting = [False], []


def _around_collection(phase, _info):
    """Close after a collection what it found to be garbage.

    Python tells that a Library has gone before it takes apart what held it; and a kernel's own data
    is deleted, when its turn comes, by code of the library.
    """
    _collecting[0] = phase == "start"
    while phase == "stop" and _waiting:
        _ctypes.dlclose(_waiting.pop())


gc.callbacks.append(_around_collection)
