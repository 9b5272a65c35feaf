"""Primitives that are a function in other words: settings where it is made, operands at the call.

>>> ops.Split(axis=0, output_num=2)(Tensor([1, 2]))
(Tensor(shape=[1], dtype=Int64, value= [1]), Tensor(shape=[1], dtype=Int64, value= [2]))
"""

import functools

from .. import ops
from ..engine import errors
from .axes import normal_axis
from .composite import composite


def primitive_form(name, function, settings, example, result):
    """Enter the primitive ``name``: made with ``settings``, it is ``function`` with them."""

    class Form:
        def __new__(cls, *args, **kwargs):
            given = dict(zip(settings, args, strict=False)) | kwargs
            if len(args) > len(settings) or not given.keys() <= set(settings):
                raise errors.InvalidType(
                    f"The primitive {name} is made with {', '.join(settings) or 'nothing'}.",
                    given=f"{args} {kwargs}",
                )
            return functools.partial(function, **given) if given else function

    Form.__name__ = Form.__qualname__ = name
    told = f"made with {', '.join(settings)}" if settings else "made with no settings"
    Form.__doc__ = f"""A primitive, {told}.

    >>> {example}
    {result}
    """
    composite(name)(Form)


def _split(x, axis=0, output_num=1):
    size = x.shape[normal_axis(axis, x.ndim)]
    if output_num < 1 or size % output_num:
        raise errors.InvalidValue(
            "the axis cannot be cut into so many equal parts.", given=f"{size} into {output_num}"
        )
    return ops.split(x, size // output_num, axis)


def _embedding(params, indices, offset):
    """Rows of ``params`` by ``indices - offset``; zeros where there is no such row."""
    places = indices - offset
    known = (places >= 0) & (places < params.shape[0])
    rows = ops.gather(params, ops.where(known, places, 0), 0)
    shape = (*indices.shape, *[1] * (params.ndim - 1))
    return ops.where(ops.reshape(known, shape), rows, ops.zeros_like(rows))


def _put(x1, x2, indices, accumulate=0):
    return x1.index_put(indices, x2, bool(accumulate))


def _bucket(x, boundaries):
    """An element that equals a boundary lies behind it, other than in ``ops.bucketize``."""
    return ops.bucketize(x, list(boundaries), right=True)


def _joined(values):
    return ops.concat(values, 0)


def _filled(shape, value):
    return ops.broadcast_to(value, shape)


def _masked(x, mask, updates):
    return x.masked_scatter(mask, updates)


def _one_seed(seed, seed2):
    """One seed of two; of two zeros none, so that each call draws anew."""
    return (seed or 0) + ((seed2 or 0) << 32) or None


def _shuffled(x, seed=0, seed2=0):
    return ops.shuffle(x, _one_seed(seed, seed2))


def _several(x, num_samples, seed=0, seed2=0, dtype="int32"):
    return ops.cast(ops.multinomial(x, num_samples, True, _one_seed(seed, seed2)), dtype)


def _coins(x, p, seed=-1, offset=0):
    return ops.bernoulli(x, p, None if seed == -1 else _one_seed(seed, offset))


def _laplace(shape, seed=0, seed2=0):
    return ops.standard_laplace(shape, _one_seed(seed, seed2))


def _gamma(shape, alpha, beta, seed=0, seed2=0):
    return ops.gamma(shape, alpha, beta, _one_seed(seed, seed2))


def _poisson(shape, mean, seed=0, seed2=0):
    return ops.cast(ops.poisson(shape, mean, _one_seed(seed, seed2)), "int32")


def _categorical(logits, num_sample, seed, dtype="int64"):
    return ops.random_categorical(logits, num_sample, seed, dtype)


def _choice(x, count=256, seed=0, seed2=0):
    return ops.choice_with_mask(x, count, _one_seed(seed, seed2))


def _permutation(n, seed=0, offset=0, dtype="int64"):
    return ops.randperm(n, seed, offset, dtype)


def _to_batches(x, block_shape, paddings):
    return ops.space_to_batch_nd(x, block_shape, paddings)


def _to_space(x, block_shape, crops):
    return ops.batch_to_space_nd(x, block_shape, crops)


def _function(name):
    """The function of ``ops`` that has a name, found when it is called."""

    def call(*args, **kwargs):
        return getattr(ops, name)(*args, **kwargs)

    return call


LINE = "Tensor([1.0, 2.0])"
TWO = "Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])"
SEEDS = ("seed", "seed2")
#: name, function, settings, an example, what it gives.
FORMS = (
    ("Split", _split, ("axis", "output_num"), "len(ops.Split(0, 2)(ops.ones(4)))", "2"),
    (
        "Padding", _function("padding"), ("pad_dim_size",),
        "ops.Padding(3)(Tensor([[5]])).shape", "(1, 3)",
    ),
    (
        "MaskedScatter", _masked, (),
        f"ops.MaskedScatter()(ops.zeros(2), Tensor([True, True]), {LINE})", TWO,
    ),
    (
        "MatrixBandPart", _function("matrix_band_part"), (),
        "ops.MatrixBandPart()(ops.ones((3, 3)), 0, 0).sum().item()", "3.0",
    ),
    (
        "Bucketize", _bucket, ("boundaries",),
        f"ops.Bucketize([1.0, 2.0])({LINE})", "Tensor(shape=[2], dtype=Int32, value= [1, 2])",
    ),
    (
        "LogSpace", _function("logspace"), ("steps", "base", "dtype"),
        "ops.LogSpace(3)(Tensor(0.0), Tensor(2.0)).tolist()", "[1.0, 10.0, 100.0]",
    ),
    (
        "EmbeddingLookup", _embedding, (),
        f"ops.EmbeddingLookup()({LINE}, Tensor([4, 5]), 4)", TWO,
    ),
    (
        "InplaceAdd", _function("inplace_add"), ("indices",),
        f"ops.InplaceAdd((0, 1))(ops.zeros(2), {LINE})", TWO,
    ),
    (
        "InplaceSub", _function("inplace_sub"), ("indices",),
        f"ops.InplaceSub((0, 1))(ops.zeros(2), -{LINE})", TWO,
    ),
    (
        "InplaceUpdate", _function("inplace_update"), ("indices",),
        f"ops.InplaceUpdate((0, 1))(ops.zeros(2), {LINE})", TWO,
    ),
    (
        "IndexPut", _put, ("accumulate",),
        f"ops.IndexPut()(ops.zeros(2), {LINE}, (Tensor([0, 1]),))", TWO,
    ),
    (
        "IndexFill", _function("index_fill"), (),
        "ops.IndexFill()(ops.zeros(2), 0, Tensor([1]), Tensor(3.0))[1].item()", "3.0",
    ),
    ("ParallelConcat", _joined, (), "ops.ParallelConcat()((Tensor([1.0]), Tensor([2.0])))", TWO),
    ("FillV2", _filled, (), "ops.FillV2()((2, 3), Tensor(7)).shape", "(2, 3)"),
    ("Fills", _function("fills"), (), f"ops.Fills()({LINE}, 7.0).tolist()", "[7.0, 7.0]"),
    (
        "SpaceToBatchND", _to_batches, ("block_shape", "paddings"),
        "ops.SpaceToBatchND([2, 2], [[0, 0], [0, 0]])(ops.ones((1, 1, 2, 2))).shape",
        "(4, 1, 1, 1)",
    ),
    (
        "BatchToSpaceND", _to_space, ("block_shape", "crops"),
        "ops.BatchToSpaceND([2, 2], [[0, 0], [0, 0]])(ops.ones((4, 1, 1, 1))).shape",
        "(1, 1, 2, 2)",
    ),
    (
        "RandomShuffle", _shuffled, SEEDS,
        f"sorted(ops.RandomShuffle()({LINE}).tolist())", "[1.0, 2.0]",
    ),
    (
        "RandpermV2", _permutation, ("seed", "offset", "dtype"),
        "sorted(ops.RandpermV2()(3).tolist())", "[0, 1, 2]",
    ),
    (
        "Multinomial", _several, (*SEEDS, "dtype"),
        "ops.Multinomial()(Tensor([0.0, 1.0]), 2)", "Tensor(shape=[2], dtype=Int32, value= [1, 1])",
    ),
    (
        "Bernoulli", _coins, ("seed", "offset"),
        f"ops.Bernoulli()({LINE}, Tensor(1.0)).tolist()", "[1.0, 1.0]",
    ),
    ("StandardLaplace", _laplace, SEEDS, "ops.StandardLaplace()((2, 3)).shape", "(2, 3)"),
    ("Gamma", _gamma, SEEDS, "ops.Gamma()((2,), Tensor(1.0), Tensor(1.0)).shape", "(2,)"),
    ("Poisson", _poisson, SEEDS, "ops.Poisson()((2,), Tensor(1.0)).dtype", "mindspore.int32"),
    (
        "RandomCategorical", _categorical, ("dtype",),
        "ops.RandomCategorical()(Tensor([[0.0, 100.0]]), 2, 0).tolist()", "[[1, 1]]",
    ),
    (
        "RandomChoiceWithMask", _choice, ("count", *SEEDS),
        "ops.RandomChoiceWithMask(1)(Tensor([False, True]))[0].tolist()", "[[1]]",
    ),
)  # fmt: skip

for _row in FORMS:
    primitive_form(*_row)
