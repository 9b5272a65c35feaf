"""Square matrices: inverse, determinant, and the solutions of linear equations.

Each takes stacks of matrices too. Half floats are calculated in float32.
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .composite import composite
from .precision import like, widened
from .shapes import common_dtype, common_shape, float_dtype


def square(x):
    """Refuse what is not a square matrix or a stack of them.

    >>> square(Tensor([[1.0]]))
    """
    if x.ndim < 2:
        raise errors.InvalidValue(
            "the operand must have two axes or more.", given=f"{list(x.shape)}"
        )
    if x.shape[-1] != x.shape[-2]:
        raise errors.InvalidValue("the matrices must be square.", given=f"{list(x.shape)}")


def _like_square(x):
    square(x)
    return AbstractTensor(float_dtype(x.dtype), x.shape)


def turned(x):
    """The last two axes change places.

    >>> turned(ops.ones((2, 3))).shape
    (3, 2)
    """
    order = tuple(range(len(x.shape)))
    return ops.transpose(x, (*order[:-2], order[-1], order[-2]))


def square_samples(rng):
    """Triangles far from singular, also as integers or Bool: one, small, none, a stack, turned."""
    for shape in ((3, 3), (1, 1), (0, 0), (2, 2, 2)):
        yield (np.triu(rng.uniform(-0.9, 0.9, shape)) + 2 * np.eye(shape[-1]),)
    yield ((np.triu(rng.uniform(-0.9, 0.9, (3, 3))) + 2 * np.eye(3)).T,)


def _inverse(x):
    square(x)
    try:
        return like(np.linalg.inv(widened(x)), x)
    except np.linalg.LinAlgError:
        raise errors.InvalidValue(
            "the matrix has no inverse.", given=f"{list(x.shape)}",
            hint="ops.pinv gives the nearest thing to one.",
        ) from None  # fmt: skip


@op(names=("inverse", "Tensor.inverse"), operands="float")
class MatrixInverse:
    """The matrix that undoes x: x @ inverse(x) is the identity.

    >>> ops.inverse(Tensor([[2.0, 0.0], [0.0, 4.0]]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 5.00000000e-01,  0.00000000e+00],
     [ 0.00000000e+00,  2.50000000e-01]])
    """

    infer = _like_square
    samples = square_samples

    def compute(x):
        return _inverse(x)

    def bprop(_x, out, dout):
        return (-(turned(out) @ dout @ turned(out)),)


@op(names=("mint.inverse", "mint.linalg.inv"), same_as=MatrixInverse)
class MatrixInverseExt:
    """The matrix that undoes x, in mint.

    >>> mint.inverse(Tensor([[2.0]])), mint.inverse.name
    (Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 5.00000000e-01]]), 'MatrixInverseExt')
    """


def _one_each(x):
    square(x)
    return AbstractTensor(float_dtype(x.dtype), x.shape[:-2])


@op(names=("det", "matrix_determinant", "Tensor.det", "Tensor.matrix_determinant"),
    operands="float")  # fmt: skip
class MatrixDeterminant:
    """How much a matrix stretches space: 0 if it has no inverse.

    >>> ops.det(Tensor([[2.0, 0.0], [0.0, 4.0]]))
    Tensor(shape=[], dtype=Float32, value= 8)
    """

    infer = _one_each
    samples = square_samples

    def compute(x):
        square(x)
        return like(np.linalg.det(widened(x)), x)

    def bprop(x, _out, dout):
        return (dout[..., None, None] * ops.MatrixCofactor(x),)


@op(operands="float")
class MatrixCofactor:
    """The slope of the determinant: each element's cofactor; there is one of singular ones too.

    >>> ops.MatrixCofactor(Tensor([[1.0, 2.0], [3.0, 4.0]])).round()
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 4.00000000e+00, -3.00000000e+00],
     [-2.00000000e+00,  1.00000000e+00]])
    """

    infer = _like_square
    samples = square_samples

    def compute(x):
        """Of x = u s v the cofactors are det(u v) u s' v, s' the products of the other s."""
        square(x)
        u, s, v = np.linalg.svd(widened(x))
        others = np.stack([np.prod(np.delete(s, i, -1), -1) for i in range(s.shape[-1])], -1) \
            if s.shape[-1] else s  # fmt: skip
        sign = (np.linalg.det(u) * np.linalg.det(v))[..., None, None]
        return like(sign * (u * others[..., None, :]) @ v, x)

    def bprop(x, out, dout):
        """cofactor = det * inverse.T, so it needs an inverse."""
        back = turned(ops.inverse(x))
        along = ops.ReduceSum(dout * back, axis=(-2, -1), keep_dims=True)
        return (along * out - back @ turned(dout) @ out,)


@op(
    names=("slogdet", "log_matrix_determinant", "Tensor.slogdet", "Tensor.log_matrix_determinant"),
    operands="float",
)
class LogMatrixDeterminant:
    """The sign of a determinant, and the logarithm of its size.

    >>> ops.slogdet(Tensor([[1.0, 0.0], [0.0, -1.0]]))
    (Tensor(shape=[], dtype=Float32, value= -1), Tensor(shape=[], dtype=Float32, value= 0))
    """

    samples = square_samples
    outputs = 2

    def infer(x):
        one = _one_each(x)
        return one, one

    def compute(x):
        square(x)
        sign, size = np.linalg.slogdet(widened(x))
        return like(sign, x), like(size, x)

    def bprop(x, _out, dout):
        return (dout[1][..., None, None] * turned(ops.inverse(x)),)


@composite("logdet", "Tensor.logdet")
def logdet(input):
    """The logarithm of the determinant; NaN where that is negative.

    >>> ops.logdet(Tensor([[1.0, 0.0], [0.0, 1.0]]))
    Tensor(shape=[], dtype=Float32, value= 0)
    """
    sign, size = ops.slogdet(input)
    return ops.where(sign < 0, float("nan"), size)


def _solution(x, y):
    square(x)
    if y.ndim < 2 or x.shape[-1] != y.shape[-2]:
        raise errors.InvalidValue(
            "the right side must have a row for each row of the matrix.",
            given=f"{list(x.shape)} and {list(y.shape)}",
            hint="Give a vector a last axis: b.expand_dims(-1).",
        )
    return *common_shape(x.shape[:-2], y.shape[:-2]), *y.shape[-2:]


def solved(x, y):
    """The arrays' X of x @ X = y; half floats in float32.

    >>> solved(np.array([[2.0]]), np.array([[4.0]]))
    array([[2.]])
    """
    _solution(x, y)
    try:
        return like(np.linalg.solve(widened(x), widened(y)), x)
    except np.linalg.LinAlgError:
        raise errors.InvalidValue(
            "the matrix has no inverse.", given=f"{list(x.shape)}",
            hint="ops.lstsq solves what has no exact solution.",
        ) from None  # fmt: skip


@op(names=("matrix_solve",), operands="float")
class MatrixSolve:
    """The X of x @ X = y; with ``adjoint`` of x.T @ X = y.

    >>> ops.matrix_solve(Tensor([[2.0]]), Tensor([[4.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 2.00000000e+00]])
    """

    def infer(x, y, *, adjoint):
        return AbstractTensor(float_dtype(common_dtype(x, y)[0]), _solution(x, y))

    def compute(x, y, *, adjoint=False):
        _solution(x, y)
        return solved(np.swapaxes(x, -1, -2) if adjoint else x, y)

    def bprop(x, _y, out, dout, *, adjoint):
        dy = ops.matrix_solve(x, dout, not adjoint)
        dx = out @ turned(dy) if adjoint else dy @ turned(out)
        return -dx, dy

    def samples(rng):
        for (x,) in square_samples(rng):
            yield x, rng.uniform(-1, 1, (*x.shape[:-1], 2)), {"adjoint": x.ndim == 3}
