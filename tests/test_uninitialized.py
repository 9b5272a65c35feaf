"""An initializer's tensor says ``<uninitialized>`` until something asks for its numbers."""

import copy
import pickle

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Parameter, Tensor, ops
from ms_ext.common.initializer import One, initializer

DRAWN = "Tensor(shape=[2], dtype=Float32, value=<uninitialized>)"


def ones(*shape, dtype=ms.float32):
    return Tensor(shape=shape, dtype=dtype, init=One())


def written(x):
    x[0] = 1.0


#: What MindSpore lets initialise a tensor, and what only works here.
FIRST_USES = {
    "init_data": lambda x: x.init_data(),
    "asnumpy": lambda x: x.asnumpy(),
    "np.asarray": np.asarray,
    "Parameter": lambda x: Parameter(x, name="p"),
    "jit": lambda x: ms.jit(ops.exp)(x),
    "assign_value": lambda x: x.assign_value(Tensor([1.0, 1.0])),
    "an op": lambda x: x + 1,
    "gradient": lambda x: ms.grad(ops.exp)(x),
    "an index": lambda x: x[0],
    "written to": written,
    "a view": lambda x: x.T,
    "tolist": lambda x: x.tolist(),
    "Tensor": Tensor,
    "copy": lambda x: x.copy(),
    "copy.copy": copy.copy,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "repr": repr,
}
NO_USES = {
    "str": str,
    "format": lambda x: f"{x}",
    "shape": lambda x: (x.shape, x.dtype, x.ndim, x.size, x.nbytes, x.itemsize, x.strides),
    "len": len,
    "is_tensor": ms.is_tensor,
}


@pytest.mark.parametrize("make", [lambda: ones(2), lambda: initializer("ones", (2,))])
def test_until_init_data(make):
    x = make()
    assert x.has_init and str(x) == f"{x}" == DRAWN
    assert x.init_data() is x
    assert not x.has_init and str(x) == "[1. 1.]"


@pytest.mark.parametrize("name", FIRST_USES)
def test_a_first_use(name):
    x = ones(2)
    FIRST_USES[name](x)
    assert not x.has_init and str(x) == "[1. 1.]"


@pytest.mark.parametrize("name", NO_USES)
def test_no_use(name):
    x = ones(2)
    NO_USES[name](x)
    assert x.has_init and str(x) == DRAWN


@pytest.mark.parametrize(
    ("shape", "dtype", "shown"),
    [
        ((), ms.float32, "Tensor(shape=[], dtype=Float32, value=<uninitialized>)"),
        ((1,), ms.int32, "Tensor(shape=[1], dtype=Int32, value=<uninitialized>)"),
        ((2, 2), ms.float16, "Tensor(shape=[2, 2], dtype=Float16, value=\n<uninitialized>)"),
        ((1, 2, 3), ms.float32, "Tensor(shape=[1, 2, 3], dtype=Float32, value=\n<uninitialized>)"),
    ],
)
def test_as_mindspore_shows_it(shape, dtype, shown):
    assert str(ones(*shape, dtype=dtype)) == shown


@pytest.mark.parametrize(
    "make",
    [
        lambda: Tensor([1.0]),
        lambda: initializer(Tensor([1.0]), (1,)),
        lambda: ones(1) * 2,
        lambda: Tensor(ones(1)),
        lambda: Parameter(ones(1), name="p"),
    ],
)
def test_others_have_their_numbers(make):
    x = make()
    assert not x.has_init and "<uninitialized>" not in str(x)


def test_both_operands_of_one_op():
    x = ones(2)
    assert (x * x).asnumpy().tolist() == [1, 1]
