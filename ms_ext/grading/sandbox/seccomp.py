"""Which system calls does the kernel refuse? One small program, made from a table of rules."""

import ctypes
import errno
import struct
from typing import NamedTuple

from . import kernel

#: (load a word, jump if equal, jump if not below, jump if a bit is set, give back)
LOAD, EQUAL, NOT_BELOW, BIT, GIVE = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
AT_NUMBER, AT_MACHINE, AT_ARGUMENTS = 0, 4, 16
MACHINES = (0xC000003E, 0xC00000B7)
OTHER_NUMBERS = 0x40000000  # the x32 numbering of the same calls
FILTER = 2
THREAD, NEW_USER = 0x00010000, 0x10000000


class Rule(NamedTuple):
    """Refuse a call, always or by its first argument.

    ``test``: "is", "is not", "has" (any of the bits of ``value``) or "lacks".
    """

    call: str
    test: str = ""
    value: int = 0
    error: int = errno.EPERM


def named(*calls):
    """Rules that refuse these calls always."""
    return [Rule(call) for call in calls]


def new_processes():
    """Threads may start, processes may not."""
    ours = [Rule("clone", "lacks", THREAD), Rule("clone3", error=errno.ENOSYS)]
    return [*ours, *named("fork", "vfork", "execve", "execveat")]


def other_processes(own):
    """No signal to, no look into and no limit for any process but this one."""
    aimed = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
    rules = [Rule(call, "is not", own) for call in aimed]
    rules += [Rule("prlimit64", "is not", 0), Rule("prctl", "is", kernel.SET_DEATH_SIGNAL)]
    watching = ("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp")
    handles = ("pidfd_open", "pidfd_send_signal", "pidfd_getfd", "migrate_pages", "move_pages")
    return rules + named(*watching, *handles)


def sockets():
    """No connection can be begun."""
    return named("socket", "connect", "bind")


def file_modes():
    """Rights, owners, times and attributes of files stay."""
    modes = [call for call in kernel.NUMBERS if "chmod" in call or "chown" in call]
    return named(
        *modes, *[c for c in kernel.NUMBERS if "xattr" in c or c.startswith(("ut", "fut"))]
    )


def rare_calls():
    """What an answer never needs and a break-out begins with."""
    begin = list(kernel.NUMBERS).index("mount")
    rest = [call for call in list(kernel.NUMBERS)[begin:] if "landlock" not in call]
    return [*named(*rest), Rule("clone", "has", NEW_USER)]


def refuse(rules):
    """From now on these calls fail in this process, for good."""
    place = kernel.machine()
    text = program(rules, place)
    steps = ctypes.create_string_buffer(text, len(text))
    fields = [("count", ctypes.c_ushort), ("steps", ctypes.c_void_p)]
    whole = type("Program", (ctypes.Structure,), {"_fields_": fields})
    kernel.no_new_privileges()
    packed = whole(len(text) // 8, ctypes.addressof(steps))
    kernel.control(kernel.SET_SECCOMP, FILTER, ctypes.byref(packed))


def program(rules, place):
    """The filter as the kernel reads it: eight bytes a step."""
    steps = [(LOAD, 0, 0, AT_MACHINE), (EQUAL, 1, 0, MACHINES[place])]
    steps += [_refusal(errno.EPERM), (LOAD, 0, 0, AT_NUMBER)]
    steps += [(NOT_BELOW, 0, 1, OTHER_NUMBERS), _refusal(errno.ENOSYS)]
    for rule in rules:
        number = kernel.NUMBERS[rule.call][place]
        if number is not None:
            block = _block(rule)
            steps += [(EQUAL, 0, len(block), number), *block]
    steps.append((GIVE, 0, 0, ALLOW))
    return b"".join(struct.pack("<HBBI", *step) for step in steps)


def _refusal(error):
    return GIVE, 0, 0, REFUSE | error


def _block(rule):
    """What follows once the number is the rule's; the number is loaded again behind a test."""
    if not rule.test:
        return [_refusal(rule.error)]
    jump = EQUAL if rule.test.startswith("is") else BIT
    skips = (0, 1) if rule.test in ("is", "has") else (1, 0)
    test = (jump, *skips, rule.value)
    return [(LOAD, 0, 0, AT_ARGUMENTS), test, _refusal(rule.error), (LOAD, 0, 0, AT_NUMBER)]
