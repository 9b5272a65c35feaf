"""Draws for the functions of mathematics that are made of ops: einsum, norms, statistics."""

import numpy as np
from drawn_composites import composite
from drawn_operands import coin, numbers

from ms_ext import mint, ops
from ms_ext.engine.tensor import Tensor

EQUATIONS = (
    ("ij,jk->ik", (2, 3), (3, 2)), ("bij,bkj->bik", (2, 2, 3), (2, 3, 3)),
    ("iij,j->i", (2, 2, 3), (3,)),
    ("i,j->ji", (2,), (3,)), ("...i,i->...", (2, 2, 3), (3,)), ("ij,ij->", (2, 3), (2, 3)),
)  # fmt: skip


@composite
def einsum(rng):
    equation, x, y = EQUATIONS[rng.integers(len(EQUATIONS))]
    return lambda x, y: ops.einsum(equation, x, y), (numbers(rng, x), numbers(rng, y))


@composite
def products_that_spread(rng):
    def call(x, y):
        return ops.kron(x, y), ops.cross(x, y[:, :1] + x * 2, 1), ops.inner(x, y)

    return call, (numbers(rng, (2, 3)), numbers(rng, (2, 3)))


@composite
def tensor_dot(rng):
    return lambda x, y: ops.tensor_dot(x, y, ((2, 0), (1, 0))), (
        numbers(rng, (2, 3, 2)), numbers(rng, (2, 2, 3)),
    )  # fmt: skip


@composite
def matrix_sums(rng):
    def call(x, y, z):
        return ops.addmm(x, y, z, beta=0.5) + ops.addr(x, y[0], z[:, 0], alpha=2)

    return call, tuple(numbers(rng, (2, 2)) for _ in range(3))


@composite
def matrix_norms(rng):
    order = ("fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf)[rng.integers(8)]
    x = numbers(rng, (2, 3), -0.2, 0.2) + np.eye(2, 3) * [[1], [2]]
    return lambda x: ops.matrix_norm(x, order) + ops.norm(x), (x,)


@composite
def distances(rng):
    p = (1.0, 2.0, 3.0)[rng.integers(3)]

    def call(x, y):
        return ops.cdist(x, y, p), ops.pdist(x, p), ops.dist(x[:2], y[:2], p)

    return call, (numbers(rng, (3, 2)), numbers(rng, (2, 2)) + 4)


@composite
def lengths_made_one(rng):
    def call(x):
        return ops.renorm(x, 2, 0, 0.5), mint.nn.functional.normalize(x, 3.0)

    return call, (numbers(rng, (2, 3), 0.5, 2),)


@composite
def matrix_functions(rng):
    x = numbers(rng, (2, 2), -0.5, 0.5) + 2 * np.eye(2)

    def call(x):
        return ops.matrix_power(x, 3), ops.matrix_power(x, -2), ops.logdet(x)

    return call, (x,)


@composite
def cholesky_solutions(rng):
    x = numbers(rng, (2, 2), -0.5, 0.5) + 2 * np.eye(2)
    upper = coin(rng)

    def call(x, y):
        return ops.cholesky_solve(y, x, upper), ops.cholesky_inverse(x, upper)

    return call, (x, numbers(rng, (2, 1)))


@composite
def diagonals_of_matrices(rng):
    k = ((-1, 1), (0, 1), (-1, 0))[rng.integers(3)]

    def call(x):
        rows = ops.matrix_diag_part(x, k, 0.5)
        return rows, ops.matrix_diag(rows, k, 3, 3, 0.25), ops.matrix_set_diag(x, rows * 2, k)

    return call, (numbers(rng, (2, 3, 3)),)


@composite
def statistics_without_nan(rng):
    holes = Tensor(np.where(rng.random((3, 4)) < 0.2, np.nan, 0.0))
    axis = (None, 0, 1)[rng.integers(3)]

    def call(x):
        y = x + ops.where(ops.isnan(holes), float("nan"), 0.0)
        return ops.nansum(y, axis), ops.nanquantile(x, 0.3, axis), ops.quantile(x, 0.6, axis, True)

    return call, (numbers(rng, (3, 4)),)


@composite
def covariances(rng):
    weights = Tensor(rng.integers(1, 4, 4))
    return lambda x, w: (ops.cov(x, fweights=weights), ops.cov(x, aweights=w)), (
        numbers(rng, (2, 4)), numbers(rng, (4,), 0.5, 2),
    )  # fmt: skip


@composite
def neighbours(rng):
    def call(x, y):
        return ops.diff(x, 2, 0), ops.trapz(x, y, dim=0), ops.trapz(x, dx=0.5)

    return call, (numbers(rng, (4, 3)), numbers(rng, (4, 3)))


@composite
def mixed(rng):
    def call(x, y, w):
        mixture = ops.lerp(x, y, w) + ops.addcmul(x, y, w, 0.5) + ops.addcdiv(x, y, w, 2)
        return mixture, ops.float_power(w, y), ops.ldexp(x, y), ops.mvlgamma(w + 1, 2)

    return call, (numbers(rng, (2, 3)), numbers(rng, (3,)), numbers(rng, (2, 3), 0.5, 2))


@composite
def moments(rng):
    return lambda x: (*ops.var_mean(x, 1), *ops.std_mean(x, 0, 1)), (numbers(rng, (3, 4)),)
