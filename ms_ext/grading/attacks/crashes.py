"""Breaks the process from inside: reads memory that is not there."""

import ctypes


def attack(answer):
    """There is nothing at the address 0."""
    ctypes.string_at(0)
