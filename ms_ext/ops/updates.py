"""How optimizers move one Parameter: each formula as the primitive that MindSpore has for it.

Flags are given when the primitive is made, tensors when it is called. The Parameter and what the
optimizer remembers of it are written; the new values come back.

>>> weight, speed = Tensor([1.0]), Tensor([0.0])
>>> ops.ApplyMomentum()(weight, speed, 0.1, Tensor([2.0]), 0.9)
Tensor(shape=[1], dtype=Float32, value= [ 8.00000012e-01])
>>> speed
Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])
"""

import functools

from .. import ops
from ..engine import errors
from .composite import composite


def update_primitive(name, **flags):
    """Enter a formula as a primitive: ``name(**flags)`` gives the function of its tensors."""

    def enter(formula):
        def made(cls, *given, **named):
            if len(given) > len(flags) or not {*named} <= {*flags}:
                raise errors.InvalidType(
                    f"The flags of {name} are: {', '.join(flags) or 'none'}.",
                    given=", ".join([*map(repr, given), *(f"{key}=" for key in named)]),
                )
            settings = {**flags, **dict(zip(flags, given, strict=False)), **named}
            return functools.partial(formula, **settings)

        body = {"__new__": made, "__doc__": formula.__doc__, "__module__": formula.__module__}
        composite(name)(type(name, (), body))
        return formula

    return enter


def _toward(old, new, rate):
    """A running mean: ``rate`` of it stays."""
    return old * rate + new * (1 - rate)


@update_primitive("ApplyGradientDescent")
def gradient_descent(var, alpha, delta):
    """var - alpha * delta

    >>> ops.ApplyGradientDescent()(Tensor([1.0]), 0.5, Tensor([1.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """
    return ops.assign(var, var - alpha * delta)


@update_primitive("SGD", dampening=0.0, weight_decay=0.0, nesterov=False)
def sgd(var, gradient, lr, accum, momentum, stat, *, dampening, weight_decay, nesterov):
    """var - lr * accum, where accum is the first gradient, then momentum * accum + gradient.

    ``stat`` is 1 before the first step and 0 after it. Without momentum: ``ApplyGradientDescent``.

    >>> accum, stat = Tensor([0.0]), Tensor([1.0])
    >>> ops.SGD()(Tensor([1.0]), Tensor([1.0]), 0.5, accum, 0.9, stat)
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """
    gradient = gradient + weight_decay * var if weight_decay else gradient
    later = accum * momentum + (1 - dampening) * gradient
    accum = ops.assign(accum, ops.where(stat > 0, gradient, later))
    ops.assign(stat, ops.zeros_like(stat))
    step = gradient + momentum * accum if nesterov else accum
    return ops.assign(var, var - lr * step)


@update_primitive("ApplyMomentum", use_nesterov=False, use_locking=False, gradient_scale=1.0)
def with_momentum(var, accum, lr, gradient, momentum, *, use_nesterov, use_locking, gradient_scale):
    """var - lr * accum, where accum is momentum * accum + gradient.

    With Nesterov's momentum: var - lr * (gradient + momentum * accum).

    >>> ops.ApplyMomentum(use_nesterov=True)(Tensor([1.0]), Tensor([0.0]), 0.1, Tensor([1.0]), 0.5)
    Tensor(shape=[1], dtype=Float32, value= [ 8.50000024e-01])
    """
    gradient = gradient if gradient_scale == 1 else gradient * gradient_scale
    accum = ops.assign(accum, accum * momentum + gradient)
    step = gradient + momentum * accum if use_nesterov else accum
    return ops.assign(var, var - lr * step)


@update_primitive("Adam", use_locking=False, use_nesterov=False)
def adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient,
    *, use_locking, use_nesterov,
):  # fmt: skip
    """var - rate * m / (sqrt(v) + epsilon): running means m of the gradient, v of its square.

    The rate is lr * sqrt(1 - beta2_power) / (1 - beta1_power), since both began at 0
    (Kingma and Ba, 2014).

    >>> m, v = Tensor([0.0]), Tensor([0.0])
    >>> ops.Adam()(Tensor([1.0]), m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([5.0]))[0]
    Tensor(shape=[1], dtype=Float32, value= [ 9.00000036e-01])
    """
    m = ops.assign(m, _toward(m, gradient, beta1))
    v = ops.assign(v, _toward(v, ops.square(gradient), beta2))
    ahead = _toward(gradient, m, 1 - beta1) if use_nesterov else m
    rate = _unbiased(lr, beta1_power, beta2_power)
    return ops.assign(var, var - rate * ahead / (ops.sqrt(v) + epsilon)), m, v


def _unbiased(lr, beta1_power, beta2_power):
    """The rate that makes up for means that began at 0."""
    return lr * (1 - beta2_power) ** 0.5 / (1 - beta1_power)


@update_primitive("ApplyAdamWithAmsgradV2", use_locking=False)
def amsgrad(
    var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, *, use_locking
):
    """Adam, with the greatest v so far below the root (Reddi, Kale and Kumar, 2018).

    >>> zeros = [Tensor([0.0]) for _ in "mvh"]
    >>> given = 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([5.0])
    >>> ops.ApplyAdamWithAmsgradV2()(Tensor([1.0]), *zeros, *given)[0]
    Tensor(shape=[1], dtype=Float32, value= [ 9.00000036e-01])
    """
    m = ops.assign(m, _toward(m, gradient, beta1))
    v = ops.assign(v, _toward(v, ops.square(gradient), beta2))
    vhat = ops.assign(vhat, ops.maximum(vhat, v))
    rate = _unbiased(lr, beta1_power, beta2_power)
    return ops.assign(var, var - rate * m / (ops.sqrt(vhat) + epsilon)), m, v, vhat


@update_primitive("AdamWeightDecay", use_locking=False)
def adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient, *, use_locking):
    """var - lr * (m / (sqrt(v) + epsilon) + decay * var), without correction of the means.

    >>> m, v = Tensor([0.0]), Tensor([0.0])
    >>> ops.AdamWeightDecay()(Tensor([1.0]), m, v, 0.1, 0.9, 0.99, 1e-6, 0.5, Tensor([2.0]))[0]
    Tensor(shape=[1], dtype=Float32, value= [ 8.50000501e-01])
    """
    m = ops.assign(m, _toward(m, gradient, beta1))
    v = ops.assign(v, _toward(v, ops.square(gradient), beta2))
    step = m / (ops.sqrt(v) + epsilon) + decay * var
    return ops.assign(var, var - lr * step), m, v


@update_primitive("ApplyAdagrad", update_slots=True)
def adagrad(var, accum, lr, gradient, *, update_slots):
    """var - lr * gradient / sqrt(accum), where accum is the sum of squares so far.

    (Duchi, Hazan and Singer, 2011.)

    >>> ops.ApplyAdagrad()(Tensor([1.0]), Tensor([0.0]), 0.5, Tensor([4.0]))[0]
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """
    if update_slots:
        accum = ops.assign(accum, accum + ops.square(gradient))
    return ops.assign(var, var - lr * gradient * ops.rsqrt(accum)), accum


@update_primitive("ApplyAdadelta")
def adadelta(var, accum, accum_update, lr, rho, epsilon, gradient):
    """var - lr * step: the gradient, times the size of the steps so far over that of the gradients.

    Sizes are roots of running means of squares (Zeiler, 2012).

    >>> accum, steps = Tensor([0.0]), Tensor([0.0])
    >>> ops.ApplyAdadelta()(Tensor([1.0]), accum, steps, 1.0, 0.0, 1.0, Tensor([0.0]))[0]
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    accum = ops.assign(accum, _toward(accum, ops.square(gradient), rho))
    step = ops.sqrt(accum_update + epsilon) * ops.rsqrt(accum + epsilon) * gradient
    accum_update = ops.assign(accum_update, _toward(accum_update, ops.square(step), rho))
    return ops.assign(var, var - lr * step), accum, accum_update


@update_primitive("ApplyAdaMax")
def adamax(var, m, v, beta1_power, lr, beta1, beta2, epsilon, gradient):
    """var - lr / (1 - beta1_power) * m / (v + epsilon), v the greatest gradient, slowly forgotten.

    (Kingma and Ba, 2014, section 7.1.)

    >>> m, v = Tensor([0.0]), Tensor([0.0])
    >>> ops.ApplyAdaMax()(Tensor([1.0]), m, v, 0.5, 0.5, 0.5, 0.5, 0.0, Tensor([4.0]))[0]
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """
    m = ops.assign(m, _toward(m, gradient, beta1))
    v = ops.assign(v, ops.maximum(v * beta2, ops.abs(gradient)))
    return ops.assign(var, var - lr / (1 - beta1_power) * m / (v + epsilon)), m, v


@update_primitive("ApplyRMSProp", use_locking=False)
def rmsprop(var, mean_square, moment, lr, gradient, decay, momentum, epsilon, *, use_locking):
    """var - moment; moment is momentum * moment + lr * gradient / sqrt(mean_square + epsilon).

    >>> square, moment = Tensor([0.0]), Tensor([0.0])
    >>> ops.ApplyRMSProp()(Tensor([1.0]), square, moment, 0.5, Tensor([4.0]), 0.0, 0.0, 0.0)
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """
    mean_square = ops.assign(mean_square, _toward(mean_square, ops.square(gradient), decay))
    step = lr * gradient * ops.rsqrt(mean_square + epsilon)
    moment = ops.assign(moment, momentum * moment + step)
    return ops.assign(var, var - moment)


@update_primitive("ApplyCenteredRMSProp", use_locking=False)
def centered_rmsprop(
    var, mean_gradient, mean_square, moment, gradient, lr, decay, momentum, epsilon, *, use_locking
):
    """RMSProp by the variance: the mean square without the square of the mean.

    >>> means = [Tensor([0.0]) for _ in "gsm"]
    >>> ops.ApplyCenteredRMSProp()(Tensor([1.0]), *means, Tensor([0.0]), 0.5, 0.5, 0.0, 1.0)
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    mean_gradient = ops.assign(mean_gradient, _toward(mean_gradient, gradient, decay))
    mean_square = ops.assign(mean_square, _toward(mean_square, ops.square(gradient), decay))
    spread = mean_square - ops.square(mean_gradient) + epsilon
    moment = ops.assign(moment, momentum * moment + lr * gradient * ops.rsqrt(spread))
    return ops.assign(var, var - moment)
