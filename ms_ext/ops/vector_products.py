"""Products of vectors and matrices by other names: dot, inner, outer, kron, cross, tensordot.

All but mint's own primitives are composites of transposes, reshapes and one matrix product.
"""

import math

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis
from .composite import composite
from .precision import is_half, like, widened
from .shapes import common_dtype, settled


def of_ranks(x, y, ranks, what):
    """Refuse operands that have not the ranks of ``ranks``.

    >>> of_ranks(Tensor([1.0]), Tensor([1.0]), (1, 1), "two vectors")
    """
    if (x.ndim, y.ndim) != ranks:
        raise errors.InvalidValue(
            f"the operands must be {what}.",
            given=f"{list(x.shape)} and {list(y.shape)}",
            hint="ops.matmul takes vectors, matrices and stacks of them.",
        )


def _meet(x, y, inner, other):
    if inner != other:
        raise errors.ShapeMismatch(
            f"the sizes do not fit: {inner} meets {other}.",
            given=f"{list(x.shape)} and {list(y.shape)}",
        )


def product_type(ranks, what):
    """``infer`` of a product of operands of two given ranks, 1 or 2."""

    def infer(x, y):
        of_ranks(x, y, ranks, what)
        _meet(x, y, x.shape[-1], y.shape[0])
        return AbstractTensor(settled(*common_dtype(x, y)), (*x.shape[:-1], *y.shape[1:]))

    return infer


def multiplied(ranks, what):
    """``compute`` of the same; half floats are added up in float32."""

    def compute(x, y):
        of_ranks(x, y, ranks, what)
        if x.dtype == np.bool_:
            return np.matmul(x.astype(np.float32), y.astype(np.float32)) > 0
        return like(np.matmul(widened(x), widened(y)), x) if is_half(x.dtype) else np.matmul(x, y)

    return compute


def flops(out, x, *_rest, **_attributes):
    """Two for each product that is added up."""
    return 2 * out.size * x.shape[-1]


@op(names=("mint.mm",), operands="promote")
class Mm:
    """The product of two matrices.

    >>> mint.mm(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.10000000e+01]])
    """

    infer = product_type((2, 2), "two matrices")
    compute = multiplied((2, 2), "two matrices")
    cost = flops

    def bprop(x, y, _out, dout):
        return ops.MatMul(dout, y, transpose_b=True), ops.MatMul(x, dout, transpose_a=True)

    def samples(rng):
        for x, y in (((2, 3), (3, 4)), ((0, 3), (3, 2)), ((1, 1), (1, 1)), ((2, 0), (0, 3))):
            yield rng.uniform(-1, 1, x), rng.uniform(-1, 1, y)


@op(names=("mint.mv",), operands="promote")
class Mv:
    """The product of a matrix and a vector.

    >>> mint.mv(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.10000000e+01])
    """

    infer = product_type((2, 1), "a matrix and a vector")
    compute = multiplied((2, 1), "a matrix and a vector")
    cost = flops

    def bprop(x, y, _out, dout):
        column = ops.expand_dims(dout, -1)
        return column * y, ops.reshape(ops.MatMul(x, column, transpose_a=True), y.shape)

    def samples(rng):
        for x, y in (((2, 3), (3,)), ((0, 3), (3,)), ((1, 1), (1,)), ((2, 0), (0,))):
            yield rng.uniform(-1, 1, x), rng.uniform(-1, 1, y)


def _of_vectors(rng):
    for n in (3, 1, 0):
        yield rng.uniform(-1, 1, (n,)), rng.uniform(-1, 1, (n,))


@op(names=("mint.dot",), operands="promote")
class Dot:
    """The sum of the products of two vectors.

    >>> mint.dot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 11)
    """

    infer = product_type((1, 1), "two vectors")
    compute = multiplied((1, 1), "two vectors")
    cost = flops
    samples = _of_vectors

    def bprop(x, y, _out, dout):
        return dout * y, dout * x


@op(names=("mint.vdot",), same_as=Dot)
class Vdot:
    """The sum of the products of two vectors; of complex ones, the first conjugated.

    >>> mint.vdot(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 11)
    """


@op(names=("mint.outer",), operands="promote")
class Outer:
    """Every element of one vector times every element of another.

    >>> mint.outer(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 3.00000000e+00,  4.00000000e+00],
     [ 6.00000000e+00,  8.00000000e+00]])
    """

    def infer(x, y):
        of_ranks(x, y, (1, 1), "two vectors")
        return AbstractTensor(settled(*common_dtype(x, y)), (*x.shape, *y.shape))

    def compute(x, y):
        of_ranks(x, y, (1, 1), "two vectors")
        return np.multiply(x[:, None], y)

    def bprop(x, y, _out, dout):
        dx = ops.MatMul(dout, ops.expand_dims(y, -1))
        dy = ops.MatMul(ops.expand_dims(x, 0), dout)
        return ops.reshape(dx, x.shape), ops.reshape(dy, y.shape)

    def samples(rng):
        yield rng.uniform(-1, 1, (3,)), rng.uniform(-1, 1, (2,))
        yield rng.uniform(-1, 1, (0,)), rng.uniform(-1, 1, (2,))


@composite("mm", "Tensor.mm")
def mm(input, mat2):
    """The product of two matrices.

    >>> ops.mm(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.10000000e+01]])
    """
    of_ranks(input, mat2, (2, 2), "two matrices")
    return ops.MatMul(input, mat2)


@composite("mv")
def mv(mat, vec):
    """The product of a matrix and a vector.

    >>> ops.mv(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.10000000e+01])
    """
    of_ranks(mat, vec, (2, 1), "a matrix and a vector")
    return ops.matmul(mat, vec)


@composite("ger", "Tensor.ger")
def ger(input, vec2):
    """Every element of one vector times every element of another.

    >>> ops.ger(Tensor([1.0, 2.0]), Tensor([3.0]))
    Tensor(shape=[2, 1], dtype=Float32, value=
    [[ 3.00000000e+00],
     [ 6.00000000e+00]])
    """
    of_ranks(input, vec2, (1, 1), "two vectors")
    return outer(input, vec2)


@composite("outer", "Tensor.outer")
def outer(input, vec2):
    """Every element of one tensor times every element of another: rows and columns of a matrix.

    >>> ops.outer(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 3.00000000e+00,  4.00000000e+00],
     [ 6.00000000e+00,  8.00000000e+00]])
    """
    if vec2.ndim != 1:
        raise errors.InvalidValue("vec2 must be a vector.", given=f"{list(vec2.shape)}")
    return ops.reshape(input, (-1, 1)) * vec2


@composite("inner", "Tensor.inner")
def inner(input, other):
    """Rows of one times rows of the other, added up: over the last axis of both.

    >>> ops.inner(Tensor([1.0, 2.0]), Tensor([[3.0, 4.0], [5.0, 6.0]]))
    Tensor(shape=[2], dtype=Float32, value= [ 1.10000000e+01,  1.70000000e+01])
    """
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    return tensor_dot(input, other, ((-1,), (-1,)))


@composite("dot")
def dot(input, other):
    """The last axis of one by the second last of the other, both of two axes or more.

    >>> ops.dot(ops.ones((2, 3)), ops.ones((4, 3, 5))).shape
    (2, 4, 5)
    """
    if input.ndim < 2 or other.ndim < 2:
        raise errors.InvalidValue(
            "both operands must have two axes or more.",
            given=f"{list(input.shape)} and {list(other.shape)}",
            hint="For vectors use mint.dot(x, y) or x.dot(y).",
        )
    return tensor_dot(input, other, ((-1,), (-2,)))


@composite("Tensor.dot")
def dot_of(self, other):
    """Of two vectors the sum of their products; of others ``ops.dot``.

    >>> Tensor([1.0, 2.0]).dot(Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 11)
    """
    return ops.Dot(self, other) if self.ndim == other.ndim == 1 else dot(self, other)


@composite("vecdot")
def vecdot(x, y, *, axis=-1):
    """The sum of the products along an axis, with broadcasting.

    >>> ops.vecdot(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  7.00000000e+00])
    """
    return ops.ReduceSum(x * y, axis=axis)


@composite("tensor_dot")
def tensor_dot(x1, x2, axes):
    """Products added up over ``axes``: the last n of x1 with the first n of x2, or two lists.

    >>> ops.tensor_dot(ops.ones((2, 3, 4)), ops.ones((4, 3, 5)), ((2, 1), (0, 1))).shape
    (2, 5)
    """
    one, other = _paired(x1, x2, axes)
    for i, j in zip(one, other, strict=True):
        _meet(x1, x2, x1.shape[i], x2.shape[j])
    kept = tuple(i for i in range(x1.ndim) if i not in one)
    more = tuple(j for j in range(x2.ndim) if j not in other)
    rows, columns = [x1.shape[i] for i in kept], [x2.shape[j] for j in more]
    shared = math.prod(x1.shape[i] for i in one)
    left = ops.reshape(ops.transpose(x1, (*kept, *one)), (math.prod(rows), shared))
    right = ops.reshape(ops.transpose(x2, (*other, *more)), (shared, math.prod(columns)))
    return ops.reshape(ops.matmul(left, right), (*rows, *columns))


def _paired(x1, x2, axes):
    if isinstance(axes, int):
        if not 0 <= axes <= min(x1.ndim, x2.ndim):
            raise errors.InvalidValue(
                "so many axes are not there.", given=f"{axes} of {x1.ndim} and {x2.ndim}"
            )
        return tuple(range(x1.ndim - axes, x1.ndim)), tuple(range(axes))
    one, other = (tuple(a) if isinstance(a, tuple | list) else (a,) for a in axes)
    if len(one) != len(other):
        raise errors.InvalidValue("each axis needs a partner.", given=f"{one} and {other}")
    return (
        tuple(normal_axis(a, x1.ndim) for a in one),
        tuple(normal_axis(a, x2.ndim) for a in other),
    )
