"""Gradients through what a mask takes, whose size only the running graph knows, in containers."""

import mindspore as ms
from arguments import vector
from cases import case
from mindspore import ops

# containers of what a mask takes ------------------------------------------------------------------


def through_zip(x):
    total = 0.0
    for part, weight in zip((x[x > 1],), (2.0,)):  # noqa: B905 - strict is not for graph mode
        total += ops.sum(part * weight)
    return total


def through_enumerate(x):
    total = 0.0
    for i, part in enumerate([x[x > 1]]):
        total += ops.sum(part * (i + 2.0))
    return total


def through_map_list_and_tuple(x):
    parts = tuple(list(map(lambda p: p * 2.0, (x[x > 1],))))
    return ops.sum(parts[0])


def through_a_dict(x):
    total = 0.0
    for _, value in {"a": x[x > 1]}.items():
        total = total + ops.sum(value * 2)
    return total


def through_sum_and_max(x):
    return sum([x[x > 1].sum(), x[0]]) + max(x[x > 1].sum(), x[0])


def through_filter(x):
    return ops.sum(list(filter(lambda p: True, (x[x > 1],)))[0])


@case(vector, strict=False)
def gradients_through_containers_of_what_a_mask_takes(x):
    a = ms.grad(through_zip)(x), ms.grad(through_enumerate)(x), ms.grad(through_a_dict)(x)
    b = ms.grad(through_map_list_and_tuple)(x), ms.grad(through_sum_and_max)(x)
    return a, b, ms.grad(through_filter)(x)


def through_a_part_that_is_set(x):
    part = x[x > 1]
    part[0] = x[0] * 2
    return ops.sum(part * 3)


def through_a_part_that_is_added_to(x):
    part = x[x > 1]
    part += x[0]
    return ops.sum(part * 2)


@case(vector, strict=False)
def gradients_through_what_is_written_to_such_a_part(x):
    return ms.grad(through_a_part_that_is_set)(x), ms.grad(through_a_part_that_is_added_to)(x)
