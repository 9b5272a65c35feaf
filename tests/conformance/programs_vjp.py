"""vjp: the outputs of a function and the way back."""

import mindspore as ms
from arguments import two, two_and_three, vector, vectors
from cases import in_all_modes
from functions import Net, aux, both, f2, product, square
from mindspore import ParameterTuple, Tensor

net = Net()
weights = ParameterTuple([net.w, net.b])


def xi():
    return (Tensor([10.0, 20.0]),)


@in_all_modes(vector)
def vjp_of_a_vector(x):
    out, back = ms.vjp(square, x)
    return out, back(Tensor([1.0, 10.0, 100.0]))


@in_all_modes(two_and_three)
def vjp_of_two_results(x, y):
    out, back = ms.vjp(both, x, y)
    return out, back(Tensor(1.0), Tensor(1.0))


@in_all_modes(two_and_three)
def vjp_given_a_tuple(x, y):
    out, back = ms.vjp(both, x, y)
    return out, back((Tensor(1.0), Tensor(10.0)))


@in_all_modes(two_and_three)
def vjp_of_two_inputs(x, y):
    out, back = ms.vjp(f2, x, y)
    return out, back(Tensor(2.0))


@in_all_modes(xi)
def vjp_with_weights(x):
    out, back = ms.vjp(net, x, weights=weights)
    return out, back(Tensor(1.0))


@in_all_modes(xi)
def vjp_with_one_weight(x):
    out, back = ms.vjp(net, x, weights=net.w)
    return out, back(Tensor(1.0))


@in_all_modes(xi)
def vjp_with_weights_in_a_list(x):
    out, back = ms.vjp(net, x, weights=[net.w])
    return out, back(Tensor(3.0))


@in_all_modes(xi)
def vjp_of_a_cell(x):
    out, back = ms.vjp(net, x)
    return out, back(Tensor(1.0))


@in_all_modes(vectors)
def vjp_with_aux(v, w):
    out, back, rest = ms.vjp(aux, v, w, has_aux=True)
    return out, back(Tensor(2.0)), rest


@in_all_modes(vectors)
def vjp_with_one_aux(v, w):
    def f(v, w):
        return v * w, v + w

    out, back, rest = ms.vjp(f, v, w, has_aux=True)
    return out, back(Tensor([1.0, 1.0, 2.0])), rest


@in_all_modes(two)
def vjp_with_aux_that_is_missing(x):
    return ms.vjp(square, x, has_aux=True)[0]


@in_all_modes(vector)
def vjp_called_twice(x):
    out, back = ms.vjp(square, x)
    return back(Tensor([1.0, 10.0, 100.0])), back(Tensor([1.0, 1.0, 1.0]))


@in_all_modes(vector)
def vjp_given_too_many(x):
    out, back = ms.vjp(square, x)
    return back(x, x)


@in_all_modes(two_and_three)
def vjp_given_too_few(x, y):
    out, back = ms.vjp(both, x, y)
    return back(Tensor(1.0))


@in_all_modes(vector, says={"eager": "The shape should be", "jit": "", "graph mode": ""})
def vjp_given_another_shape(x):
    out, back = ms.vjp(square, x)
    return back(Tensor([1.0, 2.0]))


@in_all_modes(vector)
def vjp_given_a_number(x):
    out, back = ms.vjp(square, x)
    return back(1.0)


@in_all_modes()
def vjp_of_a_number():
    out, back = ms.vjp(square, 2.0)
    return back(Tensor(1.0))


@in_all_modes(vector)
def vjp_with_a_wrong_has_aux(x):
    return ms.vjp(square, x, has_aux=1)[0]


@in_all_modes(vector)
def vjp_of_a_vjp(x):
    def f(a):
        out, back = ms.vjp(square, a)
        return back(Tensor([1.0, 10.0, 100.0]))[0] * a

    return ms.grad(f)(x)


@in_all_modes(lambda: (Tensor(3.0),))
def vjp_of_one_tensor_twice(x):
    out, back = ms.vjp(product, x, x)
    return out, back(Tensor(1.0))


@in_all_modes(two_and_three)
def vjp_of_a_tuple(x, y):
    def f(both):
        return both[0] * both[1]

    out, back = ms.vjp(f, (x, y))
    return out, back(Tensor(1.0))


@in_all_modes(vector, modes=("jit",))
def vjp_that_is_returned(x):
    return ms.vjp(square, x)


@in_all_modes(two)
def vjp_with_aux_in_a_list(x):
    def f(a):
        return [a * 2, a]

    return ms.vjp(f, x, has_aux=True)[0]
