"""Parameters and attributes that compiled code writes to."""

import mindspore as ms
from arguments import vector
from cases import case
from mindspore import Parameter, Tensor, nn, ops

# Parameters and attributes ------------------------------------------------------------------------


def parameter():
    return Parameter(Tensor([1.0, 2.0, 3.0]), name="weight")


weight, other_weight = parameter(), parameter()


@case(vector, vector, strict=False)
def assigns_with_an_op(x):
    ops.assign(weight, weight + x)
    return weight + 0


@case(vector, strict=False)
def reads_before_and_after(x):
    before = other_weight + 0
    ops.assign_add(other_weight, x)
    return before, other_weight + 0


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([1.0]), name="w")
        self.count = 0
        self.scale = 2

    @ms.jit
    def construct(self, x):
        self.weight = self.weight + x
        return self.weight * self.scale

    @ms.jit
    def counts(self, x):
        self.count = self.count + 1
        return x * self.count

    @ms.jit
    def adds_an_attribute(self, x):
        self.added = 3
        return x

    @ms.jit
    def keeps_a_tensor(self, x):
        self.kept = x * 2
        return self.kept + 1

    @ms.jit
    def writes_in_a_branch(self, x):
        if x.sum() > 0:
            self.weight = self.weight * 0
        return self.weight + 0

    @ms.jit
    def writes_in_a_loop(self, x):
        i = 0
        while i < 3:
            self.weight = self.weight + x
            i += 1
        return self.weight + 0


def one():
    return (Tensor([1.0]),)


net, second, third, fourth, fifth = (Net() for _ in range(5))


@case(one, one, eager=True)
def parameter_assigned_in_construct(x):
    return net(x), net.weight.asnumpy()


@case(one, one, eager=True)
def attribute_counted_in_construct(x):
    return second.counts(x), second.count


@case(one, eager=True)
def attribute_added_in_construct(x):
    return second.adds_an_attribute(x), second.added


@case(one, eager=True)
def tensor_kept_in_construct(x):
    return second.keeps_a_tensor(x), second.kept


@case(one, one, eager=True)
def parameter_assigned_in_a_branch(x):
    return third.writes_in_a_branch(x), third.weight.asnumpy()


@case(one, one, eager=True)
def parameter_assigned_in_a_loop(x):
    return fourth.writes_in_a_loop(x), fourth.weight.asnumpy()


@case(one, lambda: (Tensor([1.0, 2.0]),), eager=True)
def parameter_of_another_shape(x):
    return fifth(x)


class Plain:
    def __init__(self):
        self.value = 1


plain = Plain()


@case(vector, eager=True)
def attribute_of_an_object(x):
    @ms.jit
    def sets(x):
        plain.value = 100
        return x

    return sets(x), plain.value


@case(vector, strict=False)
def setattr_of_an_object(x):
    setattr(plain, "value", 7)  # noqa: B010
    return x * plain.value
