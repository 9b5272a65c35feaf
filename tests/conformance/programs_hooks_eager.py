"""Hooks that tell what they see, which only eager mode can; hooks on Parameters; wrong hooks."""

import mindspore as ms
from arguments import two, two_and_three, vector
from cases import case, in_all_modes
from functions import double, triple
from mindspore import Parameter, Tensor, ops


@case(two_and_three, eager=True)
def hooks_in_order(x, y):
    told = []

    def f(x, y):
        z = x * y
        z.register_hook(lambda g: (told.append(("first", float(g))), g * 2)[1])
        z.register_hook(lambda g: told.append(("second", float(g))))
        z.register_hook(lambda g: (told.append(("third", float(g))), g + 1)[1])
        return z * y

    return ms.grad(f, (0, 1))(x, y), told


@case(two, eager=True)
def hooks_on_several(x):
    told = []

    def f(x):
        a, b = x * 2, x * 3
        a.register_hook(lambda g: told.append("a"))
        b.register_hook(lambda g: told.append("b"))
        x.register_hook(lambda g: told.append("x"))
        return a * b

    return ms.grad(f)(x), told


@case(two, eager=True)
def hook_on_a_leaf(x):
    handle = x.register_hook(lambda g: g * 2)
    other = x.register_hook(lambda g: g + 1)
    first = ms.grad(lambda x: x * 3)(x)
    handle.remove()
    second = ms.grad(lambda x: x * 3)(x)
    other.remove()
    other.remove()
    return first, second, ms.grad(lambda x: x * 3)(x), len(x.hooks())


@case(two, eager=True)
def hook_on_a_leaf_of_two_gradients(x):
    told = []
    x.register_hook(lambda g: (told.append(float(g)), g * 2)[1])
    return ms.grad(ms.grad(lambda x: x * x * x))(x), told


@case(two, eager=True)
def hook_on_what_an_inner_gradient_is_taken_at(x):
    told = []

    def f(x):
        y = x * 2
        y.register_hook(lambda g: (told.append(float(g)), g * 10)[1])
        return ms.grad(lambda u: u * u * u)(y)

    return ms.grad(f)(x), told


@case(vector, eager=True)
def hook_before_a_write(x):
    told = []

    def f(x):
        z = x * 2
        z.register_hook(lambda g: (told.append(g.asnumpy().tolist()), g * 10)[1])
        z[0] = x[1]
        return (z * z).sum()

    return ms.grad(f)(x), told


@case(vector, eager=True)
def hook_on_a_part(x):
    def f(x):
        a, b, c = ops.split(x, 1)
        a.register_hook(double)
        return a * b * c

    return ms.grad(f)(x)


@case(two, eager=True)
def hook_that_takes_a_gradient(x):
    def f(x):
        z = x * 2
        z.register_hook(lambda g: ms.grad(lambda u: u * u * u)(g))
        return z * x

    return ms.grad(f)(x)


@case(two, eager=True)
def hook_that_uses_an_outer_tensor(x):
    def f(x):
        z = x * x
        z.register_hook(lambda g: g * x)
        return z * x

    return ms.grad(f)(x), ms.grad(ms.grad(f))(x)


@case(two_and_three, eager=True)
def hook_of_another_dtype(x, y):
    def f(x, y):
        z = x * y
        z.register_hook(lambda g: Tensor(2, ms.int32))
        return z * y

    return ms.grad(f, (0, 1))(x, y)


@case(two_and_three, eager=True)
def hook_that_returns_a_number(x, y):
    def f(x, y):
        z = x * y
        z.register_hook(lambda g: 7.0)
        return z * y

    return ms.grad(f, (0, 1))(x, y)


@case(two, eager=True)
def hook_that_is_no_function(x):
    return x.register_hook(5)


@case(two, eager=True)
def hook_that_is_none(x):
    return x.register_hook(None)


@case(two, eager=True)
def hook_that_is_compiled(x):
    return x.register_hook(ms.jit(double))


# Parameters ---------------------------------------------------------------------------------------

weight = Parameter(Tensor([2.0]), name="weight")
weight.register_hook(triple)


def with_weight(x):
    return (weight * x + weight * weight).sum()


@in_all_modes(two)
def hook_on_a_parameter(x):
    by_both = ms.grad(with_weight, 0, weight)(x)
    return ms.grad(with_weight, None, weight)(x), by_both, ms.grad(with_weight)(x)


def registers_on_the_weight(x):
    weight.register_hook(double)
    return (weight * x).sum()


@in_all_modes(two, modes=("jit",))
def hook_on_a_parameter_inside(x):
    return ms.grad(registers_on_the_weight)(x)


@case(two, eager=True)
def handle_of_a_parameter(x):
    told, w = [], Parameter(Tensor([2.0]), name="w")

    def f(x):
        return (w * x).sum()

    handle = w.register_hook(lambda g: (told.append(g.asnumpy().tolist()), g * 5)[1])
    first = ms.grad(f, None, w)(x)
    handle.remove()
    return first, ms.grad(f, None, w)(x), told
