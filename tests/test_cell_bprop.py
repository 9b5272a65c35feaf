"""Cells with a gradient of their own, beyond what is recorded of MindSpore."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops


def value(tensor):
    return tensor.asnumpy().tolist()


class Square(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 5,)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.square = Square()
        self.weight = Parameter(Tensor([3.0]), name="weight")

    def construct(self, x):
        return self.square(x * self.weight) * x


def test_what_stands_before_and_behind_is_differentiated_as_ever(mode):
    net = Net()
    dx, (dw,) = ms.grad(net, 0, [net.weight])(Tensor([2.0]))
    assert value(dx) == [2.0 * 5 * 3 + 36]
    assert value(dw) == [2.0 * 5 * 2]


def test_construct_is_called_once_and_is_not_recorded():
    told = []

    class Told(Square):
        def construct(self, x):
            told.append("construct")
            y = x * x
            return y * y

    net = Told()

    def f(x):
        out = net(x)
        told.append(len(ms.engine.tensor.core.held_calls()))
        return out

    assert value(ms.grad(f)(Tensor([2.0]))) == [5.0]
    assert told == ["construct", 1]


def test_outside_a_gradient_bprop_is_not_met():
    class Never(Square):
        def bprop(self, x, out, dout):
            raise AssertionError("nobody asked")

    assert value(Never()(Tensor([2.0]))) == [4.0]
    assert value(ms.jit(lambda x: Never()(x))(Tensor([2.0]))) == [4.0]


def test_a_gradient_of_another_shape_is_summed_to_the_inputs(mode):
    class Wide(nn.Cell):
        def construct(self, x):
            return x + 0

        def bprop(self, x, out, dout):
            return (ops.stack((dout, dout)),)

    assert value(ms.grad(Wide())(Tensor([2.0, 3.0]))) == [2.0, 2.0]


def test_a_gradient_that_is_not_there_is_zero(mode):
    class Half(nn.Cell):
        def construct(self, x, y):
            return x * y

        def bprop(self, x, y, out, dout):
            return None, dout

    found = ms.grad(Half(), (0, 1))(Tensor([2.0]), Tensor([3.0]))
    assert list(map(value, found)) == [[0.0], [1.0]]


def test_an_input_of_several_tensors(mode):
    class Pair(nn.Cell):
        def construct(self, pair, scale):
            return pair[0] * pair[1] * scale, pair[0]

        def bprop(self, pair, scale, out, dout):
            return (dout[0] * 10, dout[0] * out[0]), dout[1]

    net = Pair()
    found = ms.grad(lambda x, y, s: net((x, y), s), (0, 1, 2))(
        Tensor([2.0]), Tensor([3.0]), Tensor([4.0])
    )
    assert list(map(value, found)) == [[10.0], [24.0], [1.0]]


@pytest.mark.parametrize("order, expected", [(1, 3 * 4), (2, 3 * 4), (3, 6)])
def test_further_derivatives_are_those_of_bprop(mode, order, expected):
    class Own(nn.Cell):
        def construct(self, x):
            return x * x * x + 7

        def bprop(self, x, out, dout):
            return (dout * 3 * x * x,)

    f = Own()
    for _ in range(order):
        f = ms.grad(f)
    assert value(f(Tensor(2.0))) == expected


def test_bprop_under_a_loop_of_the_graph():
    square = Square()

    def f(x):
        turn = 0
        while turn < 3:
            x = square(x) * 0.5
            turn = turn + 1
        return x

    expected = value(ms.grad(f)(Tensor([1.5])))
    assert value(ms.jit(ms.grad(f))(Tensor([1.5]))) == expected == [2.5**3]

    def by_tensor(x, n):
        while n > 0:
            x = square(x) * 0.5
            n = n - 1
        return x

    assert value(ms.jit(ms.grad(by_tensor))(Tensor([1.5]), Tensor(3))) == expected


def test_construct_that_writes_and_prints(mode, capfd):
    class Counts(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor([0.0]), name="count", requires_grad=False)

        def construct(self, x):
            self.count += 1
            print("construct")
            return x * 2

        def bprop(self, x, out, dout):
            print("bprop")
            return (dout * 5,)

    net = Counts()
    assert value(ms.grad(net)(Tensor([1.0]))) == [5.0]
    assert value(net.count) == [1.0]
    assert capfd.readouterr().out == "construct\nbprop\n"


def test_an_input_that_is_written_to_after_it_was_used_is_refused():
    net = Square()

    def f(x):
        y = x * 1
        out = net(y)
        y[0] = 9.0
        return out

    with pytest.raises(RuntimeError, match="written in place after it was used"):
        ms.grad(f)(Tensor([1.0]))


def test_the_first_parameter_is_called_self_in_a_graph():
    class Named(nn.Cell):
        def construct(this, x):  # noqa: N805
            return x * 2

    net = Named()
    assert value(net(Tensor([1.0]))) == [2.0]
    with pytest.raises(TypeError, match="The parameters number of the function is 2, but the"):
        ms.jit(lambda x: net(x))(Tensor([1.0]))


def test_every_backend_runs_a_call_with_its_own_gradient():
    net = Net()
    x = Tensor([2.0])
    eager = ms.value_and_grad(net, 0, [net.weight])(x)
    for backend in ("reference", "cython", ""):
        f = ms.jit(lambda x: ms.value_and_grad(net, 0, [net.weight])(x), backend=backend)
        found, (dx, (dw,)) = f(x)
        assert np.allclose(found.asnumpy(), eager[0].asnumpy())
        assert value(dx) == value(eager[1][0]) and value(dw) == value(eager[1][1][0])


@pytest.mark.parametrize("capture", ["trace", "bytecode"])
def test_bprop_where_a_function_is_run_on_symbols(capture):
    square = Square()
    f = ms.jit(lambda x: square(x) * 2, capture_mode=capture)
    assert value(ms.grad(f)(Tensor([3.0]))) == [10.0]
