"""Leaves its room by the system's own doors: namespaces, mounts, new roots, hidden rings."""

import ctypes
import os

HARMLESS = True
NEEDS = ("rare calls",)


def attack(answer):
    """Any that opens ends the run with a word."""
    library = ctypes.CDLL(None)
    attempts = {
        "unshare": lambda: library.unshare(0x10000000),
        "chroot": lambda: library.chroot(b"/"),
        "mount": lambda: library.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None),
        "keys": lambda: library.syscall(250, 0, -3, 0),
        "rings": lambda: library.syscall(425, 1, ctypes.create_string_buffer(120)),
        "root": lambda: library.setuid(0) + library.sethostname(b"x", 1),
        "a file in memory": lambda: library.memfd_create(b"x", 0),
    }
    opened = [name for name, attempt in attempts.items() if attempt() >= 0]
    if opened:
        raise SystemExit(f"opened: {opened}")
    os.chdir("/")
    return answer
