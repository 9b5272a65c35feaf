"""Functions that write to a tensor: ``ops.assign`` and the methods that end in ``_``.

>>> x = Tensor([1.0, 2.0])
>>> x.add_(1.0)
Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  3.00000000e+00])
>>> ops.assign(x, Tensor([5.0, 6.0])) is x
True
>>> x
Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e+00,  6.00000000e+00])
"""

from .. import ops
from ..engine import errors
from ..engine.symbol import Symbol, written
from ..engine.tensor import Tensor, core
from .composite import composite


def writes(*names, new, reads=False):
    """Enter a function that writes ``new(x, ...)`` to its first argument, and gives that.

    Graph mode calls ``new`` and remembers what the argument is by now. ``reads``: the gradient of
    ``new`` reads x as it was, so where a gradient is taken, a copy stands in for it.
    """

    now = _kept_apart(new) if reads else new

    def write(x, *args, **kwargs):
        if not isinstance(x, Tensor | Symbol):
            raise errors.InvalidType(
                "Only a Tensor or Parameter can be written to.", given=type(x).__name__
            )
        value = ops.cast(now(x, *args, **kwargs), x.dtype)
        told = written(x, value)
        if told is not None:
            return told
        x[...] = value
        return x

    write.__name__ = write.__qualname__ = names[0].removeprefix("Tensor.")
    write.__doc__ = new.__doc__
    write.writes = new
    return composite(*names)(write)


def _kept_apart(new):
    """``new``, to which a copy of x is given where a gradient is taken of x or another."""

    def now(x, *others, **how):
        if max(core.slot_of(each) for each in (x, *others, *how.values())) < 0:
            return new(x, *others, **how)
        before = ops.cast(x, x.dtype)
        return new(before, *[before if other is x else other for other in others], **how)

    return now


def _replaced(x, value):
    """Write ``value``, of its shape or one that broadcasts to it, to x; gives x.

    >>> x = Tensor([1, 2])
    >>> ops.assign(x, 7)
    Tensor(shape=[2], dtype=Int64, value= [7, 7])
    """
    value = ops.cast(value, x.dtype)
    return value if value.shape == x.shape else ops.broadcast_to(value, x.shape)


def _added(x, other, alpha=1):
    """Write x + alpha * other to x; gives x.

    >>> x = Tensor([1, 2])
    >>> x.add_(10, alpha=2)
    Tensor(shape=[2], dtype=Int64, value= [21, 22])
    """
    return x + (other if alpha == 1 else alpha * other)


def _subtracted(x, other, alpha=1):
    """Write x - alpha * other to x; gives x.

    >>> x = Tensor([1, 2])
    >>> x.sub_(1)
    Tensor(shape=[2], dtype=Int64, value= [0, 1])
    """
    return x - (other if alpha == 1 else alpha * other)


def _multiplied(x, other):
    """Write x * other to x; gives x.

    >>> x = Tensor([1, 2])
    >>> x.mul_(3)
    Tensor(shape=[2], dtype=Int64, value= [3, 6])
    """
    return x * other


def _divided(x, other):
    """Write x / other to x; gives x.

    >>> x = Tensor([1.0, 2.0])
    >>> x.div_(2.0)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  1.00000000e+00])
    """
    return x / other


def _filled(x, value):
    """Write ``value`` to every element of x; gives x.

    >>> x = Tensor([1, 2])
    >>> x.fill_(5)
    Tensor(shape=[2], dtype=Int64, value= [5, 5])
    """
    return ops.full_like(x, value)


def _zeroed(x):
    """Write 0 to every element of x; gives x.

    >>> x = Tensor([1, 2])
    >>> x.zero_()
    Tensor(shape=[2], dtype=Int64, value= [0, 0])
    """
    return ops.zeros_like(x)


writes("assign", new=_replaced)
writes("assign_add", new=_added)
writes("assign_sub", new=_subtracted)
writes("Tensor.copy_", new=_replaced)
writes("Tensor.add_", new=_added)
writes("Tensor.sub_", new=_subtracted)
writes("Tensor.mul_", new=_multiplied, reads=True)
writes("Tensor.div_", new=_divided)
writes("Tensor.fill_", new=_filled)
writes("Tensor.zero_", new=_zeroed)


@composite("Assign")
class Assign:
    """The primitive form of ``ops.assign``.

    >>> x = Tensor([1, 2])
    >>> ops.Assign()(x, Tensor([3, 4]))
    Tensor(shape=[2], dtype=Int64, value= [3, 4])
    """

    def __new__(cls):
        return ops.assign
