"""Loops in graph mode: while, for, break, continue, what they carry."""

import mindspore as ms
from arguments import large, matrix, negative, scalar, vector
from cases import case


@case(scalar, large)
def while_on_tensor(x):
    n = 0
    while x < 100:
        x = x * 2
        n += 1
    return x, n


@case(vector)
def for_over_rows(x):
    s = x[0] * 0
    for row in x:
        s = s + row * row
    return s


@case(vector)
def for_over_long_range(x):
    s = x
    for i in range(50):
        s = s + i
    return s


@case(vector, negative)
def break_on_tensor(x):
    s = x * 0
    for i in range(10):  # noqa: B007
        if s.sum() > 20:
            break
        s = s + x
    return s


@case(vector)
def continue_on_number(x):
    for i in range(6):
        if i % 2 == 0:
            continue
        x = x + i
    return x


@case(scalar)
def continue_on_tensor(x):
    s = x * 0
    while x < 20:
        x = x + 3
        if x % 2 == 0:
            continue
        s = s + x
    return s


@case(scalar)
def return_in_while(x):
    while x < 100:
        x = x * 3
        if x > 50:
            return x + 1000
    return x


@case(vector)
def number_becomes_tensor(x):
    out = 0
    for i in range(30):
        out = out + x * i
    return out


@case(lambda: (1, 5))
def while_on_numbers(a, b):
    while a < b:
        a += 1
    return a


@case(scalar)
def nested_loops(x):
    total = x * 0
    for i in range(3):
        j = x * 0
        while j < i:
            j = j + 1
            total = total + j * x
    return total


@case(vector)
def range_of_a_tensor(x):
    s = 0
    for i in range(x.sum()):
        s = s + i
    return s


# what a loop goes over ----------------------------------------------------------------------------


@case(vector)
def for_over_tuple(x):
    for i in (1, 2, 3):
        x = x + i
    return x


@case(vector)
def for_over_list_of_tensors(x):
    s = x
    for y in [x, x * 2, x * 3]:
        s = s + y
    return s


@case(vector)
def for_over_dict(x):
    d = {"a": 1, "b": 2}
    names = []
    for k in d:
        names.append(k)
    for v in d.values():
        x = x + v
    for k, v in d.items():  # noqa: B007
        x = x * v
    return x, names


@case(vector)
def for_over_zip(x):
    for a, b in zip((1, 2), (3, 4)):  # noqa: B905
        x = x + a * b
    return x


@case(matrix)
def for_over_enumerated_rows(m):
    s = m[0] * 0
    for i, row in enumerate(m):
        s = s + row * i
    return s


@case(vector)
def for_over_text(x):
    n = 0
    for letter in "abc":
        if letter != "b":
            n += 1
    return x * n


@case(vector)
def for_over_range_with_step(x):
    for i in range(10, 0, -3):
        x = x + i
    return x


@case(vector)
def for_over_nothing(x):
    for i in range(0):
        x = x + i
    for i in ():
        x = x + i
    return x


@case(lambda: (*vector(), 3), lambda: (*vector(), 5))
def for_over_a_number_of_turns(x, n):
    for i in range(n):
        x = x + i
    return x


@case(lambda: (*vector(), ms.mutable(3)), lambda: (*vector(), ms.mutable(5)))
def for_over_a_mutable_number_of_turns(x, n):
    for i in range(n):
        x = x + i
    return x


@case(vector)
def name_of_a_loop_afterwards(x):
    for i in range(4):  # noqa: B007
        x = x + 1
    return x * i


@case(vector)
def for_over_a_number(x):
    for i in 3:
        x = x + i
    return x


@case(scalar)
def for_over_a_tensor_without_axes(t):
    s = 0
    for i in t:
        s = s + i
    return s
