"""Blocks that run again on the way back: the same gradients, fewer values kept."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, nn, ops
from ms_ext.engine import tape_memory


def value(tensor):
    return tensor.asnumpy().tolist()


class Deep(nn.Cell):
    """Twenty calls, of which each keeps something."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([0.9, 1.1]), name="weight")

    def construct(self, x):
        for _ in range(10):
            x = ops.tanh(x * self.weight)
        return x


X = np.array([0.3, -0.2], np.float32)


def gradients(f, net, order=1):
    for _ in range(order - 1):
        f = ms.grad(f)
    dx, (dw,) = ms.grad(f, 0, [net.weight])(Tensor(X))
    return dx.asnumpy(), dw.asnumpy()


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["eager", "graph"])
def test_gradients_are_those_of_the_block(order, wrap):
    net = Deep()

    def plain(x):
        return (net(x) * x).sum()

    def again(x):
        return (ms.recompute(net, x) * x).sum()

    expected = gradients(plain, net, order)
    found = gradients(wrap(again), net, order)
    for one, other in zip(expected, found, strict=True):
        assert np.allclose(one, other, rtol=1e-5, atol=1e-6)


def test_eager_mode_keeps_one_entry_for_the_block():
    net, kept = Deep(), []

    def f(block):
        def run(x):
            out = block(x)
            kept.append(tape_memory.tape_held())
            return out

        return run

    ms.grad(f(net))(Tensor(X))
    ms.grad(f(lambda x: ms.recompute(net, x)))(Tensor(X))
    assert (kept[0].entries, kept[1].entries) == (20, 1)
    assert kept[1].bytes == 8 < kept[0].bytes  # x alone


def test_a_graph_keeps_the_operands_only():
    net = Deep()

    def kept(f):
        compiled = ms.jit(f)
        ms.grad(compiled)(Tensor(X))
        (launcher,) = compiled._known.values()
        return launcher.compiled

    plain, again = kept(lambda x: net(x)), kept(lambda x: ms.recompute(net, x))
    (call,) = again.graph.order()
    assert call.attrs == {"recompute": True} and len(call.graphs[0].order()) == 20
    assert len(plain.graph.order()) == 20


def test_a_gradient_written_into_a_graph_calculates_the_block_twice():
    net = Deep()

    def count(f):
        names = [n.primitive.name for n in ms.jit(ms.grad(f)).graph(Tensor(X)).order()]
        return names.count("Tanh"), names.count("Call")

    assert count(lambda x: net(x)) == (10, 0)
    # the call of the way forward is dead there; the way back has a copy of it
    assert count(lambda x: ms.recompute(net, x)) == (10, 0)
    assert count(lambda x: (ms.recompute(net, x) * x).sum()) == (10, 1)


def test_what_the_block_reads_from_around_it_has_its_gradient():
    weight = Parameter(Tensor([3.0]), name="weight")

    def plain(x):
        y = x * 2
        return (x * y * weight).sum()

    def again(x):
        y = x * 2
        return ms.recompute(lambda x: x * y * weight, x, use_reentrant=False).sum()

    for order in (1, 2):
        f, g = plain, again
        for _ in range(order - 1):
            f, g = ms.grad(f), ms.grad(g)
        expected = ms.grad(f, 0, weight)(Tensor([2.0]))
        found = ms.grad(g, 0, weight)(Tensor([2.0]))
        assert list(map(value, found)) == list(map(value, expected))


def test_several_results_and_inputs_in_structures():
    def block(pair, scale):
        return pair[0] * scale, {"sum": pair[0] + pair[1], "n": 3}

    def f(x, y, s):
        first, rest = ms.recompute(block, (x, y), s, use_reentrant=False)
        return first * rest["sum"]

    def plain(x, y, s):
        first, rest = block((x, y), s)
        return first * rest["sum"]

    inputs = Tensor([2.0]), Tensor([3.0]), Tensor([4.0])
    expected = ms.grad(plain, (0, 1, 2))(*inputs)
    for g in (f, ms.jit(f)):
        assert list(map(value, ms.grad(g, (0, 1, 2))(*inputs))) == list(map(value, expected))


def test_blocks_inside_blocks():
    inner = Deep()

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = inner

        def construct(self, x):
            return ms.recompute(self.inner, ms.recompute(self.inner, x)) * x

    outer = Outer()
    expected = gradients(lambda x: inner(inner(x)) * x, inner)
    for f in (lambda x: ms.recompute(outer, x), ms.jit(lambda x: ms.recompute(outer, x))):
        for one, other in zip(expected, gradients(f, inner), strict=True):
            assert np.allclose(one, other, rtol=1e-5, atol=1e-7)


class Dropping(nn.Cell):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x):
        return self.drop(ops.tanh(self.drop(x)))


@pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["eager", "graph"])
def test_a_mask_is_the_same_again(wrap):
    net = Dropping().set_train()
    x = Tensor(np.linspace(0.1, 0.9, 50, dtype=np.float32))
    f = wrap(lambda x: ms.recompute(net, x))
    out, dx = ms.value_and_grad(f)(x)
    kept = out.asnumpy() != 0
    assert 0 < kept.sum() < 50
    expected = np.where(kept, 4 * (1 - np.tanh(2 * x.asnumpy()) ** 2), 0)
    assert np.allclose(dx.asnumpy(), expected, rtol=1e-5)


def test_a_cell_that_is_recomputed():
    net, told = Deep(), []
    net.register_forward_hook(lambda cell, args, out: told.append(tape_memory.tape_held().entries))
    expected = gradients(net, net)
    assert net.recompute() is None
    found = gradients(net, net)
    assert told == [20, 1]
    for one, other in zip(expected, found, strict=True):
        assert np.allclose(one, other)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        (call,) = Deep_recomputed().graph(Tensor(X)).order()
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert call.attrs == {"recompute": True}


def Deep_recomputed():
    net = Deep()
    net.recompute()
    return net


def test_an_error_in_the_second_run_leaves_the_tape_as_it_was():
    runs = []

    def block(x):
        runs.append(x)
        if len(runs) == 2:
            raise KeyError("the second time")
        return x * x

    with pytest.raises(KeyError):
        ms.grad(lambda x: ms.recompute(block, x, use_reentrant=False))(Tensor(2.0))
    assert value(ms.grad(lambda x: x * x)(Tensor(2.0))) == 4.0


def test_an_argument_that_is_written_to_in_between_is_refused():
    net = Deep()

    def f(x):
        y = x * 1
        out = ms.recompute(net, y)
        y[0] = 5.0
        return out

    with pytest.raises(RuntimeError, match="written in place after it was used"):
        ms.grad(f)(Tensor(X))


def test_contexts_are_those_of_each_run():
    import contextlib

    told = []

    @contextlib.contextmanager
    def telling(word):
        told.append(word)
        yield

    ms.grad(
        lambda x: ms.recompute(
            lambda x: x * x, x, use_reentrant=False,
            context_fn=lambda: (telling("forwards"), telling("again")),
        )
    )(Tensor(2.0))  # fmt: skip
    assert told == ["forwards", "again"]


def test_outside_a_gradient_a_block_just_runs():
    net = Deep()
    assert np.array_equal(ms.recompute(net, Tensor(X)).asnumpy(), net(Tensor(X)).asnumpy())


@pytest.mark.parametrize("capture", ["trace", "bytecode"])
def test_blocks_where_a_function_is_run_on_symbols(capture):
    net = Deep()
    f = ms.jit(lambda x: ms.recompute(net, x), capture_mode=capture)
    assert [n.attrs for n in f.graph(Tensor(X)).order()] == [{"recompute": True}]
    for one, other in zip(gradients(net, net), gradients(f, net), strict=True):
        assert np.allclose(one, other, rtol=1e-5)
