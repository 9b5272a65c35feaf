"""What a gradient refuses."""

import mindspore as ms
from arguments import two, two_and_three
from cases import in_all_modes
from functions import f2
from mindspore import nn, ops

CALLABLE = "the first argument must be a 'Function' or 'Cell'"


@in_all_modes(two_and_three)
def positions_in_a_list(x, y):
    return ms.grad(f2, [0, 1])(x, y)


@in_all_modes(two_and_three)
def a_negative_position(x, y):
    return ms.grad(f2, -1)(x, y)


@in_all_modes(two_and_three)
def a_negative_position_in_a_tuple(x, y):
    return ms.grad(f2, (0, -1))(x, y)


@in_all_modes(two_and_three)
def a_position_twice(x, y):
    return ms.grad(f2, (0, 0))(x, y)


@in_all_modes(two_and_three)
def no_position_and_no_weights(x, y):
    return ms.grad(f2, None)(x, y)


@in_all_modes(two_and_three)
def a_position_that_is_text(x, y):
    return ms.grad(f2, "x")(x, y)


@in_all_modes(two_and_three)
def a_position_in_a_tuple_that_is_text(x, y):
    return ms.grad(f2, ("x",))(x, y)


@in_all_modes(two_and_three)
def a_position_that_is_a_fraction(x, y):
    return ms.grad(f2, 1.0)(x, y)


@in_all_modes(two_and_three, modes=("eager",))
def a_position_that_is_a_truth(x, y):
    return ms.grad(f2, True)(x, y)


@in_all_modes(two_and_three)
def a_truth_in_a_tuple(x, y):
    return ms.grad(f2, (True, 0))(x, y)


@in_all_modes(two_and_three, says="grad_position should not be empty when grad by position")
def no_positions(x, y):
    return ms.grad(f2, ())(x, y)


@in_all_modes(two_and_three)
def a_position_beyond(x, y):
    return ms.grad(f2, 2)(x, y)


@in_all_modes(two_and_three)
def a_position_beyond_in_a_tuple(x, y):
    return ms.grad(f2, (0, 3))(x, y)


@in_all_modes(two_and_three)
def a_position_beyond_with_its_value(x, y):
    return ms.value_and_grad(f2, 5)(x, y)


@in_all_modes(two_and_three)
def value_with_positions_in_a_list(x, y):
    return ms.value_and_grad(f2, [0])(x, y)


@in_all_modes(
    two,
    says={
        "eager": "The fn should be callable, but got int",
        "jit": CALLABLE,
        "graph mode": CALLABLE,
    },
)
def something_that_is_no_function(x):
    return ms.grad(5)(x)


@in_all_modes(two)
def has_aux_that_is_no_truth(x):
    return ms.grad(f2, has_aux=1)(x, x)


@in_all_modes(two)
def return_ids_that_is_no_truth(x):
    return ms.grad(f2, return_ids="yes")(x, x)


@in_all_modes(two)
def too_few_inputs(x):
    return ms.grad(f2)(x)


@in_all_modes(two)
def too_many_inputs(x):
    return ms.grad(f2)(x, x, x)


@in_all_modes()
def no_inputs():
    return ms.grad(f2)()


@in_all_modes(two)
def an_option_that_is_not_there(x):
    return ms.grad(f2, position=0)(x, x)


@in_all_modes(two, says="object has no attribute 'backward'")
def backward_of_a_tensor(x):
    return x.backward()


@in_all_modes(two)
def operation_with_another_option(x):
    return ops.GradOperation(foo=1)(f2)(x, x)


@in_all_modes(two)
def operation_with_a_number(x):
    return ops.GradOperation(get_all=1)(f2)(x, x)


@in_all_modes(two, modes=("eager", "graph mode"))
def operation_by_list_of_a_function(x):
    return ops.GradOperation(get_by_list=True)(f2)(x, x)


@in_all_modes(two)
def a_function_that_raises(x):
    def f(a):
        raise ValueError("not today")

    return ms.grad(f)(x)


class Hundred(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return dout * 100, dout * 10


class TooMany(Hundred):
    def bprop(self, x, y, out, dout):
        return dout * 100, dout * 10, dout


class TooFew(Hundred):
    def bprop(self, x, y, out, dout):
        return (dout * 100,)


hundred, too_many, too_few = Hundred(), TooMany(), TooFew()


@in_all_modes(two_and_three)
def a_bprop(x, y):
    return ms.grad(hundred, (0, 1))(x, y)


@in_all_modes(two_and_three)
def a_bprop_with_too_many(x, y):
    return ms.grad(too_many, (0, 1))(x, y)


@in_all_modes(two_and_three)
def a_bprop_with_too_few(x, y):
    return ms.grad(too_few, (0, 1))(x, y)
