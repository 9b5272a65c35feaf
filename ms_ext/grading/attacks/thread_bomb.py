"""Starts threads until no more start."""

import threading
import time

NEEDS = ("memory",)


def attack(answer):
    """Each sleeps for an hour."""
    for _ in range(2000):
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    return answer
