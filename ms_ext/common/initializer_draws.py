"""First numbers that are drawn: from a bell curve or evenly, as far apart as the shape asks for.

A layer with n inputs keeps the size of what flows through it if its weights have a variance of
1 / n, or with relu, which lets half of it through, of 2 / n.
"""

import math

from .. import dtype as dtypes  # noqa: F401  (for the examples)
from ..engine import errors
from . import philox
from .initializer_rule import Initializer, fans, named


def _fill_normal(arr, mean, sigma):
    if sigma < 0:
        raise errors.InvalidValue("sigma < 0", given=f"sigma={sigma}")
    arr[...] = philox.normal(philox.next_seed(), mean, sigma, arr.size).reshape(arr.shape)


def _fill_uniform(arr, scale):
    arr[...] = philox.uniform(philox.next_seed(), -scale, scale, arr.size).reshape(arr.shape)


def _fill_truncated(arr, mean, sigma, low, high):
    if sigma < 0:
        raise errors.InvalidValue("sigma < 0", given=f"sigma={sigma}")
    arr[...] = philox.truncated(philox.next_seed(), mean, sigma, low, high, arr.size).reshape(
        arr.shape
    )


@named()
class Normal(Initializer):
    """The bell curve around ``mean`` with the standard deviation ``sigma``.

    >>> Normal(0.02).make((2, 3), dtypes.float32).shape
    (2, 3)
    """

    def __init__(self, sigma=0.01, mean=0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma, self.mean = sigma, mean

    def _initialize(self, arr):
        _fill_normal(arr, self.mean, self.sigma)


@named()
class TruncatedNormal(Initializer):
    """The bell curve, cut off below ``a`` and above ``b``.

    >>> bool(abs(TruncatedNormal(1.0, a=-1.0, b=1.0).make((100,), dtypes.float32)).max() <= 1)
    True
    """

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def _initialize(self, arr):
        _fill_truncated(arr, self.mean, self.sigma, self.a, self.b)


@named()
class Uniform(Initializer):
    """Evenly from ``-scale`` to ``scale``.

    >>> bool(abs(Uniform(0.5).make((100,), dtypes.float32)).max() <= 0.5)
    True
    """

    def __init__(self, scale=0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def _initialize(self, arr):
        _fill_uniform(arr, self.scale)


@named("xavier_normal")
class XavierNormal(Initializer):
    """The bell curve with sigma = gain sqrt(2 / (inputs + outputs)).

    >>> XavierNormal().make((2, 3), dtypes.float32).shape
    (2, 3)
    """

    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        _fill_normal(arr, 0, self.gain * math.sqrt(2 / sum(fans(arr.shape))))


@named("xavier_uniform")
class XavierUniform(Initializer):
    """Evenly between plus and minus gain sqrt(6 / (inputs + outputs)).

    >>> bool(abs(XavierUniform().make((3, 3), dtypes.float32)).max() <= 1)
    True
    """

    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        _fill_uniform(arr, self.gain * math.sqrt(6 / sum(fans(arr.shape))))


def _he_sigma(rule, shape):
    """gain / sqrt(fan): the standard deviation by He and others."""
    modes = ("fan_in", "fan_out")
    if rule.mode.lower() not in modes:
        raise errors.InvalidValue(
            f"'mode' {rule.mode.lower()} not supported, please use one of {list(modes)}"
        )
    fan = fans(shape)[modes.index(rule.mode.lower())]
    return gain(rule.nonlinearity, rule.negative_slope) / math.sqrt(fan)


def gain(nonlinearity, negative_slope=None):
    """How much larger weights are in front of a nonlinearity.

    >>> gain("relu")
    1.4142135623730951
    """
    slope = 0.01 if negative_slope is None else negative_slope
    if isinstance(slope, bool) or not isinstance(slope, int | float):
        raise errors.InvalidValue(
            f"For 'HeUniform', 'negative_slope' {slope} is not a valid number."
        )
    known = {
        "tanh": 5 / 3, "relu": math.sqrt(2), "leaky_relu": math.sqrt(2 / (1 + slope**2)),
        **dict.fromkeys(("linear", "sigmoid", "conv1d", "conv2d", "conv3d"), 1),
        **dict.fromkeys((f"conv_transpose{n}d" for n in (1, 2, 3)), 1),
    }  # fmt: skip
    if nonlinearity not in known:
        raise errors.InvalidValue(
            "For 'HeUniform', the argument 'nonlinearity' should be one of ['sigmoid', 'tanh', "
            f"'relu' or 'leaky_relu'], but got {nonlinearity}.",
            hint=errors.did_you_mean(str(nonlinearity), known),
        )
    return known[nonlinearity]


@named("he_uniform")
class HeUniform(Initializer):
    """Evenly between plus and minus gain sqrt(3 / fan): fan counts inputs (or outputs).

    The gain is sqrt(2 / (1 + negative_slope^2)), or that of another nonlinearity.

    >>> bool(abs(HeUniform().make((3, 6), dtypes.float32)).max() <= 1)
    True
    """

    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def _initialize(self, arr):
        _fill_uniform(arr, math.sqrt(3) * _he_sigma(self, arr.shape))


@named("he_normal")
class HeNormal(Initializer):
    """The bell curve with sigma = gain / sqrt(fan); ``HeUniform`` tells of both.

    >>> HeNormal(mode="fan_out").make((3, 6), dtypes.float32).shape
    (3, 6)
    """

    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        self.negative_slope, self.mode, self.nonlinearity = negative_slope, mode, nonlinearity

    def _initialize(self, arr):
        _fill_normal(arr, 0, _he_sigma(self, arr.shape))


_MODES = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS = ("uniform", "truncated_normal", "untruncated_normal")
_LEFT = 0.87962566103423978  # the standard deviation of a bell curve cut off at -2 and 2


@named()
class VarianceScaling(Initializer):
    """With the variance scale / fan: from a bell curve cut off at twice its sigma, or another.

    (MindSpore 2.10 draws evenly where "truncated_normal" is asked for; the variance is the same.)

    >>> VarianceScaling(distribution="uniform").make((2, 3), dtypes.float32).shape
    (2, 3)
    """

    def __init__(self, scale=1.0, mode="fan_in", distribution="truncated_normal"):
        super().__init__(scale=scale, mode=mode, distribution=distribution)
        what = "For VarianceScaling initializer, the argument"
        if scale <= 0:
            raise errors.InvalidValue(f"{what} 'scale' must be greater than 0, but got {scale}.")
        if mode not in _MODES:
            raise errors.InvalidValue(f"{what} 'mode' must be {_or(_MODES)}, but got {mode}.")
        if distribution not in _DISTRIBUTIONS:
            raise errors.InvalidValue(
                f"{what} 'distribution' must be {_or(_DISTRIBUTIONS)}, but got {distribution}."
            )
        self.scale, self.mode, self.distribution = scale, mode, distribution

    def _initialize(self, arr):
        inputs, outputs = fans(arr.shape)
        fan = {"fan_in": inputs, "fan_out": outputs, "fan_avg": (inputs + outputs) / 2}[self.mode]
        sigma = math.sqrt(self.scale / max(1.0, fan))
        if self.distribution == "uniform":
            _fill_uniform(arr, math.sqrt(3) * sigma)
        elif self.distribution == "untruncated_normal":
            _fill_normal(arr, 0, sigma)
        else:
            sigma /= _LEFT
            _fill_truncated(arr, 0, sigma, -2 * sigma, 2 * sigma)


def _or(words):
    return " or ".join((", ".join(words[:-1]), words[-1]))
