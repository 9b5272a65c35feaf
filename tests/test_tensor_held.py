"""What the tape holds, what it says of it, and when it lets go: as the walk back uses it."""

import gc
import weakref

import numpy as np
import pytest

from ms_ext import ops
from ms_ext.engine import errors
from ms_ext.engine.primitive import op
from ms_ext.engine.tape import depth, differentiate
from ms_ext.engine.tape_memory import tape_held
from ms_ext.engine.tensor import Tensor, core

N = 1000
X = Tensor(np.ones(N, np.float32))
SIZE = 4 * N
CALLS = 8


def grad(f):
    return lambda x: differentiate(f, (x,), (0,))[1][0]


def doubling(pull):
    """An op that doubles and keeps its operand; ``pull(x, dout)`` runs on its way back."""

    def bprop(x, _out, dout):
        pull(x, dout)
        return (dout * 2,)

    body = {"__module__": __name__, "compute": lambda x: x * 2, "bprop": bprop}
    return op()(type("Doubling", (), body))


def chain(step, x, seen=None):
    for _ in range(CALLS):
        x = step(x)
        if seen is not None:
            seen.append(weakref.ref(x))
    return x


def alive(references):
    return sum(each() is not None for each in references)


# it lets go --------------------------------------------------------------------------------------


def test_values_and_gradients_go_as_they_are_used():
    values, gradients, counts = [], [], []

    def pull(_x, dout):
        gradients.append(weakref.ref(dout))
        counts.append((tape_held().entries, alive(values), alive(gradients)))

    def f(x):
        last = chain(doubling(pull), x, values)
        return last * 1  # the last value is nobody's but the tape's

    assert grad(f)(X).tolist() == [2**CALLS] * N
    # A rule runs when its call is off the tape, with its own operand and dout still there.
    assert counts == [(left, left, 1) for left in reversed(range(CALLS))]


def test_a_call_without_gradient_goes_too():
    left = []
    first = doubling(lambda _x, _dout: left.append(tape_held().entries))

    def f(x):
        y = first(x)
        chain(lambda z: z * z, y)  # of no use
        return y

    assert grad(f)(X).tolist() == [2] * N and left == [0]


def test_results_of_several_slots_go():
    seen = []

    def f(x):
        first, second = ops.split(x * x, N // 2)
        seen.extend(map(weakref.ref, (first, second)))
        y = doubling(lambda _x, _dout: counts.append(alive(seen)))(x)
        return first * first, second * second, y

    counts = []
    assert grad(f)(X).tolist() == [4 + 2] * N
    assert counts == [0]  # walked last of all: x * x and both halves were used before


def test_an_inner_walk_keeps_what_the_outer_one_needs():
    entries, deeper = [], []

    def pull(_x, _dout):
        (deeper if depth() else entries).append(tape_held().entries)

    step = doubling(pull)
    second = grad(grad(lambda x: chain(step, x) * x))(X)
    assert second.tolist() == [2 * 2**CALLS] * N
    # The inner walk only adds to the tape; the outer one takes from it, call by call.
    assert len(deeper) == CALLS and deeper == sorted(deeper) and deeper[0] > CALLS
    assert entries == list(reversed(range(CALLS)))


def test_three_levels():
    cube = lambda x: x * x * x * x  # noqa: E731
    x = Tensor(np.float64(2))
    assert [f(x).item() for f in (grad(grad(cube)), grad(grad(grad(cube))))] == [48, 48]


def test_a_walk_while_another_level_records():
    """The derivative along a direction, by two walks: the first is recorded for the second."""
    seen, f = [], lambda x: ops.sin(x) * x  # noqa: E731
    x, along = Tensor(np.float64([1, 2])), Tensor(np.float64([3, 5]))
    first = core.open_tape()
    try:
        at = core.leaf(first, x)
        core.start_recording()
        out = f(at)
        second = core.open_tape()
        try:
            weights = core.leaf(second, Tensor(np.ones(2)))
            core.start_recording()
            gradient = core.backward(first, [out], [weights])[core.slot_of(at)]
            seen.append(tape_held().entries)
            core.stop_recording(second)
            core.stop_recording(first)
            found = core.backward(second, [gradient], [along])[core.slot_of(weights)]
            seen.append(tape_held().entries)
        finally:
            core.close_tape(second)
    finally:
        core.close_tape(first)
    x, along = x.asnumpy(), along.asnumpy()
    np.testing.assert_allclose(found.asnumpy(), along * (np.cos(x) * x + np.sin(x)))
    assert seen[0] > 2 and seen[1] == 2  # the first walk's calls are used; those of f stay


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
@pytest.mark.parametrize("levels", [1, 2])
def test_an_error_on_the_way_back_leaves_nothing(error, levels):
    values, turns = [], []

    def pull(_x, _dout):
        turns.append(1)
        if len(turns) == CALLS // 2:
            raise error

    f = lambda x: chain(doubling(pull), x, values) * x  # noqa: E731
    for _ in range(levels):
        f = grad(f)
    with pytest.raises(error):
        f(X)
    assert tape_held() == (0, 0, 0, {}) and depth() == 0
    gc.collect()
    assert alive(values) == 0
    assert grad(lambda x: x * x)(X).tolist() == [2] * N


def test_a_rule_that_takes_a_gradient_itself():
    inside = []

    def pull(x, _dout):
        inside.append(grad(lambda y: y * y * y)(Tensor(np.float32(len(inside)))).item())
        inside.append(tape_held().entries)

    assert grad(lambda x: chain(doubling(pull), x))(X).tolist() == [2**CALLS] * N
    assert inside[1::2] == list(reversed(range(CALLS)))
    assert inside[::2] == [3 * turn * turn for turn in range(0, 2 * CALLS, 2)]


def test_what_runs_when_a_value_dies_may_take_a_gradient():
    found, kept = [], []

    def f(x):
        y = x * x
        kept.append(weakref.ref(y, lambda _: found.append(grad(lambda z: z * z)(X).tolist()[0])))
        return y * y

    assert grad(f)(X).tolist() == [4] * N
    assert found == [2]


def test_views_and_writes_on_the_way():
    def f(x):
        y = x * 1
        y[0] = x[1] * 3
        return ops.sum(y * y)

    gradient = grad(f)(Tensor([1.0, 2.0, 4.0]))
    assert gradient.tolist() == [0, 40, 8]
    written = Tensor([1.0, 2.0])

    def late(x):
        y = x * written
        written[0] = 5.0
        return y

    with pytest.raises(errors.NotRunnable, match="written in place"):
        grad(late)(Tensor([3.0, 4.0]))
    assert tape_held().entries == 0
