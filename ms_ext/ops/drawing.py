"""Random numbers of many kinds, made of the two that ``creation`` draws; and Poisson's and gamma's.

A call draws anew, in graph mode too, each time the graph runs; with a ``seed`` it draws the same.
"""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import sized
from .composite import composite
from .creation import generator
from .randomness import next_draw
from .shapes import as_dtype, common_shape
from .sorting import needs_tensor


def draw_of(seed):
    """The seed and offset of one draw: a new one, or that of a seed.

    >>> draw_of(7)
    (7, 0)
    """
    return next_draw() if seed is None else (seed, 0)


def evenly(shape, seed=None, dtype="float64"):
    """Numbers spread evenly from 0 to 1.

    >>> evenly((2,), seed=1).shape
    (2,)
    """
    seed, offset = draw_of(seed)
    return ops.UniformReal(seed=seed, offset=offset, shape=sized(shape), dtype=dtype)


def bell(shape, seed=None, dtype="float32"):
    """Numbers from the bell curve around 0.

    >>> bell((2,), seed=1).shape
    (2,)
    """
    seed, offset = draw_of(seed)
    return ops.StandardNormal(seed=seed, offset=offset, shape=sized(shape), dtype=dtype)


def whole(low, high, shape, seed, dtype):
    """Integers from ``low`` up to, not including, ``high``.

    >>> whole(5, 6, (2,), 1, "int64")
    Tensor(shape=[2], dtype=Int64, value= [5, 5])
    """
    for name, value in (("low", low), ("high", high)):
        if type(value) is not int:
            raise errors.InvalidType(f"{name} must be an int.", given=repr(value))
    if low >= high:
        raise errors.NotRunnable("low must be below high.", given=f"low {low}, high {high}")
    return ops.cast(ops.floor(evenly(shape, seed) * (high - low)) + low, dtype)


def _integer(dtype):
    kind = as_dtype(dtype or dtypes.int64)
    if kind.kind != "int":
        raise errors.InvalidValue("the dtype must be an int type.", given=str(kind))
    return kind


def _floating(dtype, like=None):
    kind = as_dtype(dtype or (like.dtype if like is not None else dtypes.float32))
    if kind.kind != "float":
        raise errors.InvalidValue("the dtype must be a float type.", given=str(kind))
    return kind


@composite("randint")
def randint(low, high, size, seed=None, *, dtype=None):
    """Integers from ``low`` up to, not including, ``high``.

    >>> ops.randint(5, 6, (2,))
    Tensor(shape=[2], dtype=Int64, value= [5, 5])
    """
    return whole(low, high, size, seed, _integer(dtype))


@composite("mint.randint")
def randint_ext(*args, size=None, generator=None, dtype=None, device=None):
    """Integers from ``low`` (0 if not given) up to, not including, ``high``.

    >>> mint.randint(1, (2,))
    Tensor(shape=[2], dtype=Int64, value= [0, 0])
    """
    bounds = args if size is not None else args[:-1]
    low, high = bounds if len(bounds) == 2 else (0, *bounds)
    return ops.cast(whole(low, high, size or args[-1], None, "int64"), as_dtype(dtype or "int64"))


@composite("randint_like")
def randint_like(input, low, high, seed=None, *, dtype=None):
    """Integers from ``low`` up to, not including, ``high``, in the shape of the input.

    >>> ops.randint_like(Tensor([7, 7]), 0, 1)
    Tensor(shape=[2], dtype=Int64, value= [0, 0])
    """
    return whole(low, high, needs_tensor(input).shape, seed, _integer(dtype or input.dtype))


@composite("mint.randint_like")
def randint_like_ext(input, low, high=None, *, dtype=None, device=None):
    """Integers from ``low`` up to, not including, ``high``, in the input's shape and dtype.

    >>> mint.randint_like(Tensor([7.0]), 1)
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    low, high = (0, low) if high is None else (low, high)
    return ops.cast(whole(low, high, input.shape, None, "int64"), as_dtype(dtype or input.dtype))


@composite("rand_like")
def rand_like(input, seed=None, *, dtype=None):
    """Numbers spread evenly from 0 to 1, in the input's shape and dtype.

    >>> ops.rand_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    return evenly(needs_tensor(input).shape, seed, _floating(dtype, input))


@composite("randn_like")
def randn_like(input, seed=None, *, dtype=None):
    """Numbers from the bell curve around 0, in the input's shape and dtype.

    >>> ops.randn_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    return bell(needs_tensor(input).shape, seed, _floating(dtype, input))


@composite("mint.rand_like")
def rand_like_ext(input, *, dtype=None, device=None):
    """Numbers spread evenly from 0 to 1, in the input's shape and dtype.

    >>> mint.rand_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    return rand_like(input, dtype=dtype)


@composite("mint.randn_like")
def randn_like_ext(input, *, dtype=None, device=None):
    """Numbers from the bell curve around 0, in the input's shape and dtype.

    >>> mint.randn_like(Tensor([1.0, 2.0])).shape
    (2,)
    """
    return randn_like(input, dtype=dtype)


def _order(count, seed):
    return ops.Sort(evenly((count,), seed), axis=0)[1]


@composite("randperm")
def randperm(n, seed=0, offset=0, dtype=dtypes.int64):
    """The integers from 0 to n - 1 in random order. With seed and offset 0 each call draws anew.

    >>> sorted(ops.randperm(3).tolist())
    [0, 1, 2]
    """
    if type(n) is not int or n < 1:
        raise errors.InvalidValue("n must be an integer above 0.", given=repr(n))
    return ops.cast(_order(n, seed + (offset << 32) or None), as_dtype(dtype))


@composite("mint.randperm")
def randperm_ext(n, *, generator=None, dtype=dtypes.int64):
    """The integers from 0 to n - 1 in random order.

    >>> sorted(mint.randperm(3).tolist())
    [0, 1, 2]
    """
    return ops.cast(_order(n, None), as_dtype(dtype))


@composite("shuffle")
def shuffle(x, seed=None):
    """The slices along the first axis in random order.

    >>> sorted(ops.shuffle(Tensor([3, 1, 2])).tolist())
    [1, 2, 3]
    """
    return ops.gather(x, _order(x.shape[0], seed), 0) if x.ndim else x


@composite("standard_normal")
def standard_normal(shape, seed=None):
    """Numbers from the bell curve around 0.

    >>> ops.standard_normal((2, 3)).shape
    (2, 3)
    """
    if not isinstance(shape, tuple | list):
        raise errors.InvalidType("the shape must be a tuple.", given=repr(shape))
    return bell(tuple(shape), seed)


def _broadcast(shape, *tensors):
    """The shape of a draw: ``shape``, and what broadcasts to it."""
    return common_shape(sized(shape), *[t.shape for t in tensors if hasattr(t, "shape")])


@composite("normal")
def normal(shape, mean, stddev, seed=None):
    """Numbers from the bell curve around ``mean``, of a width; both broadcast with the shape.

    >>> ops.normal((2, 3), 0.0, 1.0).shape
    (2, 3)
    """
    return bell(_broadcast(shape, mean, stddev), seed) * stddev + mean


@composite("mint.normal")
def normal_ext(mean=0.0, std=1.0, size=None, generator=None):
    """Numbers from the bell curve around ``mean``, of a width.

    >>> mint.normal(0.0, 1.0, (2, 3)).shape
    (2, 3)
    """
    return bell(_broadcast(() if size is None else size, mean, std)) * std + mean


@composite("uniform")
def uniform(shape, minval, maxval, seed=None, dtype=dtypes.float32):
    """Numbers spread evenly from ``minval`` to ``maxval``, tensors; integers without the latter.

    >>> ops.uniform((2,), Tensor(1, ms.int32), Tensor(2, ms.int32), dtype=ms.int32)
    Tensor(shape=[2], dtype=Int32, value= [1, 1])
    """
    for bound in (minval, maxval):
        if not hasattr(bound, "dtype"):
            raise errors.InvalidType("minval and maxval must be tensors.", given=repr(bound))
    shape = _broadcast(shape, minval, maxval)
    if as_dtype(dtype).kind == "int":
        share = evenly(shape, seed)
        return ops.cast(ops.floor(minval + share * (maxval - minval)), dtype)
    return minval + evenly(shape, seed, as_dtype(dtype)) * (maxval - minval)


@composite("Tensor.uniform")
def uniform_of(self, from_=0.0, to=1.0, generator=None):
    """Numbers spread evenly from ``from_`` to ``to``, in this tensor's shape and dtype.

    >>> Tensor([1.0, 2.0]).uniform(5.0, 5.0)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e+00,  5.00000000e+00])
    """
    return evenly(self.shape, None, self.dtype) * (to - from_) + from_


def _like_shape(seed, offset, x, *, shape):
    return AbstractTensor(x.dtype, (*sized(shape), *x.shape))


@op()
class StandardGamma:
    """Numbers of the gamma distributions with the given shapes and scale 1.

    >>> ops.StandardGamma(1, 0, Tensor([2.0]), shape=(3,)).shape
    (3, 1)
    """

    infer = _like_shape

    def compute(seed, offset, x, *, shape):
        draw = generator(seed, offset).standard_gamma(x.astype(float), (*sized(shape), *x.shape))
        return np.asarray(draw).astype(x.dtype)

    def samples(rng):
        yield 7, 0, rng.uniform(1, 2, (2,)), {"shape": (3,)}


@op()
class StandardPoisson:
    """Numbers of the Poisson distributions with the given means.

    >>> ops.StandardPoisson(1, 0, Tensor([2.0]), shape=(3,)).shape
    (3, 1)
    """

    infer = _like_shape

    def compute(seed, offset, x, *, shape):
        draw = generator(seed, offset).poisson(x.astype(float), (*sized(shape), *x.shape))
        return np.asarray(draw).astype(x.dtype)

    def samples(rng):
        yield 7, 0, rng.uniform(1, 2, (2,)), {"shape": (3,)}
