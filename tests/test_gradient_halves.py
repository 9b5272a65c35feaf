"""A compiled gradient as two graphs: what is kept between them, and who may write to what."""

import numpy as np
import pytest
from test_gradient_keeping import WORDS, X, programs

import ms_ext as ms
from ms_ext import Tensor, nn, ops
from ms_ext.engine import jit, pipeline
from ms_ext.engine.autodiff import split
from ms_ext.engine.ir import dump, load, verify


@pytest.mark.parametrize("word", WORDS)
def test_both_halves_are_whole(word):
    graph = jit.trace(programs(lambda x: ops.sin(x) * x)[word], Tensor(X))
    halves = split(graph)
    for half in (halves.forward, halves.backward):
        verify(half)
        assert dump(load(dump(half))).count("\n") == dump(half).count("\n")
    pipeline.run(halves.forward)
    pipeline.run(halves.backward)


def test_the_caller_may_write_to_what_was_read():
    @ms.jit
    def f(x):
        return ops.reshape(x, (3,)) * ops.reshape(x, (3,))

    def g(x, y):
        z = y + 0.0
        out = f(z)
        z[0] = 100.0
        return out.sum() + x

    with pytest.raises(RuntimeError, match="written in place after it was used"):
        ms.grad(g, (0, 1))(Tensor(1.0), Tensor([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("backend", ["reference", "cython"])
def test_the_caller_may_write_to_the_result_of_a_loop(backend):
    def run(x):
        for _ in range(20):
            x = ops.exp(x * 0.1)  # the way back reads the result
        return x

    compiled = ms.jit(run, backend=backend)

    def used(x):
        y = compiled(x)
        z = y + 2.0
        y[0] = 100.0
        return z.sum()

    x = Tensor(np.array([1.0, 2.0]))
    found, expected = ms.grad(used)(x), ms.grad(run)(x)
    np.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-12)


def test_parameters_that_are_assigned():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(Tensor([2.0, 3.0]), name="w")

        @ms.jit
        def construct(self, x):
            y = x * self.w
            self.w = self.w * 2.0
            return y * self.w

    net = Net()
    found = ms.grad(net, 0, net.trainable_params())(Tensor([1.0, 10.0]))
    dx, (dw,) = found
    assert dx.asnumpy().tolist() == [8.0, 18.0]
    assert dw.asnumpy().tolist() == [8.0, 120.0]
    assert net.w.asnumpy().tolist() == [4.0, 6.0]


def test_open_sizes():
    f = ms.jit(lambda x: ops.sin(x * x).sum(), dynamic=1)
    for size in (2, 3, 4, 5):
        x = np.arange(1.0, size + 1)
        found = ms.grad(f)(Tensor(x))
        np.testing.assert_allclose(found.asnumpy(), np.cos(x * x) * 2 * x, rtol=1e-6)
