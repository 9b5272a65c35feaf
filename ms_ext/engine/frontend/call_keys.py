"""Which calls are read the same way? Those with the same key: so recursion is noticed.

>>> def scaled(by):
...     return lambda x: x * by
>>> one, other, again = scaled(1), scaled(2), scaled(1)
>>> surroundings(one) == surroundings(again), surroundings(one) == surroundings(other)
(True, False)
"""

from ..ir import Node
from .values import NUMPY_NUMBER, Closure


def call_key(source, function, arguments):
    """What tells a call of a function from others: its text, surroundings and arguments."""
    return (id(source.node), surroundings(function), *map(_key, arguments))


def surroundings(function):
    """What tells functions of one text apart: where names that are not their own come from."""
    if isinstance(function, Closure):
        return id(function.frame)
    return tuple([_key(_content(cell)) for cell in function.__closure__ or ()])


def _content(cell):
    try:
        return cell.cell_contents
    except ValueError:  # it has none yet
        return cell


def _key(value):
    if isinstance(value, Node):
        return value.abstract
    if isinstance(value, tuple | list):
        return (type(value), *map(_key, value))
    if isinstance(value, bool | int | float | str | NUMPY_NUMBER | type(None)):
        return type(value), value
    return id(value)
