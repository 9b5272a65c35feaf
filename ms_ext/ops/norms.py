"""How long is a vector, how large a matrix? All orders, along any axes.

Where a length is 0 its slope is taken to be 0, so that nothing turns into NaN.
"""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axes, reduced_shape
from .composite import composite
from .precision import widened
from .reductions import as_many, restored
from .shapes import as_dtype, float_dtype

INF = math.inf


def _length_type(x, *, p, axis, keep_dims, dtype):
    shape = reduced_shape(x.shape, axis, keep_dims)
    if x.size == 0 and math.prod(shape) > 0 and (p < 0 or p == INF):
        raise errors.InvalidValue(
            "there is no largest or smallest of no elements.", given=f"{x}, order {p}"
        )
    return AbstractTensor(as_dtype(dtype) if dtype is not None else float_dtype(x.dtype), shape)


def _length(x, *, p=2.0, axis=None, keep_dims=False, dtype=None):
    """The p-th root of the sum of the sizes to the power p; the limits of it at 0 and inf."""
    _length_type(x, p=p, axis=axis, keep_dims=keep_dims, dtype=None)
    kind = x.dtype if dtype is None else as_dtype(dtype).numpy
    size, axes = np.abs(widened(x.astype(kind, copy=False))), normal_axes(axis, x.ndim)
    if p in (INF, -INF):
        found = (np.max if p > 0 else np.min)(size, axes, keepdims=keep_dims)
    elif p == 0:
        found = np.sum(size != 0, axes, keepdims=keep_dims)
    elif p == 2:
        found = np.sqrt(np.sum(size * size, axes, keepdims=keep_dims))
    else:
        found = np.sum(size**p, axes, keepdims=keep_dims) ** (1 / p)
    return np.asarray(found).astype(kind, copy=False)


def _length_gradient(x, out, dout, *, p, axis):
    x, kept = _as(x, out), restored(out, x, axis)
    dout = restored(dout, x, axis)
    if p == 0:
        return (ops.zeros_like(x),)
    if p == 1:
        return (dout * ops.sign(x),)
    if p in (INF, -INF):
        found = ops.cast(ops.abs(x) == kept, dout.dtype)
        share = found / ops.ReduceSum(found, axis=axis, keep_dims=True)
        return (dout * ops.sign(x) * share,)
    safe = ops.where(kept == 0, 1, kept)
    if p == 2:
        return (ops.where(kept == 0, 0, x * (dout / safe)),)
    size = ops.abs(x)
    power = ops.where(size == 0, 0, ops.where(size == 0, 1, size) ** (p - 1))
    return (ops.where(kept == 0, 0, ops.sign(x) * power * (dout / safe ** (p - 1))),)


def _as(x, out):
    return x if x.dtype is out.dtype else ops.cast(x, out.dtype)


def _length_samples(rng):
    yield (rng.uniform(0.5, 2, (2, 3)),)
    yield rng.uniform(-2, 2, (2, 3, 4)), {"axis": (0, -1), "p": 3.0}
    yield rng.uniform(-2, 2, (4, 3)).T, {"axis": 1, "keep_dims": True, "p": 1.0}
    yield rng.uniform(-2, 2, (4, 3)), {"axis": 0, "p": INF}
    yield rng.uniform(-2, 2, (3,)), {"p": -INF}
    yield rng.uniform(0.5, 2, (3,)), {"p": -1.5}
    yield rng.uniform(-2, 2, (0, 3)), {"axis": 0}


@op(operands="float")
class LpNormV2:
    """The p-norm along axes: the sum of |x| ** p to the power 1 / p.

    >>> ops.LpNormV2(Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 5)
    """

    infer, compute = _length_type, _length
    samples = _length_samples
    cost = as_many

    def bprop(x, out, dout, *, p, axis):
        return _length_gradient(x, out, dout, p=p, axis=axis)


@op(same_as=LpNormV2)
class LinalgVectorNorm:
    """The p-norm along axes, as mint.linalg calls it.

    >>> ops.LinalgVectorNorm(Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 5)
    """


def _vector(op, x, order, axes, keepdims, dtype=None):
    if isinstance(order, bool) or not isinstance(order, int | float):
        raise errors.InvalidValue("the order of a vector norm must be a number.", given=repr(order))
    return op(x, p=float(order), axis=axes, keep_dims=keepdims, dtype=dtype)


_MATRIX_ORDERS = ("fro", "nuc", INF, -INF, 1, -1, 2, -2)


def _matrix(op, x, order, axes, keepdims):
    """Sums of rows or columns, or of the singular values."""
    rows, columns = _two_axes(axes, x.ndim)
    if order not in _MATRIX_ORDERS:
        raise errors.InvalidValue(
            f"the order of a matrix norm must be one of {', '.join(map(repr, _MATRIX_ORDERS))}.",
            given=repr(order),
        )
    if order == "fro":
        return op(x, p=2.0, axis=(rows, columns), keep_dims=keepdims)
    if order in (1, -1, INF, -INF):
        one, other = (rows, columns) if order in (1, -1) else (columns, rows)
        total = ops.ReduceSum(ops.abs(x), axis=one, keep_dims=True)
        found = (ops.amax if order > 0 else ops.amin)(total, other, True)
    else:
        found = _of_singular_values(x, order, rows, columns)
    return ops.reshape(found, reduced_shape(x.shape, (rows, columns), keepdims))


def _of_singular_values(x, order, rows, columns):
    rest = tuple(i for i in range(x.ndim) if i not in (rows, columns))
    s = ops.Svd(ops.transpose(x, (*rest, rows, columns)))[0]
    if order == "nuc":
        return ops.ReduceSum(s, axis=-1)
    return s[..., 0] if order == 2 else s[..., -1]


def _two_axes(axes, rank):
    pair = tuple(axes) if isinstance(axes, tuple | list) else (axes,)
    if len(pair) != 2 or rank < 2:
        raise errors.InvalidValue(
            "a matrix norm is taken along two axes.", given=f"axes {axes} of {rank}"
        )
    normal_axes(pair, rank)
    return tuple(a % rank for a in pair)


def _converted(x, dtype):
    if dtype is not None:
        return ops.cast(x, dtype)
    return x if x.dtype.kind == "float" else ops.cast(x, dtypes.float32)


@composite("vector_norm")
def vector_norm(x, ord=2, axis=None, keepdims=False, *, dtype=None):
    """The p-norm of vectors: 1 adds sizes up, 2 is the length, inf the largest size.

    >>> ops.vector_norm(Tensor([3.0, -4.0])), ops.vector_norm(Tensor([3.0, -4.0]), 1)
    (Tensor(shape=[], dtype=Float32, value= 5), Tensor(shape=[], dtype=Float32, value= 7))
    """
    return _vector(ops.LpNormV2, _converted(x, dtype), ord, axis, keepdims)


@composite("mint.linalg.vector_norm")
def vector_norm_in(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """The p-norm of vectors along ``dim``; without it, of all elements.

    >>> mint.linalg.vector_norm(Tensor([3.0, -4.0]))
    Tensor(shape=[], dtype=Float32, value= 5)
    """
    return _vector(ops.LinalgVectorNorm, _converted(x, dtype), ord, dim, keepdim)


@composite("matrix_norm")
def matrix_norm(A, ord="fro", axis=(-2, -1), keepdims=False, *, dtype=None):
    """The norm of matrices: "fro" as of a vector; 1, inf: of columns, of rows; 2, "nuc": svd.

    >>> ops.matrix_norm(Tensor([[3.0, 0.0], [0.0, 4.0]]), 2)
    Tensor(shape=[], dtype=Float32, value= 4)
    """
    return _matrix(ops.LpNormV2, _converted(A, dtype), ord, axis, keepdims)


@composite("mint.linalg.matrix_norm")
def matrix_norm_in(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    """The norm of matrices, in mint.

    >>> mint.linalg.matrix_norm(Tensor([[3.0, 0.0], [0.0, 4.0]]), "nuc")
    Tensor(shape=[], dtype=Float32, value= 7)
    """
    return _matrix(ops.LinalgVectorNorm, _converted(A, dtype), ord, dim, keepdim)


def _norm(op, x, order, axes, keepdims):
    """Of vectors or matrices, as the number of axes says."""
    if order is None:
        return op(x, p=2.0, axis=axes, keep_dims=keepdims)
    if axes is None:
        if x.ndim not in (1, 2):
            raise errors.InvalidValue(
                "with an order but no axes, x must be a vector or a matrix.",
                given=f"{list(x.shape)}", hint="Name one axis, or two.",
            )  # fmt: skip
        axes = tuple(range(x.ndim))
    axes = tuple(axes) if isinstance(axes, tuple | list) else (axes,)
    if len(axes) == 1 and not isinstance(order, str):
        return _vector(op, x, order, axes, keepdims)
    return _matrix(op, x, order, axes, keepdims)


@composite("norm", "Tensor.norm")
def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The length of all elements; with ``ord`` the norm of a vector, or of a matrix.

    >>> ops.norm(Tensor([[3.0, 0.0], [0.0, 4.0]])), ops.norm(Tensor([3.0, 4.0]), 1)
    (Tensor(shape=[], dtype=Float32, value= 5), Tensor(shape=[], dtype=Float32, value= 7))
    """
    return _norm(ops.LpNormV2, _converted(A, dtype), ord, dim, keepdim)


@composite("mint.linalg.norm")
def norm_in(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    """The length of all elements; with ``ord`` the norm of a vector, or of a matrix.

    >>> mint.linalg.norm(Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 5)
    """
    return _norm(ops.LinalgVectorNorm, _converted(A, dtype), ord, dim, keepdim)


@composite("mint.norm")
def vector_norm_of_all(input, p="fro", dim=None, keepdim=False, *, dtype=None):
    """The p-norm of all elements, or along ``dim``; "fro" is 2, "nuc" adds singular values up.

    >>> mint.norm(Tensor([[3.0, 0.0], [0.0, 4.0]])), mint.norm(Tensor([3.0, 4.0]), 1)
    (Tensor(shape=[], dtype=Float32, value= 5), Tensor(shape=[], dtype=Float32, value= 7))
    """
    x = _converted(input, dtype)
    if p == "nuc":
        return _matrix(ops.LpNormV2, x, p, tuple(range(x.ndim)) if dim is None else dim, keepdim)
    return _vector(ops.LpNormV2, x, 2 if p == "fro" else p, dim, keepdim)
