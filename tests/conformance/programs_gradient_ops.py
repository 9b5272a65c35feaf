"""Gradients of some ops, and of results that have none."""

import mindspore as ms
import numpy as np
from arguments import vector, vectors
from cases import in_all_modes
from functions import cube
from mindspore import Tensor, mint, ops


@in_all_modes(lambda: (Tensor(np.zeros((2, 2), np.float32)), Tensor([1.0, 2.0])))
def broadcast(x, y):
    def f(a, b):
        return a + b

    return ms.grad(f, (0, 1))(x, y)


@in_all_modes(lambda: (Tensor([1.0, 3.0, 3.0]),))
def ties_of_max(x):
    def f(a):
        return a.max()

    return ms.grad(f)(x)


@in_all_modes(lambda: (Tensor([1.0, 3.0]), Tensor([1.0, 5.0])))
def ties_of_maximum(x, y):
    def f(a, b):
        return ops.maximum(a, b)

    return ms.grad(f, (0, 1))(x, y)


@in_all_modes(lambda: (Tensor(0.0),), modes=("eager", "graph mode"))
def at_zero(x):
    def power(a):
        return a**2.5

    return ms.grad(ops.relu)(x), ms.grad(ops.abs)(x), ms.grad(ops.sqrt)(x), ms.grad(power)(x)


@in_all_modes(vector)
def of_an_index(x):
    def f(a):
        return a[1] * a[0]

    return ms.grad(f)(x)


@in_all_modes(vector)
def of_what_is_written_to(x):
    def f(a):
        b = a * 1
        b[0] = 5.0
        b[1] = b[1] * 10 + b[0] * a[1]
        return b.sum()

    return ms.grad(f)(x)


@in_all_modes(vector)
def of_whole_numbers_and_truths(x):
    def f(a):
        return a.argmax()

    def g(a):
        return a > 2

    def h(a):
        return a.astype(ms.int32)

    return ms.grad(f)(x), ms.grad(g)(x), ms.grad(h)(x)


@in_all_modes(vector)
def of_a_constant(x):
    def f(a):
        return Tensor([7.0, 8.0])

    return ms.grad(f)(x)


@in_all_modes(vector)
def of_a_number(x):
    def f(a):
        return 5

    return ms.grad(f)(x)


@in_all_modes(vector)
def of_nothing(x):
    def f(a):
        a = a + 1

    return ms.grad(f)(x)


@in_all_modes(vector)
def of_itself(x):
    def f(a):
        return a

    return ms.grad(f)(x), ms.value_and_grad(f)(x)


@in_all_modes(vectors)
def of_an_op(x, y):
    return ms.grad(ops.mul, (0, 1))(x, y), ms.grad(mint.add, 1)(x, y)


@in_all_modes(lambda: (Tensor(np.zeros((0, 3), np.float32)),))
def of_no_elements(x):
    return ms.grad(cube)(x)
