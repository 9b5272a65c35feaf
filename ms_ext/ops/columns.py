"""How is a convolution calculated? As products of matrices, on columns of what windows see.

A window's elements are a column; the weight has one row per output channel. All windows' columns at
once would be kernel times as large as x, so they are laid out block by block, each about the size
of a cache.

>>> x, w = np.arange(4.0).reshape(1, 1, 4), np.array([[[1.0, 2.0]]])
>>> convolved(x, w, laid((4,), 2, 1), 1).tolist()
[[[2.0, 5.0, 8.0]]]
"""

import math

import numpy as np

from .window_views import padded_shape, taps, unpadded, windows
from .windows import Axis, laid, volume  # noqa: F401  (the examples use laid)

BLOCK = 1 << 20  # bytes of columns that are multiplied at a time


def convolved(x, w, axes, groups):
    """The convolution of x with w: (N, O, *out)."""
    n, out = x.shape[0], tuple(a.out for a in axes)
    y = np.empty((n, groups, w.shape[0] // groups, math.prod(out)), x.dtype)
    rows = w.reshape(groups, w.shape[0] // groups, -1)
    for samples, places, columns in _blocks(x, axes, groups):
        np.matmul(rows, columns, out=y[samples, :, :, places])
    return y.reshape(n, w.shape[0], *out)


def filter_gradient(dout, x, shape, axes, groups):
    """The gradient of a convolution for its weight, of this ``shape``."""
    dout = _flat(dout, groups)
    total = np.zeros((groups, shape[0] // groups, math.prod(shape[1:])), dout.dtype)
    for samples, places, columns in _blocks(x, axes, groups):
        products = np.matmul(dout[samples, :, :, places], np.swapaxes(columns, 2, 3))
        total += products[0] if len(products) == 1 else products.sum(0)
    return total.reshape(shape)


def input_gradient(dout, w, shape, axes, groups):
    """The gradient of a convolution for its input, of this ``shape``.

    With stride 1 it is a convolution itself: of dout with the weight mirrored and turned around.
    """
    copies = w.shape[0] * volume(axes, "size")  # per tap; an addition costs about four copies
    if volume(axes, "stride") == 1 and copies < 4 * shape[1] * volume(axes, "out"):
        return convolved(dout, _mirrored(w, groups), [_backwards(a) for a in axes], groups)
    return _scattered(dout, w, shape, axes, groups)


def _flat(dout, groups):
    """(N, groups, O / groups, places) of (N, O, *out)."""
    n, o, *out = dout.shape
    return dout.reshape(n, groups, o // groups, math.prod(out))


def _mirrored(w, groups):
    """The weight that leads back: a group's outputs and inputs change places, taps are reversed."""
    o, c, *kernel = w.shape
    turned = np.swapaxes(w.reshape(groups, o // groups, c, *kernel), 1, 2)
    turned = np.flip(turned, tuple(range(3, turned.ndim)))
    return turned.reshape(groups * c, o // groups, *kernel)


def _backwards(axis):
    """The windows of the way back: each element of x sees the outputs that had seen it."""
    before = axis.span - 1 - axis.before
    after = axis.size + axis.span - 1 - axis.out - before
    return Axis(axis.out, axis.kernel, 1, axis.dilation, before, after)


def _scattered(dout, w, shape, axes, groups):
    """Each output's column of products, added where its window lies.

    The samples come last meanwhile: then a row of windows is one long run of additions.
    """
    o, c, *kernel = w.shape
    columns_of = np.swapaxes(w.reshape(groups, o // groups, -1), 1, 2)
    dout = np.moveaxis(_flat(dout, groups), 0, -1)
    out, dx = tuple(a.out for a in axes), np.empty(shape, dout.dtype)
    size = math.prod((shape[1], *kernel, *out)) * dout.itemsize
    step = max(BLOCK // max(size, 1), 1)
    for start in range(0, shape[0], step):
        part = dout[..., start : start + step]
        count = part.shape[-1]
        columns = np.matmul(
            columns_of, part.reshape(groups, o // groups, math.prod(part.shape[2:]))
        )
        columns = columns.reshape(shape[1], *kernel, *out, count)
        whole = np.zeros((*padded_shape(shape[1:], axes), count), dout.dtype)
        for place, index in taps(axes):
            whole[(*index, slice(None))] += columns[(slice(None), *place)]
        inside = unpadded(np.moveaxis(whole, -1, 0), axes)
        dx[start : start + count] = inside
    return dx


def added(whole, columns, axes):
    """Add columns (N, C, *kernel, *out) to where the windows lie in a padded array, in place."""
    for place, index in taps(axes):
        whole[index] += columns[(slice(None), slice(None), *place)]


def _blocks(x, axes, groups):
    """(samples, places, columns (n, groups, C / groups * kernel, places)), block by block."""
    out, kernel = tuple(a.out for a in axes), volume(axes, "kernel")
    count, inner = math.prod(out), x.shape[1] // groups * kernel
    view = windows(x, axes, groups=groups)
    if kernel == 1 and view.flags.c_contiguous:  # a kernel of one tap: the columns are x
        yield slice(None), slice(None), view.reshape(len(x), groups, inner, count)
        return
    size = groups * inner * count * x.itemsize
    if size <= BLOCK:
        yield from _by_samples(view, max(BLOCK // max(size, 1), 1), (groups, inner, count))
    else:
        lines = max(BLOCK * out[0] // size, 1)
        yield from _by_lines(view, lines, (groups, inner), len(axes), count // out[0])


def _by_samples(view, step, form):
    memory = np.empty((min(step, len(view)), *view.shape[1:]), view.dtype)
    for start in range(0, len(view), step):
        part = view[start : start + step]
        columns = memory[: len(part)]
        columns[...] = part
        yield slice(start, start + len(part)), slice(None), columns.reshape(len(part), *form)


def _by_lines(view, lines, form, axes, width):
    """Blocks of one sample and some places of the first spatial axis."""
    lead, out = view.shape[1:-axes], view.shape[-axes:]
    memory = np.empty(math.prod((*lead, lines, *out[1:])), view.dtype)
    before = (slice(None),) * len(lead)
    for n in range(len(view)):
        for start in range(0, out[0], lines):
            part = view[n][(*before, slice(start, start + lines))]
            columns = memory[: part.size].reshape(part.shape)
            columns[...] = part
            places = slice(start * width, start * width + part.size // math.prod(lead))
            yield slice(n, n + 1), places, columns.reshape(1, *form, -1)
