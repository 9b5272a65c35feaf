"""The mean of each window, and its gradient, by MindSpore's names: each is the other's."""

import numpy as np

from .. import ops
from ..engine.primitive import op
from .axes import sized
from .pooling_rules import along, divisor, plan, pooled_shape, spread
from .precision import like, widened
from .shapes import shaped


def _mean(x, axes, include, override):
    wide = widened(x)
    total = along(np.add, wide, axes, 0)
    return like(total / divisor(axes, include, override, wide.dtype), x)


def _mean_back(dout, shape, axes, include, override):
    wide = widened(dout)
    share = wide / divisor(axes, include, override, wide.dtype)
    return like(spread(share, tuple(shape), axes), dout)


def _axes2(x, shape, kernel_size, strides, pad_mode, data_format):
    return plan((data_format, "NCHW"), x, shape, kernel_size, strides, 1, pad_mode)


_SAMPLES = (
    ((1, 2, 5, 4), {"kernel_size": 2, "strides": 2}),
    ((2, 1, 4, 5), {"kernel_size": (3, 2), "strides": 1, "pad_mode": "SAME"}),
)


def _of_gradient(pool, cases):
    """Numbers of the pooled shape, and attributes: operands of the gradient."""

    def samples(rng):
        for shape, how in cases:
            out = pool.compute(np.zeros(shape), **how)
            yield rng.uniform(-2, 2, out.shape), {"x_shape": shape, **how}

    return samples


@op()
class AvgPool:
    """The mean of each window of x (N, C, H, W); padding ("SAME") does not count.

    >>> x = ops.reshape(ops.arange(16.0), (1, 1, 4, 4))
    >>> ops.AvgPool(kernel_size=2, strides=2)(x)
    Tensor(shape=[1, 1, 2, 2], dtype=Float32, value=
    [[[[ 2.50000000e+00,  4.50000000e+00],
       [ 1.05000000e+01,  1.25000000e+01]]]])
    """

    def infer(x, **how):
        return shaped(x, pooled_shape(x, _axes2(x, x.shape, **how)))

    def compute(x, *, kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"):
        axes = _axes2(x, x.shape, kernel_size, strides, pad_mode, data_format)
        return _mean(x, axes, False, None)

    def bprop(x_, _out, dout, **how):
        return (ops.AvgPoolGrad(dout, x_shape=x_.shape, **how),)

    def samples(rng):
        for shape, how in _SAMPLES:
            yield rng.uniform(-2, 2, shape), how


@op()
class AvgPoolGrad:
    """Each number of dout shared among the elements of its window: the gradient of AvgPool.

    >>> ops.AvgPoolGrad(Tensor([[[[4.0]]]]), x_shape=(1, 1, 1, 2), kernel_size=(1, 2))
    Tensor(shape=[1, 1, 1, 2], dtype=Float32, value=
    [[[[ 2.00000000e+00,  2.00000000e+00]]]])
    """

    samples = _of_gradient(AvgPool, _SAMPLES)

    def infer(dout, *, x_shape, **how):
        _axes2(dout, x_shape, **how)
        return shaped(dout, sized(x_shape))

    def compute(dout, *, x_shape, kernel_size=1, strides=1, pad_mode="VALID", data_format="NCHW"):
        axes = _axes2(dout, x_shape, kernel_size, strides, pad_mode, data_format)
        return _mean_back(dout, x_shape, axes, False, None)

    def bprop(_dout, _out, ddx, *, x_shape, **how):
        return (ops.AvgPool(ddx, **how),)


def _axes3(x, shape, kernel_size, strides, pad_mode, pad, ceil_mode, data_format):
    layouts = data_format, "NCDHW"
    return plan(layouts, x, shape, kernel_size, strides, 1, pad_mode, pad, ceil_mode)


_PAD3 = {"kernel_size": (2, 2, 1), "strides": (2, 1, 1), "pad_mode": "pad"}
_SAMPLES3 = (
    ((1, 2, 4, 3, 2), {"kernel_size": 2, "strides": 2}),
    ((1, 1, 4, 3, 2), {**_PAD3, "pad": (1, 0, 1, 1, 0, 0), "count_include_pad": False}),
    ((1, 1, 4, 3, 2), {**_PAD3, "pad": (1, 0, 1, 1, 0, 0), "ceil_mode": True}),
    ((1, 1, 4, 3, 2), {**_PAD3, "divisor_override": 3}),
)


@op()
class AvgPool3D:
    """The mean of each window of x (N, C, D, H, W).

    ``divisor_override`` divides the sum instead of the number of elements; of padding, elements
    count if ``count_include_pad``.

    >>> ops.AvgPool3D(kernel_size=2, strides=2)(ops.ones((1, 1, 4, 4, 4))).shape
    (1, 1, 2, 2, 2)
    """

    def infer(x, *, count_include_pad, divisor_override, **how):
        return shaped(x, pooled_shape(x, _axes3(x, x.shape, **how)))

    def compute(
        x, *, kernel_size=1, strides=1, pad_mode="valid", pad=0, ceil_mode=False,
        count_include_pad=True, divisor_override=0, data_format="NCDHW",
    ):  # fmt: skip
        how = (kernel_size, strides, pad_mode, pad, ceil_mode, data_format)
        return _mean(x, _axes3(x, x.shape, *how), count_include_pad, divisor_override)

    def bprop(x_, _out, dout, **how):
        return (ops.AvgPool3DGrad(dout, x_shape=x_.shape, **how),)

    def samples(rng):
        for shape, how in _SAMPLES3:
            yield rng.uniform(-2, 2, shape), how


@op()
class AvgPool3DGrad:
    """Each number of dout shared among the elements of its window: the gradient of AvgPool3D.

    >>> dout = Tensor([[[[[4.0]]]]])
    >>> ops.AvgPool3DGrad(dout, x_shape=(1, 1, 1, 1, 2), kernel_size=(1, 1, 2)).asnumpy().ravel()
    array([2., 2.], dtype=float32)
    """

    samples = _of_gradient(AvgPool3D, _SAMPLES3)

    def infer(dout, *, x_shape, count_include_pad, divisor_override, **how):
        _axes3(dout, x_shape, **how)
        return shaped(dout, sized(x_shape))

    def compute(
        dout, *, x_shape, kernel_size=1, strides=1, pad_mode="valid", pad=0, ceil_mode=False,
        count_include_pad=True, divisor_override=0, data_format="NCDHW",
    ):  # fmt: skip
        axes = _axes3(dout, x_shape, kernel_size, strides, pad_mode, pad, ceil_mode, data_format)
        return _mean_back(dout, x_shape, axes, count_include_pad, divisor_override)

    def bprop(_dout, _out, ddx, *, x_shape, **how):
        return (ops.AvgPool3D(ddx, **how),)
