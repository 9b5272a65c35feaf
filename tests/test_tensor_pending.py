"""Tensors whose value is still to come: what waits for it, and what does not."""

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext import ops
from ms_ext.engine import errors
from ms_ext.engine.tensor import Tensor, core

X, Y = Tensor([1.0, 2.0, 3.0]), Tensor([4.0, 5.0, 6.0])


@pytest.fixture
def waits():
    """(tensor, need) of every wait; the waiter delivers [1, 2] as float32."""
    told = []

    def deliver(tensor, need):
        told.append(need)
        if need == "shape":
            core.set_meta(tensor, dtypes.float32, (2,))
        else:
            core.set_ready(tensor, Tensor([1.0, 2.0]))

    before = core.set_waiter(deliver)
    yield told
    core.set_waiter(before)


READS = [
    lambda t: t.asnumpy(),
    lambda t: t.tolist(),
    repr,
    str,
    lambda t: t + 1,
    lambda t: 1 + t,
    lambda t: t.T,
    lambda t: t[0],
    lambda t: np.asarray(t),
    lambda t: ops.sum(t),
    lambda t: Tensor(t),
    lambda t: t == t,
    lambda t: -t,
    lambda t: list(t),
    lambda t: t.__setitem__(0, 1),
    lambda t: t.__reduce_ex__(2),
]


@pytest.mark.parametrize("read", READS)
def test_reading_waits_for_the_elements(waits, read):
    read(core.placeholder())
    assert "data" in waits


def test_shape_and_dtype_wait_for_less(waits):
    t = core.placeholder()
    assert (t.shape, t.dtype, t.ndim, t.size, t.nbytes) == ((2,), dtypes.float32, 1, 2, 8)
    assert waits == ["shape"]
    assert core.raw(t).shape == (2,) and waits == ["shape"]
    core.raw(t)[:] = 7
    core.set_ready(t)
    assert t.asnumpy().tolist() == [7, 7] and waits == ["shape"]


def test_a_tensor_that_never_comes_is_an_error(waits):
    core.set_waiter(None)
    with pytest.raises(errors.NotRunnable, match="never got its value"):
        core.placeholder().asnumpy()


def test_the_dispatcher_is_asked_when_asynchronous(waits):
    asked = []

    def dispatch(op, operands, attributes):
        asked.append(op.name)
        return core.placeholder() if op is ops.Mul else NotImplemented

    dispatcher, before = core.set_dispatcher(dispatch), core.asynchronous(True)
    try:
        later = X * Y
        now = X + Y
    finally:
        core.asynchronous(before)
        core.set_dispatcher(dispatcher)
    assert asked == ["Mul", "Add"] and waits == [] and now.asnumpy().tolist() == [5, 7, 9]
    assert later.asnumpy().tolist() == [1, 2] and waits == ["data"]
