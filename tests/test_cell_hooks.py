"""Hooks of Cells beyond what is recorded of MindSpore: both modes, Parameters, orders, errors."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops
from ms_ext.engine import errors


def value(tensor):
    return tensor.asnumpy().tolist()


class Weighed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([2.0]), name="weight")

    def construct(self, x, y=1.0):
        return x * self.weight * y


def test_backward_hooks_and_the_gradients_of_parameters(mode):
    net = Weighed()
    net.register_backward_hook(lambda cell, dx, dout: (dx[0] * 100,))
    net.register_backward_pre_hook(lambda cell, dout: (dout[0] * 10,))
    dx, (dw,) = ms.grad(net, 0, [net.weight])(Tensor([1.0]))
    assert (value(dx), value(dw)) == ([2000.0], [10.0])


def test_backward_hooks_get_what_comes_in_and_out(mode):
    net = Weighed()
    net.register_forward_hook(lambda cell, args, out: out * 10)
    net.register_backward_hook(lambda cell, dx, dout: (dx[0] + dout[0],))
    assert value(ms.grad(net)(Tensor([1.0]))) == [21.0]


def test_backward_hooks_under_two_gradients(mode):
    class Cube(nn.Cell):
        def construct(self, x):
            return x * x * x

    net = Cube()
    net.register_backward_hook(lambda cell, dx, dout: (dx[0] * 2,))
    x = Tensor(2.0)
    assert value(ms.grad(net)(x)) == 24.0
    assert value(ms.grad(ms.grad(net))(x)) == 48.0  # the hook is called by both


def test_a_hook_of_a_cell_is_frozen_in_its_graph(mode):
    net = Weighed()
    handle = net.register_forward_hook(lambda cell, args, out: out * 10)
    assert value(net(Tensor([1.0]))) == [20.0]
    handle.remove()
    assert value(net(Tensor([1.0]))) == ([2.0] if mode == "eager" else [20.0])


def test_hooks_get_no_keywords_in_a_graph():
    net = Weighed()
    net.register_forward_hook(lambda cell, args, kwargs, out: out, with_kwargs=True)
    assert value(net(Tensor([1.0]), y=3.0)) == [6.0]
    with pytest.raises(TypeError, match="number of the function is 4, but .* arguments is 3"):
        ms.jit(lambda x: net(x))(Tensor([1.0]))


def test_a_hook_that_fails_after_an_error_is_a_warning():
    class Failing(nn.Cell):
        def construct(self, x):
            raise ValueError("from construct")

    def broken(cell, args, out):
        raise KeyError("broken")

    net = Failing()
    net.register_forward_hook(broken, always_call=True)
    with pytest.warns(errors.MsExtWarning, match="was silenced because another error"):
        with pytest.raises(ValueError, match="from construct"):
            net(Tensor([1.0]))


def test_a_plain_cell_costs_no_more_for_hooks_that_are_not_there():
    net = Weighed()
    assert net._plain
    handle = net.register_forward_hook(lambda cell, args, out: None)
    handle.remove()
    assert value(net(Tensor([1.0]))) == [2.0]


def test_both_gates_of_a_graph_meet():
    seen = Weighed()
    seen.register_backward_hook(lambda cell, dx, dout: None)
    graph = ms.jit(lambda x: seen(x)).graph(Tensor([1.0]))
    names = [n.graphs[0].name for n in graph.order() if n.primitive.name == "Call"]
    assert names == ["backward_hook", "grad_output"]


def test_gradients_agree_with_and_without_hooks_that_look():
    rng = np.random.default_rng(1)
    x = Tensor(rng.normal(size=(3, 4)).astype(np.float32))
    net = nn.SequentialCell(nn.Dense(4, 5), nn.Tanh(), nn.Dense(5, 1))
    plain = ms.grad(net)(x).asnumpy()
    for cell in net.cells():
        cell.register_backward_hook(lambda cell, dx, dout: None)
        cell.register_backward_pre_hook(lambda cell, dout: None)
    assert np.array_equal(ms.grad(net)(x).asnumpy(), plain)
    assert np.allclose(ms.jit(ms.grad(net))(x).asnumpy(), plain, atol=1e-6)


@pytest.mark.parametrize("capture", ["trace", "bytecode"])
def test_cells_with_hooks_and_primitives_where_a_function_is_run_on_symbols(capture):
    net = Weighed()
    net.register_forward_hook(lambda cell, args, out: out * 10)
    net.register_backward_hook(lambda cell, dx, dout: (dx[0] + dout[0],))
    insert = ops.InsertGradientOf(lambda dout: dout * 2)
    f = ms.jit(lambda x: net(insert(x)), capture_mode=capture)
    assert value(f(Tensor([1.0]))) == [20.0]
    assert value(ms.grad(f)(Tensor([1.0]))) == [42.0]


def test_a_gradient_that_did_not_come_is_none_or_zeros(mode):
    class Both(nn.Cell):
        def construct(self, x):
            return x * 2, x * 3

    told = []

    def looks(cell, dout):
        told.append(dout[1] is None)

    net = Both()
    if mode == "eager":
        net.register_backward_pre_hook(looks)
    else:
        net.register_backward_pre_hook(lambda cell, dout: (dout[0], dout[1] + 1))
    found = value(ms.grad(lambda x: net(x)[0])(Tensor([1.0])))
    assert (found, told) == (([2.0], [True]) if mode == "eager" else ([5.0], []))


def test_jit_of_a_cell_has_its_hooks():
    net = Weighed()
    net.register_forward_hook(lambda cell, args, out: out * 10)
    assert value(ms.jit(net)(Tensor([1.0]))) == [20.0]
