"""A Cell's ``bprop`` that gives too few gradients, or takes or reads what it must not."""

import mindspore as ms
from cases import in_all_modes
from mindspore import Parameter, Tensor, nn


def one():
    return (Tensor([2.0]),)


def pair():
    return Tensor([1.0]), Tensor([6.0])


class TooFew(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return (dout * 100,)


class TooMany(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return dout * 100, out, out, out


class Bare(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return dout * 100


class Nothing(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        pass


class Listed(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, y, out, dout):
        return [dout * 100, out]


class Mismatched(nn.Cell):
    def construct(self, x, y):
        return x * y

    def bprop(self, x, out, dout):
        return dout * 100, out


class ReadsParameter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0]), name="weight")

    def construct(self, x):
        return x * self.weight

    def bprop(self, x, out, dout):
        return (dout * self.weight * 7,)


class NotSelf(nn.Cell):
    def construct(this, x):  # noqa: N805
        return x * x

    def bprop(this, x, out, dout):  # noqa: N805
        return (dout * 100,)


too_few, too_many, bare, nothing = TooFew(), TooMany(), Bare(), Nothing()
listed, mismatched = Listed(), Mismatched()
reads_parameter, not_self = ReadsParameter(), NotSelf()

NO_TUPLE = "For bprop function, output should be a tuple, but got "


@in_all_modes(pair)
def bprop_with_too_few(x, y):
    return ms.grad(too_few, (0, 1))(x, y)


@in_all_modes(pair)
def forward_of_a_bprop_with_too_few(x, y):
    return too_few(x, y)


@in_all_modes(pair)
def bprop_with_too_many(x, y):
    return ms.grad(too_many, (0, 1))(x, y)


@in_all_modes(one, says={"eager": None, "jit": NO_TUPLE, "graph mode": NO_TUPLE})
def bprop_without_a_tuple(x):
    return ms.grad(bare)(x)


@in_all_modes(one, says={"eager": None, "jit": NO_TUPLE, "graph mode": NO_TUPLE})
def bprop_that_returns_nothing(x):
    return ms.grad(nothing)(x)


@in_all_modes(pair, says={"eager": None, "jit": NO_TUPLE, "graph mode": NO_TUPLE})
def bprop_that_returns_a_list(x, y):
    return ms.grad(listed, (0, 1))(x, y)


@in_all_modes(pair)
def bprop_of_other_parameters(x, y):
    return ms.grad(mismatched, (0, 1))(x, y)


@in_all_modes(one)
def bprop_that_reads_a_parameter(x):
    return ms.grad(reads_parameter)(x)


@in_all_modes(one)
def bprop_whose_first_parameter_is_not_self(x):
    return ms.grad(not_self)(x)
