"""Comprehensions in graph mode."""

from arguments import nothing, vector
from cases import case

# comprehensions -----------------------------------------------------------------------------------


@case(nothing)
def list_comprehension():
    return [i * i for i in range(1, 8) if i % 2 == 0]


@case(vector)
def list_comprehension_of_tensors(x):
    return [x * i for i in range(3)]


@case(vector)
def comprehension_over_a_tensor(x):
    return [row * 2 for row in x]


@case(nothing)
def generator_expression():
    return (i + 1 for i in (1, 2, 3))


@case(nothing)
def sum_of_a_generator():
    return sum(i * i for i in range(4)), max(i for i in (1, 3, 2))


@case(nothing)
def dict_comprehension():
    return {k: v + 1 for k, v in [("a", 1), ("b", 2), ("c", 3)] if v > 1}


@case(nothing)
def comprehension_with_two_loops():
    return [i * j for i in (1, 2) for j in (3, 4)]


@case(nothing)
def dict_comprehension_with_two_loops():
    return {i: j for i in (1, 2) for j in (3, 4)}


@case(nothing)
def comprehension_in_a_comprehension():
    return [[i * j for i in (1, 2)] for j in (3, 4)]


@case(nothing)
def comprehension_with_two_tests():
    return [i for i in range(12) if i % 2 == 0 if i % 3 == 0]


@case(vector)
def comprehension_that_chooses(x):
    return [x if i else -x for i in (0, 1)]


@case(vector, strict=False)
def comprehension_tested_by_a_tensor(x):
    return [i for i in range(3) if x.sum() > i]


@case(nothing)
def comprehension_leaves_no_name():
    i = 10
    a = [i for i in range(3)]
    return a, i


@case(nothing)
def set_comprehension():
    return {i for i in (1, 2)}
