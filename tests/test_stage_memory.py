"""What a stage reads cannot change under it, and what it writes cannot be seen half-done."""

import random
import threading

import numpy as np
import pytest
from stage_calls import X, custom, fresh, pending

from ms_ext import Tensor, ops
from ms_ext.engine import stages
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
    threading.Timer(0.05, gate.set).start()  # a view waits for the memory it is a view of
    turned = x.T
    assert turned.asnumpy().tolist() == X.T.tolist()


def test_results_nobody_holds_are_released():
    add, before = custom(lambda a: a + 1), len(delivery._pending)
    x = Tensor(X)
    for _ in range(300):
        x = add(x)
    x.asnumpy()
    assert len(delivery._pending) == before


def program(choices):
    """Forty steps that share, write and view memory; what the tensors hold at the end."""
    add_one = custom(lambda a: a + 1)
    pool = [Tensor(X), Tensor(X * 2)]
    for _ in range(40):
        a, b = choices.choice(pool), choices.choice(pool)
        step, row, number = choices.randrange(7), choices.randrange(2), float(choices.randrange(9))
        if step == 0:
            pool.append(add_one(a))
        elif step == 1:
            pool.append(a * 0.5 + b)
        elif step == 2:
            pool.append(ops.reshape(ops.reshape(a, (4,)), (2, 2)))
        elif step == 3:
            a[row, 1] = number
        elif step == 4:
            a.asnumpy()[row, :] = number
        elif step == 5:
            array = np.full((2, 2), number, np.float32)
            pool.append(add_one(Tensor.from_numpy(array)))
            array[:] = -1
        else:
            float(b.sum())
        pool = pool[-6:]
    return [tensor.asnumpy().tolist() for tensor in pool]


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_give_the_same_in_every_policy(seed):
    found = {}
    for policy in ("blocking", "stages", "auto"):
        stages.use(policy)
        found[policy] = program(random.Random(seed))
    assert found["stages"] == found["blocking"]
    assert found["auto"] == found["blocking"]
