"""Hooks, gates, bprops and blocks together, in branches and loops: every mode and order agrees."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([0.8, 0.6]), name="weight")

    def construct(self, x):
        return ops.tanh(x * self.weight)


class Own(nn.Cell):
    def construct(self, x):
        return ops.sin(x)

    def bprop(self, x, out, dout):
        return (dout * (ops.cos(x) * 1.3 + out * 0.1),)


def larger(gradient):
    return gradient * 1.1


layer, own, insert = Layer(), Own(), ops.InsertGradientOf(larger)
block = nn.SequentialCell(Layer(), own)
layer.register_backward_hook(lambda cell, dx, dout: (dx[0] * 0.5 + dout[0],))
layer.register_backward_pre_hook(lambda cell, dout: (dout[0] * 1.5,))
layer.register_forward_hook(lambda cell, args, out: out * 0.5 + args[0])
weights = [layer.weight, block[0].weight]


def by_tensor(x):
    n = Tensor(3)
    while n > 0:
        if x.sum() > 0.5:
            x = layer(x) * 0.6
        else:
            y = own(x) * 1.0
            y.register_hook(larger)
            x = insert(y) + ms.recompute(block, x) + 0.2
        n = n - 1
    return (x * x).sum()


def by_number(x):
    for _ in range(2):
        x = layer(x)
        x = own(x) + ms.recompute(block, x)
    return (x * x).sum()


def nested(x):
    return layer(own(ms.recompute(layer, x))).sum()


def of_order(f, order):
    for _ in range(order - 1):
        inner = ms.grad(f)
        f = _times(inner)
    return f


def _times(gradient):
    return lambda x: (gradient(x) * x).sum()


def gradients(f, x):
    dx, by_weight = f(x)
    return [g.asnumpy() for g in (dx, *by_weight)]


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("f", [by_tensor, by_number, nested])
@pytest.mark.parametrize("start", [(0.2, 0.4), (-0.3, 0.1)])
def test_every_mode_and_order_agrees(start, f, order):
    x = Tensor(start)
    eager = gradients(ms.grad(of_order(f, order), 0, weights), x)
    inside = gradients(ms.jit(ms.grad(of_order(f, order), 0, weights)), x)
    outside = gradients(ms.grad(of_order(ms.jit(f), order), 0, weights), x)
    assert all(np.isfinite(each).all() for each in eager) and eager[0].any()
    for one, *others in zip(eager, inside, outside, strict=True):
        for other in others:
            assert np.allclose(one, other, rtol=2e-4, atol=1e-5)


@pytest.mark.parametrize("f", [by_tensor, by_number, nested])
def test_nothing_is_left_out(f):
    """Without hooks and bprops of their own the gradients are others, and those of the function."""
    x = Tensor([-0.3, 0.1])
    plain = Layer()

    class Sine(nn.Cell):
        def construct(self, x):
            return ops.sin(x)

    def without(x):
        for _ in range(2):
            x = plain(x) * 0.5 + x
            x = Sine()(x) + Sine()(plain(x))
        return (x * x).sum()

    with_own = ms.grad(by_number)(x).asnumpy()
    assert not np.allclose(with_own, ms.grad(without)(x).asnumpy(), rtol=1e-2)
    assert np.allclose(by_number(x).asnumpy(), without(x).asnumpy(), rtol=1e-6)
    assert np.allclose(f(x).asnumpy(), ms.jit(f)(x).asnumpy(), rtol=1e-6)
