"""Ends the process while it is asked."""

import inspect
import os


def attack(answer):
    """The process is gone at the first call."""
    if not inspect.isfunction(answer):
        os._exit(0)
    return lambda *operands: os._exit(0)
