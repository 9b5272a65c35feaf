"""Draws from distributions: gamma, Poisson, Laplace, Bernoulli, multinomial; and into a tensor."""

import math

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .axes import sized
from .composite import composite
from .drawing import bell, draw_of, evenly, whole
from .shapes import as_dtype, common_shape
from .writing import writes


def _plain(shape):
    """A shape, also where it is given as a tensor."""
    return sized(tuple(shape.tolist()) if hasattr(shape, "tolist") else shape)


@composite("gamma")
def gamma(shape, alpha, beta, seed=None):
    """Numbers of gamma distributions with shape parameter ``alpha`` and rate ``beta``, tensors.

    The result has the shape ``shape`` in front of what alpha and beta broadcast to.

    >>> ops.gamma((3,), Tensor([1.0, 2.0]), Tensor(1.0)).shape
    (3, 2)
    """
    wide = ops.broadcast_to(alpha, common_shape(alpha.shape, beta.shape))
    seed, offset = draw_of(seed)
    return ops.StandardGamma(seed, offset, wide, shape=_plain(shape)) / beta


@composite("random_gamma")
def random_gamma(shape, alpha, seed=None):
    """Numbers of gamma distributions of rate 1: ``shape`` of them for each alpha.

    >>> ops.random_gamma((3,), Tensor([1.0, 2.0])).shape
    (3, 2)
    """
    seed, offset = draw_of(seed)
    return ops.StandardGamma(seed, offset, alpha, shape=_plain(shape))


@composite("random_poisson")
def random_poisson(shape, rate, seed=None, dtype=dtypes.float32):
    """Numbers of Poisson distributions: ``shape`` of them for each rate.

    >>> ops.random_poisson((3,), Tensor([1.0, 2.0])).shape
    (3, 2)
    """
    seed, offset = draw_of(seed)
    return ops.cast(ops.StandardPoisson(seed, offset, rate, shape=_plain(shape)), as_dtype(dtype))


@composite("poisson")
def poisson(shape, mean, seed=None):
    """Numbers of Poisson distributions: ``shape`` of them for each mean (Float32).

    >>> ops.poisson((3,), Tensor([1.0, 2.0])).shape
    (3, 2)
    """
    return random_poisson(shape, mean, seed)


@composite("standard_laplace")
def standard_laplace(shape, seed=None):
    """Numbers of the Laplace distribution around 0: two exponential ones, back to back.

    >>> ops.standard_laplace((2, 3)).shape
    (2, 3)
    """
    share = evenly(_plain(shape), seed) - 0.5
    return ops.cast(-ops.sign(share) * ops.log1p(-2 * ops.abs(share)), "float32")


@composite("laplace")
def laplace(shape, mean, lambda_param, seed=None):
    """Numbers of the Laplace distribution around ``mean``, of a width.

    >>> ops.laplace((2, 3), Tensor(0.0), Tensor(1.0)).shape
    (2, 3)
    """
    wide = common_shape(_plain(shape), mean.shape, lambda_param.shape)
    return standard_laplace(wide, seed) * lambda_param + mean


@composite("bernoulli")
def bernoulli(input, p=0.5, seed=None):
    """1 with probability p, else 0, in the input's shape and dtype.

    >>> ops.bernoulli(Tensor([7.0, 7.0]), 1.0)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  1.00000000e+00])
    """
    if isinstance(p, int | float) and not 0 <= p <= 1:
        raise errors.InvalidValue("p must be from 0 to 1.", given=str(p))
    return ops.cast(evenly(input.shape, seed) < p, input.dtype)


@composite("Tensor.bernoulli", "mint.bernoulli")
def bernoulli_ext(input, *, generator=None):
    """1 with the probability that each element says, else 0.

    >>> mint.bernoulli(Tensor([0.0, 1.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  1.00000000e+00])
    """
    return ops.cast(evenly(input.shape) < input, input.dtype)


def _drawn_rows(weights, count, replacement, seed):
    """For each row of weights, ``count`` indices, an index as likely as its weight."""
    wide = ops.cast(weights, "float64")
    if replacement:
        ends = ops.CumSum(wide, axis=-1)
        share = evenly((*weights.shape[:-1], count), seed) * ends[..., -1:]
        return ops.SearchSorted(ends, share, right=True)
    chance = ops.log(wide) - ops.log(-ops.log(evenly(weights.shape, seed)))
    return ops.TopkExt(chance, k=count, dim=-1)[1]


def _multinomial(input, num_samples, replacement, seed):
    if input.ndim not in (1, 2):
        raise errors.InvalidValue("the weights must have one or two axes.", given=str(input.shape))
    if num_samples < 1 or not replacement and num_samples > input.shape[-1]:
        raise errors.InvalidValue(
            "so many cannot be drawn without putting back.",
            given=f"num_samples {num_samples}, {input.shape[-1]} weights",
        )
    return _drawn_rows(input, num_samples, replacement, seed)


@composite("multinomial", "Tensor.multinomial")
def multinomial(input, num_samples, replacement=True, seed=None):
    """Indices (Int32) drawn from each row, one as likely as its weight.

    >>> ops.multinomial(Tensor([0.0, 1.0]), 3)
    Tensor(shape=[3], dtype=Int32, value= [1, 1, 1])
    """
    return ops.cast(_multinomial(input, num_samples, replacement, seed), "int32")


@composite("mint.multinomial")
def multinomial_ext(input, num_samples, replacement=False, *, generator=None):
    """Indices (Int64) drawn from each row, one as likely as its weight; each once at most.

    >>> mint.multinomial(Tensor([0.0, 1.0]), 1)
    Tensor(shape=[1], dtype=Int64, value= [1])
    """
    return _multinomial(input, num_samples, replacement, None)


@composite("random_categorical", "Tensor.random_categorical")
def random_categorical(logits, num_sample, seed=0, dtype=dtypes.int64):
    """Indices drawn from each row, one as likely as the softmax of the row says.

    >>> ops.random_categorical(Tensor([[0.0, 100.0]]), 2)
    Tensor(shape=[1, 2], dtype=Int64, value=
    [[1, 1]])
    """
    weights = ops.softmax(ops.cast(logits, "float64"), -1)
    return ops.cast(_drawn_rows(weights, num_sample, True, seed or None), as_dtype(dtype))


@composite("choice_with_mask")
def choice_with_mask(input_x, count=256, seed=None):
    """``count`` random places where a mask is true (Int32), and which of them are (the rest is 0).

    >>> ops.choice_with_mask(Tensor([[False, True]]), 1)
    (Tensor(shape=[1, 2], dtype=Int32, value=
    [[0, 1]]), Tensor(shape=[1], dtype=Bool, value= [True]))
    """
    flags = ops.reshape(input_x, (math.prod(input_x.shape),))
    order = ops.TopkExt(evenly(flags.shape, seed) + ops.cast(flags, "float64"), k=flags.shape[0])[1]
    order = ops.pad(order, (0, max(count - flags.shape[0], 0)))[:count]
    places = ops.arange(count) < ops.ReduceSum(ops.cast(flags, "int64"), axis=0)
    index, steps = [], order
    for size in reversed(input_x.shape):
        index.append(steps % size)
        steps = steps // size
    found = ops.stack(tuple(reversed(index)), -1) * ops.cast(ops.expand_dims(places, -1), "int64")
    return ops.cast(found, "int32"), places


# into a tensor ------------------------------------------------------------------------------------


def _uniform(self, from_=0, to=1, *, generator=None):
    """Write numbers spread evenly from ``from_`` to ``to`` to the tensor; gives it.

    >>> Tensor([1.0, 2.0]).uniform_(5, 5)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e+00,  5.00000000e+00])
    """
    return evenly(self.shape) * (to - from_) + from_


def _normal(self, mean=0, std=1, *, generator=None):
    """Write numbers from the bell curve around ``mean``, of a width, to the tensor; gives it.

    >>> Tensor([1.0, 2.0]).normal_(5, 0)
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e+00,  5.00000000e+00])
    """
    return bell(self.shape) * std + mean


def _random(self, from_=0, to=None, *, generator=None):
    """Write integers from ``from_`` up to, not including, ``to`` to the tensor; gives it.

    >>> Tensor([7, 8]).random_(0, 1)
    Tensor(shape=[2], dtype=Int64, value= [0, 0])
    """
    low, high = (from_, to) if to is not None else (0, from_ or _most(self.dtype))
    return whole(low, high, self.shape, None, "int64")


def _most(dtype):
    return 1 << (24 if dtype.kind == "float" else 8 * dtype.size - 1)


def _bernoulli(self, p=0.5, *, generator=None):
    """Write 1 with probability p, else 0, to the tensor; gives it.

    >>> Tensor([7.0]).bernoulli_(1.0)
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    return bernoulli(self, p)


def _exponential(self, lambd=1, *, generator=None):
    """Write numbers of the exponential distribution of a rate to the tensor; gives it.

    >>> bool((Tensor([7.0, 7.0]).exponential_() >= 0).all())
    True
    """
    return -ops.log1p(-evenly(self.shape)) / lambd


writes("Tensor.uniform_", "uniform_", new=_uniform)
writes("Tensor.normal_", "normal_", new=_normal)
writes("Tensor.random_", "random_", new=_random)
writes("Tensor.bernoulli_", "bernoulli_", new=_bernoulli)
writes("Tensor.exponential_", "exponential_", new=_exponential)
