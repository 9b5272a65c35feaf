"""jacfwd, jacrev and the Hessian."""

import mindspore as ms
import numpy as np
from arguments import two, two_and_three, vector, vectors
from cases import in_all_modes
from functions import Net, aux, both, cube, f2, product, square
from mindspore import Tensor, ops

net = Net()


@in_all_modes(vector)
def jacobians_of_a_vector(x):
    return ms.jacrev(square)(x), ms.jacfwd(square)(x)


@in_all_modes(two)
def jacobians_of_a_number(x):
    return ms.jacrev(cube)(x), ms.jacfwd(cube)(x)


@in_all_modes(vectors)
def jacobian_of_two_inputs_forward(v, w):
    return ms.jacfwd(product, (0, 1))(v, w)


@in_all_modes(vectors)
def jacobian_of_two_inputs_backward(v, w):
    return ms.jacrev(product, (0, 1))(v, w)


@in_all_modes(vectors)
def jacobian_at_the_second_forward(v, w):
    return ms.jacfwd(product, 1)(v, w)


@in_all_modes(vectors)
def jacobian_at_the_second_backward(v, w):
    return ms.jacrev(product, 1)(v, w)


@in_all_modes(vectors)
def jacobian_of_two_results_forward(v, w):
    return ms.jacfwd(both)(v, w)


@in_all_modes(vectors)
def jacobian_of_two_results_backward(v, w):
    return ms.jacrev(both)(v, w)


@in_all_modes(vectors)
def jacobian_of_two_and_two_forward(v, w):
    return ms.jacfwd(both, (0, 1))(v, w)


@in_all_modes(vectors)
def jacobian_of_two_and_two_backward(v, w):
    return ms.jacrev(both, (0, 1))(v, w)


@in_all_modes(vectors)
def jacobian_with_aux_forward(v, w):
    return ms.jacfwd(aux, (0,), has_aux=True)(v, w)


@in_all_modes(vectors)
def jacobian_with_aux_backward(v, w):
    return ms.jacrev(aux, (0,), has_aux=True)(v, w)


@in_all_modes(vectors)
def jacobian_with_one_aux_forward(v, w):
    def f(v, w):
        return v * w, w

    return ms.jacfwd(f, (0, 1), has_aux=True)(v, w)


@in_all_modes(vectors)
def jacobian_with_one_aux_backward(v, w):
    def f(v, w):
        return v * w, w

    return ms.jacrev(f, (0, 1), has_aux=True)(v, w)


@in_all_modes(lambda: (Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)),))
def jacobian_of_a_matrix_forward(x):
    def f(a):
        return (a * a).sum(0)

    return ms.jacfwd(f)(x)


@in_all_modes(lambda: (Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)),))
def jacobian_of_a_matrix_backward(x):
    def f(a):
        return (a * a).sum(0)

    return ms.jacrev(f)(x)


@in_all_modes(
    lambda: (Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([5.0, 6.0])), modes=("eager", "graph mode")
)
def jacobian_of_a_product_backward(m, v):
    def f(m, v):
        return ops.matmul(m, v)

    return ms.jacrev(f, (0, 1))(m, v)


@in_all_modes(
    lambda: (Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([5.0, 6.0])), modes=("eager", "graph mode")
)
def jacobian_of_a_product_forward(m, v):
    def f(m, v):
        return ops.matmul(m, v)

    return ms.jacfwd(f, (0, 1))(m, v)


def sum_of_cubes(x):
    return (x**3).sum()


@in_all_modes(vector, modes=("eager", "graph mode"))
def hessian_forward_over_backward(x):
    return ms.jacfwd(ms.jacrev(sum_of_cubes))(x)


@in_all_modes(vector, modes=("eager", "graph mode"))
def hessian_backward_over_backward(x):
    return ms.jacrev(ms.jacrev(sum_of_cubes))(x)


@in_all_modes(vector, modes=("eager", "graph mode"))
def hessian_of_a_gradient(x):
    return ms.jacrev(ms.grad(sum_of_cubes))(x)


@in_all_modes(vector)
def jacobian_at_a_position_beyond(x):
    return ms.jacrev(square, 1)(x)


@in_all_modes(vector)
def jacobian_forward_at_a_position_beyond(x):
    return ms.jacfwd(square, 1)(x)


@in_all_modes(vector)
def jacobian_with_positions_in_a_list(x):
    return ms.jacfwd(square, [0])(x)


@in_all_modes(vector)
def jacobian_with_a_negative_position(x):
    return ms.jacrev(square, -1)(x)


@in_all_modes(vectors)
def jacobian_with_a_position_twice(x, y):
    return ms.jacrev(product, (0, 0))(x, y)


@in_all_modes(vector)
def jacobian_without_a_position(x):
    return ms.jacrev(square, None)(x)


@in_all_modes(vector)
def jacobian_with_a_wrong_has_aux(x):
    return ms.jacrev(square, has_aux=1)(x)


@in_all_modes(vector)
def jacobian_with_aux_that_is_missing(x):
    return ms.jacrev(square, has_aux=True)(x)


@in_all_modes(vector)
def jacobian_forward_with_aux_that_is_missing(x):
    return ms.jacfwd(square, has_aux=True)(x)


@in_all_modes(two_and_three)
def jacobian_of_a_product_of_numbers(x, y):
    return ms.jacrev(f2, (0, 1))(x, y), ms.jacfwd(f2, (0, 1))(x, y)
