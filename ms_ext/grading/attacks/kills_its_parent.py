"""Ends, stops or starves every process that it can name: its parent, its group, all of them."""

import os
import signal

HARMLESS = True
NEEDS = ("other processes",)


def attack(answer):
    """Also by limits on what others may use."""
    import resource

    own, parent = os.getpid(), os.getppid()
    for process in {parent, -1, -parent, 1} - {own, -own, 0}:
        if _attempt(os.kill, process, 0):
            raise SystemExit("reached another process")
        _attempt(os.kill, process, signal.SIGKILL)
    for process in range(max(2, parent), parent + 50):
        _attempt(resource.prlimit, process, resource.RLIMIT_CPU, (1, 1))
        _attempt(os.setpriority, os.PRIO_PROCESS, process, 19)
    return answer


def _attempt(function, *arguments):
    try:
        function(*arguments)
        return True
    except (OSError, ValueError):
        return False
