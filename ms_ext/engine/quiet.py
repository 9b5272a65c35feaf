"""How does NumPy compute without its floating point warnings, cheaply?

MindSpore says nothing when 1/0 is infinite. ``np.errstate`` around every call costs more than a
small call itself; entering a context in which the warnings are off already does not.
"""

import contextvars
import threading

import numpy as np


class _Ready(threading.local):
    def __init__(self):
        self.runs = []  # `run` of contexts that nobody is in


_ready = _Ready()


def quietly(f, *args, **kwargs):
    """``f(*args, **kwargs)`` with NumPy's floating point warnings off.

    >>> quietly(np.divide, np.ones(1), np.zeros(1))
    array([inf])
    """
    return applied(f, args, kwargs)


def applied(f, args, kwargs=None):
    """The same for arguments that are packed already."""
    runs = _ready.runs
    run = runs.pop() if runs else _new()
    result = run(f, *args, **kwargs) if kwargs else run(f, *args)
    runs.append(run)  # after an error a new one is made
    return result


def _new():
    context = contextvars.Context()
    context.run(np.seterr, all="ignore")
    return context.run
