"""Numbers at even distances: linspace, logspace, range, and powers of numbers."""

import math

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .composite import composite
from .shapes import as_dtype


def _steps(steps):
    if isinstance(steps, bool) or not hasattr(steps, "__index__"):
        raise errors.InvalidType("the number of steps must be an integer.", given=repr(steps))
    if steps < 1:
        raise errors.InvalidValue("there must be one step at least.", given=f"steps {steps}")
    return steps.__index__()


def _spaced(start, end, steps, dtype):
    if not hasattr(start, "dtype") and not hasattr(end, "dtype"):
        return Tensor(np.linspace(start, end, steps).astype(dtype.numpy))
    kind = next(v.dtype for v in (start, end) if hasattr(v, "dtype"))
    kind = kind if kind.kind == "float" else dtypes.float32
    low, high = ops.cast(start, kind), ops.cast(end, kind)
    shares = Tensor((np.arange(steps) / max(steps - 1, 1)).astype(kind.numpy))
    low, high = ops.expand_dims(low, -1), ops.expand_dims(high, -1)
    return low * (1 - shares) + high * shares


@composite("linspace")
def linspace(start, end, steps):
    """``steps`` numbers from start to end, evenly spaced, both among them.

    >>> ops.linspace(1, 2, 3)
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  1.50000000e+00,  2.00000000e+00])
    """
    return _spaced(start, end, _steps(steps), dtypes.float32)


@composite("mint.linspace")
def linspace_ext(start, end, steps, *, dtype=None):
    """``steps`` numbers from start to end, evenly spaced, both among them.

    >>> mint.linspace(0, 4, 3, dtype=ms.int64)
    Tensor(shape=[3], dtype=Int64, value= [0, 2, 4])
    """
    found = _spaced(start, end, _steps(steps), dtypes.float32)
    return found if dtype is None else ops.cast(found, as_dtype(dtype))


@composite("LinSpace")
class LinSpace:
    """The primitive of ``ops.linspace``.

    >>> ops.LinSpace()(Tensor(1.0), Tensor(2.0), 2)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """

    def __new__(cls):
        return linspace


@composite("logspace")
def logspace(start, end, steps, base=10, *, dtype=dtypes.float32):
    """``base`` to the powers of ``steps`` numbers from start to end, evenly spaced.

    >>> ops.logspace(Tensor(0.0), Tensor(2.0), 3)
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  1.00000000e+01,  1.00000000e+02])
    """
    powers = ops.cast(_spaced(start, end, _steps(steps), dtypes.float32), "float64")
    return ops.cast(ops.pow(float(base), powers), as_dtype(dtype))


@composite("range")
def range_of(start, end=None, step=1, maxlen=1000000):
    """Numbers from ``start`` up to, not including, ``end``, in steps: of Python numbers or tensors.

    >>> ops.range(0, 10, 4)
    Tensor(shape=[3], dtype=Int64, value= [0, 4, 8])
    """
    low, high = (0, start) if end is None else (start, end)
    numbers = [v.item() if hasattr(v, "dtype") else v for v in (low, high, step)]
    _leads(*numbers)
    dtype = next((v.dtype for v in (low, high, step) if hasattr(v, "dtype")), None)
    if math.ceil((numbers[1] - numbers[0]) / numbers[2]) > maxlen:
        raise errors.InvalidValue("there are more than maxlen numbers.", given=f"{numbers}")
    return ops.arange(*numbers, dtype=dtype)


def _leads(low, high, step):
    if step == 0 or (high - low) * step < 0:
        raise errors.InvalidValue(
            "the step does not lead from start to end.", given=f"{low}, {high}, {step}"
        )


range_of.of_elements = lambda args, kwargs: any(map(_is_open, (*args, *kwargs.values())))


def _is_open(value):
    return hasattr(value, "abstract")


@composite("Range")
class Range:
    """The primitive of ``ops.range``.

    >>> ops.Range()(0, 10, 4)
    Tensor(shape=[3], dtype=Int64, value= [0, 4, 8])
    """

    def __new__(cls, maxlen=1000000):
        return ops.partial(range_of, maxlen=maxlen)


@composite("vander")
def vander(x, N=None):  # noqa: N803  (MindSpore's name)
    """The powers of a line's numbers as columns, the highest first.

    >>> ops.vander(Tensor([2, 3]), 2)
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[2, 1],
     [3, 1]])
    """
    if x.ndim != 1:
        raise errors.InvalidValue("the input must have one axis.", given=str(x.shape))
    count = x.shape[0] if N is None else N
    powers = Tensor(np.arange(count - 1, -1, -1))
    return ops.cast(ops.pow(ops.expand_dims(x, 1), powers), x.dtype)
