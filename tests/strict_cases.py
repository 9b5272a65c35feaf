"""Bprops that are wrong in many ways, and the places a gradient is taken in, for test_strict*."""

import numpy as np
import pytest
from custom_ops import F32, X, Y, mul_bprop, value

import ms_ext as ms
from ms_ext import Tensor, grad, jit, nn, ops
from ms_ext import dtype as dtypes
from ms_ext.engine import strict


@pytest.fixture(autouse=True)
def as_mindspore():
    """Every test here asks for MindSpore's answers."""
    with strict.as_mindspore():
        yield


@pytest.fixture
def check_bprop():
    """MindSpore's check of bprops is on."""
    ms.set_context(check_bprop=True)
    yield
    ms.set_context(check_bprop=False)


class Around(nn.Cell):
    """A Cell around an op."""

    def __init__(self, op):
        super().__init__()
        self.op = op

    def construct(self, x, y):
        return self.op(x, y)


def _function(op):
    return grad(lambda x, y: op(x, y), (0, 1))(Tensor(X), Tensor(Y))


def _jit(op):
    return jit(lambda x, y: grad(lambda x, y: op(x, y), (0, 1))(x, y))(Tensor(X), Tensor(Y))


def _graph_cell(op):
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        return grad(Around(op), (0, 1))(Tensor(X), Tensor(Y))
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def _eager_cell(op):
    return grad(Around(op), (0, 1))(Tensor(X), Tensor(Y))


EAGER = {"function": _function, "Cell": _eager_cell}
GRAPH = {"jit": _jit, "Cell in graph mode": _graph_cell}


def mul(bprop):
    """x * y."""
    return ops.Custom(lambda x, y: x * y, (2, 2), F32, bprop=bprop)


def plain(result):
    """A gradient as it can be compared: (dtype, elements), or the Python value it is."""
    return (str(result.dtype), value(result)) if isinstance(result, Tensor) else result


DX, DY = ("Float32", Y.tolist()), ("Float32", X.tolist())
ZEROS = ("Float32", [[0, 0], [0, 0]])
FLAT = ("Float32", [5, 6, 7, 8])
BPROPS = {
    "right": mul_bprop,
    "three": lambda x, y, out, dout: (dout * y, dout * x, dout),
    "shape": lambda x, y, out, dout: ((dout * y).reshape((4,)), dout * x),
    "one column": lambda x, y, out, dout: ((dout * y)[:, :1], dout * x),
    "second shape": lambda x, y, out, dout: (dout * y, (dout * x).reshape((4,))),
    "dtype": lambda x, y, out, dout: ((dout * y).astype(dtypes.float16), dout * x),
    "float": lambda x, y, out, dout: (1.0, dout * x),
    "int": lambda x, y, out, dout: (1, dout * x),
    "first None": lambda x, y, out, dout: (None, dout * x),
    "second None": lambda x, y, out, dout: (dout * y, None),
    "one": lambda x, y, out, dout: (dout * y,),
    "bare": lambda x, y, out, dout: dout * y,
    "list": lambda x, y, out, dout: [dout * y, dout * x],
    "empty": lambda x, y, out, dout: (),
    "text": lambda x, y, out, dout: ("a", dout * x),
    "array": lambda x, y, out, dout: (np.ones((2, 2), np.float32), dout * x),
    "nested": lambda x, y, out, dout: ((dout * y, dout * x),),
    "nothing": lambda x, y, out, dout: None,
    "too few": lambda x, y, dout: (dout * y, dout * x),
    "too many": lambda x, y, out, dout, more: (dout * y, dout * x),
    "star": lambda *all: (all[3] * all[1], all[3] * all[0]),
    "default": lambda x, y, out, dout, k=2: (dout * y, dout * x),
    "none": None,
    "three itself": 3,
}


def said(kind, call):
    """What an error says, which is of this built-in class."""
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)
