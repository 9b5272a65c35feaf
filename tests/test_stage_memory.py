"""What a stage reads cannot change under it, and what it writes cannot be seen half-done."""

import threading

import pytest
from stage_calls import X, custom, fresh, pending

from ms_ext import Tensor, ops
from ms_ext.engine.stages import delivery

pytestmark = pytest.mark.usefixtures(fresh.__name__)


def test_a_write_after_the_call_does_not_reach_an_operand_of_it():
    x, gate = Tensor(X), threading.Event()
    y = custom(lambda a: (gate.wait(10), a)[1])(x)
    x[0, 0] = 99.0
    gate.set()
    assert y.asnumpy().tolist() == X.tolist()


def test_a_write_to_shared_numpy_memory_does_not_either():
    array, gate = X.copy(), threading.Event()
    y = custom(lambda a: (gate.wait(10), a)[1])(Tensor.from_numpy(array))
    array[0, 0] = 99.0
    gate.set()
    assert y.asnumpy().tolist() == X.tolist()


def test_a_write_to_a_pending_tensor_waits_for_those_who_read_it():
    x, gate = pending(X)
    late = custom(lambda a: a * 10)(x)
    threading.Timer(0.02, gate.set).start()
    x[0, 0] = 99.0
    assert late.asnumpy().tolist() == (X * 10).tolist()
    assert x.asnumpy().tolist() == [[99, 2], [3, 4]]


def test_an_alias_taken_from_a_result_is_not_read_by_stages():
    x, gate = pending(X)
    late = custom(lambda a: a * 10)(x)
    threading.Timer(0.02, gate.set).start()
    x.asnumpy()[:] = 0
    assert late.asnumpy().tolist() == (X * 10).tolist()
    assert x.asnumpy().tolist() == [[0, 0], [0, 0]]


def test_a_view_of_a_pending_tensor_stays_a_view():
    x, gate = pending(X)
    flat = ops.reshape(x, (4,))
    gate.set()
    x[0, 0] = 99.0
    assert flat.asnumpy().tolist() == [99, 2, 3, 4]


def test_the_transpose_of_a_pending_tensor_is_the_transpose():
    x, gate = pending(X)
    turned = x.T
    gate.set()
    assert turned.asnumpy().tolist() == X.T.tolist()


def test_results_nobody_holds_are_released():
    add, before = custom(lambda a: a + 1), len(delivery._pending)
    x = Tensor(X)
    for _ in range(300):
        x = add(x)
    x.asnumpy()
    assert len(delivery._pending) == before
