"""Programs whose gradient would be lost in what Python calculates, so it is refused."""

import collections

from asked_programs import two

from ms_ext import ops

REFUSED = {}


def refused(function):
    REFUSED[function.__name__] = function
    return function


# refused ------------------------------------------------------------------------------------------


class _Point:
    def __init__(self, x):
        self.x = x


@refused
def kept_in_an_attribute(x):
    return ops.sum(_Point(x).x * 2)


@refused
def kept_in_slots(x):
    return collections.deque([x[0], x[1]])[0] * 2


_Pair = collections.namedtuple("_Pair", "a b")


@refused
def kept_in_a_named_tuple(x):
    return ops.sum(_Pair(x, 2).a * 2)


@refused
def list_changed(x):
    rows = two(x)
    rows.append(x[2] * 2)
    return rows[0] + rows[2]


@refused
def list_turned_round(x):
    rows = two(x)
    rows.reverse()
    return rows[0] * 2


@refused
def list_item_set(x):
    rows = two(x)
    rows[0] = x[2] * 2
    return rows[0] + rows[1]


@refused
def method_called_later(x):
    total = x[x > 0].sum
    return total() * 2


@refused
def iterator_of_python(x):
    return next(iter(two(x))) * 2
