"""Starts processes that start processes."""

import os
import subprocess
import sys

HARMLESS = True
NEEDS = ("new processes",)


def attack(answer):
    """By fork, by a program, and by C."""
    for _ in range(3):
        try:
            os.fork()
        except OSError:
            break
    for start in (subprocess.Popen, lambda command: os.posix_spawn(command[0], command, {})):
        try:
            start([sys.executable, "-c", "while True: pass"])
        except OSError:
            continue
    return answer
