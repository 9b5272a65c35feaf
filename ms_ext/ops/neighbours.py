"""Between neighbours along an axis: differences, and areas below a line (the trapezoid rule)."""

from .. import ops
from ..engine import errors
from .axes import normal_axis
from .composite import composite


def _difference(x, n, axis, prepend, append):
    if x.ndim == 0:
        raise errors.InvalidType("x must have an axis.", given="a 0-d tensor")
    axis = normal_axis(axis, x.ndim)
    if n < 0:
        raise errors.InvalidValue("n must be 0 or above.", given=repr(n))
    parts = [part for part in (prepend, x, append) if part is not None]
    x = ops.concat(parts, axis) if len(parts) > 1 else x
    front = (slice(None),) * axis
    for _ in range(n):
        later, sooner = x[(*front, slice(1, None))], x[(*front, slice(None, -1))]
        bits = x.dtype.kind == "bool"
        x = ops.logical_xor(later, sooner) if bits else later - sooner
    return x


@composite("diff", "Tensor.diff")
def diff(x, n=1, axis=-1, prepend=None, append=None):
    """Each element less the one before it, n times over.

    >>> ops.diff(Tensor([1, 4, 9, 16]), 2)
    Tensor(shape=[2], dtype=Int64, value= [2, 2])
    """
    return _difference(x, n, axis, prepend, append)


@composite("mint.diff")
def diff_in(input, n=1, dim=-1, prepend=None, append=None):
    """Each element less the one before it, n times over.

    >>> mint.diff(Tensor([1, 4, 9, 16]))
    Tensor(shape=[3], dtype=Int64, value= [3, 5, 7])
    """
    return _difference(input, n, dim, prepend, append)


@composite("trapz")
def trapz(y, x=None, *, dx=1.0, dim=-1):
    """The area below the points y, ``dx`` apart, or at the places x, joined by straight lines.

    >>> ops.trapz(Tensor([1.0, 2.0, 3.0]))
    Tensor(shape=[], dtype=Float32, value= 4)
    """
    if y.ndim == 0:
        raise errors.InvalidValue("y must have an axis.", given="a 0-d tensor")
    axis = normal_axis(dim, y.ndim)
    front = (slice(None),) * axis
    pairs = y[(*front, slice(1, None))] + y[(*front, slice(None, -1))]
    if x is None:
        return ops.ReduceSum(pairs * (dx / 2), axis=axis)
    if x.ndim == 1 and y.ndim > 1:
        x = ops.reshape(x, (-1, *(1,) * (y.ndim - axis - 1)))
    widths = _difference(x, 1, axis - y.ndim, None, None)
    return ops.ReduceSum(pairs * widths * 0.5, axis=axis)
