"""One tensor that is several inputs: its gradient depends on the mode."""

import mindspore as ms
from cases import in_all_modes
from functions import f2, product
from mindspore import Parameter, Tensor, ops


def three():
    return (Tensor(3.0),)


def square_matrix():
    return (Tensor([[1.0, 2.0], [3.0, 4.0]]),)


@in_all_modes(three)
def one_tensor_twice(x):
    return ms.grad(product, (0, 1))(x, x)


@in_all_modes(three)
def one_tensor_twice_asked_for_once(x):
    return ms.grad(product)(x, x), ms.grad(product, 1)(x, x)


@in_all_modes(three)
def equal_tensors(x):
    return ms.grad(product, (0, 1))(x, x + 0)


@in_all_modes(square_matrix)
def one_matrix_twice(m):
    def f(a, b):
        return ops.matmul(a, b)

    return ms.grad(f, (0, 1))(m, m)


@in_all_modes(three)
def one_tensor_twice_with_its_value(x):
    return ms.value_and_grad(f2, (0, 1))(x, x)


@in_all_modes(three)
def one_tensor_three_times(x):
    def f(a, b, c):
        return a * b + c

    return ms.grad(f, (0, 2))(x, x, x)


@in_all_modes(three)
def one_tensor_twice_second_order(x):
    return ms.grad(ms.grad(f2, 0), (0, 1))(x, x)


@in_all_modes(three)
def one_tensor_twice_all(x):
    return ops.GradOperation(get_all=True)(product)(x, x)


@in_all_modes(three, modes=("eager", "graph mode"))
def a_parameter_as_an_input(x):
    return ms.grad(f2, (0, 1))(Parameter(Tensor(2.0), name="p"), x)


@in_all_modes(three)
def one_tensor_inside_others(x):
    def f(a, more):
        return a * more[0] * more[1]["k"]

    return ms.grad(f)(x, (x, {"k": x}))


@in_all_modes(three, modes=("eager", "jit"))
def one_tensor_by_name(x):
    def f(a, b=1):
        return a * b

    return ms.grad(f)(x, b=x)


fixed = Parameter(Tensor(2.0), name="fixed", requires_grad=False)


@in_all_modes(three)
def a_parameter_that_needs_no_gradient(x):
    return ms.grad(product, (0, 1))(fixed, x)
