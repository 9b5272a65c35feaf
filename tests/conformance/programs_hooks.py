"""Hooks on tensors in all modes: what they see, and what they change."""

import mindspore as ms
from arguments import two, two_and_three
from cases import in_all_modes
from functions import double, failing, large_or_small, triple
from mindspore import ops


def nothing(gradient):
    return None


def of_two(gradient, other):
    return gradient


def hooked(x, y):
    z = x * y
    z.register_hook(double)
    return z * y


@in_all_modes(two_and_three)
def hook_on_a_product(x, y):
    return ms.grad(hooked, (0, 1))(x, y), ms.value_and_grad(hooked, (0, 1))(x, y)


def hooked_after_use(x, y):
    z = x * y
    w = z * y
    z.register_hook(double)
    return w


@in_all_modes(two_and_three)
def hook_after_the_use(x, y):
    return ms.grad(hooked_after_use, (0, 1))(x, y)


def hooked_between(x, y):
    z = x * y
    w = z * y
    z.register_hook(double)
    return w + z * z


@in_all_modes(two_and_three)
def hook_between_uses(x, y):
    return ms.grad(hooked_between, (0, 1))(x, y)


def hooked_input(x, y):
    x.register_hook(double)
    return x * y


@in_all_modes(two_and_three)
def hook_on_an_input(x, y):
    return ms.grad(hooked_input, (0, 1))(x, y)


def hooked_to_nothing(x, y):
    z = x * y
    z.register_hook(nothing)
    return z * y


@in_all_modes(two_and_three)
def hook_that_returns_nothing(x, y):
    return ms.grad(hooked_to_nothing, (0, 1))(x, y)


def hooked_by_branch(x, y):
    z = x * y
    z.register_hook(large_or_small)
    return z * y


@in_all_modes(two_and_three)
def hook_that_looks_at_the_gradient(x, y):
    return ms.grad(hooked_by_branch, (0, 1))(x, y)


def hooked_result(x, y):
    z = x * y
    z.register_hook(double)
    return z


@in_all_modes(two_and_three)
def hook_on_the_result(x, y):
    return ms.grad(hooked_result, (0, 1))(x, y)


def hooked_for_nobody(x, y):
    z = x * y
    z.register_hook(failing)
    return x * 1


@in_all_modes(two_and_three)
def hook_that_no_gradient_meets(x, y):
    return ms.grad(hooked_for_nobody, (0, 1))(x, y)


def hooked_in_a_branch(x, y):
    z = x * y
    if x > 0:
        z.register_hook(double)
    return z * y


@in_all_modes(two_and_three)
def hook_in_a_branch(x, y):
    return ms.grad(hooked_in_a_branch, (0, 1))(x, y)


def hooked_in_a_loop(x, y):
    z, turn = x, 0
    while turn < 2:
        z = z * y
        z.register_hook(double)
        turn = turn + 1
    return z


@in_all_modes(two_and_three)
def hook_in_a_loop(x, y):
    return ms.grad(hooked_in_a_loop, (0, 1))(x, y)


def hooked_to_fail(x, y):
    z = x * y
    z.register_hook(failing)
    return z * y


@in_all_modes(two_and_three)
def hook_that_fails(x, y):
    return ms.grad(hooked_to_fail, (0, 1))(x, y)


def hooked_by_two_parameters(x, y):
    z = x * y
    z.register_hook(of_two)
    return z * y


@in_all_modes(
    two_and_three,
    says={
        "eager": "missing 1 required positional argument: 'other'",
        "jit": "The parameters number of the function is 2, but the number of provided arguments "
        "is 1.",
    },
    modes=("eager", "jit"),
)
def hook_of_two_parameters(x, y):
    return ms.grad(hooked_by_two_parameters, (0, 1))(x, y)


def hooked_twice(x, y):
    z = x * y
    z.register_hook(double)
    z.register_hook(triple)
    return z * y


@in_all_modes(two_and_three, modes=("eager", "jit"))
def two_hooks(x, y):
    return ms.grad(hooked_twice, (0, 1))(x, y)


def hooked_and_removed(x, y):
    z = x * y
    handle = z.register_hook(double)
    z = z * y
    handle.remove()
    return z


@in_all_modes(two_and_three, modes=("eager", "jit"))
def hook_removed(x, y):
    return ms.grad(hooked_and_removed, (0, 1))(x, y)


def hooked_square(x):
    z = x * x
    z.register_hook(double)
    return z * x


@in_all_modes(two)
def hook_under_two_gradients(x):
    return ms.grad(hooked_square)(x), ms.grad(ms.grad(hooked_square))(x)


def hooked_tanh(x):
    y = ops.tanh(x)
    y.register_hook(double)
    return y * x


@in_all_modes(two)
def hook_on_what_its_own_gradient_reads(x):
    return ms.grad(hooked_tanh)(x), ms.grad(ms.grad(hooked_tanh))(x)


@in_all_modes(two, modes=("eager",))
def hook_under_three_gradients(x):
    return ms.grad(ms.grad(ms.grad(lambda x: hooked_square(x) * x)))(x)


@in_all_modes(two)
def forward_with_a_hook(x):
    return hooked_square(x)
