"""Layer normalization: each row shifted to mean 0 and scaled to variance 1, then scaled again."""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis
from .precision import like, widened
from .shapes import common_dtype, float_dtype


def _rows(shape, begin):
    """The axes that are normalized, and the shape of one number per row."""
    first = normal_axis(begin, len(shape))
    axes = tuple(range(first, len(shape)))
    return axes, tuple(1 if i in axes else n for i, n in enumerate(shape))


def _normalized(x, gamma, beta, *, begin_norm_axis, begin_params_axis, epsilon):
    _fits(x, gamma, beta, begin_params_axis)
    dtype = float_dtype(common_dtype(x, gamma, beta)[0])
    one = AbstractTensor(dtypes.promote(dtype, dtypes.float32), _rows(x.shape, begin_norm_axis)[1])
    return AbstractTensor(dtype, x.shape), one, one


def _fits(x, gamma, beta, begin_params_axis):
    wanted = x.shape[normal_axis(begin_params_axis, x.ndim) :]
    if not gamma.shape == beta.shape == wanted:
        raise errors.InvalidValue(
            "gamma and beta must have the last sizes of x.",
            given=f"x {list(x.shape)}, gamma {list(gamma.shape)}, beta {list(beta.shape)}",
            hint=f"Their shape must be {list(wanted)}.",
        )


@op(operands="float")
class LayerNorm:
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta per row; and the mean and variance used.

    The mean and the variance of half floats are Float32.

    >>> x, ones, zeros = Tensor([[1.0, 3.0]]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0])
    >>> y, mean, variance = ops.LayerNorm(-1, -1)(x, ones, zeros)
    >>> y, mean, variance
    (Tensor(shape=[1, 2], dtype=Float32, value=
    [[-1.00000000e+00,  1.00000000e+00]]), Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 2.00000000e+00]]), Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 1.00000000e+00]]))
    """

    infer = _normalized
    outputs = 3

    def compute(x, gamma, beta, *, begin_norm_axis=1, begin_params_axis=1, epsilon=1e-7):
        _fits(x, gamma, beta, begin_params_axis)
        wide, axes = widened(x), _rows(x.shape, begin_norm_axis)[0]
        mean = np.mean(wide, axes, keepdims=True)
        variance = np.mean(np.square(wide - mean), axes, keepdims=True)
        y = (wide - mean) / np.sqrt(variance + wide.dtype.type(epsilon)) * widened(gamma) + widened(
            beta
        )
        return like(y, x), mean, variance

    def bprop(x, gamma, _beta, out, dout, *, begin_norm_axis, epsilon):
        axes = _rows(x.shape, begin_norm_axis)[0]
        mean, variance, dy = out[1], out[2], dout[0]
        scale = ops.rsqrt(variance + epsilon)
        centred = x - mean
        normal = centred * scale
        along = dy * gamma
        inner = _mean(along * normal, axes) * normal
        dx = scale * (along - _mean(along, axes) - inner)
        count = math.prod(x.shape[i] for i in axes)
        through = dout[1] / count + dout[2] * centred * (2 / count)
        return dx + through, dy * normal, dy

    def samples(rng):
        yield (
            rng.uniform(-2, 2, (2, 4)),
            rng.uniform(0.5, 2, (4,)),
            rng.uniform(-1, 1, (4,)),
            {"epsilon": 1e-5},
        )
        yield (
            rng.uniform(-2, 2, (3, 2, 2)), rng.uniform(0.5, 2, (2,)), rng.uniform(-1, 1, (2,)),
            {"begin_norm_axis": -2, "begin_params_axis": -1, "epsilon": 1e-3},
        )  # fmt: skip

    def cost(out, x, *_rest, **_attributes):
        return 8 * x.size


def _mean(x, axes):
    return ops.mean(x, axis=axes, keep_dims=True)
