"""Custom ops that several tests use, and the policies under which everything must hold."""

import numpy as np
import pytest

from ms_ext import dtype as dtypes
from ms_ext import jit, ops, runtime
from ms_ext.engine import stages

F32 = dtypes.float32
X = np.array([[1, 2], [3, 4]], np.float32)
Y = np.array([[5, 6], [7, 8]], np.float32)


@pytest.fixture(params=["auto", "blocking"])
def policy(request):
    """Everything holds whether the stages run on their threads or on the caller's."""
    before = stages.use(request.param)
    yield request.param
    stages.use(before)
    try:
        runtime.synchronize()
    except Exception:  # an error that the test left behind on purpose
        runtime.synchronize()


def mul_bprop(x, y, out, dout):
    """The right one for x * y."""
    return dout * y, dout * x


def my_mul(bprop=mul_bprop):
    """x * y, with infer functions as they are often written."""
    return ops.Custom(lambda x, y: x * y, lambda x, y: x.shape, lambda x, y: x.dtype, bprop=bprop)


def twice(bprop):
    """x + x on (2, 2) float32."""
    return ops.Custom(lambda x: x + x, (2, 2), F32, bprop=bprop)


def two_outputs(bprop=None):
    """2 x and x * x."""
    return ops.Custom(lambda x: (2 * x, x * x), ((2, 2), (2, 2)), (F32, F32), bprop=bprop)


def value(result):
    """Elements as lists."""
    return result.asnumpy().tolist()


MODES = {"eager": lambda function: function, "graph": jit}


@pytest.fixture(params=MODES)
def mode(request):
    """Run a function as it is, or compiled."""
    return MODES[request.param]


def same(x, *_others):
    """What an infer function says of a result like the first input."""
    return x


def halved():
    """x / 2, and how often it was calculated."""
    calls = []

    def half(x):
        calls.append(x)
        return x / 2

    return ops.Custom(half, same, same, bprop=lambda x, out, dout: (dout / 2,)), calls


def names_of(func_graph):
    """The ops of a graph by name, in order."""
    return [node.primitive.name for node in func_graph.order()]
