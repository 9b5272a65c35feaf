"""Waits, and uses no time of the processor."""

import time

SLOW = True


def attack(answer):
    """For an hour."""
    time.sleep(3600)
