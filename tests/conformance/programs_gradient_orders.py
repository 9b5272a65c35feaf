"""Gradients of gradients, through control flow, of compiled functions, of what is read."""

import mindspore as ms
from arguments import negative, two, two_and_three, vector
from cases import in_all_modes
from functions import cube, f2
from mindspore import Tensor


@in_all_modes(two)
def second_and_third(x):
    second = ms.grad(ms.grad(cube))(x)
    return second, ms.grad(ms.grad(ms.grad(cube)))(x)


@in_all_modes(two_and_three)
def mixed(x, y):
    return ms.grad(ms.grad(f2, 0), 1)(x, y), ms.grad(ms.grad(f2, 1), 0)(x, y)


@in_all_modes(two_and_three)
def gradients_of_two_gradients(x, y):
    return ms.grad(ms.grad(f2, (0, 1)), (0, 1))(x, y)


@in_all_modes(vector)
def second_of_a_vector(x):
    def f(v):
        return v**3

    return ms.grad(ms.grad(f))(x)


def branching(x):
    if x > 0:
        return x * x
    return -x


def walking(x):
    s = x * 1
    while s < 100:
        s = s * x
    return s


def counting(x):
    for _ in range(3):
        x = x * x
    return x


def cubing(x):
    s, n = x * 0, 0
    while n < 2:
        s = s + (x**3 + 2 * x) / 2
        n = n + 1
    return s


@in_all_modes(lambda: (Tensor(3.0),), lambda: (Tensor(-3.0),))
def through_if(x):
    return ms.grad(branching)(x)


@in_all_modes(lambda: (Tensor(3.0),))
def through_while(x):
    return ms.grad(walking)(x)


@in_all_modes(two)
def through_for(x):
    return ms.grad(counting)(x)


@in_all_modes(two)
def second_through_while(x):
    return ms.grad(ms.grad(cubing))(x)


@in_all_modes(two)
def second_of_a_gradient_in_a_loop(x):
    def f(x):
        total, n = x * 0, 0
        while n < 2:
            total = total + ms.grad(cube)(x) / 2
            n = n + 1
        return total

    return ms.grad(f)(x)


compiled_cube, compiled_walking = ms.jit(cube), ms.jit(walking)


@in_all_modes(lambda: (Tensor(3.0),))
def of_compiled_functions(x):
    return ms.grad(compiled_cube)(x), ms.grad(compiled_walking)(x)


@ms.jit
def compiled_gradient(x):
    return ms.grad(cube)(x)


@in_all_modes(two)
def of_a_compiled_gradient(x):
    return compiled_gradient(x), ms.grad(compiled_gradient)(x)


@in_all_modes(two)
def value_read_from_outside_that_is_the_input(x):
    def f(a):
        return a * x

    return ms.grad(f)(x)


@in_all_modes(two)
def kept_and_called_twice(x):
    df = ms.grad(cube)
    return df(x), df(x + 1)


@in_all_modes(two, modes=("eager", "graph mode"))
def function_with_a_default(x):
    def f(a, by=3):
        return a * a * by

    return ms.grad(f)(x), ms.grad(f)(x, 4)


@in_all_modes(two)
def value_read_from_outside(x):
    outer = x * 3

    def f(a):
        return a * outer

    return ms.grad(f)(x)


@in_all_modes(two, modes=("jit", "graph mode"))
def outer_gradient_of_what_is_read(x):
    def f(a):
        def g(b):
            return b * a * b

        return ms.grad(g)(a)

    return ms.grad(f)(x)


@in_all_modes(negative)
def of_methods_and_operators(x):
    def f(a):
        return (a.abs() / 2 - a**2 @ a).sum()

    return ms.grad(f)(x)
