"""Functions in graph mode: arguments, closures, recursion, results."""

import functools

import mindspore as ms
from arguments import nothing, scalar, vector
from cases import Named, case
from mindspore import Tensor, ops


def factorial(n):
    if n < 2:
        return n * 0 + 1
    return n * factorial(n - 1)


def number_factorial(n):
    return 1 if n < 2 else n * number_factorial(n - 1)


@case(lambda: (Tensor(5, ms.int32),))
def recursion_on_tensor(n):
    return factorial(n)


@case(vector)
def recursion_on_number(x):
    return x * number_factorial(5)


@case(vector)
def closures(x):
    k = x * 2

    def inner(y, by=3):
        return y * by + k

    add = lambda a, b: a + b  # noqa: E731
    return inner(x), inner(x, by=2), add(x, k)


@case(lambda: (*vector(), *vector()))
def star_arguments(*args, **kwargs):
    return len(args), args[0] + args[1], kwargs


@case(vector)
def keyword_call(x):
    def f(a, b, *rest, c=1, **more):
        return a + b * c + len(rest) + len(more)

    return f(x, b=x, c=2), f(x, x, 1, 2, d=4)


@case(vector)
def structures(x):
    return {"a": x, "b": (x + 1, [x + 2, "text", 3, 2.5, True])}


@case(nothing)
def returns_nothing():
    pass


@case(lambda: (*vector(), 2))
def wrong_count(x):
    return x


# arguments ----------------------------------------------------------------------------------------


@case(lambda: (*vector(), Named(by=4)), vector)
def named_arguments(x, by=2):
    return x * by


@case(lambda: (*vector(), Named(y=vector()[0] * 2, z=3)))
def named_arguments_of_the_caller(x, **rest):
    return x + rest["y"] * rest["z"]


@case(lambda: (*vector(), *vector(), Named(by=vector()[0])))
def star_and_named(*args, by):
    return args[0] + args[1] * by


@case(vector)
def star_in_a_call(x):
    def f(a, b, c=0):
        return a + b * 2 + c

    pair, more = (x, x), {"c": 5}
    return f(*pair, **more)


@case(lambda: ((*vector(), *vector()),), lambda: ([*vector(), 3],))
def containers_as_arguments(items):
    return items[0] + items[1]


@case(lambda: ({"a": vector()[0], "b": 2},))
def dict_as_argument(d):
    return d["a"] * d["b"]


@case(lambda: (None, "text", True, 2.5, 3))
def constants_as_arguments(a, b, c, d, e):
    return a, b, c, d, e


@case(lambda: (3, 4), lambda: (3.5, 4))
def numbers_in_numbers_out(a, b):
    return a + b, a * b, a / b, a // b, a % b, a**b


@case(lambda: (2, 3, 4))
def too_many_arguments(x, y=1):
    return x


@case(vector)
def too_few_arguments(x, y):
    return x


@case(lambda: (*vector(), Named(nosuch=1)))
def unknown_argument(x):
    return x


@case(vector)
def argument_given_twice(x):
    def f(a, b=1):
        return a + b

    return f(x, a=x)


@case(vector)
def inner_call_with_too_few(x):
    def f(a, b):
        return a + b

    return f(x)


@case(vector)
def inner_call_with_too_many(x):
    def f(a):
        return a

    return f(x, x)


def outer_with_default(x, scale=(2, 3), names="m"):
    return x * scale[0], names


@case(vector)
def defaults_of_containers(x):
    return outer_with_default(x), outer_with_default(x, (5,), "n")


# functions as values ------------------------------------------------------------------------------


def twice(f, x):
    return f(f(x))


@case(vector)
def function_as_argument(x):
    return twice(lambda y: y * 3, x)


@case(vector)
def function_that_returns_a_function(x):
    def make(n):
        def inner(y):
            return y + n

        return inner

    return make(2)(x), make(x)(x)


@case(vector)
def functions_in_a_list(x):
    s = x
    for f in [ops.sin, ops.cos, lambda y: y * 2]:
        s = f(s)
    return s


@case(vector)
def functions_in_a_dict(x):
    table = {"a": lambda y: y + 1, "b": lambda y: y * 2}
    return table["a"](x), table["b"](x)


def plus(x, y):
    return x + y


@case(vector)
def partial_of_ops(x):
    f = ops.partial(plus, x)
    return f(x), f(y=3)


@case(vector)
def partial_of_functools(x):
    f = functools.partial(plus, y=2)
    return f(x)


@case(vector)
def function_as_result(x):
    def inner(y):
        return y + x

    return inner


@case(vector)
def assigning_an_outer_name(x):
    y = x

    def inner():
        y = x * 5
        return y

    return inner(), y


@case(vector, strict=False)
def later_value_of_an_outer_name(x):
    n = 1

    def inner():
        return x * n

    n = 4
    return inner()


def made(n):
    def inner(x):
        return x * n

    return inner


times_seven = made(7)


@case(vector)
def closure_from_outside(x):
    return times_seven(x)


# recursion ----------------------------------------------------------------------------------------


def fibonacci(n):
    if n < 3:
        return n * 0 + 1
    return fibonacci(n - 1) + fibonacci(n - 2)


def is_even(n):
    if n == 0:
        return n * 0 + 1
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return n * 0
    return is_even(n - 1)


@case(scalar, lambda: (Tensor(5, ms.int32),))
def recursion_in_turns(n):
    return is_even(n)


def power(x, n):
    return x if n == 1 else x * power(x, n - 1)


@case(vector)
def recursion_with_a_tensor_and_a_number(x):
    return power(x, 4)


def without_end(x):
    return without_end(x) + 1
