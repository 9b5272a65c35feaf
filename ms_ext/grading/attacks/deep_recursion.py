"""Calls itself until the stack is full, with Python's own guard taken away."""

import sys


def attack(answer):
    """Into the system's own limit."""
    sys.setrecursionlimit(1 << 30)
    return _deeper([])


def _deeper(kept):
    return [*map(_deeper, [kept])]
