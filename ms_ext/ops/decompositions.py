"""Matrices taken apart: Cholesky, QR, singular values; and triangular equations.

Each takes stacks of matrices too. Half floats are calculated in float32.
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .composite import composite
from .precision import like, widened
from .shapes import common_dtype, common_shape, float_dtype, needs_float, only_floating
from .square_matrices import solved, square, square_samples, turned


def _flip(x, yes):
    return np.swapaxes(x, -1, -2) if yes else x


@op(names=("cholesky", "Tensor.cholesky"), operands="float")
class Cholesky:
    """The lower triangle L of x = L @ L.T, for a symmetric x with positive eigenvalues.

    With ``upper`` its transpose. Of an x that is not symmetric the mean of x and x.T is taken.

    >>> ops.cholesky(Tensor([[4.0, 2.0], [2.0, 2.0]]))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 2.00000000e+00,  0.00000000e+00],
     [ 1.00000000e+00,  1.00000000e+00]])
    """

    def infer(x, *, upper):
        square(x)
        return AbstractTensor(float_dtype(x.dtype), x.shape)

    def compute(x, *, upper=False):
        square(x)
        wide = widened(x)
        try:
            lower = np.linalg.cholesky((wide + np.swapaxes(wide, -1, -2)) / 2)
        except np.linalg.LinAlgError:
            raise errors.NotRunnable(
                "The matrix is not positive definite.", given=f"{list(x.shape)}",
                hint="x @ x.T plus a small multiple of the identity is.",
            ) from None  # fmt: skip
        return like(_flip(lower, upper), x)

    def bprop(_x, out, dout, *, upper):
        """L.T dL, its diagonal halved, brought back through L on both sides."""
        lower, d = (turned(out), turned(dout)) if upper else (out, dout)
        inner = ops.tril(turned(lower) @ d)
        inner = inner - ops.tril(ops.triu(inner)) * 0.5
        half = ops.matrix_solve(lower, inner, True)
        whole = turned(ops.matrix_solve(lower, turned(half), True))
        return ((whole + turned(whole)) * 0.5,)

    def samples(rng):
        yield (np.diag(rng.uniform(1.5, 2.5, 3)),)
        for i, (x,) in enumerate(square_samples(rng)):
            yield x, {"upper": i % 2 == 0}


@composite("cholesky_solve", "Tensor.cholesky_solve")
def cholesky_solve(input, input2, upper=False):
    """The X of A @ X = input, A given by its Cholesky triangle ``input2``.

    >>> ops.cholesky_solve(Tensor([[8.0]]), Tensor([[2.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 2.00000000e+00]])
    """
    triangle = ops.triu(input2) if upper else ops.tril(input2)
    half = ops.matrix_solve(triangle, input, upper)
    return ops.matrix_solve(triangle, half, not upper)


@composite("cholesky_inverse", "Tensor.cholesky_inverse")
def cholesky_inverse(input_x, upper=False):
    """The inverse of A, given by its Cholesky triangle.

    >>> ops.cholesky_inverse(Tensor([[2.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 2.50000000e-01]])
    """
    square(input_x)
    n = input_x.shape[-1]
    return cholesky_solve(ops.eye(n, n, input_x.dtype), input_x, upper)


def _triangular(b, a, attributes):
    """The triangle that counts, as an array."""
    a = np.triu(a) if attributes["upper"] else np.tril(a)
    if attributes["unitriangular"]:
        a = a - a * np.eye(a.shape[-1], dtype=a.dtype) + np.eye(a.shape[-1], dtype=a.dtype)
    return _flip(a, attributes["transpose"])


def _triangle_fits(b, a):
    square(a)
    if b.ndim < 2 or a.shape[-1] != b.shape[-2]:
        raise errors.InvalidValue(
            "b must have a row for each row of A.", given=f"{list(b.shape)} and {list(a.shape)}"
        )
    return common_shape(b.shape[:-2], a.shape[:-2])


@op(names=("mint.triangular_solve", "Tensor.triangular_solve"), operands="float")
class TriangularSolve:
    """The X of A @ X = b for a triangle A, and A itself.

    >>> mint.triangular_solve(Tensor([[4.0]]), Tensor([[2.0]]))[0]
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 2.00000000e+00]])
    """

    outputs = 2

    def infer(b, A, *, upper, transpose, unitriangular):
        batch, kind = _triangle_fits(b, A), float_dtype(common_dtype(b, A)[0])
        x = AbstractTensor(kind, (*batch, *b.shape[-2:]))
        return x, AbstractTensor(kind, (*batch, *A.shape[-2:]))

    def compute(b, A, *, upper=True, transpose=False, unitriangular=False):
        batch = _triangle_fits(b, A)
        how = {"upper": upper, "transpose": transpose, "unitriangular": unitriangular}
        x = solved(_triangular(b, A, how), b)
        return x, np.array(np.broadcast_to(A, (*batch, *A.shape[-2:])))

    def bprop(b, A, out, dout, *, upper, transpose, unitriangular):
        back = ops.TriangularSolve(dout[0], A, upper, not transpose, unitriangular)[0]
        through = out[0] @ turned(back) if transpose else back @ turned(out[0])
        shift = int(unitriangular)
        part = ops.triu(through, shift) if upper else ops.tril(through, -shift)
        return back, dout[1] - part

    def samples(rng):
        ways = ((True, False, False), (False, False, True), (True, True, False))
        for (x,), (upper, transpose, unit) in zip(square_samples(rng), ways, strict=False):
            how = {"upper": upper, "transpose": transpose, "unitriangular": unit}
            yield rng.uniform(-1, 1, (*x.shape[:-1], 2)), x, how


def _factors(x, mode):
    if mode not in ("reduced", "complete"):
        raise errors.InvalidType("mode must be 'reduced' or 'complete'.", given=repr(mode))
    if x.ndim < 2:
        raise errors.InvalidValue("a matrix has two axes or more.", given=f"{list(x.shape)}")
    m, n = x.shape[-2:]
    inner = m if mode == "complete" else min(m, n)
    return (*x.shape[:-2], m, inner), (*x.shape[:-2], inner, n)


def _qr_type(x, *, mode):
    return tuple(AbstractTensor(x.dtype, shape) for shape in _factors(x, mode))


@op(names=("qr",))
class Qr:
    """x = q @ r: the columns of q are at right angles and of length 1, r is an upper triangle.

    >>> q, r = ops.qr(Tensor([[0.0, 2.0], [3.0, 0.0]]))
    >>> ops.abs(q @ r - Tensor([[0.0, 2.0], [3.0, 0.0]])).max() < 1e-6
    Tensor(shape=[], dtype=Bool, value= True)
    """

    infer = only_floating(_qr_type)
    outputs = 2

    def compute(x, *, mode="reduced"):
        needs_float(x)
        _factors(x, mode)
        q, r = np.linalg.qr(widened(x), mode)
        return like(q, x), like(r, x)

    def bprop(x, out, dout, *, mode):
        m, n = x.shape[-2:]
        if mode == "complete" and m > n:
            raise errors.NotRunnable(
                "qr with mode 'complete' has a gradient only of wide or square matrices.",
                given=f"{list(x.shape)}", hint="Use mode='reduced'.",
            )  # fmt: skip
        (q, r), (dq, dr) = out, dout
        if m >= n:
            return (_qr_gradient(q, r, dq, dr),)
        right = dr[..., m:]  # x = [y, z], r = [u, q.T @ z]
        first = _qr_gradient(q, r[..., :m], dq + x[..., m:] @ turned(right), dr[..., :m])
        return (ops.concat((first, q @ right), -1),)

    def samples(rng):
        for shape in ((3, 2), (2, 3), (2, 2), (1, 1), (2, 3, 2)):
            yield (rng.uniform(-1, 1, shape) + 3 * np.eye(*shape[-2:]),)
        yield rng.uniform(-1, 1, (2, 2)) + 3 * np.eye(2), {"mode": "complete"}


def _qr_gradient(q, r, dq, dr):
    """Of a tall or square x: (dq + q sym(r dr.T - dq.T q)) r^-T, sym the lower part mirrored."""
    inner = r @ turned(dr) - turned(dq) @ q
    mirrored = ops.tril(inner) + turned(ops.tril(inner, -1))
    return turned(ops.matrix_solve(r, turned(dq + q @ mirrored)))


@op(names=("mint.linalg.qr",), same_as=Qr)
class LinalgQr:
    """x = q @ r, in mint.

    >>> [part.shape for part in mint.linalg.qr(ops.ones((3, 2)))]
    [(3, 2), (2, 2)]
    """


@composite("Tensor.qr")
def qr_of(self, some=True):
    """x = q @ r; ``some``: with no more columns of q than x has.

    >>> [part.shape for part in ops.ones((3, 2)).qr(False)]
    [(3, 3), (3, 2)]
    """
    return ops.Qr(self, "reduced" if some else "complete")
