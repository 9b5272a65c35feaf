"""Hooks on slots and blocks that run again, in the core itself: both cores have the same."""

import pytest

from ms_ext import ops  # noqa: F401  (tensors get their operators from it)
from ms_ext.common import Parameter
from ms_ext.engine.tape import differentiate
from ms_ext.engine.tensor import Tensor, core

X = Tensor([1.0, 2.0, 3.0])


def block_of(function, log=None):
    """``function`` as an entry that runs again."""

    def run(*inputs):
        before = core.set_recording(False)
        out = function(*inputs)
        core.set_recording(before)

        def pull(dout):
            level = core.again()
            try:
                found = core.backward_to(level, [function(*inputs)], [dout])
                if log is not None:
                    log.append(found)
                return found
            finally:
                core.end_again(level)

        return core.record_block("block", inputs, (out,), pull)[0]

    return run


def test_recording_is_switched_off_and_on():
    def f(x):
        assert core.set_recording(False)
        y = x * 2
        assert not core.set_recording(True)
        return y + x

    assert differentiate(f, (X,))[1][0].tolist() == [1, 1, 1]


def test_hooks_change_what_arrives_at_a_slot():
    def f(x):
        y = x * 2
        assert core.hook(y, lambda gradient: gradient * 10)
        return y * y

    assert differentiate(f, (X,))[1][0].tolist() == [80, 160, 240]


def test_a_leaf_and_what_is_not_on_the_tape_have_no_hook():
    told = []

    def f(x):
        told.append(core.hook(x, lambda gradient: gradient * 10))
        told.append(core.hook(X, lambda gradient: gradient * 10))
        told.append(core.origin(x) is X)
        told.append(core.origin(x * 2))
        return x * 3

    assert differentiate(f, (X,))[1][0].tolist() == [3, 3, 3]
    assert told == [False, False, True, None] and core.origin(X) is None


def test_hooks_of_several_results():
    def f(x):
        parts = ops.split(x, 1)
        core.hook(parts[1], lambda gradient: gradient * 10)
        return parts[0] + parts[1] + parts[2]

    assert differentiate(f, (X,))[1][0].tolist() == [1, 10, 1]


def test_a_block_gives_gradients_to_whatever_it_reads():
    weight, log = Parameter(Tensor([2.0, 2.0, 2.0]), name="weight"), []

    def f(x):
        y = x * 3
        return block_of(lambda x: x * y * weight, log)(x) + x

    _, (dx,), (dw,) = differentiate(f, (X,), weights=(weight,))
    assert dx.tolist() == [13, 25, 37] and dw.tolist() == [3, 12, 27]
    assert [len(found) for found in log] == [3]


def test_a_block_in_a_block():
    inner = block_of(lambda x: x * x)
    outer = block_of(lambda x: inner(x) * inner(x))
    assert differentiate(outer, (X,))[1][0].tolist() == [4, 32, 108]


@pytest.mark.parametrize("order, expected", [(1, [5, 80]), (2, [20, 160]), (3, [60, 240])])
def test_further_derivatives_of_a_block(order, expected):
    fifth = block_of(lambda x: x * x * x * x * x)

    def nth(f, n):
        return f if n == 0 else nth(lambda x: differentiate(f, (x,))[1][0], n - 1)

    assert nth(fifth, order)(Tensor([1.0, 2.0])).tolist() == expected


def test_a_block_that_nobody_differentiates_leaves_nothing():
    out = block_of(lambda x: x * x)(X)
    assert out.tolist() == [1, 4, 9] and core.slot_of(out) == -1


def test_a_result_that_is_an_input_is_another_tensor():
    same = block_of(lambda x: x)
    assert differentiate(lambda x: same(x) * x, (X,))[1][0].tolist() == [2, 4, 6]


def test_a_tensor_that_moved_on_is_refused():
    def f(x):
        y = x * 1
        out = block_of(lambda x: x * y)(x)
        y[0] = 5.0
        return out

    with pytest.raises(RuntimeError, match="that was written in place after it was used"):
        differentiate(f, (X,))


def test_hooks_inside_a_block_are_met_again():
    told = []

    def hooked(x):
        y = x * 2
        core.hook(y, lambda gradient: told.append(gradient.tolist()) or gradient)
        return y * y

    assert differentiate(block_of(hooked), (X,))[1][0].tolist() == [8, 16, 24]
    assert told == [[4, 8, 12]]
    assert differentiate(lambda x: x * 2 * x, (X,))[1][0].tolist() == [4, 8, 12]
