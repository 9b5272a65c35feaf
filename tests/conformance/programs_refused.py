"""Python that graph mode does not read."""

import mindspore as ms
from arguments import nothing, scalar, vector
from cases import case
from mindspore import Tensor


@case(vector)
def uses_try(x):
    try:
        return x
    except ValueError:
        return -x


@case(vector)
def uses_del(x):
    y = x
    del y
    return x


@case(vector)
def uses_import(x):
    import math

    return x * math.pi


@case(vector)
def uses_class(x):
    class Inner:
        pass

    return x


@case(vector)
def uses_walrus(x):
    return (y := x + 1) * y


@case(vector)
def uses_set(x):
    return {1, 2}


@case(vector)
def unknown_name(x):
    return x + nosuch  # noqa: F821


@case(vector)
def unknown_attribute(x):
    return x.nosuch


# statements ---------------------------------------------------------------------------------------


@case(vector)
def uses_match(x):
    match 1:
        case 1:
            return x
    return x


@case(vector)
def uses_from_import(x):
    from math import pi

    return x * pi


counted = 1


@case(vector, strict=False)
def uses_global(x):
    global counted
    counted = 2
    return x


@case(vector)
def reads_what_it_calls_global(x):
    global counted
    return x * counted


@case(vector, strict=False)
def reads_a_global_that_it_wrote(x):
    global counted
    counted = 5
    return x * counted


@case(vector)
def uses_nonlocal(x):
    y = x

    def inner():
        nonlocal y
        y = x * 2

    inner()
    return y


@case(vector)
def uses_try_finally(x):
    try:
        y = x
    finally:
        pass
    return y


class Manager:
    def __enter__(self):
        return 1

    def __exit__(self, *error):
        return None


@case(vector)
def uses_with(x):
    with Manager() as n:
        return x * n


@case(vector)
def uses_annotation(x):
    y: Tensor = x + 1
    return y


@case(vector)
def uses_inner_decorator(x):
    @ms.jit
    def inner(y):
        return y + 1

    return inner(x)


# expressions --------------------------------------------------------------------------------------


@case(vector)
def uses_yield(x):
    yield x


@case(vector)
def uses_yield_from(x):
    yield from (x, x)


@case(vector)
def uses_set_comprehension(x):
    return {i for i in range(3)}


@case(nothing)
def uses_set_function():
    return set([1, 2])  # noqa: C405


@case(nothing)
def uses_a_complex_number():
    return 1j


@case(nothing)
def uses_ellipsis():
    return ...


@case(vector)
def uses_eval(x):
    return eval("x+1")


@case(vector)
def uses_starred_lambda(x):
    f = lambda *args: args  # noqa: E731
    return f(x, 1)


# names and attributes -----------------------------------------------------------------------------


@case(vector)
def name_used_before(x):
    y = later + x  # noqa: F821
    later = 1  # noqa: F841
    return y


@case(vector)
def calls_an_unknown_name(x):
    return nosuch(x)  # noqa: F821


@case(vector)
def unknown_method(x):
    return x.nosuch()


@case(vector)
def unknown_attribute_of_ops(x):
    return ms.ops.nosuch(x)


@case(nothing)
def unknown_attribute_of_a_number():
    return (3).nosuch


@case(nothing)
def unknown_attribute_of_a_list():
    a = [1]
    return a.nosuch


@case(vector)
def calls_a_number(x):
    n = 3
    return n(x)


@case(vector)
def calls_a_tensor(x):
    return x(1)


@case(nothing)
def part_of_a_number():
    n = 3
    return n[0]


@case(nothing)
def part_of_none():
    n = None
    return n[0]


@case(scalar)
def subscript_by_a_float(x):
    n = (1, 2)
    return n[1.5]


@case(vector, says="Failed calling")
def wrong_dtype_of_an_op(x):
    return ms.ops.sin("a")


@case(vector)
def too_many_for_an_op(x):
    return ms.ops.sin(x, x, x)


@case(vector)
def too_few_for_an_op(x):
    return ms.ops.add(x)


@case(vector, says="Reshape")
def wrong_shape_of_an_op(x):
    return ms.ops.reshape(x, (2, 2))


@case(vector)
def recursion_without_end(x):
    return endless(x)


def endless(x):
    return endless(x) + 1


@case(lambda: (*vector(), 0), says="Exceed function call depth limit 1000")
def recursion_on_numbers_without_end(x, n):
    return endless_number(x, n)


def endless_number(x, n):
    return endless_number(x, n + 1) + 1
