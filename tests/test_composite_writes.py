"""A function that is made of ops, and writes to its arguments, does so in graphs as in eager mode.

In a graph such a function runs on symbols; what it writes to is a Parameter, an input, a tensor of
the function's own, and what it reads afterwards is what was written.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import ops


def moved(x, by):
    """Twice: a read after a write sees it."""
    x = ops.ApplyGradientDescent()(x, 1.0, by)
    return ops.ApplyGradientDescent()(x, 1.0, by)


def both(make):
    """What a target holds, and what is returned: eager, compiled, and compiled again."""
    for wrap in (lambda f: f, ms.jit, lambda f: ms.jit(f, capture_mode="trace")):
        target, step = make(), wrap(moved)
        given = [step(target, ms.Tensor([1.0, 2.0])) for _ in range(2)]
        yield target.asnumpy(), given[-1].asnumpy()


@pytest.mark.parametrize(
    "make",
    [lambda: ms.Parameter(ms.Tensor([1.0, 1.0]), name="w"), lambda: ms.Tensor([1.0, 1.0])],
    ids=["Parameter", "Tensor"],
)
def test_an_argument_is_written(make):
    for held, given in both(make):
        np.testing.assert_array_equal(held, [-3.0, -7.0])
        np.testing.assert_array_equal(given, [-3.0, -7.0])


def test_a_parameter_of_a_cell_is_written():
    class Counting(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = ms.Parameter(ms.Tensor([0.0]), name="count")

        def construct(self, x):
            ops.ApplyGradientDescent()(self.count, -1.0, x)
            return self.count * 10.0

    for wrap in (lambda f: f, ms.jit):
        cell = Counting()
        step = wrap(cell.construct)
        assert step(ms.Tensor([2.0])).asnumpy() == [20.0]
        assert step(ms.Tensor([2.0])).asnumpy() == [40.0]
        assert cell.count.asnumpy() == [4.0]


def test_several_targets_of_one_call_are_written_each():
    def step(w, m, v):
        return ops.Adam()(w, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, ms.Tensor([5.0]))[0] + m

    found = []
    for wrap in (lambda f: f, ms.jit):
        names = [ms.Parameter(ms.Tensor([1.0]), name=name) for name in "wmv"]
        result = wrap(step)(*names)
        found.append([result.asnumpy(), *[each.asnumpy() for each in names]])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)
    assert found[0][2] == pytest.approx([1.4])


def test_in_a_branch_and_in_a_loop():
    def step(w, x):
        for _ in range(3):
            if ops.sum(x) > 0:
                ops.ApplyGradientDescent()(w, 1.0, x)
            else:
                ops.ApplyMomentum()(w, ms.Tensor([0.0]), 1.0, -x, 0.0)
        return w + 0.0

    for wrap in (lambda f: f, ms.jit):
        w = ms.Parameter(ms.Tensor([10.0]), name="w")
        assert wrap(step)(w, ms.Tensor([1.0])).asnumpy() == [7.0]
        assert wrap(step)(w, ms.Tensor([-1.0])).asnumpy() == [4.0]


def test_a_written_tensor_shares_no_memory_with_results_or_its_old_views():
    @ms.jit
    def move(x):
        moved = ops.assign(x, x * 2.0)
        return moved, moved + 1.0

    for size in (2, 100_000):  # few elements lie inside the tensor, many on a block of the pool
        x = ms.Tensor(np.ones(size, np.float32))
        old, array = x[:1], x.asnumpy()
        moved, after = move(x)
        x[0] = 50.0
        assert (float(old[0]), array[0], float(moved[0]), float(after[0])) == (1.0, 1.0, 2.0, 3.0)
        moved[1] = 70.0
        assert (float(x[0]), float(x[1])) == (50.0, 2.0)
        held = x.asnumpy()
        move(x)
        assert held[0] == 50.0 and float(x[0]) == 100.0
