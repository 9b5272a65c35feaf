"""What do the library's kernels calculate? NumPy bodies that aclnn and ATB share.

Halves and bfloat16 are calculated in float32, as the real kernels do; who calls rounds the result
once, when it is written to its memory.
"""

import math

import numpy as np


def widened(array):
    """The array in the dtype that is calculated in: float32 for what has fewer bits.

    >>> widened(np.float16([1.0])).dtype.name, widened(np.int8([1])).dtype.name
    ('float32', 'int8')
    """
    is_narrow = array.dtype == np.float16 or array.dtype.name == "bfloat16"
    return array.astype(np.float32) if is_narrow else array


def sigmoid(x):
    """1 / (1 + exp(-x)) without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0]))
    array([0. , 0.5, 1. ])
    """
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small)).astype(x.dtype)


def swish(x, scale=1.0):
    """x * sigmoid(scale * x)."""
    return x * sigmoid(x * np.asarray(scale, x.dtype))


def swiglu(x, axis=-1):
    """The first half along ``axis`` through swish, times the second half.

    >>> swiglu(np.array([0.0, 3.0]))
    array([0.])
    """
    gate, up = np.split(x, 2, axis)
    return swish(gate) * up


def swiglu_backward(dout, x, axis=-1):
    """The gradient of ``swiglu`` for its x."""
    gate, up = np.split(x, 2, axis)
    share = sigmoid(gate)
    return np.concatenate([dout * up * share * (1 + gate * (1 - share)), dout * gate * share], axis)


def gelu(x, by_tanh=False):
    """x times the normal distribution's share below x; ``by_tanh`` is the usual approximation.

    >>> gelu(np.array([0.0, 100.0]))
    array([  0., 100.])
    """
    if by_tanh:
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return (0.5 * x * (1 + np.tanh(inner))).astype(x.dtype)
    return (0.5 * x * (1 + _erf(x / math.sqrt(2)))).astype(x.dtype)


_erf = np.vectorize(math.erf, otypes=[np.float64])


def softmax(x, axis=-1):
    """exp(x) over its sum along an axis, or several.

    >>> softmax(np.array([1000.0, 1000.0]))
    array([0.5, 0.5])
    """
    powers = np.exp(x - np.max(x, axis, keepdims=True))
    return powers / np.sum(powers, axis, keepdims=True)


def rms_norm(x, gamma, epsilon):
    """x over the root of its mean square, times gamma; and one over that root.

    The mean is over the axes that gamma has.
    """
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    square = np.mean(np.square(x), axes, keepdims=True)
    rstd = (1 / np.sqrt(square + np.asarray(epsilon, x.dtype))).astype(x.dtype)
    return x * rstd * gamma, rstd


def rotary(x, cos, sin, interleaved=False):
    """x * cos + (x turned by 90 degrees) * sin, as rotary position embedding does.

    Pairs are the two halves of the last axis, or neighbours where ``interleaved``.

    >>> rotary(np.array([1.0, 2.0]), np.zeros(2), np.ones(2))
    array([-2.,  1.])
    """
    if interleaved:
        turned = np.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)
    else:
        first, second = np.split(x, 2, -1)
        turned = np.concatenate([-second, first], -1)
    return x * cos + turned * sin


def attention(query, key, value, hidden=None, scale=1.0, *, added=None, block=128, scores=None):
    """softmax(query @ key.T * scale) @ value over [..., length, features], block by block.

    The whole matrix of scores is never there: as in flash attention each block of keys corrects the
    running maximum and sum. ``hidden`` is true where nothing is to be seen, ``added`` is added to
    the scores; ``scores`` is memory for a block of them. Returns the result, the maxima and sums.
    """
    best = np.full((*query.shape[:-1], 1), -np.inf, query.dtype)
    total = np.zeros_like(best)
    found = np.zeros((*query.shape[:-1], value.shape[-1]), query.dtype)
    shape = (*query.shape[:-1], key.shape[-2])
    hidden = None if hidden is None else np.broadcast_to(hidden, shape)
    added = None if added is None else np.broadcast_to(added, shape)
    for start in range(0, key.shape[-2], block):
        part = slice(start, start + block)
        keys = np.swapaxes(key[..., part, :], -1, -2)
        powers = np.matmul(
            query, keys, out=None if scores is None else scores[..., : keys.shape[-1]]
        )
        powers *= scale
        if added is not None:
            powers += added[..., part]
        if hidden is not None:
            powers[hidden[..., part]] = -np.inf
        new = np.maximum(best, powers.max(-1, keepdims=True))
        kept = np.where(np.isneginf(new), 0, new)  # rows that see nothing so far
        np.exp(np.subtract(powers, kept, out=powers), out=powers)
        shrink = np.exp(best - kept)
        total = total * shrink + powers.sum(-1, keepdims=True)
        found = found * shrink + powers @ value[..., part, :]
        best = new
    return found / np.where(total == 0, 1, total), best, total


def causal(length, count):
    """Where nothing is to be seen: what comes later; the last query sees every key."""
    return np.triu(np.ones((length, count), bool), 1 + count - length)
