"""Gradients of weights: Parameters, tuples and lists of them, Cells; get_grad; GradOperation."""

import mindspore as ms
from arguments import two, two_and_three
from cases import in_all_modes
from functions import Net
from mindspore import Parameter, ParameterTuple, Tensor, nn


class Fixed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.v = Parameter(Tensor([2.0, 3.0]), name="v")
        self.k = Parameter(Tensor([1.0, 1.0]), name="k", requires_grad=False)

    def construct(self, x):
        return x * self.v * self.k


class Nested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = Net(), Fixed()

    def construct(self, x):
        return self.second(x * self.first(x)).sum()


net, fixed, nested = Net(), Fixed(), Nested()
weights = ParameterTuple([net.w, net.b])


def xi():
    return (Tensor([10.0, 20.0]),)


@in_all_modes(xi)
def weights_in_a_list(x):
    return ms.grad(net, None, weights=[net.w, net.b])(x)


listed = [net.w, net.b]


@in_all_modes(xi)
def weights_in_a_list_from_outside(x):
    return ms.grad(net, None, listed)(x)


@in_all_modes(xi)
def weights_in_a_parameter_tuple(x):
    return ms.grad(net, None, weights=weights)(x)


@in_all_modes(xi, modes=("eager", "graph mode"))
def trainable_weights(x):
    return ms.grad(net, None, net.trainable_params())(x)


@in_all_modes(xi)
def one_weight(x):
    return ms.grad(net, None, weights=net.w)(x)


@in_all_modes(xi, modes=("eager", "graph mode"))
def one_weight_in_a_tuple(x):
    return ms.grad(net, None, ParameterTuple([net.w]))(x)


@in_all_modes(xi)
def inputs_and_weights(x):
    return ms.grad(net, 0, weights)(x)


@in_all_modes(xi)
def inputs_and_one_weight(x):
    return ms.grad(net, 0, net.w)(x)


@in_all_modes(xi, modes=("eager", "graph mode"))
def inputs_in_a_tuple_and_weights(x):
    return ms.grad(net, (0,), ParameterTuple([net.w]))(x)


@in_all_modes(xi)
def value_and_weights(x):
    return ms.value_and_grad(net, None, weights)(x)


@in_all_modes(xi)
def value_inputs_and_weights(x):
    return ms.value_and_grad(net, 0, weights)(x)


def scaled(x):
    return net(x), (net.w * 1, (x, x))


@in_all_modes(lambda: (Tensor([1.0, 4.0]),))
def weights_and_aux(x):
    return ms.value_and_grad(scaled, 0, [net.w], has_aux=True)(x)


@in_all_modes(lambda: (Tensor([1.0, 4.0]),))
def weights_and_aux_without_the_value(x):
    return ms.grad(scaled, None, [net.w], has_aux=True)(x)


def weighed(x):
    return (net.w * x).sum(), x


@in_all_modes(lambda: (Tensor([1.0, 4.0]),), modes=("eager", "graph mode"))
def weights_and_aux_with_ids(x):
    return ms.grad(weighed, 0, [net.w], has_aux=True, return_ids=True)(x)


@in_all_modes(xi)
def weights_with_ids(x):
    return ms.grad(net, 0, weights, return_ids=True)(x)


@in_all_modes(xi)
def only_weights_with_ids(x):
    return ms.grad(net, None, weights, return_ids=True)(x)


@in_all_modes(xi)
def one_weight_with_ids(x):
    return ms.grad(net, None, net.w, return_ids=True)(x)


@in_all_modes(xi, modes=("jit", "graph mode"))
def input_and_one_weight_with_ids(x):
    return ms.grad(net, 0, net.w, return_ids=True)(x)


@in_all_modes(xi)
def one_of_the_gradients(x):
    found = ms.grad(net, 0, weights, return_ids=True)(x)
    return ms.get_grad(found, net.w), ms.get_grad(found, 0), ms.get_grad(found, net.b)


@in_all_modes(xi)
def one_of_the_weights_gradients(x):
    found = ms.grad(net, None, weights, return_ids=True)(x)
    return ms.get_grad(found, net.b)


@in_all_modes(two_and_three)
def one_of_the_inputs_gradients(x, y):
    def f(a, b):
        return a * a * b

    found = ms.grad(f, (0, 1), return_ids=True)(x, y)
    return ms.get_grad(found, 1)


@in_all_modes(two)
def the_only_gradient(x):
    def f(a):
        return a * a

    return ms.get_grad(ms.grad(f, 0, return_ids=True)(x), 0)


@in_all_modes(xi, says="Can not find the gradient for position or Parameter")
def a_position_that_was_not_asked_for(x):
    return ms.get_grad(ms.grad(net, 0, weights, return_ids=True)(x), 1)


@in_all_modes(
    xi, says="Can not find the gradient for position or Parameter", modes=("eager", "graph mode")
)
def a_weight_that_was_not_asked_for(x):
    return ms.get_grad(ms.grad(net, 0, [net.w], return_ids=True)(x), net.b)


@in_all_modes(xi, says="Can not find the gradient for position or Parameter", modes=("jit",))
def gradients_without_ids(x):
    return ms.get_grad(ms.grad(net, 0, weights)(x), 0)


@in_all_modes(xi, says="the `x` should be an int")
def a_word_for_a_position(x):
    return ms.get_grad(ms.grad(net, 0, weights, return_ids=True)(x), "w")


@in_all_modes(xi, modes=("eager", "graph mode"))
def fixed_weights(x):
    return ms.grad(fixed, None, fixed.trainable_params())(x)


@in_all_modes(xi)
def a_weight_that_needs_no_gradient(x):
    return ms.grad(fixed, None, [fixed.v, fixed.k])(x)


@in_all_modes(xi)
def weights_and_a_float(x):
    def f(a):
        return a * net.w

    return ms.grad(f, 0, weights)(3.0)


@in_all_modes(xi, modes=("eager", "graph mode"))
def weights_of_cells_in_cells(x):
    return ms.grad(nested, 0, nested.trainable_params(), return_ids=True)(x)


@in_all_modes(xi)
def a_weight_that_is_not_used(x):
    return ms.grad(net, None, [net.w, fixed.v])(x)


@in_all_modes(xi)
def second_order_with_weights(x):
    def f(a):
        return ms.grad(net, 0)(a) * a

    return ms.grad(f, 0, [net.w])(x)


@in_all_modes(xi)
def a_method_of_a_cell(x):
    return ms.grad(net.construct, 0, weights)(x)


@in_all_modes(xi, modes=("eager", "graph mode"))
def weights_read_by_a_function(x):
    def loss(a):
        return net(a) * 2

    return ms.value_and_grad(loss, None, net.trainable_params())(x)


@in_all_modes(xi)
def a_tensor_as_a_weight(x):
    return ms.grad(net, None, Tensor([1.0, 2.0]))(x)


@in_all_modes(xi)
def a_tensor_among_the_weights(x):
    return ms.grad(net, None, [net.w, Tensor([1.0, 2.0])])(x)


@in_all_modes(xi)
def no_weights(x):
    return ms.grad(net, 0, [])(x)


@in_all_modes(xi, modes=("eager",))
def a_number_as_a_weight(x):
    return ms.grad(net, None, 3)(x)
