"""beta * x + alpha * (a product of matrices): addmm, addmv, addbmm, baddbmm, addr.

Those of ops are made of ops, those of mint are primitives of their own, as in MindSpore.
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .composite import composite
from .precision import like, widened
from .shapes import common_dtype, common_shape, settled
from .vector_products import of_ranks

_WORDS = {2: "two matrices", 1: "a matrix and a vector", 3: "two stacks of matrices"}


def _matrix(y, z):
    return y[0], z[1]


def _vector(y, _z):
    return (y[0],)


def _summed_stack(y, z):
    return y[1], z[2]


def _stack(y, z):
    return y[0], y[1], z[2]


def _checked(x, y, z, rank, shape_of):
    """The shape of the product, to which x must broadcast."""
    of_ranks(y, z, (max(rank, 2), rank), _WORDS[rank])
    if y.shape[-1] != z.shape[-min(2, rank)] or rank == 3 and y.shape[0] != z.shape[0]:
        raise errors.ShapeMismatch(
            "the matrices cannot be multiplied.", given=f"{list(y.shape)} and {list(z.shape)}"
        )
    shape = shape_of(y.shape, z.shape)
    if common_shape(x.shape, shape) != shape:
        raise errors.InvalidValue(
            "the first operand does not broadcast to the product.",
            given=f"{list(x.shape)} to {list(shape)}",
        )
    return shape


def _sum_type(rank, shape_of):
    def infer(x, y, z, *, beta, alpha):
        shape = _checked(x, y, z, rank, shape_of)
        return AbstractTensor(settled(*common_dtype(x, y, z)), shape)

    return infer


def _sum(rank, shape_of):
    def compute(x, y, z, *, beta=1, alpha=1):
        shape = _checked(x, y, z, rank, shape_of)
        total = np.matmul(widened(y), widened(z))
        total = (np.sum(total, 0) if shape_of is _summed_stack else total) * alpha
        return like(np.broadcast_to(total + widened(x) * beta, shape), x)

    return compute


def _samples(x, y, z):
    def samples(rng):
        yield tuple(rng.uniform(-1, 1, shape) for shape in (x, y, z))
        how = {"beta": 0.5, "alpha": 2.0}
        yield *(rng.uniform(-1, 1, shape) for shape in (x[-1:], y, z)), how

    return samples


def _flops(out, _x, y, *_rest, **_attributes):
    return 2 * out.size * y.shape[-1]


@op(names=("mint.addmm",), operands="promote")
class Addmm:
    """beta * x + alpha * (y @ z), of matrices y and z.

    >>> mint.addmm(Tensor([[1.0]]), Tensor([[2.0]]), Tensor([[3.0]]), beta=10)
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.60000000e+01]])
    """

    infer, compute = _sum_type(2, _matrix), _sum(2, _matrix)
    samples = _samples((2, 3), (2, 4), (4, 3))
    cost = _flops

    def bprop(_x, y, z, _out, dout, *, beta, alpha):
        dy = ops.MatMul(dout, z, transpose_b=True)
        dz = ops.MatMul(y, dout, transpose_a=True)
        return dout * beta, dy * alpha, dz * alpha


@op(names=("mint.addmv",), operands="promote")
class Addmv:
    """beta * x + alpha * (y @ z), of a matrix y and a vector z.

    >>> mint.addmv(Tensor([1.0]), Tensor([[2.0]]), Tensor([3.0]), alpha=10)
    Tensor(shape=[1], dtype=Float32, value= [ 6.10000000e+01])
    """

    infer, compute = _sum_type(1, _vector), _sum(1, _vector)
    samples = _samples((2,), (2, 4), (4,))
    cost = _flops

    def bprop(_x, y, z, _out, dout, *, beta, alpha):
        column = ops.expand_dims(dout, -1)
        dz = ops.reshape(ops.MatMul(y, column, transpose_a=True), z.shape)
        return dout * beta, column * z * alpha, dz * alpha


@op(names=("mint.addbmm",), operands="promote")
class Addbmm:
    """beta * x + alpha * (the sum of the products of the matrices in y and z).

    >>> mint.addbmm(Tensor([[1.0]]), Tensor([[[2.0]]]), Tensor([[[3.0]]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 7.00000000e+00]])
    """

    infer, compute = _sum_type(3, _summed_stack), _sum(3, _summed_stack)
    samples = _samples((2, 3), (2, 2, 4), (2, 4, 3))
    cost = _flops

    def bprop(_x, y, z, _out, dout, *, beta, alpha):
        dy = ops.BatchMatMul(ops.expand_dims(dout, 0), z, transpose_b=True)
        dz = ops.BatchMatMul(y, ops.expand_dims(dout, 0), transpose_a=True)
        return dout * beta, dy * alpha, dz * alpha


@op(names=("mint.baddbmm",), operands="promote")
class Baddbmm:
    """beta * x + alpha * (the products of the matrices in y and z).

    >>> mint.baddbmm(Tensor([[[1.0]]]), Tensor([[[2.0]]]), Tensor([[[3.0]]]))
    Tensor(shape=[1, 1, 1], dtype=Float32, value=
    [[[ 7.00000000e+00]]])
    """

    infer, compute = _sum_type(3, _stack), _sum(3, _stack)
    samples = _samples((2, 2, 3), (2, 2, 4), (2, 4, 3))
    cost = _flops

    def bprop(_x, y, z, _out, dout, *, beta, alpha):
        dy = ops.BatchMatMul(dout, z, transpose_b=True)
        dz = ops.BatchMatMul(y, dout, transpose_a=True)
        return dout * beta, dy * alpha, dz * alpha


@composite("addmm", "Tensor.addmm")
def addmm(input, mat1, mat2, *, beta=1, alpha=1):
    """beta * input + alpha * (mat1 @ mat2), of matrices.

    >>> ops.addmm(Tensor([[1.0]]), Tensor([[2.0]]), Tensor([[3.0]]), beta=10)
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.60000000e+01]])
    """
    of_ranks(mat1, mat2, (2, 2), _WORDS[2])
    return beta * input + alpha * ops.MatMul(mat1, mat2)


@composite("addmv", "Tensor.addmv")
def addmv(input, mat, vec, *, beta=1, alpha=1):
    """beta * input + alpha * (mat @ vec).

    >>> ops.addmv(Tensor([1.0]), Tensor([[2.0]]), Tensor([3.0]), alpha=10)
    Tensor(shape=[1], dtype=Float32, value= [ 6.10000000e+01])
    """
    return beta * input + alpha * ops.mv(mat, vec)


@composite("addr", "Tensor.addr")
def addr(x, vec1, vec2, *, beta=1, alpha=1):
    """beta * x + alpha * (the outer product of two vectors).

    >>> ops.addr(Tensor([[1.0]]), Tensor([2.0]), Tensor([3.0]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 7.00000000e+00]])
    """
    return beta * x + alpha * ops.ger(vec1, vec2)


@composite("addbmm", "Tensor.addbmm")
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    """beta * input + alpha * (the sum of the products of two stacks of matrices).

    >>> ops.addbmm(Tensor([[1.0]]), Tensor([[[2.0]]]), Tensor([[[3.0]]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 7.00000000e+00]])
    """
    return beta * input + alpha * ops.ReduceSum(ops.bmm(batch1, batch2), axis=0)


@composite("baddbmm", "Tensor.baddbmm")
def baddbmm(input, batch1, batch2, beta=1, alpha=1):
    """beta * input + alpha * (the products of two stacks of matrices).

    >>> ops.baddbmm(Tensor([[[1.0]]]), Tensor([[[2.0]]]), Tensor([[[3.0]]]))
    Tensor(shape=[1, 1, 1], dtype=Float32, value=
    [[[ 7.00000000e+00]]])
    """
    return beta * input + alpha * ops.bmm(batch1, batch2)
