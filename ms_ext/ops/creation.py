"""Tensors from nothing: zeros, ones, ranges, the identity matrix, and random numbers."""

import math

import numpy as np

from .. import dtype as dtypes
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import sized
from .sampling import unary
from .shapes import as_dtype, settled


def _filled(*, size, dtype):
    return AbstractTensor(as_dtype(dtype or dtypes.float32), sized(size))


def _sizes(rng):
    yield ({"size": (2, 3)},)
    yield ({"size": 0, "dtype": dtypes.int32},)
    yield ({"size": (), "dtype": dtypes.float16},)


@op(names=("zeros", "mint.zeros"))
class Zeros:
    """Zeros of a shape; Float32 unless a dtype is given.

    >>> ops.zeros((2,), ms.int32)
    Tensor(shape=[2], dtype=Int32, value= [0, 0])
    """

    infer = _filled
    samples = _sizes

    def compute(*, size, dtype=None):
        return np.zeros(sized(size), as_dtype(dtype or dtypes.float32).numpy)


@op(names=("ones", "mint.ones"))
class Ones:
    """Ones of a shape; Float32 unless a dtype is given.

    >>> ops.ones((2,), ms.int32)
    Tensor(shape=[2], dtype=Int32, value= [1, 1])
    """

    infer = _filled
    samples = _sizes

    def compute(*, size, dtype=None):
        return np.ones(sized(size), as_dtype(dtype or dtypes.float32).numpy)


def _number_dtype(value, dtype):
    return as_dtype(dtype or type(value))


@op(names=("full", "mint.full"))
class FillScalar:
    """One number over a whole shape; the dtype is that of the number unless given.

    >>> ops.full((2,), 1.5)
    Tensor(shape=[2], dtype=Float32, value= [ 1.50000000e+00,  1.50000000e+00])
    """

    def infer(*, size, fill_value, dtype):
        return AbstractTensor(_number_dtype(fill_value, dtype), sized(size))

    def compute(*, size, fill_value, dtype=None):
        return np.full(sized(size), fill_value).astype(_number_dtype(fill_value, dtype).numpy)

    def samples(rng):
        yield ({"size": (2, 3), "fill_value": 7},)
        yield ({"size": (2,), "fill_value": 1.5, "dtype": dtypes.float16},)


def _alike(x, *, dtype, **_attributes):
    return AbstractTensor(as_dtype(dtype or settled(x.dtype, x.weak)), x.shape)


def _like_dtype(x, dtype):
    return as_dtype(dtype).numpy if dtype else x.dtype


@op(names=("zeros_like",))
class ZerosLike:
    """Zeros with the shape and dtype of x.

    >>> ops.zeros_like(Tensor([1, 2]))
    Tensor(shape=[2], dtype=Int64, value= [0, 0])
    """

    infer = _alike
    samples = unary(-2, 2)

    def compute(x, *, dtype=None):
        return np.zeros(x.shape, _like_dtype(x, dtype))


@op(names=("ones_like",))
class OnesLike:
    """Ones with the shape and dtype of x.

    >>> ops.ones_like(Tensor([1, 2]))
    Tensor(shape=[2], dtype=Int64, value= [1, 1])
    """

    infer = _alike
    samples = unary(-2, 2)

    def compute(x, *, dtype=None):
        return np.ones(x.shape, _like_dtype(x, dtype))


@op(names=("full_like", "mint.full_like"))
class FullLike:
    """One number, with the shape and dtype of x.

    >>> ops.full_like(Tensor([1, 2]), 7)
    Tensor(shape=[2], dtype=Int64, value= [7, 7])
    """

    infer = _alike
    samples = unary(-2, 2, fill_value=2.5)

    def compute(x, *, fill_value, dtype=None):
        return np.full(x.shape, fill_value).astype(_like_dtype(x, dtype))


def _bounds(start, end, step):
    """One bound means from 0 to it."""
    low, high = (0, start) if end is None else (start, end)
    if step == 0 or (high - low) * step < 0:
        raise errors.InvalidValue(
            "the step does not lead from start to end.",
            given=f"start {low}, end {high}, step {step}",
            hint="Give a positive step to count up, a negative one to count down.",
        )
    return low, high, step


def _range_dtype(start, end, step, dtype):
    if dtype is not None:
        return as_dtype(dtype)
    given = _bounds(start, end, step)
    return dtypes.float32 if any(isinstance(v, float) for v in given) else dtypes.int64


@op(names=("arange", "mint.arange"))
class Arange:
    """Numbers from ``start`` up to, not including, ``end``, in steps.

    >>> ops.arange(3)
    Tensor(shape=[3], dtype=Int64, value= [0, 1, 2])
    """

    def infer(*, start, end, step, dtype):
        low, high, step = _bounds(start, end, step)
        return AbstractTensor(
            _range_dtype(start, end, step, dtype), (math.ceil((high - low) / step),)
        )

    def compute(*, start=0, end=None, step=1, dtype=None):
        return np.arange(*_bounds(start, end, step)).astype(
            _range_dtype(start, end, step, dtype).numpy
        )

    def samples(rng):
        yield ({"start": 5},)
        yield ({"start": 4, "end": -3, "step": -2},)
        yield ({"start": 0, "end": 1, "step": 0.25},)
        yield ({"start": 2, "end": 2, "dtype": dtypes.float16},)


@op(names=("eye", "mint.eye"))
class Eye:
    """Ones on the diagonal of an n x m matrix, zeros elsewhere.

    >>> ops.eye(2, 3, ms.int32)
    Tensor(shape=[2, 3], dtype=Int32, value=
    [[1, 0, 0],
     [0, 1, 0]])
    """

    def infer(*, n, m, dtype):
        return AbstractTensor(as_dtype(dtype or dtypes.float32), sized((n, n if m is None else m)))

    def compute(*, n, m=None, dtype=None):
        return np.eye(n, m).astype(as_dtype(dtype or dtypes.float32).numpy)

    def samples(rng):
        yield ({"n": 3},)
        yield ({"n": 2, "m": 3, "dtype": dtypes.int32},)


def _random(seed, offset, *, shape, dtype):
    return AbstractTensor(as_dtype(dtype), sized(shape))


def _seeds(rng):
    yield 7, 0, {"shape": (2, 3)}
    yield 7, 5, {"shape": (4,), "dtype": dtypes.float16}


def generator(seed, offset):
    """NumPy's generator for one draw: the same seed and offset give the same numbers."""
    mask = (1 << 64) - 1
    return np.random.Generator(
        np.random.Philox(key=int(seed) & mask, counter=(int(offset) & mask) << 64)
    )


@op()
class StandardNormal:
    """Numbers from the bell curve around 0: a pure function of seed and offset.

    >>> draw = ops.StandardNormal(seed=1, offset=0, shape=2)
    >>> bool((draw == ops.StandardNormal(seed=1, offset=0, shape=2)).all())
    True
    """

    infer = _random
    samples = _seeds

    def compute(seed, offset, *, shape, dtype=dtypes.float32):
        return np.asarray(generator(seed, offset).standard_normal(sized(shape))).astype(
            as_dtype(dtype).numpy
        )


@op()
class UniformReal:
    """Numbers spread evenly from 0 to 1: a pure function of seed and offset.

    >>> bool((ops.UniformReal(seed=1, offset=0, shape=2) < 1).all())
    True
    """

    infer = _random
    samples = _seeds

    def compute(seed, offset, *, shape, dtype=dtypes.float32):
        return np.asarray(generator(seed, offset).random(sized(shape))).astype(
            as_dtype(dtype).numpy
        )
