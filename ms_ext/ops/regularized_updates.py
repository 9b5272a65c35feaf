"""How optimizers move one Parameter where large weights cost something: FTRL and proximal steps.

>>> ops.ApplyProximalAdagrad()(Tensor([1.0]), Tensor([0.0]), 0.5, 0.1, 0.0, Tensor([4.0]))[0]
Tensor(shape=[1], dtype=Float32, value= [ 4.87500012e-01])
"""

from .. import ops
from .updates import update_primitive


@update_primitive("ApplyFtrl", use_locking=False)
def ftrl(var, accum, linear, gradient, lr, l1, l2, lr_power, *, use_locking):
    """Follow the regularized leader: the weight that would have been best so far.

    (McMahan and others, 2013.) With q = accum ** -lr_power / lr + 2 l2, it is
    (sign(linear) l1 - linear) / q, or 0 where linear is not greater than l1.

    >>> accum, linear = Tensor([1.0]), Tensor([0.0])
    >>> ops.ApplyFtrl()(Tensor([0.0]), accum, linear, Tensor([0.0]), 0.5, 0.0, 0.0, -0.5)
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    total = accum + ops.square(gradient)
    before, after = accum**-lr_power, total**-lr_power
    linear = ops.assign(linear, linear + gradient - (after - before) / lr * var)
    ops.assign(accum, total)
    best = (ops.sign(linear) * l1 - linear) / (after / lr + 2 * l2)
    return ops.assign(var, ops.where(ops.abs(linear) > l1, best, ops.zeros_like(var)))


@update_primitive("ApplyProximalAdagrad", use_locking=False)
def proximal_adagrad(var, accum, lr, l1, l2, gradient, *, use_locking):
    """Adagrad's step, then toward 0: by rate * l1, and divided by 1 + rate * l2.

    >>> ops.ApplyProximalAdagrad()(Tensor([1.0]), Tensor([0.0]), 0.5, 0.0, 2.0, Tensor([1.0]))[0]
    Tensor(shape=[1], dtype=Float32, value= [ 2.50000000e-01])
    """
    accum = ops.assign(accum, accum + ops.square(gradient))
    rate = lr * ops.rsqrt(accum)
    moved = var - rate * gradient
    if l1:
        moved = ops.sign(moved) * ops.maximum(ops.abs(moved) - rate * l1, 0.0)
    return ops.assign(var, moved / (1 + rate * l2)), accum
