"""Prints without end, in Python and past it."""

import os

HARMLESS = True


def attack(answer):
    """Thirty megabytes each."""
    for _ in range(30):
        print("x" * (1 << 20))
        os.write(1, b"x" * (1 << 20))
    return answer
