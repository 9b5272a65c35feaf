"""Normalization of each sample by itself: over groups of channels, by its size, by neighbours.

>>> x = Tensor([[1.0, 3.0, 10.0, 30.0]])
>>> ops.group_norm(x, 2, eps=0.0).asnumpy().tolist()
[[-1.0, 1.0, -1.0, 1.0]]
"""

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .composite import composite
from .precision import is_half
from .windows import needs_float


@composite("group_norm", "mint.nn.functional.group_norm")
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Each group of channels of each sample shifted to mean 0 and scaled to variance 1.

    Then times ``weight`` plus ``bias``, one number per channel.

    >>> ops.group_norm(ops.ones((2, 6, 4, 4)), 3).shape
    (2, 6, 4, 4)
    """
    needs_float(input)
    if type(num_groups) is not int:
        raise errors.InvalidType("the 'num_groups' must be an int.", given=repr(num_groups))
    if input.ndim < 2 or num_groups < 1:
        raise errors.InvalidValue(
            "the input needs (N, C, ...) and 'num_groups' must be an int above 0.",
            given=f"shape {list(input.shape)}, num_groups {num_groups!r}",
        )
    if input.shape[1] % num_groups:
        raise errors.InvalidValue(
            "the channels must be divisible by 'num_groups'.",
            given=f"{input.shape[1]} channels, num_groups {num_groups}",
        )
    y = standardized(input, num_groups, eps)
    shape = (1, input.shape[1], *(1,) * (len(input.shape) - 2))
    y = y if weight is None else y * ops.reshape(weight, shape)
    return y if bias is None else y + ops.reshape(bias, shape)


def standardized(x, groups, eps):
    """Each group with mean 0 and variance 1: as channels of one batch, by BatchNorm."""
    return statistics(x, groups, eps)[0]


def statistics(x, groups, eps):
    """(the standardized x, the mean and the unbiased variance of each group of each sample)."""
    rows = x.shape[0] * groups
    flat = ops.reshape(x, (1, rows, x.size // max(rows, 1)))
    ones = ops.ones((rows,), dtypes.float32 if is_half(x.dtype.numpy) else x.dtype)
    y, mean, variance, *_ = ops.BatchNorm(
        flat, ones, ones * 0, ones, ones, is_training=True, epsilon=eps
    )
    each = (x.shape[0], groups)
    return ops.reshape(y, x.shape), ops.reshape(mean, each), ops.reshape(variance, each)


@composite("rms_norm")
def rms_norm(x, gamma, epsilon=1e-6):
    """(x / the root of its mean square, over the last axes, times gamma; 1 / that root).

    >>> y, inverse = ops.rms_norm(Tensor([[3.0, 4.0]]), Tensor([1.0, 1.0]), 0.0)
    >>> round(1 / float(inverse) ** 2, 4)
    12.5
    """
    needs_float(x)
    if tuple(x.shape[len(x.shape) - len(gamma.shape) :]) != tuple(gamma.shape):
        raise errors.InvalidValue(
            "gamma must have the last sizes of x.",
            given=f"x {list(x.shape)}, gamma {list(gamma.shape)}",
        )
    wide = ops.cast(x, dtypes.float32) if is_half(x.dtype.numpy) else x
    axes = tuple(range(len(x.shape) - len(gamma.shape), len(x.shape)))
    inverse = ops.rsqrt(ops.mean(ops.square(wide), axis=axes, keep_dims=True) + epsilon)
    return ops.cast(wide * inverse, x.dtype) * gamma, inverse


@composite("lrn")
def lrn(x, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region="ACROSS_CHANNELS"):
    """x / (bias + alpha * the sum of squares of ``depth_radius`` channels on each side) ** beta.

    >>> ops.lrn(ops.ones((1, 1, 1, 1)), bias=3.0).asnumpy().tolist()
    [[[[0.5]]]]
    """
    needs_float(x)
    if norm_region != "ACROSS_CHANNELS":
        raise errors.InvalidValue(
            "the 'norm_region' must be 'ACROSS_CHANNELS'.", given=repr(norm_region)
        )
    if x.ndim != 4 or type(depth_radius) is not int or depth_radius < 0:
        raise errors.InvalidValue(
            "x must be (N, C, H, W) and 'depth_radius' an int of 0 or more.",
            given=f"shape {list(x.shape)}, depth_radius {depth_radius!r}",
        )
    n, c, h, w = x.shape
    squares = ops.reshape(ops.square(x), (n, 1, c, h, w))
    pad = (depth_radius, depth_radius, 0, 0, 0, 0)
    total = ops.AvgPool3D(
        squares, kernel_size=(2 * depth_radius + 1, 1, 1), pad_mode="pad", pad=pad,
        divisor_override=1,
    )  # fmt: skip
    return x / ops.pow(ops.reshape(total, x.shape) * alpha + bias, beta)
