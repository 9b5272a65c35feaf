"""A later call of a compiled function goes straight to its kernel: when, and when not.

What is counted is how often the long way (``answer``) is taken.
"""

import warnings

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import nn, ops
from ms_ext.engine import errors, events, registry
from ms_ext.engine.jit import JitFunction

X, Y = ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), ms.Tensor(np.ones(3, np.float32))
FACTOR = 2.0


class Counted(JitFunction):
    """A compiled function that counts its long ways."""

    long_ways = 0

    def answer(self, args, kwargs):
        self.long_ways += 1
        return super().answer(args, kwargs)


def same(result, expected):
    return type(result) is ms.Tensor and np.array_equal(result.asnumpy(), expected)


def test_the_second_call_is_short():
    compiled = Counted(lambda x, y: x * 2.0 + y)
    for _ in range(3):
        assert same(compiled(X, Y), X.asnumpy() * 2 + Y.asnumpy())
    assert compiled.long_ways == 1


def test_each_call_has_a_result_of_its_own():
    compiled = ms.jit(lambda x: x + 1.0)
    for size in (3, 100, 100_000):
        x = ms.Tensor(np.zeros(size, np.float32))
        compiled(x)
        one, other = compiled(x), compiled(x)
        one.asnumpy()[:] = 7
        assert same(other, np.ones(size, np.float32))
        assert not x.asnumpy().any()


@pytest.mark.parametrize(
    "other",
    [
        ms.Tensor(np.ones((2, 3), np.int32)),
        ms.Tensor(np.ones((3, 2), np.float32)),
        ms.Tensor(np.ones(3, np.float32)),
        np.ones((2, 3), np.float32),
        2.0,
        None,
    ],
    ids=["dtype", "shape", "axes", "array", "number", "nothing"],
)
def test_another_kind_of_argument_takes_the_long_way(other):
    compiled = Counted(lambda x: x is None or x * 3.0)
    compiled(X)
    compiled(X)
    result = compiled(other)
    assert compiled.long_ways == 2
    assert result is True if other is None else np.all(np.asarray(result) == np.asarray(other) * 3)


def test_strided_tensors_are_short_too():
    compiled = Counted(lambda x: x + 1.0)
    turned = X.T
    for _ in range(3):
        assert same(compiled(turned), X.asnumpy().T + 1)
    assert compiled.long_ways == 1


def test_constants_are_compared_by_type_and_value():
    compiled = Counted(lambda x, k: x * k)
    for k in (2, 2, 2.0, True, 3, 2, -0.0, 0.0):
        result = compiled(X, k).asnumpy()
        assert np.array_equal(result, X.asnumpy() * k)
        assert np.array_equal(np.signbit(result), np.signbit(X.asnumpy() * np.float32(k)))
    assert compiled.compiled == 6


def test_a_few_kinds_of_calls_are_remembered():
    compiled = Counted(lambda x: x + 1)
    kinds = [ms.Tensor(np.zeros(n, np.float32)) for n in range(1, 4)]
    for _ in range(5):
        for each in kinds:
            compiled(each)
    assert compiled.long_ways == 3


def test_lists_and_keywords_take_the_long_way():
    compiled = Counted(lambda pair, y=None: pair[0] + pair[1])
    pair = [X, X]
    compiled(pair)
    pair[1] = Y
    assert same(compiled(pair), X.asnumpy() + Y.asnumpy())
    compiled(pair, y=1)
    assert compiled.long_ways == 3


def test_several_results_and_structures():
    compiled = Counted(lambda x, y: {"sum": x + y, "both": (x * 2.0, [y])})
    for _ in range(3):
        found = compiled(X, Y)
        assert same(found["sum"], X.asnumpy() + Y.asnumpy())
        assert same(found["both"][0], X.asnumpy() * 2)
        assert same(found["both"][1][0], Y.asnumpy())
    assert compiled.long_ways == 1


def test_a_number_as_result_takes_the_long_way():
    compiled = Counted(lambda x: (x + 1, 2))
    assert compiled(X)[1] == compiled(X)[1] == 2


def test_what_is_recorded_takes_the_long_way():
    compiled = Counted(lambda x: (x * x).sum())
    compiled(X)
    compiled(X)
    assert same(ms.grad(compiled)(X), 2 * X.asnumpy())
    compiled(X)
    assert compiled.long_ways == 2


def test_events_are_told_of_every_call():
    compiled = Counted(lambda x: x + 1)
    compiled(X)
    with events.record() as recording:
        compiled(X)
    assert recording.of("op") or recording.of("fallback")
    compiled(X)
    assert compiled.long_ways == 2


def test_what_is_declared_again_is_looked_up_again():
    compiled = Counted(lambda x: x + 1)
    compiled(X)
    registry.declared()
    compiled(X)
    compiled(X)
    assert (compiled.long_ways, compiled.compiled) == (2, 1)


def test_a_global_that_changes_is_noticed(monkeypatch):
    compiled = ms.jit(lambda x: x * FACTOR)
    compiled(X)
    compiled(X)
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    with pytest.warns(errors.MsExtWarning, match="FACTOR") as caught:
        compiled(X)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled(X)


def test_a_cell_and_its_parameters():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = ms.Parameter(ms.Tensor(np.ones(3, np.float32)), "w")

        @ms.jit
        def construct(self, x):
            return ops.relu(x * self.weight)

    net, other = Net(), Net()
    net(X)
    net.weight.set_data(ms.Tensor(np.full(3, 5, np.float32)))
    assert same(net(X), X.asnumpy() * 5)
    assert same(other(X), X.asnumpy())
    assert same(net(X), X.asnumpy() * 5)


def test_what_is_written_to_takes_the_long_way():
    def count(x):
        x += 1.0
        return x

    compiled, x = Counted(count), ms.Tensor(np.zeros(3, np.float32))
    for turn in range(1, 4):
        compiled(x)
        assert x.asnumpy()[0] == turn
    assert compiled.long_ways == 3


def test_errors_of_the_long_way_are_the_errors():
    compiled = ms.jit(lambda x, y: x + y)
    compiled(X, Y)
    with pytest.raises(TypeError):
        compiled(X)
    with pytest.raises(ValueError, match="shape"):
        compiled(X, ms.Tensor(np.ones(7, np.float32)))
