"""Small programs with loops: the part of ``programs.PROGRAMS`` that turns and leaves early."""


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
    for _ in range(6):
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
    for _ in range(20):
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


LOOPS = [
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
]
