"""What does resizing do along one axis? A product with a small matrix: in by out, one column each.

>>> linear(2, 4, None, False).T.tolist()
[[1.0, 0.0], [0.75, 0.25], [0.25, 0.75], [0.0, 1.0]]
>>> averaging(5, 2).T.round(2).tolist()
[[0.33, 0.33, 0.33, 0.0, 0.0], [0.0, 0.0, 0.33, 0.33, 0.33]]
"""

import functools
import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine.tensor import Tensor
from .precision import is_half


def along_axes(x, matrices):
    """x times one matrix along each of its last axes; None leaves an axis as it is."""
    half = is_half(x.dtype.numpy)
    y = ops.cast(x, dtypes.float32) if half else x
    for number, matrix in enumerate(matrices):
        if matrix is not None:
            y = _along(y, len(x.shape) - len(matrices) + number, matrix)
    return ops.cast(y, x.dtype) if half else y


def _along(x, axis, matrix):
    shape, rest = x.shape, math.prod(x.shape[axis + 1 :])
    if rest == 1:
        lines = ops.reshape(x, shape[: axis + 1])
        y = ops.matmul(lines, Tensor(matrix.astype(x.dtype.numpy)))
    else:
        lines = ops.reshape(x, (*shape[: axis + 1], rest))
        y = ops.matmul(Tensor(np.ascontiguousarray(matrix.T.astype(x.dtype.numpy))), lines)
    return ops.reshape(y, (*shape[:axis], matrix.shape[1], *shape[axis + 1 :]))


@functools.lru_cache(256)
def averaging(size, count):
    """Each of ``count`` parts, as even as can be, becomes its mean."""
    matrix = np.zeros((size, count))
    for i, (start, end) in enumerate(parts(size, count)):
        matrix[start:end, i] = 1 / (end - start)
    return matrix


def parts(size, count):
    """Where ``count`` parts of an axis begin and end; they overlap where they must.

    >>> parts(5, 2)
    [(0, 3), (2, 5)]
    """
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


def _sources(size, count, scale, corners):
    """Where in the input the middle of each output lies."""
    places = np.arange(count)
    if corners:
        return places * ((size - 1) / (count - 1) if count > 1 else 0.0)
    return (places + 0.5) * (1 / scale if scale else size / count) - 0.5


@functools.lru_cache(256)
def linear(size, count, scale, corners):
    """Each output lies between two inputs, and takes of each by how near it is."""
    sources = np.maximum(_sources(size, count, scale, corners), 0)
    low = np.minimum(np.floor(sources).astype(np.int64), size - 1)
    share = np.minimum(sources - low, 1.0)
    matrix, columns = np.zeros((size, count)), np.arange(count)
    np.add.at(matrix, (low, columns), 1 - share)
    np.add.at(matrix, (np.minimum(low + 1, size - 1), columns), share)
    return matrix


@functools.lru_cache(256)
def cubic(size, count, scale, corners):
    """Each output takes of four inputs, by cubic convolution; beyond the ends the last repeats.

    >>> cubic(2, 2, None, True).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    sources = _sources(size, count, scale, corners)
    low = np.floor(sources).astype(np.int64)
    return _of_four(size, low, [_kernel(np.abs(sources - low - o), -0.75) for o in range(-1, 3)])


@functools.lru_cache(256)
def cubic_of_image(size, count, _scale, corners):
    """``cubic`` as MindSpore 2.10 has it on CPU, after TensorFlow.

    Places are rounded to 1 / 1024. Unless the corners stay in their places, the curve is a less
    sharp one, and what lies beyond the ends does not count.
    """
    sources = _sources(size, count, None, corners).astype(np.float32)
    low = np.floor(sources).astype(np.int64)
    share = np.rint((sources - low) * 1024) / 1024
    sharpness = -0.75 if corners else -0.5
    weights = [_kernel(np.abs(share - o), sharpness) for o in range(-1, 3)]
    if not corners:
        beyond = [(low + o < 0) | (low + o >= size) for o in range(-1, 3)]
        weights = [np.where(b, 0.0, w) for b, w in zip(beyond, weights, strict=True)]
        weights = [w / sum(weights) for w in weights]
    return _of_four(size, low, weights)


def _of_four(size, low, weights):
    matrix, columns = np.zeros((size, len(low))), np.arange(len(low))
    for offset, weight in enumerate(weights, -1):
        np.add.at(matrix, (np.clip(low + offset, 0, size - 1), columns), weight)
    return matrix


def _kernel(distance, sharpness):
    a, d = sharpness, distance
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, far)


def nearest(size, count, scale, exact=False):
    """The input that each output takes; ``exact`` measures from middle to middle.

    >>> nearest(3, 5, None).tolist()
    [0, 0, 1, 1, 2]
    """
    places = np.arange(count) + (0.5 if exact else 0.0)
    ratio = np.float32(1 / scale) if scale else np.float32(size / count)
    found = np.floor(places.astype(np.float32) * ratio).astype(np.int64)
    return np.minimum(found, size - 1)
