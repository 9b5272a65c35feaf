"""Gradients by position: what is differentiated, of what, and how the answer is built."""

import mindspore as ms
from arguments import two, two_and_three, vector, vectors
from cases import in_all_modes
from functions import aux, both, cube, f2, square
from mindspore import ops


@in_all_modes(two)
def of_a_cube(x):
    return ms.grad(cube)(x)


@in_all_modes(two_and_three)
def by_position(x, y):
    first, second = ms.grad(f2)(x, y), ms.grad(f2, 1)(x, y)
    return first, second, ms.grad(f2, (0, 1))(x, y), ms.grad(f2, (1, 0))(x, y)


@in_all_modes(two_and_three)
def position_in_a_tuple_of_one(x, y):
    return ms.grad(f2, (1,))(x, y), ms.grad(f2, (0,))(x, y)


@in_all_modes(two_and_three)
def positions_by_name(x, y):
    return ms.grad(f2, grad_position=(0, 1), weights=None, has_aux=False, return_ids=False)(x, y)


@in_all_modes(vector)
def of_a_vector(x):
    return ms.grad(square)(x), ms.grad(cube)(x)


@in_all_modes(two_and_three)
def of_several_results(x, y):
    return ms.grad(both, (0, 1))(x, y), ms.grad(both)(x, y)


@in_all_modes(two_and_three)
def of_results_in_a_list(x, y):
    def f(a, b):
        return [a * b, a + b]

    return ms.grad(f, (0, 1))(x, y)


@in_all_modes(two_and_three)
def of_results_in_tuples_in_tuples(x, y):
    def f(a, b):
        return (a * b, (a + b, a * 3)), b

    return ms.grad(f, (0, 1))(x, y)


@in_all_modes(two_and_three)
def of_results_in_a_dict(x, y):
    def f(a, b):
        return {"product": a * b, "sum": a + b}

    return ms.grad(f, (0, 1))(x, y)


@in_all_modes(two)
def value_of_results_in_a_dict(x):
    def f(a):
        return {"square": a * a, "same": a}

    return ms.value_and_grad(f)(x)


@in_all_modes(two)
def results_with_none(x):
    def f(a):
        return a * a, None

    return ms.grad(f)(x), ms.value_and_grad(f)(x)


@in_all_modes(two)
def results_with_a_number(x):
    def f(a):
        return a * a, 5, 2.5, True

    return ms.grad(f)(x), ms.value_and_grad(f)(x)


@in_all_modes(vectors)
def with_aux(v, w):
    return ms.grad(aux, (0, 1), has_aux=True)(v, w)


@in_all_modes(vectors)
def with_one_aux(v, w):
    def f(v, w):
        return (v * w).sum(), w

    return ms.grad(f, 0, None, True)(v, w)


@in_all_modes(vectors)
def value_and_one_aux(v, w):
    def f(v, w):
        return (v * w).sum(), w

    return ms.value_and_grad(f, has_aux=True)(v, w)


@in_all_modes(vectors)
def with_aux_in_tuples(v, w):
    def f(v, w):
        return (v * w).sum(), (v + w, (w, v * 2))

    return ms.grad(f, (0, 1), has_aux=True)(v, w)


@in_all_modes(vectors)
def with_a_tuple_before_aux(v, w):
    def f(v, w):
        return (v * w, v), w

    return ms.grad(f, (0, 1), has_aux=True)(v, w)


@in_all_modes(vectors, modes=("jit", "graph mode"))
def with_aux_that_is_no_tensor(v, w):
    def f(v, w):
        return (v * w).sum(), 3, "word", None

    return ms.grad(f, (0, 1), has_aux=True)(v, w)


@in_all_modes(vectors)
def with_aux_in_a_list(v, w):
    def f(v, w):
        return [(v * w).sum(), v + w]

    return ms.grad(f, (0, 1), has_aux=True)(v, w)


@in_all_modes(two)
def aux_that_is_missing(x):
    return ms.grad(square, has_aux=True)(x)


@in_all_modes(two)
def aux_that_is_missing_in_a_tuple(x):
    def f(a):
        return (a * a,)

    return ms.grad(f, has_aux=True)(x)


@in_all_modes(two)
def value_and_aux_that_is_missing(x):
    return ms.value_and_grad(square, has_aux=True)(x)


@in_all_modes(two_and_three)
def value_and_gradient(x, y):
    return ms.value_and_grad(f2, (0, 1))(x, y), ms.value_and_grad(f2)(x, y)


@in_all_modes(two_and_three)
def value_of_several(x, y):
    return ms.value_and_grad(both, 1)(x, y)


@in_all_modes(vectors)
def value_and_aux(v, w):
    return ms.value_and_grad(aux, 0, has_aux=True)(v, w)


@in_all_modes(two_and_three)
def ids_of_one(x, y):
    return ms.grad(f2, return_ids=True)(x, y)


@in_all_modes(two_and_three, modes=("jit", "graph mode"))
def ids_of_another(x, y):
    return ms.grad(f2, 1, return_ids=True)(x, y)


@in_all_modes(two_and_three)
def ids_of_two(x, y):
    return ms.grad(f2, (0, 1), return_ids=True)(x, y)


@in_all_modes(two_and_three)
def ids_of_two_turned_round(x, y):
    return ms.grad(f2, (1, 0), return_ids=True)(x, y)


@in_all_modes(two_and_three)
def ids_with_a_value(x, y):
    return ms.value_and_grad(f2, (0, 1), return_ids=True)(x, y)


@in_all_modes(vectors)
def ids_with_aux(v, w):
    return ms.grad(aux, (0, 1), has_aux=True, return_ids=True)(v, w)


@in_all_modes(two_and_three)
def of_an_input_that_is_not_used(x, y):
    def f(a, b):
        return a * 2

    return ms.grad(f, (0, 1))(x, y), ms.grad(f, 1)(x, y)


@in_all_modes(two_and_three)
def stopped(x, y):
    def some(a, b):
        return ops.stop_gradient(a) * b + a

    def whole(a, b):
        return ops.stop_gradient(a * b)

    return ms.grad(some, (0, 1))(x, y), ms.grad(whole, (0, 1))(x, y)
