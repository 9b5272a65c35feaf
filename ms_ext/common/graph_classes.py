"""Words for graph mode: ``jit_class`` and ``lazy_inline``."""

from ..engine import errors


def jit_class(cls):
    """Say that graph mode may make and use objects of a class: its methods are read.

    >>> @jit_class
    ... class Scale:
    ...     def __init__(self, by):
    ...         self.by = by
    >>> Scale(2).by
    2
    """
    if not isinstance(cls, type):
        raise errors.InvalidType(
            f"Decorator jit_class can only be used for class type, but got {cls!r:.60}."
        )
    if hasattr(cls, "cells_and_names"):
        raise errors.InvalidType(
            "Decorator jit_class is used for user-defined classes and cannot be used for nn.Cell: "
            f"{cls}."
        )
    cls.__ms_class__ = True
    return cls


def lazy_inline(fn=None, attrs=None, policy=None):
    """Nothing here: a Cell that occurs several times is read where it is called, and quickly."""
    return fn if fn is not None else lazy_inline
