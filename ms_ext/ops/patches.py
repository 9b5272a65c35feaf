"""Windows laid out as columns, and added up again: Im2Col and Col2Im, unfold and fold.

Each is the other's gradient. A convolution is a product with these columns.

>>> x = ops.reshape(ops.arange(9.0), (1, 1, 3, 3))
>>> ops.unfold(x, 2).asnumpy()[0].T.tolist()[0]
[0.0, 1.0, 3.0, 4.0]
"""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.primitive import op
from .columns import added
from .composite import composite
from .precision import like, widened
from .shapes import shaped
from .window_views import padded_shape, unpadded, windows
from .windows import laid, needs_rank, volume


def _axes(size, ksizes, strides, dilations, pads):
    return laid(tuple(size), *map(_fixed, (ksizes, strides, dilations)), "pad", _fixed(pads))


def _fixed(value):
    return tuple(value) if isinstance(value, list) else value


def _columns_of(x, axes):
    needs_rank(x, 4)
    return (x.shape[0], x.shape[1], volume(axes, "kernel"), volume(axes, "out"))


def _image_of(x, output_size, axes):
    needs_rank(x, 4)
    wanted = [volume(axes, "kernel"), volume(axes, "out")]
    if list(x.shape[2:]) != wanted:
        raise errors.InvalidValue(
            "the columns do not fit the output_size.",
            given=f"columns {list(x.shape)}, output_size {list(output_size)}",
            hint=f"It needs (N, C, kernel, windows) with the last sizes {wanted}.",
        )
    return (x.shape[0], x.shape[1], *output_size)


@op()
class Im2Col:
    """Each window of x (N, C, H, W) as a column: (N, C, kernel, windows).

    >>> ops.Im2Col(ksizes=2)(ops.ones((1, 3, 4, 5))).shape
    (1, 3, 4, 12)
    """

    def infer(x, *, ksizes, strides, dilations, pads):
        needs_rank(x, 4)
        return shaped(x, _columns_of(x, _axes(x.shape[2:], ksizes, strides, dilations, pads)))

    def compute(x, *, ksizes, strides=1, dilations=1, pads=0):
        needs_rank(x, 4)
        axes = _axes(x.shape[2:], ksizes, strides, dilations, pads)
        return np.ascontiguousarray(windows(x, axes)).reshape(_columns_of(x, axes))

    def bprop(x_, _out, dout, **how):
        return (ops.Col2Im(dout, output_size=x_.shape[2:], **how),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3, 4, 3)), {"ksizes": 2}
        how = {"strides": 2, "dilations": (1, 2), "pads": (1, 2)}
        yield rng.uniform(-2, 2, (1, 2, 5, 3)), {"ksizes": (3, 2), **how}


@op()
class Col2Im:
    """Columns added up where their windows lie, in an image of ``output_size``.

    >>> ops.Col2Im(ops.ones((1, 1, 2, 2)), (1, 3), (1, 2)).asnumpy().tolist()
    [[[[1.0, 2.0, 1.0]]]]
    """

    def infer(x, *, output_size, ksizes, strides, dilations, pads):
        axes = _axes(output_size, ksizes, strides, dilations, pads)
        return shaped(x, _image_of(x, output_size, axes))

    def compute(x, *, output_size, ksizes, strides=1, dilations=1, pads=0):
        axes = _axes(output_size, ksizes, strides, dilations, pads)
        wide, shape = widened(x), _image_of(x, output_size, axes)
        whole = np.zeros(padded_shape(shape, axes), wide.dtype)
        form = (a.kernel for a in axes), (a.out for a in axes)
        added(whole, wide.reshape(*shape[:2], *form[0], *form[1]), axes)
        return like(np.ascontiguousarray(unpadded(whole, axes)), x)

    def bprop(_x, _out, dout, *, output_size, **how):
        return (ops.Im2Col(dout, **how),)

    def samples(rng):
        yield rng.uniform(-2, 2, (2, 3, 4, 6)), {"output_size": (4, 3), "ksizes": 2}
        how = {"strides": 2, "dilations": (1, 2), "pads": (1, 2)}
        yield rng.uniform(-2, 2, (1, 2, 6, 12)), {"output_size": (5, 5), "ksizes": (3, 2), **how}


@composite("unfold", "mint.nn.functional.unfold")
def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Each window of the input (N, C, H, W) as a column of all its channels: (N, C * k * k, L).

    >>> ops.unfold(ops.ones((1, 3, 4, 5)), 2).shape
    (1, 12, 12)
    """
    columns = ops.Im2Col(
        input, ksizes=kernel_size, strides=stride, dilations=dilation, pads=padding
    )
    n, c, k, count = columns.shape
    return ops.reshape(columns, (n, c * k, count))


@composite("fold", "mint.nn.functional.fold")
def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """Columns (N, C * k * k, L) added up where their windows lie, in images of ``output_size``.

    >>> ops.fold(ops.ones((1, 2, 2)), (1, 3), (1, 2)).asnumpy().tolist()
    [[[[1.0, 2.0, 1.0]]]]
    """
    if hasattr(output_size, "asnumpy"):
        output_size = tuple(output_size.asnumpy().tolist())
    size = (output_size,) * 2 if type(output_size) is int else tuple(output_size)
    kernel = (kernel_size,) * 2 if type(kernel_size) is int else tuple(kernel_size)
    n, rows, count = input.shape
    taps = kernel[0] * kernel[-1] if len(kernel) == 2 else kernel[0] ** 2
    if rows % taps:
        raise errors.InvalidValue(
            "the rows must be divisible by the kernel's size.",
            given=f"input {list(input.shape)}, kernel_size {kernel_size}",
        )
    columns = ops.reshape(input, (n, rows // taps, taps, count))
    return ops.Col2Im(
        columns, output_size=size, ksizes=kernel, strides=stride, dilations=dilation, pads=padding
    )


def patches_of(x, kernel, stride, dilation, mode):
    """Patches (N, kernel * C, *out), all channels of a tap together; ``mode`` "valid" or "same".

    >>> patches_of(ops.ones((1, 3, 4, 5)), (2, 2), (1, 1), (1, 1), "same").shape
    (1, 12, 4, 5)
    """
    needs_rank(x, 4)
    axes = laid(tuple(x.shape[2:]), kernel, stride, dilation, mode)
    ends = [n for a in reversed(axes) for n in (a.before, a.end)]
    x = ops.pad(x, tuple(ends)) if any(ends) else x
    columns = ops.Im2Col(x, ksizes=kernel, strides=stride, dilations=dilation)
    n, c, k, _ = columns.shape
    turned = ops.transpose(columns, (0, 2, 1, 3))
    return ops.reshape(turned, (n, k * c, *(a.out for a in axes)))
