"""Small programs with control flow in plain Python and operators, so that any engine can run them.

``PROGRAMS`` lists (function, inputs): each is run in both modes, on every backend, and once on real
MindSpore (``python tests/record_programs.py``), whose answers are kept in golden/programs.json.
"""

from loop_programs import LOOPS


def straight(x, y):
    return x * 2.0 + y, x


def if_early_return(x):
    if x > 0:
        return x * x
    y = -x
    return y


def if_join(x, y):
    if x > y:
        z = x
        w = x * 2
    else:
        z = y
        w = y * 3
    return z + w


def if_elif(x):
    if x > 3:
        y = x * 2
    elif x > 1:
        y = x * 3
    else:
        y = x - 1
    return y


def if_nested_returns(x):
    if x > 2:
        y = x * x
        if x > 3:
            return y
    else:
        y = x
        if x < 1:
            return -y
    return y * 7


def if_constant(x, n):
    if n > 3:
        return x + 100
    return x * n


def ternary(x):
    return x * 2 if x > 0 else x * 3


def chained_comparison(x):
    if 0 < x < 2:
        return x + 10
    return x - 10


def and_or(x, y):
    if x > 0 and y > 0:
        return x + y
    if x > 0 or y > 0:
        return x - y
    return x * y


def not_test(x):
    if not x > 0:
        return -x
    return x


def recursion_constant(x, n):
    if n <= 0:
        return x
    return recursion_constant(x * 2, n - 1)


def recursion_tensor(x):
    if x > 10:
        return x
    return recursion_tensor(x * 2) + 1


def recursion_two(x):
    if x < 2:
        return x
    return recursion_two(x - 1) + recursion_two(x - 2)


def nested_def(x):
    def scale(a, by=3):
        return a * by + x

    return scale(x) + scale(x, by=2)


def closure_counter(x):
    factors = [1, 2, 3]
    total = x * 0
    for f in factors:

        def scaled(a, by=f):
            return a * by

        total = total + scaled(x)
    return total


def chosen_function(x):
    def double(a):
        return a * 2

    def inc(a):
        return a + 1

    f = double if x > 0 else inc
    return f(x)


def star_arguments(x, y):
    def pack(*values, scale=1):
        return values[0] * scale + values[1]

    both = (x, y)
    return pack(*both, scale=4)


def structures(x, y):
    pair = (x, y)
    table = {"a": x + 1, "b": pair[1] * 2}
    a, (b, c) = table["a"], (table["b"], pair[0])
    items = [a, b, c]
    return items[0] + items[1] * items[2] + len(items)


def comprehension(x):
    parts = [x * i for i in range(4) if i != 2]
    return sum(parts) + parts[-1]


def enumerate_zip(x, y):
    total = x * 0
    for i, (a, b) in enumerate(zip((x, y), (y, x))):  # noqa: B905 - MindSpore's has no strict
        total = total + a * i - b
    return total


def tuple_result(x):
    if x > 0:
        pair = (x, x * 2)
    else:
        pair = (x - 1, x)
    return pair


def shape_decides(x):
    if x.shape[0] == 2:
        return x + x.ndim
    return x


PROGRAMS = [
    (straight, (2.0, 3.0)),
    (if_early_return, (3.0,)),
    (if_early_return, (-3.0,)),
    (if_join, (1.0, 2.0)),
    (if_join, (5.0, 2.0)),
    (if_elif, (4.0,)),
    (if_elif, (2.0,)),
    (if_elif, (0.5,)),
    *[(if_nested_returns, (v,)) for v in (0.5, 1.5, 2.5, 3.5)],
    (if_constant, (3.0, 5)),
    (if_constant, (3.0, 1)),
    (ternary, (2.0,)),
    (ternary, (-2.0,)),
    (chained_comparison, (1.0,)),
    (chained_comparison, (3.0,)),
    *[(and_or, pair) for pair in ((1.0, 2.0), (1.0, -2.0), (-1.0, -2.0))],
    (not_test, (-4.0,)),
    *LOOPS,
    (recursion_constant, (3.0, 4)),
    (recursion_tensor, (1.5,)),
    (recursion_two, (7.0,)),
    (nested_def, (2.0,)),
    (closure_counter, (2.0,)),
    (chosen_function, (2.0,)),
    (chosen_function, (-2.0,)),
    (star_arguments, (2.0, 3.0)),
    (structures, (2.0, 3.0)),
    (comprehension, (2.0,)),
    (enumerate_zip, (2.0, 3.0)),
    (tuple_result, (2.0,)),
    (tuple_result, (-2.0,)),
    (shape_decides, ([1.0, 2.0],)),
]


def name_of(case):
    """A test id: the program and its inputs."""
    function, inputs = case
    return f"{function.__name__}-{'-'.join(map(str, inputs))}".replace(" ", "")
