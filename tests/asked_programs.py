"""Programs whose gradient goes through what Python calculates when the graph runs.

Their gradient is that of eager mode.
"""

import copy
import functools
import itertools
import operator

from ms_ext import Tensor, ops

PROGRAMS = {}


def right(function):
    PROGRAMS[function.__name__] = function
    return function


def two(x):
    """A list that only the running graph has."""
    return sorted([x[0], x[1]])


# containers that hold an Object -------------------------------------------------------------------


@right
def zipped(x):
    total = 0.0
    for part, weight in zip((x[x > 0],), (2.0,), strict=True):
        total += ops.sum(part * weight)
    return total


@right
def zipped_with_a_star(x):
    parts, weights = zip(*[(x[x > 0], 2.0), (x[x < 0], 3.0)], strict=True)
    return ops.sum(parts[0]) * weights[0] + ops.sum(parts[1]) * weights[1]


@right
def enumerated(x):
    total = 0.0
    for i, (part, by) in enumerate(zip((x[x > 0], x[x < 0]), (2.0, 3.0), strict=True), 1):
        total += ops.sum(part) * by * i
    return total


@right
def mapped_filtered_reversed(x):
    parts = list(map(lambda part: part * 2, (x[x > 0], x[x < 0])))
    kept = list(filter(lambda part: True, parts))
    return ops.sum(list(reversed(kept))[0] * 3) + ops.sum(tuple(kept)[0])


@right
def in_dicts(x):
    values = dict(a=x[x > 0])  # noqa: C408 - it is this call that is looked at
    values.update(b=x)
    values["a"] = values["a"] * 2
    return sum(ops.sum(value) for value in values.values()) + ops.sum(values.get("a"))


@right
def summed_and_largest(x):
    return sum([x[x > 0].sum(), x[0]], x[1]) + max(x[x > 0].sum(), x[0]) + min(x[0], 5.0)


@right
def nested(x):
    (a, held), (c,) = (x[x > 0], {"k": x[x < 0]}), [x]
    return ops.sum(a * 2) + ops.sum(held["k"] * 3) + ops.sum(c)


@right
def spread_over_arguments(x):
    def product(*args, **kwargs):
        return args[0] * kwargs["by"]

    return ops.sum(product(*(x[x > 0],), **{"by": x[0]}))


@right
def carried_in_a_list(x):
    parts = [x[x > 0]]
    while ops.sum(parts[0]) < 20:
        parts = [parts[0] * 2]
    return ops.sum(parts[0])


@right
def truth_of_an_object(x):
    return (x[x > 0].sum() or x[0]) * 2


# an Object that is a container --------------------------------------------------------------------


@right
def rows_in_every_builtin(x):
    total = 0.0
    for i, (one, by) in enumerate(zip(two(x), (2.0, 3.0), strict=True)):
        total = total + one * by * (i + 1)
    return total + sum(two(x)) + max(two(x)) + tuple(two(x))[0] * list(reversed(two(x)))[0]


@right
def rows_given_to_functions(x):
    by = x[2]

    def product(one, more=x[0], *, scale=x[1]):
        return outer(one) * more * scale

    def outer(one):
        return one * by

    return sum(map(product, two(x))) + sum(filter(lambda v: v > 0, two(x)))


@right
def rows_reduced(x):
    return functools.reduce(lambda a, b: a * b, two(x)) + functools.reduce(operator.mul, two(x))


@right
def rows_by_name(x):
    held, total = dict(zip(("a", "b"), two(x), strict=True)), 0.0
    for value in held.values():
        total = total + value
    return total + held["a"] * 2


@right
def rows_unpacked(x):
    one, other = two(x)
    return one * other


@right
def sorted_by_what_only_the_graph_knows(x):
    by = x[2]
    return sorted([x[0], x[1]], key=lambda v: v * by)[0] * 2


# the standard library -----------------------------------------------------------------------------


@right
def reduced(x):
    return ops.sum(functools.reduce(lambda a, b: a * b, (x, x, x), 2.0)) + functools.reduce(
        lambda a, b: a + b, x
    )


@right
def accumulated(x):
    rows = [x[0], x[1], x[2]]
    a = list(itertools.accumulate(rows)) + list(itertools.accumulate(rows, lambda a, b: a * b))
    return sum(a) + sum(itertools.accumulate(rows, operator.mul, initial=x[2]))


@right
def arranged(x):
    total = sum(itertools.chain([x[x > 0].sum()], (x[0],)))
    for a, b in itertools.product([x[0], x[1]], [x[2], 2.0]):
        total = total + a * b
    return total


@right
def taken_one_by_one(x):
    items = iter([x[0], x[1], x[2]])
    total = next(items) * 2
    for item in items:
        total = total + item
    return total * next(items, x[2])


@right
def operators_as_functions(x):
    item = operator.itemgetter(0)(x[x > 0]) + operator.getitem(x, 0)
    return item * ops.sum(operator.add(x[x > 0], 1.0)) + ops.sum(operator.truediv(1.0, x))


@right
def partials(x):
    return ops.sum(functools.partial(lambda a, b: a * b, x[0])(x[x > 0]))


@right
def copied(x):
    return ops.sum(copy.copy(x[x > 0]) * 2) + ops.sum(x)


@right
def tensor_of_numbers(x):
    return ops.sum(Tensor([x[0] * 2, x[1]])) + ops.sum(x)


class _Twice:
    def __call__(self, x):
        return x * 2


_twice = _Twice()


@right
def object_that_is_called(x):
    return ops.sum(_twice(x))


# written to ---------------------------------------------------------------------------------------


@right
def item_set(x):
    part = x[x > 0]
    also = part
    part[0] = x[1] * 2
    part[1] = part[0] * x[0]
    return ops.sum(also * 3)


@right
def item_set_in_a_branch(x):
    part = x[x > 0]
    if x.sum() > 0:
        part[0] = x[1] * 2
    return ops.sum(part * 3)


@right
def added_to(x):
    part = x[x > 0]
    for _ in range(20):
        part += x[0]
    return ops.sum(part)


@right
def written_by_methods(x):
    part = x[x > 0]
    part.add_(x[0])
    part.mul_(x[2])
    return ops.sum(part * 3)
