"""Functions that are made of ops: which names they have, and what happens when they are called.

A composite is a plain Python function. In graph mode it runs on symbols, so it may look at shapes
and attributes but not at elements.

>>> @composite("doubled", "Tensor.doubled")
... def doubled(x):
...     return x + x
>>> Tensor([1.0]).doubled()
Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])
"""

import functools

from ..engine import errors, primitive
from ..engine.tensor import core

COMPOSITES: dict = {}  # "max", "mint.max", "Tensor.max" -> function


def composite(*names):
    """Enter a function under ``names``; "Tensor.x" makes it a method, "mint.x" shows it in mint."""

    def enter(plain):
        function = plain if isinstance(plain, type) else _naming(names[0], plain)
        COMPOSITES.update(dict.fromkeys(names, function))
        methods = {n.removeprefix("Tensor."): function for n in names if n.startswith("Tensor.")}
        primitive.METHODS.update(methods)
        core.install(methods)
        return function

    return enter


def _naming(name, function):
    """The function, with errors that begin with its name, as those of ops do."""
    shown = name.removeprefix("Tensor.")

    @functools.wraps(function)
    def named(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except errors.MsExtError as error:
            raise error.named(shown) from None

    return named


def public(prefix):
    """What a module shows: every op and composite with a name ``prefix`` + one word.

    >>> public("mint.")["add"].name
    'AddExt'
    """
    found = {}
    for name, value in (*primitive.NAMES.items(), *COMPOSITES.items()):
        if name.startswith(prefix) and "." not in name[len(prefix) :]:
            found[name[len(prefix) :]] = value
    return found


@composite("partial")
def partial(func, *args, **kwargs):
    """``func`` with its first arguments given: ``functools.partial``.

    >>> ops.partial(max, 3)(1, 5)
    5
    """
    return functools.partial(func, *args, **kwargs)


@composite("Tensor.copy")
def copy(x):
    """A tensor of its own memory with the same elements.

    >>> a = Tensor([1.0, 2.0])
    >>> b = a.copy()
    >>> b[0] = 9.0
    >>> a
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    return x & x if x.dtype.kind == "bool" else x * 1


partial.of_values = True  # in a graph too: it does not calculate
