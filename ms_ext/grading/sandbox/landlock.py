"""Which files may a process open? Landlock: the kernel's list of readable and writable folders."""

import ctypes
import os
import stat

from . import kernel

EXECUTE, WRITE, READ, LIST = 1, 2, 4, 8
#: Bits that exist, by the version of Landlock: 13 to begin with, then moving, truncating, devices.
BITS = {1: 13, 2: 14, 3: 15, 4: 15}
NEWEST_BITS = 16
ON_FILES = EXECUTE | WRITE | READ | 1 << 14 | 1 << 15
PATH_BENEATH, ASK_VERSION = 1, 1


class _Path(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def restrict(reading, listing, writing):
    """From now on only these paths can be opened, for good.

    ``listing``: folders whose names may be seen, but not what the files hold.
    """
    version = kernel.system_call("landlock_create_ruleset", None, 0, ASK_VERSION)
    everything = (1 << BITS.get(version, NEWEST_BITS)) - 1
    handled = ctypes.c_uint64(everything)
    rules = kernel.system_call("landlock_create_ruleset", ctypes.byref(handled), 8, 0)
    try:
        for path in reading:
            _allow(rules, path, READ | LIST)
        for path in listing:
            _allow(rules, path, LIST)
        for path in writing:
            _allow(rules, path, everything & ~EXECUTE)
        kernel.no_new_privileges()
        kernel.system_call("landlock_restrict_self", rules, 0)
    finally:
        os.close(rules)


def _allow(rules, path, allowed):
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # what is not there needs no permission
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            allowed &= ON_FILES
        rule = ctypes.byref(_Path(allowed, place))
        kernel.system_call("landlock_add_rule", rules, PATH_BENEATH, rule, 0)
    finally:
        os.close(place)
