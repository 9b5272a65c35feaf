"""Answers with lists in lists in lists, and with a list that holds itself."""

import inspect


def attack(answer):
    """Deeper than anybody can follow."""
    if not inspect.isfunction(answer):
        return answer
    deep, own = [], []
    for _ in range(3000):
        deep = [deep]
    own.append(own)
    return lambda *operands: (deep, own)
