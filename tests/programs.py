"""Small programs with control flow, in plain Python and operators, so that any engine can run them.

``PROGRAMS`` lists (function, inputs): each is run in both modes, on every backend, and once on real
MindSpore (``python tests/record_programs.py``), whose answers are kept in golden/programs.json.
"""


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


def while_tensor(x):
    s = 5 * x / x
    while s < 100:
        s = s * x
    return s


def while_counter(x):
    s = x
    i = 0
    while s < 100:
        s = s * x
        i = i + 1
    return s, i


def while_constant(x):
    i = 0
    while i < 5:
        x = x + i
        i += 1
    return x


def while_break_constant_test(x):
    while True:
        x = x * 2
        if x > 50:
            break
    return x


def while_long_constant(x):
    i = 0
    while i < 100:
        x = x + i * 0.5
        i = i + 1
    return x


def for_short(x):
    for _ in range(3):
        x = x * x
    return x


def for_long(x):
    s = x * 0
    for i in range(100):
        s = s + x * i
    return s


def for_step(x):
    for i in range(10, 100, 3):
        x = x + i
    return x


def for_backwards(x):
    for i in range(60, 20, -1):
        x = x + i * 0.25
    return x


def for_tuple(x):
    total = x * 0
    for factor in (1.0, 2.0, 4.0):
        total = total + x * factor
    return total


def for_rows(x):
    total = x[0] * 0
    for row in x:
        total = total * 2 + row
    return total


def for_nested(x):
    for i in range(20):
        for j in range(20):
            x = x + i * 0.01 - j * 0.005
    return x


def for_break_unrolled(x):
    for i in range(6):
        x = x * 1.5
        if x > 6:
            break
        if x > 4:
            return x * x
    return x * 3


def for_continue_unrolled(x):
    for i in range(8):
        if i % 2 == 0:
            continue
        x = x + i
        if x > 10:
            continue
        x = x * 2
    return x


def while_in_for(x):
    s = x * 1
    for i in range(20):
        t = s * 0.0 + 1
        while t < 3:
            t = t * (1 + x * x * 0.1 + 0.1)
        s = s + t * 0.1 * x
        if s > 8:
            s = s * 0.5
    return s


def while_break_continue(x):
    i = 0
    s = x * 0
    while i < 10:
        i = i + 1
        if s > 20:
            break
        if x > 2:
            s = s + x
            continue
        s = s + x * 2
    return s


def return_in_while(x):
    s = x
    while s < 1000:
        s = s * x
        if s > 200:
            return s + 1
    return s - 1


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
    for i, (a, b) in enumerate(zip((x, y), (y, x))):
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
    (while_tensor, (3.0,)),
    (while_counter, (2.0,)),
    (while_constant, (1.0,)),
    (while_break_constant_test, (3.0,)),
    (while_long_constant, (1.0,)),
    (for_short, (2.0,)),
    (for_long, (2.0,)),
    (for_step, (1.0,)),
    (for_backwards, (1.0,)),
    (for_tuple, (2.0,)),
    (for_rows, ([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],)),
    (for_nested, (1.0,)),
    *[(for_break_unrolled, (v,)) for v in (0.7, 1.7, 3.4)],
    (for_continue_unrolled, (0.5,)),
    (while_in_for, (1.7,)),
    *[(while_break_continue, (v,)) for v in (1.5, 3.0)],
    *[(return_in_while, (v,)) for v in (3.0, 1.3)],
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
