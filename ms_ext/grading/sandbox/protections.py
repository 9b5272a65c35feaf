"""What keeps a learner's process from doing harm? Every protection, as a row of one table.

A row is applied where it says: by the parent, by the keeper (the process between) or by the child
to itself, before a line of the learner's runs. What a system does not allow is reported, never an
error: ``sandbox.report()``.
"""

import itertools
import os
from collections.abc import Callable
from typing import NamedTuple

from . import audit, kernel, landlock, namespaces, places, seccomp
from .limits import Limits


class Setting(NamedTuple):
    """What a child is given: its folder, what it may read, its limits, and its way to talk."""

    folder: str
    reads: tuple
    limits: Limits
    without: tuple
    conversation: tuple = ()  # descriptors


class Protection(NamedTuple):
    """One row: its name, what it stops, who applies it, and how."""

    name: str
    stops: str
    where: str
    apply: Callable | None = None


def _limit(*wanted):
    """A row's function that sets resource limits: (name, value of the setting) pairs."""

    def apply(setting):
        resource = _resource()
        for name, value in wanted:
            number = getattr(resource, name, None)
            if number is None:
                raise kernel.Missing(0, f"there is no {name} here")
            limit, (_, most) = value(setting), resource.getrlimit(number)
            limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
            resource.setrlimit(number, (limit, limit))

    return apply


def _resource():
    try:
        import resource
    except ImportError:
        raise kernel.Missing(0, "there are no resource limits here") from None
    return resource


def _processor(setting):
    used = sum(_resource().getrusage(_resource().RUSAGE_SELF)[:2])
    return int(used) + setting.limits.processor


def _memory(setting):
    return _size_now() + setting.limits.memory


def _size_now():
    """Bytes of address space in use; 0 where that is not told."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _close_inherited(setting):
    """Nothing that a parent left open stays open, but the conversation and the three nowheres."""
    if os.name == "nt":
        raise kernel.Missing(0, "a spawned process inherits nothing here")
    edges = [2, *sorted(setting.conversation), os.sysconf("SC_OPEN_MAX")]
    for low, high in itertools.pairwise(edges):
        os.closerange(low + 1, high)


def _files(setting):
    reading, names = places.readable(setting.reads)
    landlock.restrict(reading, names, (setting.folder, os.devnull))


def _refusing(rules):
    return lambda setting: seccomp.refuse(rules())


PARENT, KEEPER, CHILD = "parent", "keeper", "child"
TABLE = (
    Protection("clock", "an answer that waits or runs for ever", PARENT),
    Protection("output", "a reply too large to read", PARENT),
    Protection("private memory", "reading what the parent knows", PARENT),
    Protection(
        "process tree", "seeing other processes; living on after the end", KEEPER,
        lambda setting: namespaces.own_processes(),
    ),
    Protection(
        "own network", "reaching any other machine or program", KEEPER,
        lambda setting: namespaces.own_network(),
    ),
    Protection(
        "own shared memory", "the shared memory of other programs", KEEPER,
        lambda setting: namespaces.own_shared_memory(),
    ),
    Protection(
        "read-only disks", "changing any file outside the folder", KEEPER,
        lambda setting: namespaces.read_only(setting.folder),
    ),
    Protection(
        "small disk", "filling the disk", KEEPER,
        lambda setting: namespaces.small_disk(setting.folder, setting.limits.disk),
    ),
    Protection("descriptors", "using what a parent left open", CHILD, _close_inherited),
    Protection("processor", "an endless loop", CHILD, _limit(("RLIMIT_CPU", _processor))),
    Protection("memory", "using up the memory", CHILD, _limit(("RLIMIT_AS", _memory))),
    Protection(
        "file size", "one huge file, or a memory dump", CHILD,
        _limit(("RLIMIT_FSIZE", lambda s: s.limits.file), ("RLIMIT_CORE", lambda s: 0)),
    ),
    Protection(
        "open files", "using up the open files", CHILD,
        _limit(("RLIMIT_NOFILE", lambda s: s.limits.files)),
    ),
    Protection(
        "privileges", "root's rights, also through other programs", CHILD,
        lambda setting: kernel.drop_privileges(),
    ),
    Protection("files", "opening bundles, solutions and other people's files", CHILD, _files),
    Protection(
        "new processes", "starting processes and programs", CHILD,
        _refusing(seccomp.new_processes),
    ),
    Protection(
        "other processes", "looking into, ending or limiting other processes", CHILD,
        _refusing(lambda: seccomp.other_processes(os.getpid())),
    ),
    Protection("sockets", "beginning a connection", CHILD, _refusing(seccomp.sockets)),
    Protection("file rights", "changing rights and times", CHILD, _refusing(seccomp.file_modes)),
    Protection(
        "rare calls", "system calls that break-outs begin with", CHILD,
        _refusing(seccomp.rare_calls),
    ),
    Protection("imports", "loading the grader's own modules", CHILD, audit.deny_imports),
    Protection("words", "a bare refusal: it says what is not allowed", CHILD, audit.explain),
)  # fmt: skip
NAMES = tuple(row.name for row in TABLE)


def of(where):
    """The rows that the parent, the keeper or the child applies."""
    return [row for row in TABLE if row.where == where]


def apply(where, setting):
    """Apply the rows of ``where``; ({name: why not} of those that could not be, names in force)."""
    missing, force = {}, []
    for row in of(where):
        if row.name not in setting.without:
            try:
                row.apply(setting)
                force.append(row.name)
            except (OSError, ValueError) as error:
                missing[row.name] = getattr(error, "strerror", None) or str(error)
    return missing, force
