"""Cells with a gradient of their own: ``bprop(self, *inputs, out, dout)``."""

import mindspore as ms
from cases import case, in_all_modes
from mindspore import Parameter, Tensor, nn


def one():
    return (Tensor([2.0]),)


def pair():
    return Tensor([1.0]), Tensor([6.0])


class Product(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return dout * 100, out


class Square(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 100,)


class Several(nn.Cell):
    def construct(self, x, y):
        return x * y, x + y

    def bprop(self, x, y, out, dout):
        return dout[0] * 10 + dout[1], out[0] * dout[0]


class WithParameter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0]), name="weight")

    def construct(self, x):
        return x * self.weight

    def bprop(self, x, out, dout):
        return (dout * 100,)


class Narrow(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout.astype(ms.float16) * 3,)


class Inside(nn.Cell):
    def __init__(self):
        super().__init__()
        self.square = Square()

    def construct(self, x):
        return self.square(x) * 3


class Around(Inside):
    def bprop(self, x, out, dout):
        return (dout * 7,)


class Chooses(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        if dout.sum() > 0:
            return (x * dout,)
        return (dout,)


def cube(x):
    return x * x * x


class Differentiates(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (ms.grad(cube)(x) * dout,)


class OfInputs(nn.Cell):
    def construct(self, x):
        return x * x * x

    def bprop(self, x, out, dout):
        return (dout * x * x * 5,)


class OfResults(nn.Cell):
    def construct(self, x):
        return x * x * x

    def bprop(self, x, out, dout):
        return (dout * out * 5,)


class Pairs(nn.Cell):
    def construct(self, xs):
        return xs[0] * xs[1]

    def bprop(self, xs, out, dout):
        return ((dout * 10, dout * 20),)


class Numbered(nn.Cell):
    def construct(self, x, k):
        return x * k

    def bprop(self, x, k, out, dout):
        return dout * 100, None


class Compiled(nn.Cell):
    @ms.jit
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 100,)


product, square, several = Product(), Square(), Several()
inside, around, chooses, differentiates = Inside(), Around(), Chooses(), Differentiates()
with_parameter, narrow = WithParameter(), Narrow()
of_inputs, of_results, pairs, numbered = OfInputs(), OfResults(), Pairs(), Numbered()
compiled = Compiled()


@in_all_modes(pair)
def bprop_of_two_inputs(x, y):
    both = ms.grad(product, (0, 1))(x, y)
    return both, ms.grad(product)(x, y), ms.grad(product, 1)(x, y), product(x, y)


@in_all_modes(one)
def bprop_of_one_input(x):
    return ms.grad(square)(x), ms.value_and_grad(square)(x)


@in_all_modes(pair)
def bprop_of_two_results(x, y):
    return ms.grad(several, (0, 1))(x, y), several(x, y)


@in_all_modes(one)
def bprop_of_a_cell_with_a_parameter(x):
    return ms.grad(with_parameter, 0, with_parameter.weight)(x), with_parameter(x)


@in_all_modes(one, modes=("eager",))
def bprop_of_another_dtype(x):
    return ms.grad(narrow)(x)


@in_all_modes(one)
def bprop_of_a_cell_inside(x):
    return ms.grad(inside)(x)


@in_all_modes(one)
def bprop_around_a_cell_with_bprop(x):
    return ms.grad(around)(x)


@in_all_modes(one)
def bprop_with_a_branch(x):
    return ms.grad(chooses)(x)


@in_all_modes(one)
def bprop_that_takes_a_gradient(x):
    return ms.grad(differentiates)(x)


@in_all_modes(one)
def bprop_under_two_gradients(x):
    return ms.grad(ms.grad(of_inputs))(x), ms.grad(ms.grad(of_results))(x)


def of_pairs(x, y):
    return pairs((x, y))


@in_all_modes(pair)
def bprop_of_a_tuple(x, y):
    return ms.grad(of_pairs, (0, 1))(x, y)


def of_a_number(x):
    return numbered(x, 3.0)


@in_all_modes(one)
def bprop_with_a_number_among_the_inputs(x):
    return ms.grad(of_a_number)(x)


@in_all_modes(one)
def bprop_of_a_compiled_construct(x):
    return ms.grad(compiled)(x)


@case(one, eager=True)
def bprop_of_a_compiled_cell(x):
    return ms.grad(ms.jit(Square()))(x)


@case(pair, eager=True)
def bprop_of_keywords(x, y):
    cell = Product()
    return ms.grad(lambda x, y: cell(x, y=y), (0, 1))(x, y)


@case(one, eager=True)
def bprop_of_defaults(x):
    class Defaults(nn.Cell):
        def construct(self, x, k=3.0):
            return x * k

        def bprop(self, x, k, out, dout):
            return dout * k, None

    return ms.grad(Defaults())(x)
