"""Tensors, tapes and interpreters on several threads."""

import threading

import numpy as np
import pytest

from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine import primitive
from ms_ext.engine.tape import differentiate
from ms_ext.engine.tensor import Tensor, core


def on_threads(*works):
    """Run the works at once, each on its own thread; their results, or the first error."""
    results: list = [None] * len(works)

    def run(i):
        try:
            results[i] = (works[i](), None)
        except BaseException as error:  # raised again below
            results[i] = (None, error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(works))]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
        assert not t.is_alive()
    failed = [error for _, error in results if error is not None]
    failed.sort(key=lambda error: isinstance(error, threading.BrokenBarrierError))
    if failed:
        raise failed[0]
    return [value for value, _ in results]


def test_a_tensor_that_crosses_threads_is_a_constant_there():
    """With a generation counter per thread this gave 3051 instead of 864, silently."""
    crossing: list = [None, None]
    meet = threading.Barrier(2, timeout=20)

    def work(me):
        def f(x):
            for _ in range(3 + me):
                x = x * 1.5
            crossing[me] = x
            meet.wait()
            y = x * crossing[1 - me]
            meet.wait()
            return y

        x = Tensor(np.float64(2.0))
        return differentiate(f, (x,), (0,))[1][0].item(), crossing[1 - me].item() * 1.5 ** (3 + me)

    for got, expected in on_threads(lambda: work(0), lambda: work(1)):
        assert got == pytest.approx(expected)


def test_one_parameter_on_two_threads():
    """Each thread has the parameter on its own tape."""
    w = Parameter(Tensor(3.0), name="w")
    meet = threading.Barrier(4, timeout=20)

    def work(k):
        def f():
            meet.wait()
            y = w * w * k
            meet.wait()
            return y * w

        for _ in range(20):
            got = differentiate(f, (), (), (w,))[2][0].item()
        return got

    assert on_threads(*[lambda k=k: work(k) for k in (1, 2, 3, 4)]) == [27, 54, 81, 108]


def test_an_interpreter_is_its_threads_own():
    seen = []

    def watch(op, operands, attributes):
        seen.append(op.name)
        return core.default(op, operands, attributes)

    with primitive.interpreting(watch):
        on_threads(lambda: ops.exp(Tensor([1.0])))
    assert seen == []


def test_recording_is_its_threads_own():
    x = Tensor([1.0, 2.0])

    def f(a):
        other = on_threads(lambda: (a * a).tolist())[0]
        return a * Tensor(other)

    assert differentiate(f, (x,), (0,))[1][0].tolist() == [1, 4]


def test_many_short_threads():
    def work():
        g = differentiate(lambda x: ops.sum(x * x), (Tensor(np.ones(50)),), (0,))[1][0]
        return g.tolist()[0]

    for _ in range(30):
        assert on_threads(work, work) == [2, 2]


def test_big_operands_let_other_threads_run():
    x = Tensor(np.ones(200_000, np.float32))
    results = on_threads(*[lambda: [(x + x).asnumpy().sum() for _ in range(10)]] * 3)
    assert all(r == [400_000.0] * 10 for r in results)
