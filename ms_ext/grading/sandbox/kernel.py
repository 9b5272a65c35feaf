"""How are Linux's own calls made from Python? By name, with an OSError when refused."""

import ctypes
import errno
import functools
import os
import platform
import sys

#: Name -> its number on x86-64 and on aarch64; None: there is no such call.
NUMBERS = {
    "clone": (56, 220), "fork": (57, None), "vfork": (58, None), "execve": (59, 221),
    "execveat": (322, 281), "clone3": (435, 435),
    "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "process_madvise": (440, 440), "kcmp": (312, 272), "prlimit64": (302, 261),
    "migrate_pages": (256, 238), "move_pages": (279, 239), "prctl": (157, 167),
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200),
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "lchown": (94, None), "fchown": (93, 55), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fspick": (433, 433),
    "mount_setattr": (442, 442), "unshare": (272, 97), "setns": (308, 268),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "init_module": (175, 105), "finit_module": (313, 273),
    "kexec_load": (246, 104), "reboot": (169, 142), "swapon": (167, 224), "acct": (163, 89),
    "quotactl": (179, 60), "sethostname": (170, 161), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "personality": (135, 92), "capset": (126, 91),
    "landlock_create_ruleset": (444, 444), "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}  # fmt: skip
MACHINES = ("x86_64", "aarch64")

SET_DEATH_SIGNAL, SET_DUMPABLE, SET_SECCOMP = 1, 4, 22
DROP_CAPABILITY, SET_SUBREAPER, SET_NO_NEW_PRIVILEGES = 24, 36, 38


class Missing(OSError):
    """This system does not have it."""


def machine():
    """The place of this machine's numbers; ``Missing`` where the numbers are not known."""
    if sys.platform != "linux":
        raise Missing(errno.ENOSYS, f"{platform.system()} has no such protection")
    if platform.machine() not in MACHINES or sys.maxsize < 1 << 32:
        raise Missing(errno.ENOSYS, f"not known for {platform.machine()}")
    return MACHINES.index(platform.machine())


def number(name):
    """The number of a system call here, or None."""
    return NUMBERS[name][machine()]


@functools.cache
def _library():
    machine()
    return ctypes.CDLL(None, use_errno=True)


def _checked(result, name):
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def system_call(name, *arguments):
    """Make a system call; numbers, bytes, None and ctypes objects as arguments."""
    return _checked(_library().syscall(number(name), *map(_word, arguments)), name)


def _word(argument):
    return ctypes.c_long(argument) if isinstance(argument, int) else argument


def control(option, *arguments):
    """Prctl: what the kernel does with this process."""
    words = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments]
    padded = words + [ctypes.c_ulong(0)] * (4 - len(words))
    return _checked(_library().prctl(option, *padded), "prctl")


def no_new_privileges():
    """Nothing that this process starts gains rights: what the next two protections ask for."""
    control(SET_NO_NEW_PRIVILEGES, 1)


def hide_memory():
    """No process of the same user may read this one's memory, or write to it."""
    control(SET_DUMPABLE, 0)


def show_memory():
    """What `hide_memory` did is undone: some files about itself are a process's own again."""
    control(SET_DUMPABLE, 1)


def drop_privileges():
    """Give up the rights of root, also those that a program started could get back."""
    no_new_privileges()
    for capability in range(64):
        try:
            control(DROP_CAPABILITY, capability)
        except OSError:  # the last one there is, or none to drop
            break
    version_3, none = 0x20080522, (ctypes.c_uint32 * 6)()
    head = (ctypes.c_uint32 * 2)(version_3, 0)
    system_call("capset", ctypes.byref(head), ctypes.byref(none))
