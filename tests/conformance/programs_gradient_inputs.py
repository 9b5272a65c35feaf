"""What the inputs of a gradient may be: dtypes, structures, numbers, one tensor twice, names."""

import mindspore as ms
from arguments import two, two_and_three
from cases import Named, in_all_modes
from functions import cube, f2, product
from mindspore import Tensor, ops


def typed(number, dtype):
    return lambda: (Tensor(number, dtype),)


@in_all_modes(
    typed(2, ms.int64), typed(2, ms.int32), typed(2.0, ms.float16), typed(2.0, ms.float64)
)
def dtypes(x):
    return ms.grad(cube)(x)


@in_all_modes(typed(3, ms.uint8), typed(3, ms.int8))
def dtypes_that_do_not_move(x):
    def f(a):
        return a.astype(ms.float32) * 2

    return ms.grad(f)(x)


@in_all_modes(two)
def bfloat_inside(x):
    def f(a):
        return a.astype(ms.bfloat16) * 3

    return ms.grad(f)(x)


@in_all_modes(two_and_three)
def promoted(x, y):
    def f(a, b):
        return a * b.astype(ms.float64)

    return ms.grad(f, (0, 1))(x, y)


# no tensors ---------------------------------------------------------------------------------------


@in_all_modes()
def a_float():
    return ms.grad(cube)(2.0)


@in_all_modes()
def an_int():
    return ms.grad(cube)(2)


@in_all_modes(two)
def a_float_beside(x):
    return ms.grad(product, 0)(x, 3.0), ms.grad(product, 1)(x, 3.0)


@in_all_modes(two)
def a_float_among_the_positions(x):
    return ms.grad(product, (0, 1))(x, 3.0)


@in_all_modes(two)
def a_float_and_its_value(x):
    return ms.value_and_grad(product, 1)(x, 3.0)


@in_all_modes(two)
def none_beside(x):
    def f(a, b):
        if b is None:
            return a * a
        return a

    return ms.grad(f)(x, None)


@in_all_modes(two)
def a_word_beside(x):
    def f(a, how):
        if how == "square":
            return a * a
        return a

    return ms.grad(f)(x, "square")


@in_all_modes(two_and_three)
def a_tuple(x, y):
    def f(both):
        return both[0] * both[1]

    return ms.grad(f)((x, y))


@in_all_modes(two_and_three)
def a_list(x, y):
    def f(both):
        return both[0] * both[1]

    return ms.grad(f)([x, y])


@in_all_modes(two_and_three)
def a_dict(x, y):
    def f(named):
        return named["a"] * named["b"]

    return ms.grad(f)({"a": x, "b": y})


@in_all_modes(two_and_three)
def a_tuple_beside(x, y):
    def f(a, both):
        return a * both[0] * both[1]

    return ms.grad(f)(x, (x, y))


@in_all_modes(two_and_three)
def a_tuple_in_a_tuple(x, y):
    def f(given):
        return given[0] * given[1][0]

    return ms.grad(f)((x, (y,)))


@in_all_modes(two_and_three)
def a_mutable_tuple(x, y):
    def f(both):
        return both[0] * both[1]

    return ms.grad(f)(ms.mutable((x, y)))


@in_all_modes(lambda: (two_and_three(),))
def a_tuple_from_outside(both):
    def f(given):
        return given[0] * given[1]

    return ms.grad(f)(both)


@in_all_modes(two)
def first_of_floats(x):
    return ops.GradOperation()(product)(3.0, x), ops.GradOperation(get_all=True)(product)(x, 3.0)


@in_all_modes(two_and_three)
def a_float_between(x, y):
    def f(a, b, c):
        return a * b * c

    return ms.grad(f, (0, 1, 2))(x, 3.0, y)


# by name ------------------------------------------------------------------------------------------


@in_all_modes(two_and_three, modes=("eager", "jit"))
def an_input_by_name(x, y):
    return ms.grad(f2)(x, y=y)


@in_all_modes(two, modes=("eager", "jit"))
def a_number_by_name(x):
    def f(a, by):
        return a * a * by

    return ms.grad(f)(x, by=3)


@in_all_modes(two_and_three, modes=("eager", "jit"))
def an_input_by_name_that_is_asked_for(x, y):
    return ms.grad(f2, 1)(x, y=y)


@in_all_modes(two_and_three, modes=("eager", "jit"))
def all_by_name(x, y):
    return ms.grad(f2, (0, 1))(x=x, y=y)


@in_all_modes(two_and_three, modes=("eager", "jit"))
def in_the_order_of_the_call(x, y):
    return ms.grad(f2)(y=y, x=x), ms.grad(f2, (0, 1))(y=y, x=x)


@in_all_modes(lambda: (*two(), Named(y=Tensor(3.0))))
def by_name_from_outside(x, y):
    return ms.grad(f2, (0, 1))(x, y)


@in_all_modes(two_and_three, modes=("eager", "graph mode"))
def starred(x, y):
    def f(*each):
        return each[0] * each[1]

    return ms.grad(f, (0, 1))(x, y)
