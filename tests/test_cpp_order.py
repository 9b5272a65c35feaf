"""Operators in C++ and Python's ops are one program: every order gives what one thread gives."""

import gc
import os
import random
from pathlib import Path

import numpy as np
import pytest
from cpp_order import MODULO, at_rest, order
from extension_modules import needs_compiler, needs_pybind11

import ms_ext as ms
from ms_ext import Tensor, runtime

FIXTURES = order, at_rest
pytestmark = [needs_compiler, needs_pybind11]


def steps(order, rng):
    """One drawn step: it answers a new tensor or None."""
    slow = rng.choice([0, 0, 0, 200])
    return rng.choice(
        [
            lambda a, b: order.add(a, b, slow),
            lambda a, b: order.add(order.add(a, b), b, slow),
            lambda a, b: order.grow(a, slow),
            lambda a, b: (a * 0.5 + b) % 97,
            lambda a, b: b - 1,
            MODULO,
            lambda a, b: a.T + 0,
            lambda a, b: a[0] + b,
            lambda a, b: a.__setitem__((0, 0), rng.randrange(50)),
            lambda a, b: a.asnumpy() is None,
        ]
    )


def program(order, seed, length):
    """The values of all tensors after drawn steps on few tensors and views of them."""
    rng = random.Random(seed)
    shape = rng.choice([(2, 2), (5, 5)])
    start = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    tensors = [Tensor(start + i) for i in range(3)]
    views = [tensors[0][0], tensors[1].T]
    for _ in range(length):
        made = steps(order, rng)(rng.choice(tensors), rng.choice(tensors))
        if isinstance(made, Tensor):
            tensors.append(made)
        tensors = tensors[:3] + tensors[3:][-5:]
    return [each.asnumpy().copy() for each in tensors + views]


def compared(order, seeds, length, policy):
    for seed in seeds:
        with runtime.dispatch("blocking"):
            wanted = program(order, seed, length)
        with runtime.dispatch(policy):
            found = program(order, seed, length)
        for one, other in zip(wanted, found, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=f"seed {seed}, {policy}")


@pytest.mark.parametrize("policy", ["auto", "stages"])
def test_200_interleavings_equal_the_blocking_run(order, policy):
    compared(order, range(200), 30, policy)


@pytest.mark.long
@pytest.mark.parametrize("policy", ["auto", "stages"])
def test_many_more_interleavings(order, policy):
    compared(order, range(1000, 2500), 60, policy)


def test_where_mindspore_races_the_answer_is_right(order):
    r = a = Tensor(np.array([1, 2], np.float32))
    for _ in range(100):
        r = order.add(order.add(r, a * 0), a)
    assert r.asnumpy().tolist() == [101, 202]


def test_a_write_comes_after_what_was_called_before_it(order):
    x = Tensor(np.zeros(3, np.float32))
    before = order.add(x, x, 3000)
    x[1] = 5
    assert before.asnumpy().tolist() == [0, 0, 0] and x.asnumpy().tolist() == [0, 5, 0]


def test_what_an_operator_writes_is_seen_through_earlier_views_and_by_compiled_functions(order):
    doubled = ms.jit(lambda x: x * 2)
    x = Tensor(np.zeros((2, 3), np.float32))
    doubled(x)
    row = x[1]
    order.grow(x, 2000)
    assert row.asnumpy().tolist() == [1, 1, 1]
    order.grow(x, 2000)
    assert doubled(x).asnumpy().tolist() == [[4, 4, 4]] * 2
    order.grow(row, 2000)
    assert (x + 0).asnumpy().tolist() == [[2, 2, 2], [3, 3, 3]]


def test_100_000_calls_in_a_row_need_no_more_memory_than_few(order):
    x = Tensor(np.ones((64, 64), np.float32))

    def peak(count):
        most = 0
        for i in range(count):
            last = order.add(x, x)
            if i % 256 == 0:
                most = max(most, resident())
        last.asnumpy()
        gc.collect()
        return most

    few = peak(2000)
    assert peak(100_000) < few + (32 << 20)


def resident():
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
