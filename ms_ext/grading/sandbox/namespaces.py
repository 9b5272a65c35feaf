"""What of the system does a child see? Namespaces: its own processes, network, memory and disk."""

import ctypes
import functools
import os

from . import kernel

NEW_USER, NEW_PROCESSES, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
NEW_SHARED_MEMORY, NEW_MOUNTS = 0x08000000, 0x00020000
RECURSIVE, PRIVATE, BIND = 0x4000, 1 << 18, 0x1000
NO_SETUID, NO_DEVICES, NO_PROGRAMS = 2, 4, 8
HERE, BELOW_TOO = -100, 0x8000
READ_ONLY = 1


class _Attributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "spread", "user"))


def become_user():
    """A user namespace: the same user, with the right to make the other namespaces."""
    user, group = os.geteuid(), os.getegid()
    kernel.system_call("unshare", NEW_USER)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def own_processes():
    """The next process forked is the first of its own: when it ends, all behind it end."""
    kernel.system_call("unshare", NEW_PROCESSES)


def own_network():
    """A network without a single connected interface."""
    kernel.system_call("unshare", NEW_NETWORK)


def own_shared_memory():
    """None of the shared memory, queues and locks of the system."""
    kernel.system_call("unshare", NEW_SHARED_MEMORY)


@functools.cache
def own_mounts():
    """What is mounted from now on is seen here only; once for each keeper."""
    kernel.system_call("unshare", NEW_MOUNTS)
    kernel.system_call("mount", None, b"/", None, RECURSIVE | PRIVATE, None)


def read_only(folder):
    """Every disk can only be read, except below ``folder``."""
    own_mounts()
    path = os.fsencode(folder)
    kernel.system_call("mount", path, path, None, BIND, None)
    _mark(b"/", BELOW_TOO, _Attributes(set=READ_ONLY))
    _mark(path, 0, _Attributes(clear=READ_ONLY))


def _mark(path, how, attributes):
    size = ctypes.sizeof(attributes)
    kernel.system_call("mount_setattr", HERE, path, how, ctypes.byref(attributes), size)


def small_disk(folder, size):
    """``folder`` becomes a disk in memory that holds ``size`` bytes and goes with the child."""
    own_mounts()
    how = NO_SETUID | NO_DEVICES | NO_PROGRAMS
    options = f"size={size},nr_inodes=4096,mode=700".encode()
    kernel.system_call("mount", b"tmpfs", os.fsencode(folder), b"tmpfs", how, options)
