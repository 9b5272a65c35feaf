"""What the tape says of the memory it holds: now, and of each gradient."""

import threading

import numpy as np
import pytest

from ms_ext import ops
from ms_ext.common import Parameter
from ms_ext.engine import errors, events
from ms_ext.engine.tape import differentiate, record
from ms_ext.engine.tape_memory import tape_held, watch_tape
from ms_ext.engine.tensor import Tensor

N = 1000
X = Tensor(np.ones(N, np.float32))
SIZE = 4 * N
CALLS = 8


def grad(f):
    return lambda x: differentiate(f, (x,), (0,))[1][0]


def chain(step, x):
    for _ in range(CALLS):
        x = step(x)
    return x


def test_each_memory_counts_once():
    def f(x):
        y = x * x  # holds x
        z = y * x  # y, and x again
        return z * y, tape_held()

    memory = differentiate(f, (X,), has_aux=True)[0][1]
    assert memory == (3, 3 * SIZE, 3 * SIZE, {"Mul": (3, 3 * SIZE)})


def test_a_view_holds_all_of_its_memory():
    def f(x):
        y = x + 1
        small = y[:10]
        return ops.sum(small * small), tape_held()

    memory = differentiate(f, (X,), has_aux=True)[0][1]
    assert memory.by_op["Mul"] == (1, SIZE)


def test_arrays_of_numpy_count_as_a_whole():
    array = np.ones((2, N), np.float32)
    memory = differentiate(
        lambda x: (x * x, tape_held()), (Tensor.from_numpy(array[1]),), has_aux=True
    )[0][1]
    assert memory.bytes == 2 * SIZE


def test_ops_are_told_apart_and_what_is_not_kept_is_not_there():
    def f(x):
        y = x + 1
        y = ops.exp(y + 2)
        return ops.sum(y), tape_held()

    memory = differentiate(f, (X,), has_aux=True)[0][1]
    assert memory.by_op["Add"] == (2, 0) and memory.by_op["Exp"] == (1, SIZE)
    assert memory.entries == sum(count for count, _ in memory.by_op.values())


def test_attributes_count():
    places = Tensor(np.arange(0, N, 2))
    memory = differentiate(lambda x: (x[places], tape_held()), (X,), has_aux=True)[0][1]
    assert memory.by_op == {"GetItem": (1, places.nbytes)}


def test_the_account_of_a_gradient():
    with watch_tape() as gradients:
        grad(lambda x: chain(lambda y: y * y, x))(X)
        grad(lambda x: chain(lambda y: y + y, x))(X)
    products, sums = gradients
    assert products.entries == sums.entries == CALLS
    assert (products.bytes, sums.bytes) == (CALLS * SIZE, 0)
    # Beside what is held: the gradient that came, and the sum of two that are handed on.
    assert CALLS * SIZE < products.peak <= (CALLS + 3) * SIZE
    assert SIZE <= sums.peak <= 3 * SIZE
    assert products.by_op == {"Mul": (CALLS, CALLS * SIZE)}


def test_nested_gradients_have_one_account():
    with watch_tape() as gradients:
        grad(grad(lambda x: x * x * x))(X)
    assert len(gradients) == 1 and gradients[0].by_op["Mul"][0] > 2


def test_an_account_is_its_threads_own():
    with watch_tape() as gradients:
        thread = threading.Thread(target=lambda: grad(lambda x: x * x)(X))
        thread.start()
        thread.join()
    assert gradients == []
    grad(lambda x: x * x)(X)
    assert gradients == []


def test_events_carry_the_account():
    def square(x):
        return x * x

    with events.record() as recording:
        grad(square)(X)
    (event,) = recording.of("tape")
    assert (event.name, event.numbers[:2]) == ("square", (1, SIZE))
    assert event.numbers[2] > SIZE and event.end >= event.start


def test_watching_changes_no_gradient():
    w = Parameter(Tensor(np.linspace(1, 2, N)), name="w")
    f = lambda x: ops.sum(ops.sin(x * w) * x[::2].sum())  # noqa: E731
    plain = differentiate(f, (X,), (0,), (w,))
    with watch_tape() as gradients:
        watched = differentiate(f, (X,), (0,), (w,))
    assert len(gradients) == 1
    for one, other in zip(plain[1] + plain[2], watched[1] + watched[2], strict=True):
        assert one.tolist() == other.tolist()


# calls of another kind ---------------------------------------------------------------------------


def squared(x):
    """A call the tape cannot see into, which says what it keeps."""
    out = Tensor(x.asnumpy() ** 2)
    return record("squared", (x,), (out,), lambda dout: (dout * x * 2,), saved=(x,))[0]


def test_a_recorded_call_says_what_it_keeps():
    memory = differentiate(lambda x: (squared(x), tape_held()), (X,), has_aux=True)[0][1]
    assert memory.by_op == {"squared": (1, SIZE)}


def test_arrays_and_lists_of_them_count_as_kept():
    def f(x):
        kept = [np.ones(N), [np.ones((2, N)), None, 3.0]]
        pull = lambda dout: (dout * kept[0],)  # noqa: E731
        out = record("opaque", (x,), (Tensor(x.asnumpy()),), pull, saved=(x, kept))[0]
        return out, tape_held()

    memory = differentiate(f, (X,), has_aux=True)[0][1]
    assert memory.by_op == {"opaque": (1, SIZE + 3 * 8 * N)}


def test_what_a_recorded_call_keeps_may_not_be_written():
    def f(x):
        y = x * 1
        z = squared(y)
        y[0] = 7.0
        return z

    with pytest.raises(errors.NotRunnable, match="'squared' needs a tensor that was written"):
        grad(f)(X)
    assert grad(squared)(X).tolist() == [2] * N
