"""Break, continue, return and else of loops."""

from arguments import negative, scalar, vector
from cases import case

# exits --------------------------------------------------------------------------------------------


@case(vector)
def break_on_number(x):
    for i in range(8):
        if i > 5:
            x = x * 3
            break
        x = x * 2
    return x


@case(scalar)
def while_true(x):
    while True:
        x = x + 1
        if x > 10:
            break
    return x


@case(vector)
def while_true_on_numbers(x):
    n = 0
    while True:
        n += 1
        if n == 7:
            break
    return x * n


@case(vector)
def for_else(x):
    for i in range(3):
        x = x + i
    else:
        x = x * 10
    return x


@case(vector)
def for_else_with_break(x):
    for i in range(3):
        if i == 1:
            break
        x = x + i
    else:
        x = x * 10
    return x


@case(scalar)
def while_else(x):
    while x < 10:
        x = x + 1
    else:
        x = x * 10
    return x


@case(vector, negative)
def return_in_for(x):
    for i in range(5):
        x = x + i
        if x.sum() > 10:
            return x
    return -x


@case(scalar)
def break_of_the_inner_loop(x):
    total = x * 0
    while total < 20:
        for i in range(5):
            if i == 2:
                break
            total = total + i + x
        total = total + 1
    return total


@case(scalar)
def break_and_continue_in_while(x):
    s = x * 0
    i = x * 0
    while i < 100:
        i = i + 1
        if i % 3 == 0:
            continue
        if s > 30:
            break
        s = s + i
    return s, i
