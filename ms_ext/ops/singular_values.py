"""Singular values: every matrix is a turn, a stretch and another turn; and what follows from it."""

import math

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .composite import composite
from .precision import like, widened
from .shapes import float_dtype
from .square_matrices import square, square_samples, turned


def _matrix(x):
    if x.ndim < 2:
        raise errors.InvalidValue("a matrix has two axes or more.", given=f"{list(x.shape)}")


@op(operands="float")
class Svd:
    """(s, u, v) of x = u @ diag(s) @ v.T: s from large to small, u and v with lengths of 1.

    >>> ops.Svd(Tensor([[0.0, 2.0], [3.0, 0.0]]))[0]
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  2.00000000e+00])
    """

    outputs = 3

    def infer(x, *, full_matrices):
        _matrix(x)
        (*batch, m, n), k = x.shape, min(x.shape[-2:])
        kind = float_dtype(x.dtype)
        u, v = (m, m if full_matrices else k), (n, n if full_matrices else k)
        return tuple(AbstractTensor(kind, (*batch, *shape)) for shape in ((k,), u, v))

    def compute(x, *, full_matrices=False):
        _matrix(x)
        u, s, v = np.linalg.svd(widened(x), full_matrices)
        return like(s, x), like(u, x), like(np.swapaxes(v, -1, -2), x)

    def bprop(x, out, dout, *, full_matrices):
        m, n = x.shape[-2:]
        if full_matrices and m != n:
            raise errors.NotRunnable(
                "svd with full_matrices has a gradient only of square matrices.",
                given=f"{list(x.shape)}", hint="Use full_matrices=False.",
            )  # fmt: skip
        return (_svd_gradient(*out, *dout),)

    def samples(rng):
        for shape in ((3, 2), (2, 3), (2, 2), (1, 1), (2, 3, 2)):
            yield (rng.uniform(-1, 1, shape),)
        yield rng.uniform(-1, 1, (2, 2)), {"full_matrices": True}


def _svd_gradient(s, u, v, ds, du, dv):
    """Turns of u and v within their span, by the gaps of s; the stretch; turns out of the span."""
    row, column = s[..., None, :], s[..., None]
    gap = row * row - column * column
    apart = ops.where(gap == 0, float("inf"), gap)
    one, other = turned(u) @ du, turned(v) @ dv
    inner = (one - turned(one)) / apart * row + column * ((other - turned(other)) / apart)
    inner = inner + ops.where(_diagonal(s.shape[-1]), row * 0 + ds[..., None, :], 0)
    inner = u @ inner @ turned(v)
    beyond_u = (du - u @ one) / row
    beyond_v = (dv - v @ other) / row
    return inner + beyond_u @ turned(v) + u @ turned(beyond_v)


def _diagonal(n):
    return ops.eye(n, n, "bool_")


@composite("svd", "Tensor.svd")
def svd(input, full_matrices=False, compute_uv=True):
    """(s, u, v) of x = u @ diag(s) @ v.T; without ``compute_uv`` the singular values s alone.

    >>> ops.svd(Tensor([[0.0, 2.0], [3.0, 0.0]]), compute_uv=False)
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  2.00000000e+00])
    """
    if not compute_uv:
        return ops.Svd(input)[0]
    return ops.Svd(input, full_matrices=full_matrices)


@op(operands="float")
class PseudoInverse:
    """The nearest thing to an inverse that every matrix has; singular values up to a bound are 0.

    The bound is ``atol`` or ``rtol`` times the largest singular value, whichever is larger.

    >>> ops.PseudoInverse(Tensor([[2.0, 0.0], [0.0, 0.0]]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 5.00000000e-01,  0.00000000e+00],
     [ 0.00000000e+00,  0.00000000e+00]])
    """

    def infer(x, *, atol, rtol, hermitian):
        _matrix(x)
        (*batch, m, n), kind = x.shape, float_dtype(x.dtype)
        return AbstractTensor(kind, (*batch, n, m))

    def compute(x, *, atol=None, rtol=None, hermitian=False):
        _matrix(x)
        wide = widened(x)
        u, s, v = np.linalg.svd(wide, False)
        rtol = _relative(rtol, atol, x, wide)
        bound = np.maximum(rtol * np.max(s, -1, initial=0, keepdims=True), atol or 0.0)
        inverse = np.where(s > bound, 1 / np.where(s > bound, s, 1), 0).astype(s.dtype)
        flat = np.swapaxes(v, -1, -2) * inverse[..., None, :]
        return like(flat @ np.swapaxes(u, -1, -2), x)

    def bprop(x, out, dout):
        """Golub and Pereyra's rule, for matrices that keep their rank."""
        x, p, d = ops.cast(x, out.dtype), turned(out), turned(dout)
        inner = -(p @ dout @ p)
        left = d - x @ (out @ d)
        right = d - (d @ out) @ x
        return (inner + left @ (out @ p) + (p @ out) @ right,)

    def samples(rng):
        for shape in ((3, 2), (2, 3), (2, 2), (2, 3, 2)):
            yield (rng.uniform(-1, 1, shape),)


def _relative(rtol, atol, x, wide):
    if rtol is not None:
        return rtol
    return 0.0 if atol else max(x.shape[-2:]) * float(np.finfo(wide.dtype).eps)


@composite("pinv", "Tensor.pinverse")
def pinv(x, *, atol=None, rtol=None, hermitian=False):
    """The nearest thing to an inverse that every matrix has.

    >>> ops.pinv(Tensor([[2.0, 0.0], [0.0, 0.0]]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 5.00000000e-01,  0.00000000e+00],
     [ 0.00000000e+00,  0.00000000e+00]])
    """
    if x.dtype.kind != "float":
        raise errors.InvalidType("the matrix must be of floats.", given=str(x.dtype))
    return ops.PseudoInverse(x, atol=atol, rtol=rtol, hermitian=hermitian)


@composite("lstsq", "Tensor.lstsq")
def lstsq(input, A):
    """The X for which input @ X is nearest to A; the smallest, if there are several.

    >>> ops.lstsq(Tensor([[1.0], [1.0]]), Tensor([[1.0], [3.0]])).round()
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 2.00000000e+00]])
    """
    right = ops.reshape(A, (-1, 1)) if A.ndim == 1 else A
    if input.ndim != 2 or right.ndim != 2 or input.shape[0] != right.shape[0]:
        raise errors.InvalidValue(
            "the matrices must have as many rows.", given=f"{list(input.shape)}, {list(A.shape)}"
        )
    return ops.pinv(input) @ right


@op(names=("matrix_exp",), operands="float")
class MatrixExp:
    """exp(x) of a square matrix: the sum of x^k / k!.

    >>> ops.matrix_exp(Tensor([[0.0, 1.0], [0.0, 0.0]]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 1.00000000e+00,  1.00000000e+00],
     [ 0.00000000e+00,  1.00000000e+00]])
    """

    samples = square_samples

    def infer(x):
        square(x)
        return AbstractTensor(float_dtype(x.dtype), x.shape)

    def compute(x):
        """Halved until it is small, summed, and squared as often as it was halved."""
        square(x)
        a = np.asarray(x, np.float64)
        size = np.max(np.sum(np.abs(a), -1), initial=0)
        halvings = max(0, math.ceil(math.log2(size)) + 3) if 0 < size < np.inf else 0
        a = a / 2.0**halvings
        term = total = np.broadcast_to(np.eye(a.shape[-1]), a.shape)
        for k in range(1, 15):
            term = term @ a / k
            total = total + term
        for _ in range(halvings):
            total = total @ total
        return like(total, x)

    def bprop(x, _out, dout):
        """The upper right block of exp([[x.T, dout], [0, x.T]])."""
        n, back = x.shape[-1], turned(x)
        upper = ops.concat((back, dout), -1)
        lower = ops.concat((ops.zeros_like(x), back), -1)
        return (ops.matrix_exp(ops.concat((upper, lower), -2))[..., :n, n:],)


@composite("matrix_power", "Tensor.matrix_power")
def matrix_power(input, n):
    """A square matrix multiplied n times with itself; of the inverse, if n is negative.

    >>> ops.matrix_power(Tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 1.00000000e+00,  3.00000000e+00],
     [ 0.00000000e+00,  1.00000000e+00]])
    """
    if type(n) is not int:
        raise errors.InvalidType("n must be an integer.", given=repr(n))
    square(input)
    base = ops.inverse(input) if n < 0 else input
    if n == 0:
        return ops.broadcast_to(ops.eye(*input.shape[-2:], input.dtype), tuple(input.shape))
    result, rest = None, abs(n)
    while rest:
        if rest % 2:
            result = base if result is None else result @ base
        rest //= 2
        base = base @ base if rest else base
    return result
