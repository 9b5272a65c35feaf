"""Answers with arrays of its own class, which say that they equal everything."""

import inspect

import numpy as np


class Agrees(np.ndarray):
    """Equal to whatever it is compared with, and turned into whatever is wanted."""

    def __eq__(self, other):
        return np.ones(1, bool)

    def __array_ufunc__(self, *arguments, **options):
        return np.zeros(1)

    def __array_finalize__(self, source):
        return None

    __hash__ = None


def attack(answer):
    """The answer's own numbers in such arrays."""
    if not inspect.isfunction(answer):
        return answer

    def dressed(*operands):
        results = answer(*operands)
        return tuple(each.asnumpy().view(Agrees) for each in results)

    return dressed
