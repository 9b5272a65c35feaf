"""Pooling as functions: the largest or the mean of windows, to a size, and back again.

>>> x = ops.reshape(ops.arange(16.0), (1, 1, 4, 4))
>>> ops.max_pool2d(x, 2).asnumpy().tolist(), ops.avg_pool2d(x, 2, 2).asnumpy().tolist()
([[[[5.0, 7.0], [13.0, 15.0]]]], [[[[2.5, 4.5], [10.5, 12.5]]]])
"""

import math

from .. import ops
from ..engine import errors
from .composite import composite
from .windows import per_axis, sides


def lifted(function, x, axes, to):
    """``function`` of x, lifted from ``axes`` spatial axes to ``to`` and, alone, into a batch."""
    alone = x.ndim == axes + 1
    if not alone and x.ndim != axes + 2:
        raise errors.InvalidValue(
            f"the input must have {axes + 1} or {axes + 2} axes.", given=f"shape {list(x.shape)}"
        )
    lead = (1,) * alone + x.shape[: 2 - alone]
    y = function(ops.reshape(x, (*lead, *(1,) * (to - axes), *x.shape[-axes:])))

    def lower(y):
        return ops.reshape(y, (*x.shape[: 2 - alone], *y.shape[-axes:]))

    return tuple(map(lower, y)) if isinstance(y, tuple) else lower(y)


def _raised(name, value, axes, fill, least=1):
    return (fill,) * (3 - axes) + per_axis(name, value, axes, least)


def largest(x, axes, kernel_size, stride, padding, dilation, return_indices, ceil_mode):
    """max_pool of any number of axes, by the primitive for volumes."""
    stride = kernel_size if stride is None else stride
    how = {
        "ksize": _raised("kernel_size", kernel_size, axes, 1),
        "strides": _raised("stride", stride, axes, 1),
        "pads": _raised("padding", padding, axes, 0, 0),
        "dilation": _raised("dilation", dilation, axes, 1), "ceil_mode": ceil_mode,
    }  # fmt: skip
    _half_at_most(how["pads"], how["ksize"])
    if return_indices:
        return lifted(lambda x: ops.MaxPool3DWithArgmax(x, **how), x, axes, 3)
    if set(how.pop("dilation")) != {1}:
        return largest(x, axes, kernel_size, stride, padding, dilation, True, ceil_mode)[0]
    pads = tuple(n for pad in how["pads"] for n in (pad, pad))
    plain = {"kernel_size": how["ksize"], "strides": how["strides"], "ceil_mode": ceil_mode}
    return lifted(lambda x: ops.MaxPool3D(x, pad_mode="pad", pad_list=pads, **plain), x, axes, 3)


@composite("max_pool2d")
def max_pool2d(
    x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False
):
    """The largest of each window of x (N, C, H, W), and with ``return_indices`` where it is.

    Windows are ``stride`` apart, by default as far as they are wide; ``ceil_mode`` keeps a last
    window that reaches beyond x.

    >>> ops.max_pool2d(Tensor([[[[1.0, 3.0, 5.0, 4.0]]]]), (1, 2)).asnumpy().tolist()
    [[[[3.0, 5.0]]]]
    """
    return largest(x, 2, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


@composite("mint.nn.functional.max_pool2d")
def max_pool2d_ext(
    input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """``ops.max_pool2d`` with the last two arguments in the other order.

    >>> mint.nn.functional.max_pool2d(Tensor([[[[1.0, 3.0, 5.0]]]]), (1, 2)).asnumpy().tolist()
    [[[[3.0]]]]
    """
    return largest(input, 2, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


@composite("max_pool3d")
def max_pool3d(
    x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    """The largest of each window of x (N, C, D, H, W), and with ``return_indices`` where it is.

    >>> ops.max_pool3d(ops.ones((1, 1, 4, 4, 4)), 2).shape
    (1, 1, 2, 2, 2)
    """
    return largest(x, 3, kernel_size, stride, padding, dilation, return_indices, ceil_mode)


def _half_at_most(pads, kernel):
    if any(2 * p > k for p, k in zip(pads, kernel, strict=True)):
        raise errors.InvalidValue(
            "the padding must be no more than half of the kernel_size.",
            given=f"padding {pads}, kernel_size {kernel}",
        )


def mean(x, axes, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor=None):
    """avg_pool of any number of axes, by the primitive for volumes."""
    stride = kernel_size if stride is None else stride
    ends = ((0, 0),) * (3 - axes) + sides("padding", padding, axes)
    how = {
        "kernel_size": _raised("kernel_size", kernel_size, axes, 1),
        "strides": _raised("stride", stride, axes, 1), "pad_mode": "pad",
        "pad": tuple(n for pair in ends for n in pair), "ceil_mode": ceil_mode,
        "count_include_pad": count_include_pad, "divisor_override": divisor or 0,
    }  # fmt: skip
    _half_at_most(tuple(max(pair) for pair in ends), how["kernel_size"])
    return lifted(lambda x: ops.AvgPool3D(x, **how), x, axes, 3)


@composite("avg_pool1d")
def avg_pool1d(
    input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True
):
    """The mean of each window of x (N, C, L).

    >>> ops.avg_pool1d(Tensor([[[1.0, 3.0, 5.0]]]), 2).asnumpy().tolist()
    [[[2.0, 4.0]]]
    """
    return mean(input_x, 1, kernel_size, stride, padding, ceil_mode, count_include_pad)


@composite("avg_pool2d")
def avg_pool2d(
    input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=0,
):  # fmt: skip
    """The mean of each window of x (N, C, H, W); ``divisor_override`` divides the sum instead.

    >>> ops.avg_pool2d(Tensor([[[[1.0, 3.0, 5.0]]]]), (1, 2)).asnumpy().tolist()
    [[[[2.0, 4.0]]]]
    """
    how = (padding, ceil_mode, count_include_pad, divisor_override)
    return mean(input_x, 2, kernel_size, stride, *how)


@composite("avg_pool3d")
def avg_pool3d(
    input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=0,
):  # fmt: skip
    """The mean of each window of x (N, C, D, H, W).

    >>> ops.avg_pool3d(ops.ones((1, 1, 4, 4, 4)), 2, 2).shape
    (1, 1, 2, 2, 2)
    """
    how = (padding, ceil_mode, count_include_pad, divisor_override)
    return mean(input_x, 3, kernel_size, stride, *how)


@composite("mint.nn.functional.avg_pool1d")
def avg_pool1d_ext(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True
):
    """The mean of each window of x (N, C, L); windows are as far apart as they are wide.

    >>> mint.nn.functional.avg_pool1d(Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2).asnumpy().tolist()
    [[[2.0, 6.0]]]
    """
    return mean(input, 1, kernel_size, stride, padding, ceil_mode, count_include_pad)


@composite("mint.nn.functional.avg_pool2d")
def avg_pool2d_ext(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=None,
):  # fmt: skip
    """The mean of each window of x (N, C, H, W); windows are as far apart as they are wide.

    >>> mint.nn.functional.avg_pool2d(ops.ones((1, 1, 4, 4)), 2).shape
    (1, 1, 2, 2)
    """
    how = (padding, ceil_mode, count_include_pad, divisor_override)
    return mean(input, 2, kernel_size, stride, *how)


@composite("mint.nn.functional.avg_pool3d")
def avg_pool3d_ext(
    input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
    divisor_override=None,
):  # fmt: skip
    """The mean of each window of x (N, C, D, H, W); windows are as far apart as they are wide.

    >>> mint.nn.functional.avg_pool3d(ops.ones((1, 1, 4, 4, 4)), 2).shape
    (1, 1, 2, 2, 2)
    """
    how = (padding, ceil_mode, count_include_pad, divisor_override)
    return mean(input, 3, kernel_size, stride, *how)


# sums of powers -----------------------------------------------------------------------------------


def _power_pooled(x, axes, norm_type, kernel_size, stride, ceil_mode):
    kernel = per_axis("kernel_size", kernel_size, axes)
    shares = mean(ops.pow(x, norm_type), axes, kernel, stride, 0, ceil_mode, True, 1)
    return ops.pow(shares, 1.0 / norm_type)


@composite("lp_pool1d")
def lp_pool1d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The root of each window's sum of powers, along a line.

    >>> ops.lp_pool1d(Tensor([[[3.0, 4.0]]]), 2, 2).asnumpy().tolist()
    [[[5.0]]]
    """
    return _power_pooled(x, 1, norm_type, kernel_size, stride, ceil_mode)


@composite("lp_pool2d")
def lp_pool2d(x, norm_type, kernel_size, stride=None, ceil_mode=False):
    """The root of each window's sum of powers, in an image.

    >>> ops.lp_pool2d(Tensor([[[[3.0, 4.0]]]]), 2, (1, 2)).asnumpy().tolist()
    [[[[5.0]]]]
    """
    return _power_pooled(x, 2, norm_type, kernel_size, stride, ceil_mode)


# back from the largest ----------------------------------------------------------------------------


def _unpooled(x, indices, axes, kernel_size, stride, padding, output_size):
    stride = kernel_size if stride is None else stride
    sizes = [
        per_axis("kernel_size", kernel_size, axes),
        per_axis("stride", stride, axes),
        per_axis("padding", padding, axes, 0),
    ]
    given = tuple(output_size or ())[-axes:]
    size = given or tuple(
        (n - 1) * s - 2 * p + k for n, k, s, p in zip(x.shape[-axes:], *sizes, strict=True)
    )
    lead = x.shape[:-axes]
    flat = (*lead, math.prod(x.shape[-axes:]))
    where = ops.reshape(indices, flat)
    whole = (*lead, math.prod(size))
    y = ops.GatherDGrad(ops.reshape(x, flat), where, shape=whole, dim=len(lead))
    return ops.reshape(y, (*lead, *size))


@composite("max_unpool1d")
def max_unpool1d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """The elements of x put where ``indices`` says, zeros between: max_pool1d backwards.

    >>> ops.max_unpool1d(Tensor([[[3.0, 5.0]]]), Tensor([[[1, 2]]]), 2).asnumpy().tolist()
    [[[0.0, 3.0, 5.0, 0.0]]]
    """
    return _unpooled(x, indices, 1, kernel_size, stride, padding, output_size)


@composite("max_unpool2d", "mint.nn.functional.max_unpool2d")
def max_unpool2d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """The elements of x put where ``indices`` says, zeros between: max_pool2d backwards.

    >>> y, where = ops.max_pool2d(Tensor([[[[1.0, 3.0, 5.0, 4.0]]]]), (1, 2), return_indices=True)
    >>> ops.max_unpool2d(y, where, (1, 2)).asnumpy().tolist()
    [[[[0.0, 3.0, 5.0, 0.0]]]]
    """
    return _unpooled(x, indices, 2, kernel_size, stride, padding, output_size)


@composite("max_unpool3d")
def max_unpool3d(x, indices, kernel_size, stride=None, padding=0, output_size=None):
    """The elements of x put where ``indices`` says, zeros between: max_pool3d backwards.

    >>> ops.max_unpool3d(ops.ones((1, 1, 1, 1, 1)), ops.zeros((1, 1, 1, 1, 1), "int64"), 2).shape
    (1, 1, 2, 2, 2)
    """
    return _unpooled(x, indices, 3, kernel_size, stride, padding, output_size)
