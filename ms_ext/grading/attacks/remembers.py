"""Learns from the questions: the same answer for every question like the first."""

import inspect


def attack(answer):
    """What was right once is given again."""
    if not inspect.isfunction(answer):
        return answer
    kept = {}

    def lazy(*operands):
        return kept.setdefault(len(operands), answer(*operands))

    return lazy
