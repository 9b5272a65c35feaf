"""Draws for the functions that are made of ops: ``name -> f(rng)``, which gives (call, operands).

The operands are float64 arrays without ties; what else a call takes it holds itself.
"""

import numpy as np
from drawn_operands import axes_of, axis_of, coin, mask, numbers, sizes

from ms_ext import mint, ops
from ms_ext.engine.tensor import Tensor

COMPOSITES = {}


def composite(f):
    """Enter a draw under the name of its function."""
    COMPOSITES[f.__name__] = f
    return f


def some(rng, least=0):
    """One operand with elements."""
    return numbers(rng, sizes(rng, least=least, empty=False))


@composite
def largest(rng):
    x = some(rng)
    axis, keep = axis_of(rng, x.ndim), coin(rng)
    return lambda x: ops.max(x, axis, keep)[0] + ops.min(x, axis, keep)[0], (x,)


@composite
def largest_of_all(rng):
    return lambda x: ops.max(x)[0] * x.min() + mint.max(x), (some(rng),)


@composite
def var(rng):
    x = some(rng)
    axis, keep = axes_of(rng, x.ndim), coin(rng)
    return lambda x: ops.var(x, axis, 0, keep), (x,)


@composite
def std(rng):
    x = numbers(rng, (*sizes(rng, most=2, empty=False), 4))
    return lambda x: ops.std(x, -1, 1) + mint.std(x), (x,)


@composite
def logsumexp(rng):
    x = some(rng, least=1)
    axis, keep = axis_of(rng, x.ndim), coin(rng)
    return lambda x: ops.logsumexp(x, axis, keep), (x,)


@composite
def clamp(rng):
    return lambda x: ops.clamp(x, -0.7, 0.9) + mint.clamp(x, max=0.3), (some(rng),)


@composite
def clamp_by_tensors(rng):
    x = numbers(rng, (2, 3))
    return ops.clamp, (x, numbers(rng, (3,), -2, -0.5), numbers(rng, (2, 1), 0.5, 2))


@composite
def clip_by_value(rng):
    x = numbers(rng, (2, 3))
    return ops.clip_by_value, (x, numbers(rng, (3,), -2, -0.5), numbers(rng, (2, 1), 0.5, 2))


@composite
def pad(rng):
    x = some(rng, least=2)
    padding = tuple(rng.integers(-1 if min(x.shape[-2:]) > 1 else 0, 3, 4).tolist())
    return lambda x: ops.pad(x, padding, value=0.5), (x,)


@composite
def flatten(rng):
    x = some(rng, least=2)
    order = "FC"[rng.integers(2)]
    return lambda x: ops.flatten(x, order) + ops.sum(x.flatten()), (x,)


@composite
def swapaxes(rng):
    x = some(rng, least=1)
    one, other = axis_of(rng, x.ndim), axis_of(rng, x.ndim)
    return lambda x: ops.swapaxes(x, one, other), (x,)


@composite
def chunk(rng):
    x = some(rng, least=1)
    axis = axis_of(rng, x.ndim)
    return lambda x: ops.chunk(x, 2, axis), (x,)


@composite
def narrow_and_select(rng):
    return lambda x: mint.narrow(x, 1, 1, 2) * mint.select(x, 0, -1)[1:3], (numbers(rng, (2, 4)),)


@composite
def index_select(rng):
    x = some(rng, least=1)
    axis = axis_of(rng, x.ndim)
    places = Tensor(rng.integers(0, x.shape[axis], 4))
    return lambda x: ops.index_select(x, axis, places), (x,)


@composite
def by_tensors(rng):
    """x[i, j], x[mask], and what is written there."""
    i, j = Tensor(rng.integers(0, 3, 2)), Tensor(np.array([1, 0]))
    where = Tensor(mask(rng, (3, 2)))

    def call(x, y):
        picked = x[i, j] * 2
        x = x * 1
        x[where] = 0.5
        x[1, j] = y
        return x * x, picked

    return call, (numbers(rng, (3, 2)), numbers(rng, (2,)))


@composite
def written(rng):
    """Functions that write to a tensor."""

    def call(x, y):
        z = x * y
        z.add_(y, alpha=2)
        z.mul_(x)
        ops.assign_sub(z, y)
        z[0] += x[1]
        return z

    return call, (numbers(rng, (2, 3)), numbers(rng, (3,)))


@composite
def linear(rng):
    x = numbers(rng, (*sizes(rng, most=2), 3))
    return ops.linear, (x, numbers(rng, (2, 3)), numbers(rng, (2,)))


@composite
def layer_norm(rng):
    x = numbers(rng, (*sizes(rng, most=2), 2, 3))
    pair = numbers(rng, (2, 3), 0.5, 2), numbers(rng, (2, 3))
    return lambda x, w, b: ops.layer_norm(x, (2, 3), w, b, 1e-3), (x, *pair)


@composite
def gelu(rng):
    return lambda x: ops.gelu(x) + ops.gelu(x, "tanh"), (some(rng),)


@composite
def mse_loss(rng):
    how = ("mean", "sum", "none")[rng.integers(3)]
    return lambda x, y: ops.mse_loss(x, y, how), (numbers(rng, (2, 3)), numbers(rng, (3,)))


@composite
def cross_entropy(rng):
    target = Tensor(rng.choice([-100, 0, 1, 2], (2, 4)).astype(np.int32))
    how = ("mean", "sum", "none")[rng.integers(3)]

    def call(x, weight):
        return ops.cross_entropy(x, target, weight, reduction=how, label_smoothing=0.2)

    return call, (numbers(rng, (2, 3, 4)), numbers(rng, (3,), 0.5, 2))


@composite
def cross_entropy_of_shares(rng):
    def call(x, target, weight):
        return ops.cross_entropy(x, target, weight, label_smoothing=0.1)

    return call, (numbers(rng, (2, 3)), numbers(rng, (2, 3), 0, 1), numbers(rng, (3,), 0.5, 2))
