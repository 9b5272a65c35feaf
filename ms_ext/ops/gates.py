"""Activations that are made of others: gates, thresholds, and softmax in its several forms."""

from .. import ops
from ..engine import errors
from .axes import normal_axis
from .composite import composite
from .randomness import next_draw
from .smooth import _number


def _returned(inplace):
    if inplace:
        raise errors.InvalidValue(
            "inplace=True is not known here: no function changes its input.",
            hint="Use what the function returns.",
        )


@composite("leaky_relu")
def leaky_relu(input, alpha=0.2):
    """x where it is positive, alpha * x elsewhere (the other way around if alpha is above 1).

    >>> ops.leaky_relu(Tensor([-1.0, 2.0]), 0.5)
    Tensor(shape=[2], dtype=Float32, value= [-5.00000000e-01,  2.00000000e+00])
    """
    steep = _number("leaky_relu", "alpha", alpha) > 1
    return (ops.minimum if steep else ops.maximum)(alpha * input, input)


@composite("mint.nn.functional.leaky_relu")
def leaky_relu_ext(input, negative_slope=0.01):
    """x where it is positive, negative_slope * x elsewhere.

    >>> mint.nn.functional.leaky_relu(Tensor([-1.0, 2.0]), 0.5)
    Tensor(shape=[2], dtype=Float32, value= [-5.00000000e-01,  2.00000000e+00])
    """
    return ops.LeakyReLUExt(input, negative_slope=negative_slope)


@composite("mint.nn.functional.elu")
def elu_ext(input, alpha=1.0, inplace=False):
    """alpha * (exp(x) - 1) where x is negative, x above.

    >>> mint.nn.functional.elu(Tensor([0.0, 2.0]), 0.5)
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """
    _returned(inplace)
    return ops.EluExt(input, alpha=alpha)


@composite("mint.nn.functional.relu6")
def relu6_ext(input, inplace=False):
    """x between 0 and 6, else the nearer of the two; the derivative at both is 0.

    >>> mint.nn.functional.relu6(Tensor([7.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 6.00000000e+00])
    """
    return hardtanh_ext(input, 0.0, 6.0, inplace)


@composite("rrelu")
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3):
    """x where it is positive, elsewhere x times a number drawn between lower and upper.

    >>> ops.rrelu(Tensor([-1.0, 2.0]), 0.5, 0.5)
    Tensor(shape=[2], dtype=Float32, value= [-5.00000000e-01,  2.00000000e+00])
    """
    for name, value in (("lower", lower), ("upper", upper)):
        _number("rrelu", name, value)
    if upper < lower:
        raise errors.InvalidValue(
            "the value of 'upper' must be greater than or equal to 'lower', "
            f"but got upper: {upper}, lower: {lower}."
        )
    slopes = _uniform(input.shape) * (upper - lower) + lower
    return ops.relu(input) + ops.where(input < 0, input * ops.cast(slopes, input.dtype), 0)


def _uniform(shape):
    seed, offset = next_draw()
    return ops.UniformReal(seed=seed, offset=offset, shape=shape, dtype="float32")


@composite("hardtanh")
def hardtanh(input, min_val=-1.0, max_val=1.0):
    """x between min_val and max_val, else the nearer of the two.

    >>> ops.hardtanh(Tensor([-3.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  5.00000000e-01])
    """
    for name, value in (("min_val", min_val), ("max_val", max_val)):
        _number("hardtanh", name, value)
    return ops.minimum(ops.maximum(input, min_val), max_val)


@composite("mint.nn.functional.hardtanh")
def hardtanh_ext(input, min_val=-1.0, max_val=1.0, inplace=False):
    """x between min_val and max_val, else the nearer of the two; the derivative at both is 0.

    >>> mint.nn.functional.hardtanh(Tensor([-3.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  5.00000000e-01])
    """
    _returned(inplace)
    above = ops.where(input <= min_val, min_val, input)
    return ops.where(input >= max_val, max_val, above)


@composite("threshold")
def threshold(input, thr, value):
    """x where it is above thr, else value.

    >>> ops.threshold(Tensor([0.5, 2.0]), 1.0, 9.0)
    Tensor(shape=[2], dtype=Float32, value= [ 9.00000000e+00,  2.00000000e+00])
    """
    for name, number in (("thr", thr), ("value", value)):
        _number("threshold", name, number)
    return ops.where(input > thr, input, value)


@composite("mint.nn.functional.threshold")
def threshold_ext(input, threshold, value, inplace=False):
    """x where it is above the threshold, else value.

    >>> mint.nn.functional.threshold(Tensor([0.5, 2.0]), 1.0, 9.0)
    Tensor(shape=[2], dtype=Float32, value= [ 9.00000000e+00,  2.00000000e+00])
    """
    _returned(inplace)
    return ops.where(input > threshold, input, value)


@composite("glu")
def glu(x, axis=-1):
    """The first half along an axis, times the sigmoid of the second half: a gate.

    >>> ops.glu(Tensor([3.0, 0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.50000000e+00])
    """
    size = x.shape[normal_axis(axis, x.ndim)]
    if size % 2:
        raise errors.InvalidValue(
            "the axis must have an even size, to be halved.",
            given=f"{list(x.shape)}, axis {axis}",
        )
    if x.dtype.kind != "float":
        raise errors.InvalidType("x must be floating.", given=str(x.dtype))
    value, gate = ops.split(x, size // 2, axis) if size else (x, x)
    return value * ops.sigmoid(gate)


@composite("mint.nn.functional.glu")
def glu_ext(input, dim=-1):
    """The first half along a dim, times the sigmoid of the second half: a gate.

    >>> mint.nn.functional.glu(Tensor([3.0, 0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.50000000e+00])
    """
    return glu(input, dim)


@composite("softmax", "Tensor.softmax")
def softmax(input, axis=-1, *, dtype=None):
    """exp(x), scaled to add up to 1 along an axis; cast to ``dtype`` first, if there is one.

    >>> ops.softmax(Tensor([0.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  5.00000000e-01])
    """
    if type(axis) is not int:
        raise errors.InvalidType(
            f"the type of 'axis' must be 'int', but got '{axis}' with type '{type(axis).__name__}'."
        )
    return ops.Softmax(input if dtype is None else ops.cast(input, dtype), axis=axis)


@composite("softmin")
def softmin(x, axis=-1, *, dtype=None):
    """softmax(-x): the smallest gets the largest share.

    >>> ops.softmin(Tensor([0.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  5.00000000e-01])
    """
    if x.dtype.kind != "float":
        raise errors.InvalidType("x must be floating.", given=str(x.dtype))
    return softmax(-x, axis, dtype=dtype)


def _dim(dim, rank):
    """The axis where none is given: 0 for 0, 1 and 3 axes, else 1."""
    return dim if dim is not None else int(rank not in (0, 1, 3))


@composite("mint.softmax", "mint.nn.functional.softmax")
def softmax_ext(input, dim=None, dtype=None):
    """exp(x), scaled to add up to 1 along a dim: without one, 0 for 0, 1 or 3 axes, else 1.

    >>> mint.softmax(Tensor([0.0, 0.0]), 0)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  5.00000000e-01])
    """
    return softmax(input, _dim(dim, input.ndim), dtype=dtype)


@composite("mint.nn.functional.log_softmax", "mint.special.log_softmax")
def log_softmax_ext(input, dim=None, *, dtype=None):
    """log(softmax(x)) along a dim: without one, 0 for 0, 1 or 3 axes, else 1.

    >>> mint.nn.functional.log_softmax(Tensor([[5.0]]), 1)
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 0.00000000e+00]])
    """
    cast = input if dtype is None else ops.cast(input, dtype)
    return ops.LogSoftmaxExt(cast, axis=_dim(dim, input.ndim))


@composite("gumbel_softmax")
def gumbel_softmax(logits, tau=1.0, hard=False, dim=-1):
    """A draw of one class per row, softly: softmax of the logits with noise; ``hard``: one-hot.

    The gradient is that of the soft draw in both cases.

    >>> ops.gumbel_softmax(Tensor([[100.0, 0.0]]), hard=True)
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 1.00000000e+00,  0.00000000e+00]])
    """
    _checked_draw(logits, tau, hard, dim)
    noise = -ops.log(-ops.log(ops.maximum(_uniform(logits.shape), 1e-20)))
    soft = softmax((logits + ops.cast(noise, logits.dtype)) / tau, dim)
    if not hard:
        return soft
    place = ops.expand_dims(ops.argmax(soft, dim), dim)
    span = ops.reshape(ops.arange(logits.shape[dim]), _along(logits, dim))
    one_hot = ops.cast(place == span, logits.dtype)
    return one_hot - ops.stop_gradient(soft) + soft


def _along(x, dim):
    axis = normal_axis(dim, x.ndim)
    return tuple(n if i == axis else 1 for i, n in enumerate(x.shape))


def _checked_draw(logits, tau, hard, dim):
    for name, value, kind in (("tau", tau, float), ("hard", hard, bool), ("dim", dim, int)):
        if type(value) is not kind:
            raise errors.InvalidType(
                f"For 'gumbel_softmax', the type of '{name}' should be '{kind.__name__}', "
                f"but got type '{type(value).__name__}'."
            )
    if tau <= 0:
        raise errors.InvalidValue(
            f"For 'gumbel_softmax', the 'tau' must be float and must > 0, but got '{tau}' with "
            "type 'float'."
        )
    normal_axis(dim, logits.ndim)
