"""Matrices of two dtypes are not multiplied, and what is no tensor is not taken for one.

MindSpore raises TypeError for each of these in both modes; rows of a dataset, which are Float64
unless somebody cast them, meet it first.
"""

import numpy as np
import pytest

import ms_ext as ms
from ms_ext import Tensor, mint, nn, ops
from ms_ext.ops import composite

X = Tensor(np.ones((2, 3), np.float32))
W = Tensor(np.ones((3, 2), np.float32))
PRODUCTS = {
    "matmul": lambda x: ops.matmul(x, W),
    "@": lambda x: x @ W,
    "@ from the right": lambda x: W.T @ x.T,
    "a stack": lambda x: ops.matmul(x[None], W),
    "a vector": lambda x: ops.matmul(x[0], W),
    "MatMul": lambda x: ops.MatMul()(x, W),
    "BatchMatMul": lambda x: ops.BatchMatMul()(x[None], W[None]),
    "bmm": lambda x: ops.bmm(x[None], W[None]),
    "mint.matmul": lambda x: mint.matmul(x, W),
    "dense": lambda x: ops.dense(x, W.T),
    "Dense": nn.Dense(3, 2),
    "Dense of a stack": lambda x: nn.Dense(3, 2)(x[None]),
    "Linear": mint.nn.Linear(3, 2),
    "BiDense": lambda x: nn.BiDense(3, 3, 2)(x, x),
    "addmm": lambda x: ops.addmm(ops.ones((2, 2)), x, W),
    "einsum": lambda x: ops.einsum("ij,jk->ik", x, W),
    "tensor_dot": lambda x: ops.tensor_dot(x, W, 1),
    "Conv2d": lambda x: nn.Conv2d(1, 1, 2)(x[None, None]),
}
DTYPES = [ms.float64, ms.float16, ms.int32]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", PRODUCTS)
def test_two_dtypes_are_refused(name, dtype):
    function, x = PRODUCTS[name], X.astype(dtype)
    assert function(X).dtype == ms.float32
    for way in (function, ms.jit(lambda x: function(x))):
        with pytest.raises(TypeError, match="same as 'x1'|must be of one dtype") as caught:
            way(x)
        assert "astype" in caught.value.hint


def test_the_gradient_of_each_has_its_dtype():
    for dtype in (ms.float16, ms.bfloat16, ms.float32, ms.float64):
        x, w = X.astype(dtype), W.astype(dtype)
        for way in (lambda f: f, ms.jit):
            found = way(ms.grad(lambda x, w: (x @ w).sum(), (0, 1)))(x, w)
            assert [each.dtype for each in found] == [dtype, dtype]


@pytest.mark.parametrize("wrong", [3, None, "x", [1.0], (1.0,)], ids=repr)
def test_what_is_no_tensor_is_refused(wrong, mode):
    for function in (nn.Dense(3, 2), mint.nn.Linear(3, 2), ops.flatten, nn.CrossEntropyLoss()):
        inputs = (wrong, wrong) if isinstance(function, nn.CrossEntropyLoss) else (wrong,)
        with pytest.raises(TypeError, match="must be a Tensor"):
            function(*inputs)


def test_a_mistake_inside_is_not_taken_for_one_of_the_caller():
    def broken(x):
        return object().ndim

    with pytest.raises(AttributeError, match="'object' object has no attribute"):
        composite._naming("broken", broken)(X)
