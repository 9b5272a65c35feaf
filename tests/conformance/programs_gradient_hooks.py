"""InsertGradientOf and HookBackward: x as it is, seen on the way back."""

import mindspore as ms
from arguments import half, two, two_and_three
from cases import case, in_all_modes
from functions import double, failing, large_or_small
from mindspore import Tensor, ops


def nothing(gradient):
    return None


insert = ops.InsertGradientOf(double)
insert_nothing = ops.InsertGradientOf(nothing)
insert_failing = ops.InsertGradientOf(failing)
insert_branch = ops.InsertGradientOf(large_or_small)
look = ops.HookBackward(nothing)


def inserted(x, y):
    return insert(x * y) * y


def inserted_nothing(x, y):
    return insert_nothing(x * y) * y


def inserted_branch(x, y):
    return insert_branch(x * y) * y


def inserted_failing(x, y):
    return insert_failing(x * y) * y


def inserted_square(x):
    return insert(x * x) * x


@in_all_modes(two_and_three)
def insert_gradient(x, y):
    return ms.grad(inserted, (0, 1))(x, y)


@in_all_modes(two_and_three)
def insert_gradient_of_nothing(x, y):
    return ms.grad(inserted_nothing, (0, 1))(x, y)


@in_all_modes(two_and_three)
def insert_gradient_by_branch(x, y):
    return ms.grad(inserted_branch, (0, 1))(x, y)


@in_all_modes(two_and_three)
def insert_gradient_that_fails(x, y):
    return ms.grad(inserted_failing, (0, 1))(x, y)


@in_all_modes(two)
def insert_gradient_under_two(x):
    return ms.grad(ms.grad(inserted_square))(x)


def both_parts(gradients):
    return gradients[0] * 2, gradients[1] * 3


insert_both = ops.InsertGradientOf(both_parts)


def of_both(x, y):
    parts = insert_both((x * y, x + y))
    return parts[0] * parts[1]


@in_all_modes(two_and_three)
def insert_gradient_of_a_tuple(x, y):
    return ms.grad(of_both, (0, 1))(x, y)


lower, upper = Tensor([0.2]), Tensor([1.0])


def clipped(dx):
    result = dx
    if result > upper:
        result = upper
    if result < lower:
        result = lower
    return result


clip = ops.InsertGradientOf(clipped)


def with_clip(x):
    return clip(x.reshape((1,))) * 7.0


@in_all_modes(half)
def insert_gradient_that_clips(x):
    return ms.grad(with_clip)(x), clip(x)


def looked_at(x, y):
    return look(x * y) * y


@in_all_modes(two_and_three)
def hook_backward(x, y):
    return ms.grad(looked_at, (0, 1))(x, y), look(x)


@case(two_and_three, eager=True)
def hook_backward_changes(x, y):
    change = ops.HookBackward(lambda gradients: (gradients[0] * 2,))
    return ms.grad(lambda x, y: change(x * y) * y, (0, 1))(x, y), repr(change)


@case(two_and_three, eager=True)
def hook_backward_of_two(x, y):
    told = []
    watch = ops.HookBackward(lambda gradients: told.append([float(g) for g in gradients]))

    def f(x, y):
        a, b = watch(x, y)
        return a * b

    return ms.grad(f, (0, 1))(x, y), told


@case(two_and_three, eager=True)
def hook_backward_returns_a_number(x, y):
    wrong = ops.HookBackward(lambda gradients: 7.0)
    return ms.grad(lambda x, y: wrong(x * y) * y)(x, y)


@case(two_and_three, eager=True)
def hook_backward_returns_another_shape(x, y):
    wrong = ops.HookBackward(lambda gradients: Tensor([1.0, 2.0]))
    return ms.grad(lambda x, y: wrong(x * y) * y)(x, y)


@case(two_and_three, eager=True)
def hook_backward_returns_too_many(x, y):
    wrong = ops.HookBackward(lambda gradients: gradients * 2)
    return ms.grad(lambda x, y: wrong(x * y) * y)(x, y)


@case(eager=True)
def hook_backward_of_no_function():
    return ops.HookBackward(5)


@case(two, eager=True, says="the number of input should be 1, but got 2")
def insert_gradient_of_two(x):
    return insert(x, x)
