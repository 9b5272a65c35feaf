"""jvp: how outputs move with the inputs."""

import mindspore as ms
from arguments import two, two_and_three, vector, vectors
from cases import in_all_modes
from functions import Net, aux, both, cube, f2, square
from mindspore import Tensor

net = Net()


def xi():
    return (Tensor([10.0, 20.0]),)


@in_all_modes(vector)
def jvp_of_a_vector(x):
    return ms.jvp(square, x, Tensor([1.0, 10.0, 100.0]))


@in_all_modes(two_and_three)
def jvp_of_two_inputs(x, y):
    return ms.jvp(f2, (x, y), (Tensor(1.0), Tensor(2.0)))


@in_all_modes(two_and_three)
def jvp_of_two_inputs_in_lists(x, y):
    return ms.jvp(f2, [x, y], [Tensor(1.0), Tensor(2.0)])


@in_all_modes(two_and_three)
def jvp_of_two_results(x, y):
    return ms.jvp(both, (x, y), (Tensor(1.0), Tensor(1.0)))


@in_all_modes(vectors)
def jvp_with_aux(v, w):
    return ms.jvp(aux, (v, w), (Tensor([1.0, 1.0, 1.0]), Tensor([0.0, 0.0, 0.0])), has_aux=True)


@in_all_modes(vectors)
def jvp_with_one_aux(v, w):
    def f(v, w):
        return (v * w).sum(), v + w

    return ms.jvp(f, (v, w), (Tensor([1.0, 1.0, 1.0]), Tensor([1.0, 0.0, 0.0])), has_aux=True)


@in_all_modes(two)
def jvp_with_aux_that_is_missing(x):
    return ms.jvp(square, x, x, has_aux=True)


@in_all_modes(vector, says="")
def jvp_along_another_shape(x):
    return ms.jvp(square, x, Tensor([1.0, 2.0]))


@in_all_modes(vector)
def jvp_along_what_broadcasts(x):
    return ms.jvp(square, x, Tensor(2.0))


@in_all_modes(vector)
def jvp_along_another_dtype(x):
    return ms.jvp(square, x, Tensor([1.0, 2.0, 3.0], ms.float64))


@in_all_modes(two_and_three)
def jvp_along_too_few(x, y):
    return ms.jvp(f2, (x, y), (x,))


@in_all_modes(two_and_three)
def jvp_along_one(x, y):
    return ms.jvp(f2, (x, y), x)


@in_all_modes(two)
def jvp_along_a_number(x):
    return ms.jvp(square, x, 1.0)


@in_all_modes()
def jvp_of_a_number():
    return ms.jvp(square, 2.0, Tensor(1.0))


@in_all_modes(two)
def jvp_with_aux_in_a_list(x):
    def f(a):
        return [a * 2, a]

    return ms.jvp(f, x, x, has_aux=True)[0]


@in_all_modes(vector)
def jvp_with_a_wrong_has_aux(x):
    return ms.jvp(square, x, x, has_aux="no")


@in_all_modes(two_and_three)
def jvp_of_an_input_that_is_not_used(x, y):
    def f(a, b):
        return a * 2

    return ms.jvp(f, (x, y), (x, y))


@in_all_modes(xi)
def jvp_of_a_cell(x):
    return ms.jvp(net, x, Tensor([1.0, 1.0]))


@in_all_modes(two)
def gradient_of_a_jvp(x):
    def f(a):
        return ms.jvp(cube, a, Tensor(1.0))[1]

    return ms.grad(f)(x)


@in_all_modes(two, modes=("eager", "graph mode"))
def jvp_of_a_gradient(x):
    return ms.jvp(ms.grad(cube), x, Tensor(1.0))


@in_all_modes(two)
def jvp_through_control_flow(x):
    def f(a):
        s, n = a * 1, 0
        while n < 3:
            s = s * a
            n = n + 1
        if s > 1:
            return s * 2
        return s

    return ms.jvp(f, x, Tensor(1.0))
