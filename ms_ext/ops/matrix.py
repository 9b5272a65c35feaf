"""Products of matrices. Half floats are multiplied and added up in float32 and rounded once."""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .precision import is_half, like, widened
from .shapes import common_shape


def _product(x, y, *, transpose_a=False, transpose_b=False):
    """The type of a product of (stacks of) matrices; a vector counts as one row, or one column."""
    if x.ndim == 0 or y.ndim == 0:
        raise _misfit(x, y, "neither operand may be 0-d", "Use * to scale by a number.")
    _of_one_dtype(x, y)
    rows, inner = _sides(x.shape if x.ndim > 1 else (1, *x.shape), transpose_a and x.ndim > 1)
    other, columns = _sides(y.shape if y.ndim > 1 else (*y.shape, 1), transpose_b and y.ndim > 1)
    if inner != other:
        raise _misfit(
            x,
            y,
            f"{inner} columns meet {other} rows",
            _way_out(x, y, transpose_b),
            transpose_a,
            transpose_b,
        )
    batch = _batch(x, y)
    last = ((rows,) if x.ndim > 1 else ()) + ((columns,) if y.ndim > 1 else ())
    return AbstractTensor(x.dtype, (*batch, *last))


def _of_one_dtype(x, y):
    """Refuse matrices of two dtypes: neither is converted without being asked."""
    if x.dtype != y.dtype:
        first, second = (_public(each.dtype) for each in (x, y))
        raise errors.InvalidType(
            f"the type of 'x2' should be same as 'x1', but got 'x1' with type Tensor[{first}] and "
            f"'x2' with type Tensor[{second}].",
            hint=f"Cast one of them: x1.astype(ms.{second.public}).",
        )


def _public(dtype):
    return dtype if isinstance(dtype, dtypes.DType) else dtypes.from_numpy(dtype)


def _batch(x, y):
    """The shape of the stack that two stacks of matrices broadcast to."""
    try:
        return common_shape(x.shape[:-2], y.shape[:-2])
    except errors.InvalidValue:
        hint = "In front of the last two axes, sizes must be equal or 1."
        raise _misfit(x, y, "the stacks do not broadcast", hint) from None


def _sides(shape, transposed):
    return (shape[-1], shape[-2]) if transposed else (shape[-2], shape[-1])


def _misfit(x, y, why, hint, transpose_a=False, transpose_b=False):
    first, second = _shown(x.shape, transpose_a), _shown(y.shape, transpose_b)
    return errors.ShapeMismatch(
        f"the matrices cannot be multiplied: {why}.", given=f"{first} and {second}", hint=hint
    )


def _shown(shape, transposed):
    return f"{list(shape)} transposed" if transposed else str(list(shape))


def _way_out(x, y, turned):
    if not turned and y.ndim > 1 and x.shape[-1] == y.shape[-1]:
        return "Transpose the second: x @ y.T."
    return "A row of the first must be as long as a column of the second."


def _two_matrices(x, y, **transposed):
    _of_ranks((2,), x, y)
    return _product(x, y, **transposed)


def _two_stacks(x, y, **transposed):
    _of_ranks(range(2, 9), x, y)
    return _product(x, y, **transposed)


def _of_ranks(ranks, x, y):
    """Refuse vectors (and, for a primitive on two matrices, stacks)."""
    if x.ndim not in ranks or y.ndim not in ranks:
        wanted = "two axes each" if len(ranks) == 1 else "two axes or more"
        raise _misfit(x, y, f"they must have {wanted}", "ops.matmul takes vectors and stacks too.")


def _multiply(x, y):
    _of_one_dtype(x, y)
    if x.dtype == np.bool_:
        return np.matmul(x.astype(np.float32), y.astype(np.float32)) > 0
    return like(np.matmul(widened(x), widened(y)), x) if is_half(x.dtype) else np.matmul(x, y)


def _turned(x, transposed):
    return np.swapaxes(x, -1, -2) if transposed else x


def _flops(out, x, *_rest, transpose_a=False, **_attributes):
    return 2 * out.size * (x.shape[-2] if transpose_a and x.ndim > 1 else x.shape[-1])


def _dot(x, y, transpose_a=False, transpose_b=False):
    """The product in a gradient: of two matrices, or of stacks of them."""
    primitive = ops.MatMul if len(x.shape) == len(y.shape) == 2 else ops.BatchMatMul
    return primitive(x, y, transpose_a=transpose_a, transpose_b=transpose_b)


@op(names=("matmul", "Tensor.matmul", "mint.matmul"), operands="as given", slot="@")
class MatMulExt:
    """The product of matrices, of stacks of matrices (with broadcasting), or with vectors.

    >>> ops.matmul(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  7.00000000e+00])
    """

    infer = _product
    cost = _flops

    def compute(x, y):
        return _multiply(x, y)

    def bprop(x, y, _out, dout):
        row = ops.expand_dims(x, 0) if len(x.shape) == 1 else x
        column = ops.expand_dims(y, -1) if len(y.shape) == 1 else y
        dout = ops.expand_dims(dout, -1) if len(y.shape) == 1 else dout
        dout = ops.expand_dims(dout, -2) if len(x.shape) == 1 else dout
        return (
            lambda: _as_vector(_dot(dout, column, transpose_b=True), row, x),
            lambda: _as_vector(_dot(row, dout, transpose_a=True), column, y),
        )

    def samples(rng):
        vectors = ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((3,), (2, 3, 2))
        stacks = ((2, 1, 3), (3, 2)), ((2, 2, 3), (2, 3, 1))
        for x, y in (((2, 3), (3, 4)), *vectors, *stacks, ((0, 3), (3, 2)), ((2, 0), (0, 3))):
            yield rng.uniform(-1, 1, x), rng.uniform(-1, 1, y)
        yield rng.uniform(-1, 1, (3, 2)).T, rng.uniform(-1, 1, (6, 2))[::2]


def _as_vector(gradient, matrix, x):
    """A vector's gradient: what it was broadcast over is added up, the axis it was given goes."""
    if len(x.shape) > 1:
        return gradient
    return ops.reshape(ops.SumTo(gradient, shape=matrix.shape), x.shape)


def _gradients(x, y, dout, a, b):
    """For z = A B, where A is x or its transpose and B is y or its transpose.

    Each is as much work as the product: as functions, of which the tape calls those it needs.
    """
    return (
        lambda: _dot(y, dout, b, True) if a else _dot(dout, y, False, not b),
        lambda: _dot(dout, x, True, a) if b else _dot(x, dout, not a, False),
    )


@op(operands="as given")
class MatMul:
    """The product of two matrices, each transposed first if asked.

    >>> ops.MatMul(transpose_b=True)(Tensor([[1.0, 2.0]]), Tensor([[3.0, 4.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.10000000e+01]])
    """

    infer = _two_matrices
    cost = _flops

    def compute(x, y, *, transpose_a=False, transpose_b=False):
        _of_ranks((2,), x, y)
        return _multiply(_turned(x, transpose_a), _turned(y, transpose_b))

    def bprop(x, y, _out, dout, *, transpose_a, transpose_b):
        return _gradients(x, y, dout, transpose_a, transpose_b)

    def samples(rng):
        yield rng.uniform(-1, 1, (2, 3)), rng.uniform(-1, 1, (3, 4))
        yield rng.uniform(-1, 1, (3, 2)), rng.uniform(-1, 1, (3, 4)), {"transpose_a": True}
        yield rng.uniform(-1, 1, (2, 3)), rng.uniform(-1, 1, (4, 3)), {"transpose_b": True}
        yield (
            rng.uniform(-1, 1, (3, 2)),
            rng.uniform(-1, 1, (4, 3)),
            {"transpose_a": True, "transpose_b": True},
        )


@op(names=("bmm", "Tensor.bmm"), operands="as given")
class BatchMatMul:
    """The products of two stacks of matrices, each matrix transposed first if asked.

    >>> ops.bmm(ops.ones((2, 1, 3)), ops.ones((2, 3, 1))).shape
    (2, 1, 1)
    """

    infer = _two_stacks
    cost = _flops

    def compute(x, y, *, transpose_a=False, transpose_b=False):
        _of_ranks(range(2, 9), x, y)
        return _multiply(_turned(x, transpose_a), _turned(y, transpose_b))

    def bprop(x, y, _out, dout, *, transpose_a, transpose_b):
        return _gradients(x, y, dout, transpose_a, transpose_b)

    def samples(rng):
        yield rng.uniform(-1, 1, (2, 2, 3)), rng.uniform(-1, 1, (2, 3, 1))
        yield rng.uniform(-1, 1, (2, 3, 2)), rng.uniform(-1, 1, (3, 2)), {"transpose_a": True}
        yield rng.uniform(-1, 1, (1, 2, 3)), rng.uniform(-1, 1, (2, 4, 3)), {"transpose_b": True}
        yield (
            rng.uniform(-1, 1, (2, 3, 2)),
            rng.uniform(-1, 1, (2, 4, 3)),
            {"transpose_a": True, "transpose_b": True},
        )
