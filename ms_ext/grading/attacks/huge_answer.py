"""Answers with more than anybody wants to read."""

import inspect

import numpy as np


def attack(answer):
    """Twenty megabytes of numbers, and eight of words, for every question."""
    if not inspect.isfunction(answer):
        return np.zeros(5 << 19)
    return lambda *operands: (np.zeros(5 << 19), "x" * (8 << 20))
