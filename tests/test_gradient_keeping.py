"""What a gradient keeps: each call happens once, the way back reads what was kept; or little is
kept, and calls happen once more."""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, ops
from ms_ext.engine import jit, pipeline
from ms_ext.engine.autodiff import vjp
from ms_ext.engine.infer import KEPT, AbstractStack
from ms_ext.engine.ir import CALL, FOR, WHILE

BACKENDS = ("reference", "cython")
X = np.float64(1.2)


class Counting:
    """sin(x) * x as a custom op that counts how often its body runs."""

    def __init__(self):
        self.count = 0

        def body(x):
            self.count += 1
            return np.sin(x) * x

        def bprop(x, out, dout):
            return dout * (ops.cos(x) * x + ops.sin(x))

        self.op = ops.Custom(body, lambda x: x, lambda x: x, bprop=bprop)

    def took(self):
        """The number of runs since it was asked last."""
        count, self.count = self.count, 0
        return count


@pytest.fixture
def counting():
    return Counting()


def programs(f):
    """Functions of x that call f, and how often at X."""

    def once(x):
        return f(x)

    def turns(x):
        for _ in range(20):
            x = f(x) * 0.9
        return x

    def nested(x):
        for _ in range(18):
            y = x
            while y < 3.0:
                y = f(y) * 0.1 + y + 0.4
            x = x + y * 0.01
        return x

    def arms(x):
        for _ in range(17):
            if x > 1.0:
                x = f(x) * 0.8
            else:
                x = f(x + 0.3) + f(x)
        return x

    def deep(x):
        def again(y):
            if y > 40.0:
                return y
            return again(f(y) * 0.1 + y * 1.5 + 0.5) * 0.5

        return again(x)

    return {each.__name__: each for each in (once, turns, nested, arms, deep)}


WORDS = ("once", "turns", "nested", "arms", "deep")


def slope(f, step=1e-6):
    up, down = (float(f(Tensor(X + sign * step))) for sign in (1, -1))
    return (up - down) / (2 * step)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("word", WORDS)
def test_every_call_happens_once(counting, word, backend):
    f = programs(counting.op)[word]
    compiled = ms.jit(f, backend=backend)
    float(compiled(Tensor(X)))
    times = counting.took()
    inside = ms.jit(lambda x: ms.value_and_grad(f)(x), backend=backend)
    expected = slope(f)
    for gradient in (inside, ms.value_and_grad(compiled), ms.value_and_grad(f)):
        _ = [float(each) for each in gradient(Tensor(X))]  # compiled, where it is
        counting.took()
        value, found = map(float, gradient(Tensor(X)))
        assert counting.took() == times
        assert (value, found) == pytest.approx((float(f(Tensor(X))), expected), rel=1e-6)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("word", WORDS)
def test_recompute_gives_the_same(counting, word, backend):
    f = programs(counting.op)[word]
    plain = ms.jit(lambda x: ms.grad(f)(x), backend=backend)
    again = ms.jit(lambda x: ms.grad(f)(x), backend=backend, passes=["recompute"])
    whole = ms.grad(ms.jit(f, backend=backend, passes=["recompute"]))
    expected = plain(Tensor(X))
    assert float(again(Tensor(X))) == float(expected)
    assert float(whole(Tensor(X))) == pytest.approx(float(expected), rel=1e-14)


def stacked(graph):
    """Bytes that the loops of a graph stack in one turn each."""
    return sum(
        kind.item.nbytes
        for each in graph.all_graphs()
        for node in each.order()
        if node.primitive in (WHILE, FOR)
        for kind in getattr(node.abstract, "items", (node.abstract,))
        if isinstance(kind, AbstractStack) and not isinstance(kind.item, AbstractStack)
    )


def flops(graph):
    return pipeline.measure(graph).flops


def several(x, w):
    for _ in range(100):
        x = ops.tanh(ops.exp(x * w) * ops.sin(x))
    return x


def test_recompute_trades_stacks_for_flops():
    x, w = Tensor(np.ones(8)), Tensor(np.full(8, 0.3))

    def slopes(x, w):
        return ms.grad(several, (0, 1))(x, w)

    plain, again = ms.jit(slopes), ms.jit(slopes, passes=["recompute"])
    before, after = plain.graph(x, w), again.graph(x, w)
    assert (stacked(before), stacked(after)) == (64 * 4, 64)
    assert flops(before) < flops(after) < 2 * flops(before)
    for one, other in zip(plain(x, w), again(x, w), strict=True):
        assert np.array_equal(one.asnumpy(), other.asnumpy())
    record = jit.explain(slopes, x, w, passes=["recompute", "recompute"])
    first, second = [each for each in record.passes if each.name == "recompute"]
    assert first.matches and not second.matches


def test_what_is_read_and_nothing_else_is_kept():
    def f(x, w):
        for _ in range(20):
            x = x + w * 2.0  # linear: nothing is read
        return x

    graph = ms.jit(lambda x, w: ms.grad(f, (0, 1))(x, w)).graph(Tensor(1.0), Tensor(2.0))
    assert stacked(graph) == 0


def test_what_is_the_same_in_every_turn_is_not_kept():
    def f(x, w):
        for _ in range(20):
            x = x * w
        return x

    graph = ms.jit(lambda x, w: ms.grad(f)(x, w)).graph(Tensor(1.0), Tensor(2.0))
    assert stacked(graph) == 0  # of x, dx reads w only
    graph = ms.jit(lambda x, w: ms.grad(f, 1)(x, w)).graph(Tensor(1.0), Tensor(2.0))
    assert stacked(graph) == 4  # of w, dw reads x


def test_what_stop_gradient_gives_is_not_kept():
    def f(x, a):
        for _ in range(20):
            x = ops.sin(ops.stop_gradient(x)) * a
        return x

    graph = ms.jit(lambda x, a: ms.grad(f, (0, 1))(x, a)).graph(Tensor(1.0), Tensor(2.0))
    assert stacked(graph) == 4


def test_a_value_is_stacked_once_in_a_gradient_of_a_gradient():
    def f(x, a):
        for _ in range(20):
            x = ops.exp(x) * a + 1.0
        return x

    graph = vjp(ms.jit(lambda x, a: ms.grad(f)(x, a)).graph(Tensor(1.0), Tensor(0.1)))
    loops = [n for n in graph.order() if n.primitive is FOR and not n.attrs["scanned"]]
    for node in loops:
        outputs = node.graphs[0].outputs
        assert len({*outputs}) == len(outputs)


# effects ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_python_answered_is_kept(backend):
    asked = []

    class Noise:
        """Gives another number each time; Python makes objects, their classes are not read."""

        def __new__(cls, x):
            asked.append(x)
            return len(asked) * 0.5

    def f(x):
        for _ in range(20):
            x = x * Noise(x)
        return x

    def in_graph(x):
        return ms.grad(f)(x)

    found = ms.jit(in_graph, backend=backend)(Tensor(np.float64(1.0)))
    assert len(asked) == 20
    assert float(found) == pytest.approx(np.prod([k * 0.5 for k in range(1, 21)]))


@pytest.mark.parametrize("backend", BACKENDS)
def test_prints_once(backend, capsys):
    def f(x):
        for i in range(18):
            if x > 1.0:
                print("turn", i)
            x = x * 0.9
        return x

    compiled = ms.jit(f, backend=backend)
    for gradient in (
        ms.grad(compiled),
        ms.jit(lambda x: ms.grad(f)(x)),
        ms.grad(ms.grad(compiled)),
    ):
        gradient(Tensor(2.0))
        assert capsys.readouterr().out.count("turn") == 7


def test_recursion_keeps_what_each_call_reads():
    def f(x):
        def again(y, left):
            if left < 1:
                return y
            return again(ops.sin(y) + y, left - 1) * 1.01

        return again(x, Tensor(50) + ops.cast(x * 0, ms.int64))

    graph = ms.jit(lambda x: ms.grad(f)(x)).graph(Tensor(X))
    kinds = {n.abstract for each in graph.all_graphs() for n in each.order()}
    calls = [n for each in graph.all_graphs() for n in each.order() if n.primitive is CALL]
    assert calls and any(KEPT in getattr(kind, "items", (kind,)) for kind in kinds)
    assert float(ms.jit(lambda x: ms.grad(f)(x))(Tensor(X))) == pytest.approx(slope(f), rel=1e-6)
