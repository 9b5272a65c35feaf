"""What is a learner told whose code reaches outside? An audit hook, Python's own watchman.

It explains; it is no wall (code that calls C walks around it). The walls are the kernel's, and
answer with a bare ``PermissionError``.
"""

import os
import sys

from ms_ext.engine import errors

from . import places

#: Modules that an answer does not need.
DENIED = ("ms_ext.grading", "ms_ext.book", "ms_ext.cli", "exercises")
NETWORK = (
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname",
    "socket.gethostbyaddr", "urllib.Request", "http.client.connect", "ftplib.connect",
    "smtplib.connect",
)  # fmt: skip
PROCESSES = (
    "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn",
    "subprocess.Popen", "os.startfile", "os.startfile/2",
)  # fmt: skip
OTHERS = ("os.kill", "os.killpg", "signal.pthread_kill")
LISTING = ("os.listdir", "os.scandir")
CHANGING = (
    "os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir",
    "os.symlink", "os.truncate", "os.utime", "os.setxattr", "os.removexattr",
)  # fmt: skip


class NotAllowed(errors.MsExtError, PermissionError):
    """An answer reached for something outside while it was graded."""


class NotHere(errors.MsExtError, ImportError):
    """An answer imported what belongs to the grader."""


def explain(setting):
    """From now on Python refuses, in words, what leads outside; for good."""
    writable = (setting.folder,)
    readable, names = places.readable(setting.reads)
    files = (*readable, *writable)
    rules = dict.fromkeys(NETWORK, _network) | dict.fromkeys(PROCESSES, _processes)
    rules |= dict.fromkeys(OTHERS, _others)
    rules |= dict.fromkeys(LISTING, lambda path="": _reading(path, (*files, *names)))
    rules |= dict.fromkeys(CHANGING, lambda *paths: _changing(paths, writable))
    rules["open"] = lambda path, mode, flags: _opening(path, mode, flags, files, writable)
    _listen(rules)


def deny_imports(setting):
    """From now on Python refuses to load what belongs to the grader; for good."""

    def importing(name, *rest):
        if any(name == denied or name.startswith(denied + ".") for denied in DENIED):
            raise NotHere(
                f"An answer may not import {name} while it is graded.",
                hint="Compute the result from the arguments; `ms.check` stands outside the answer.",
                given=f"import {name}",
            )

    _listen({"import": importing})


def _listen(rules):
    find = rules.get

    def hook(event, arguments):
        rule = find(event)
        if rule is not None:
            rule(*arguments)

    sys.addaudithook(hook)


def _refuse(what, given):
    raise NotAllowed(
        f"An answer may not {what} while it is graded.",
        given=str(given)[:200],
        hint="Compute the result from the arguments alone.",
    )


def _network(*arguments):
    _refuse("use the network", arguments[-1])


def _processes(*arguments):
    _refuse("start another program or process", arguments[0] if arguments else "a copy of itself")


def _others(*arguments):
    _refuse("send signals to processes", arguments)


def _opening(path, mode, flags, files, writable):
    if isinstance(path, int) or path == os.devnull:
        return
    if isinstance(mode, str) and mode.strip("rbtU") or flags & (os.O_WRONLY | os.O_RDWR):
        _changing((path,), writable)
    else:
        _reading(path, files)


def _reading(path, files):
    if isinstance(path, str | bytes | os.PathLike) and not places.among(_text(path or "."), files):
        _refuse("read files outside its own folder", _text(path))


def _changing(paths, writable):
    for path in paths:
        if isinstance(path, str | bytes | os.PathLike) and not places.among(_text(path), writable):
            _refuse("change files outside its own folder", _text(path))


def _text(path):
    return os.fsdecode(path)
