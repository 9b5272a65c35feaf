"""GradOperation, what results are weighed with, and Cells that take gradients."""

import mindspore as ms
import numpy as np
from arguments import two, two_and_three, vector
from cases import in_all_modes
from functions import Net, f2
from mindspore import ParameterTuple, Tensor, nn, ops

net = Net()
weights = ParameterTuple([net.w, net.b])


def xi():
    return (Tensor([10.0, 20.0]),)


@in_all_modes(two_and_three)
def operation(x, y):
    return ops.GradOperation()(f2)(x, y)


@in_all_modes(two_and_three)
def operation_of_all(x, y):
    return ops.GradOperation(get_all=True)(f2)(x, y)


@in_all_modes(two)
def operation_of_all_of_one(x):
    def f(a):
        return a * a

    return ops.GradOperation(get_all=True)(f)(x)


@in_all_modes(xi)
def operation_by_list(x):
    return ops.GradOperation(get_by_list=True)(net, weights)(x)


@in_all_modes(xi)
def operation_by_a_plain_list(x):
    return ops.GradOperation(get_by_list=True)(net, [net.w])(x)


@in_all_modes(xi)
def operation_by_one(x):
    return ops.GradOperation(get_by_list=True)(net, net.w)(x)


@in_all_modes(xi, modes=("eager",))
def operation_by_default(x):
    return ops.GradOperation(get_by_list=True)(net)(x)


@in_all_modes(xi)
def operation_of_all_by_list(x):
    return ops.GradOperation(get_all=True, get_by_list=True)(net, weights)(x)


@in_all_modes(vector)
def operation_with_sens(x):
    def f(a):
        return a * a

    return ops.GradOperation(sens_param=True)(f)(x, Tensor([1.0, 10.0, 100.0]))


@in_all_modes(vector)
def operation_of_all_with_sens(x):
    def f(a, b):
        return a * a * b

    sens = Tensor([1.0, 10.0, 100.0])
    return ops.GradOperation(get_all=True, sens_param=True)(f)(x, x + 0, sens)


@in_all_modes(xi)
def operation_by_list_with_sens(x):
    op = ops.GradOperation(get_all=True, get_by_list=True, sens_param=True)
    return op(net, weights)(x, Tensor(5.0))


@in_all_modes(two_and_three)
def operation_with_sens_for_two(x, y):
    def f(a, b):
        return a * b, a + b

    op = ops.GradOperation(get_all=True, sens_param=True)
    return op(f)(x, y, (Tensor(1.0), Tensor(10.0)))


@in_all_modes(two_and_three)
def operation_with_a_float_as_sens(x, y):
    return ops.GradOperation(sens_param=True)(f2)(x, y, 5.0)


@in_all_modes(vector, says={"eager": "The shape should be", "jit": "", "graph mode": ""})
def operation_with_sens_of_another_shape(x):
    def f(a):
        return a * a

    return ops.GradOperation(sens_param=True)(f)(x, Tensor([1.0, 10.0]))


@in_all_modes(vector, says="")
def operation_with_sens_to_broadcast(x):
    def f(a):
        return a * a

    return ops.GradOperation(sens_param=True)(f)(x, Tensor(2.0))


@in_all_modes(vector, says="32")
def operation_with_sens_of_another_dtype(x):
    def f(a):
        return a * a

    return ops.GradOperation(sens_param=True)(f)(x, Tensor(np.array([1, 10, 100], np.int32)))


@in_all_modes(vector, modes=("eager", "graph mode"))
def operation_with_sens_by_name(x):
    def f(a):
        return a * a

    return ops.GradOperation(sens_param=True)(f)(x, sens=Tensor([1.0, 10.0, 100.0]))


@in_all_modes(vector)
def gradient_with_sens(x):
    def f(a):
        return a * a

    return ms.grad(f, sens_param=True)(x, Tensor([1.0, 10.0, 100.0]))


@in_all_modes(vector)
def value_and_gradient_with_sens(x):
    def f(a):
        return a * a

    return ms.value_and_grad(f, sens_param=True)(x, Tensor([1.0, 10.0, 100.0]))


@in_all_modes(two_and_three)
def gradient_with_sens_for_two(x, y):
    def f(a, b):
        return a * b, a + b

    return ms.grad(f, (0, 1), sens_param=True)(x, y, (Tensor(1.0), Tensor(10.0)))


@in_all_modes(two_and_three, modes=("eager",))
def gradient_with_sens_and_aux(x, y):
    def f(a, b):
        return a * b, a + b

    return ms.grad(f, (0, 1), has_aux=True, sens_param=True)(x, y, Tensor(10.0))


class Step(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner, self.grad = inner, ops.GradOperation(get_all=True, get_by_list=True)
        self.weights = ParameterTuple(inner.trainable_params())

    def construct(self, x):
        return self.grad(self.inner, self.weights)(x)


class Values(nn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.gradient = ms.value_and_grad(inner, 0, inner.trainable_params())

    def construct(self, x):
        return self.gradient(x)


step, values = Step(net), Values(net)


@in_all_modes(xi)
def a_cell_that_takes_a_gradient(x):
    return step(x)


@in_all_modes(xi)
def a_cell_that_keeps_a_gradient(x):
    return values(x)


@in_all_modes(xi)
def gradient_of_a_cell_that_takes_one(x):
    def f(a):
        return step(a)[0][0]

    return ms.grad(f)(x)
