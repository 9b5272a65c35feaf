"""The largest of each window together with where it is, by MindSpore's names.

A place is the element's number in x flattened over its spatial axes; the gradient is that of
taking the elements at these places.
"""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .pooling_rules import largest_and_place, plan, pooled_shape
from .precision import like, widened
from .resizing_matrices import parts
from .shapes import as_dtype, shaped
from .windows import needs_float, needs_rank, per_axis


def _found(x, axes, argmax_type):
    shape = pooled_shape(x, axes)
    return shaped(x, shape), AbstractTensor(as_dtype(argmax_type), shape)


def _computed(x, axes, argmax_type):
    y, where = largest_and_place(widened(x), axes)
    return like(y, x), where.astype(as_dtype(argmax_type).numpy)


def taken_back(x_, out, dout):
    """dout, added where the elements were taken from; of the shape of x."""
    flat, count = (*x_.shape[:2], -1), math.prod(x_.shape[2:])
    where, dy = ops.reshape(out[1], flat), ops.reshape(dout[0], flat)
    back = ops.GatherDGrad(dy, where, shape=(*x_.shape[:2], count), dim=2)
    return ops.reshape(back, x_.shape)


def _axes2(x, kernel_size, strides, pads, dilation, ceil_mode):
    how = (kernel_size, strides, dilation, "pad", pads, ceil_mode)
    return plan(("NCHW", "NCHW"), x, x.shape, *how)


def _without_ties(rng, shape):
    return rng.permutation(2.0 * np.arange(np.prod(shape))).reshape(shape) / 60 - 1


@op()
class MaxPoolWithArgmaxV2:
    """The largest element of each window of x (N, C, H, W), and where it is: h * W + w.

    >>> y, where = ops.MaxPoolWithArgmaxV2(kernel_size=(1, 2))(Tensor([[[[1.0, 3.0, 5.0, 4.0]]]]))
    >>> y.asnumpy().tolist(), where.asnumpy().tolist()
    ([[[[3.0, 5.0]]]], [[[[1, 2]]]])
    """

    outputs = 2

    def infer(x, *, argmax_type, **how):
        return _found(x, _axes2(x, **how), argmax_type)

    def compute(
        x, *, kernel_size, strides=None, pads=0, dilation=(1, 1), ceil_mode=False,
        argmax_type=dtypes.int64,
    ):  # fmt: skip
        return _computed(x, _axes2(x, kernel_size, strides, pads, dilation, ceil_mode), argmax_type)

    def bprop(x_, out, dout):
        return (taken_back(x_, out, dout),)

    def samples(rng):
        yield _without_ties(rng, (1, 2, 5, 4)), {"kernel_size": 2}
        how = {"kernel_size": (3, 2), "strides": 1, "pads": 1, "dilation": (1, 2)}
        yield _without_ties(rng, (2, 1, 4, 5)), {**how, "ceil_mode": True}


def _axes3(x, ksize, strides, pads, dilation, ceil_mode, data_format):
    how = (ksize, strides, dilation, "pad", pads, ceil_mode)
    return plan((data_format, "NCDHW"), x, x.shape, *how)


@op()
class MaxPool3DWithArgmax:
    """The largest element of each window of x (N, C, D, H, W), and where it is.

    >>> y, where = ops.MaxPool3DWithArgmax(2, 2, 0)(ops.ones((1, 1, 4, 4, 4)))
    >>> y.shape, where.asnumpy().ravel().tolist()
    ((1, 1, 2, 2, 2), [0, 2, 8, 10, 32, 34, 40, 42])
    """

    outputs = 2

    def infer(x, *, argmax_type, **how):
        return _found(x, _axes3(x, **how), argmax_type)

    def compute(
        x, *, ksize, strides, pads, dilation=(1, 1, 1), ceil_mode=False, data_format="NCDHW",
        argmax_type=dtypes.int64,
    ):  # fmt: skip
        how = (ksize, strides, pads, dilation, ceil_mode, data_format)
        return _computed(x, _axes3(x, *how), argmax_type)

    def bprop(x_, out, dout):
        return (taken_back(x_, out, dout),)

    def samples(rng):
        how = {"ksize": 2, "strides": (2, 1, 1), "pads": (1, 0, 1)}
        yield _without_ties(rng, (1, 2, 3, 3, 2)), how


# to a size ---------------------------------------------------------------------------------------


def wanted_size(x_shape, output_size, axes):
    """The output size per axis; None keeps that of x.

    >>> wanted_size((1, 3, 8, 6), (2, None), 2)
    (2, 6)
    """
    given = output_size if isinstance(output_size, tuple | list) else (output_size,) * axes
    if len(given) != axes:
        raise errors.InvalidValue(
            f"the output_size must be an int or {axes} of them.", given=repr(output_size)
        )
    if any(type(n) is int and n < 1 for n in given):
        raise errors.ShapeMismatch("the output_size must be above 0.", given=repr(output_size))
    known = tuple(n if w is None else w for n, w in zip(x_shape[-axes:], given, strict=True))
    return per_axis("output_size", known, axes)


def _adaptive(x, output_size):
    needs_float(x)
    axes = len(x.shape) - 2
    return (*x.shape[:2], *wanted_size(x.shape, output_size, axes))


def _adaptive_rules(rank, places):
    def infer(x, *, output_size):
        needs_rank(x, rank)
        shape = _adaptive(x, output_size)
        return shaped(x, shape), AbstractTensor(places, shape)

    def compute(x, *, output_size):
        needs_rank(x, rank)
        shape = _adaptive(x, output_size)
        y, where = np.empty(shape, x.dtype), np.empty(shape, places.numpy)
        number = np.arange(np.prod(x.shape[2:], dtype=np.int64)).reshape(x.shape[2:])
        lines = [parts(n, w) for n, w in zip(x.shape[2:], shape[2:], strict=True)]
        for place in np.ndindex(shape[2:]):
            part = (..., *(slice(*line[i]) for line, i in zip(lines, place, strict=True)))
            flat = widened(x[part]).reshape(*shape[:2], -1)
            at = np.argmax(flat, -1)
            y[(..., *place)] = np.take_along_axis(flat, at[..., None], -1)[..., 0].astype(x.dtype)
            where[(..., *place)] = number[part].ravel()[at]
        return y, where

    return infer, compute


@op()
class AdaptiveMaxPool2D:
    """x (N, C, H, W) cut into ``output_size`` parts, of each the largest, and where it is.

    >>> y, where = ops.AdaptiveMaxPool2D((1, 2))(Tensor([[[[1.0, 3.0, 5.0, 4.0]]]]))
    >>> y.asnumpy().tolist(), where.asnumpy().tolist()
    ([[[[3.0, 5.0]]]], [[[[1, 2]]]])
    """

    infer, compute = _adaptive_rules(4, dtypes.int64)
    outputs = 2

    def bprop(x_, out, dout):
        return (taken_back(x_, out, dout),)

    def samples(rng):
        yield _without_ties(rng, (1, 2, 5, 4)), {"output_size": (2, 3)}
        yield _without_ties(rng, (1, 2, 3, 4)), {"output_size": (None, 2)}


@op()
class AdaptiveMaxPool3D:
    """x (N, C, D, H, W) cut into ``output_size`` parts, of each the largest, and where it is.

    The places are Int32 (Int64 of AdaptiveMaxPool2D), as in MindSpore.

    >>> y, where = ops.AdaptiveMaxPool3D(1)(ops.ones((1, 2, 3, 3, 3)))
    >>> y.shape
    (1, 2, 1, 1, 1)
    """

    infer, compute = _adaptive_rules(5, dtypes.int32)
    outputs = 2

    def bprop(x_, out, dout):
        return (taken_back(x_, out, dout),)

    def samples(rng):
        yield _without_ties(rng, (1, 2, 3, 4, 2)), {"output_size": (2, 3, 1)}
