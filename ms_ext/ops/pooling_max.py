"""The largest of each window, and the gradients of that, by MindSpore's names.

MaxPool's gradient asks which element is the largest, and passes dout there; the gradient of that
one takes the element from there. Neither depends on x but by where its largest elements are.
"""

import numpy as np

from .. import ops
from ..engine.primitive import op
from .pooling_rules import (
    along,
    at_largest,
    plan,
    pooled_shape,
    to_largest,
)  # fmt: skip
from .precision import like, widened
from .shapes import shaped

_LOWEST = -float("inf")


def _pooled(axes_of):
    """The type of a pooling."""
    return lambda x, **how: shaped(x, pooled_shape(x, axes_of(x, **how)))


def _back(axes_of):
    """The type of its gradient: that of x."""

    def infer(x, _dout, **how):
        axes_of(x, **how)
        return x

    return infer


def _again(axes_of):
    """The type of the gradient's gradient: that of the pooled."""
    return lambda x, _ddx, **how: shaped(x, pooled_shape(x, axes_of(x, **how)))


def _largest(x, axes):
    return like(along(np.maximum, widened(x), axes, _LOWEST), x)


def _to_largest(x, dout, axes):
    return like(to_largest(widened(x), widened(dout), axes), x)


def _at_largest(x, ddx, axes):
    return like(at_largest(widened(x), widened(ddx), axes), x)


def _drawn(rng, axes):
    """x without ties, and attributes."""
    x = rng.permutation(2.0 * np.arange(60)).reshape(1, 3, 5, 4, *(1,) * (axes - 2)) / 60 - 1
    flat = (1,) * (axes - 2)
    yield x, {"kernel_size": (2, 2, *flat), "strides": 2}
    yield x, {"kernel_size": 2, "strides": 1, "pad_mode": "same"}
    if axes == 3:
        how = {"kernel_size": (3, 2, 1), "strides": 2, "pad_mode": "pad", "ceil_mode": True}
        yield x, {**how, "pad_list": (1, 1, 1, 0, 0, 0)}


def _with_pooled(pool, axes):
    """Operands of a gradient: x, and numbers of the pooled shape, or of that of x."""

    def samples(rng, again=False):
        for x, how in _drawn(rng, axes):
            shape = x.shape if again else pool.compute(x, **how).shape
            yield x, rng.uniform(-1, 1, shape), how

    return samples


def _axes2(x, kernel_size, strides, pad_mode, data_format):
    return plan((data_format, "NCHW"), x, x.shape, kernel_size, strides, 1, pad_mode)


@op()
class MaxPool:
    """The largest element of each window of x (N, C, H, W).

    >>> x = ops.reshape(ops.arange(16.0), (1, 1, 4, 4))
    >>> ops.MaxPool(kernel_size=2, strides=2)(x)
    Tensor(shape=[1, 1, 2, 2], dtype=Float32, value=
    [[[[ 5.00000000e+00,  7.00000000e+00],
       [ 1.30000000e+01,  1.50000000e+01]]]])
    """

    infer = _pooled(_axes2)

    def compute(x, *, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
        return _largest(x, _axes2(x, kernel_size, strides, pad_mode, data_format))

    def bprop(x, _out, dout, **how):
        return (ops.MaxPoolGrad(x, dout, **how),)

    def samples(rng):
        return _drawn(rng, 2)


@op()
class MaxPoolGrad:
    """dout where the largest element of each window is, the first of equal ones; else 0.

    >>> x = Tensor([[[[1.0, 3.0, 2.0, 2.0]]]])
    >>> ops.MaxPoolGrad((1, 2), (1, 2))(x, Tensor([[[[3.0, 2.0]]]]))
    Tensor(shape=[1, 1, 1, 4], dtype=Float32, value=
    [[[[ 0.00000000e+00,  3.00000000e+00,  2.00000000e+00,  0.00000000e+00]]]])
    """

    infer = _back(_axes2)
    samples = _with_pooled(MaxPool, 2)

    def compute(x, dout, *, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
        return _to_largest(x, dout, _axes2(x, kernel_size, strides, pad_mode, data_format))

    def bprop(x, _dout, _dx, ddx, **how):
        return None, ops.MaxPoolGradGrad(x, ddx, **how)


@op()
class MaxPoolGradGrad:
    """The element of ddx where the largest of each window is: the gradient of MaxPoolGrad.

    >>> x = Tensor([[[[1.0, 3.0, 2.0, 2.0]]]])
    >>> ops.MaxPoolGradGrad((1, 2), (1, 2))(x, x * 10)
    Tensor(shape=[1, 1, 1, 2], dtype=Float32, value=
    [[[[ 3.00000000e+01,  2.00000000e+01]]]])
    """

    infer = _again(_axes2)

    def compute(x, ddx, *, kernel_size=1, strides=1, pad_mode="valid", data_format="NCHW"):
        return _at_largest(x, ddx, _axes2(x, kernel_size, strides, pad_mode, data_format))

    def bprop(x, _ddx, _y, dy, **how):
        return None, ops.MaxPoolGrad(x, dy, **how)

    def samples(rng):
        return _with_pooled(MaxPool, 2)(rng, again=True)


def _axes3(x, kernel_size, strides, pad_mode, pad_list, ceil_mode, data_format):
    how = (kernel_size, strides, 1, pad_mode, pad_list, ceil_mode)
    return plan((data_format, "NCDHW"), x, x.shape, *how)


@op()
class MaxPool3D:
    """The largest element of each window of x (N, C, D, H, W).

    >>> ops.MaxPool3D(kernel_size=2, strides=2)(ops.ones((1, 1, 4, 4, 4))).shape
    (1, 1, 2, 2, 2)
    """

    infer = _pooled(_axes3)

    def compute(
        x, *, kernel_size=1, strides=1, pad_mode="valid", pad_list=0, ceil_mode=None,
        data_format="NCDHW",
    ):  # fmt: skip
        how = (kernel_size, strides, pad_mode, pad_list, ceil_mode, data_format)
        return _largest(x, _axes3(x, *how))

    def bprop(x, _out, dout, **how):
        return (ops.MaxPool3DGrad(x, dout, **how),)

    def samples(rng):
        return _drawn(rng, 3)


@op()
class MaxPool3DGrad:
    """dout where the largest element of each window is, the first of equal ones; else 0.

    >>> ops.MaxPool3DGrad(2, 2)(ops.ones((1, 1, 2, 2, 2)), ops.ones((1, 1, 1, 1, 1))).sum()
    Tensor(shape=[], dtype=Float32, value= 1)
    """

    infer = _back(_axes3)
    samples = _with_pooled(MaxPool3D, 3)

    def compute(
        x, dout, *, kernel_size=1, strides=1, pad_mode="valid", pad_list=0, ceil_mode=None,
        data_format="NCDHW",
    ):  # fmt: skip
        how = (kernel_size, strides, pad_mode, pad_list, ceil_mode, data_format)
        return _to_largest(x, dout, _axes3(x, *how))

    def bprop(x, _dout, _dx, ddx, **how):
        return None, ops.MaxPool3DGradGrad(x, ddx, **how)


@op()
class MaxPool3DGradGrad:
    """The element of ddx where the largest of each window is: the gradient of MaxPool3DGrad.

    >>> x = ops.ones((1, 1, 2, 2, 2))
    >>> ops.MaxPool3DGradGrad(2, 2)(x, x * 5).sum()
    Tensor(shape=[], dtype=Float32, value= 5)
    """

    infer = _again(_axes3)

    def compute(
        x, ddx, *, kernel_size=1, strides=1, pad_mode="valid", pad_list=0, ceil_mode=None,
        data_format="NCDHW",
    ):  # fmt: skip
        how = (kernel_size, strides, pad_mode, pad_list, ceil_mode, data_format)
        return _at_largest(x, ddx, _axes3(x, *how))

    def bprop(x, _ddx, _y, dy, **how):
        return None, ops.MaxPool3DGrad(x, dy, **how)

    def samples(rng):
        return _with_pooled(MaxPool3D, 3)(rng, again=True)
