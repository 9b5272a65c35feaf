"""In which order do rows come? The samplers under MindSpore's names.

>>> from ms_ext import dataset as ds
>>> data = ds.NumpySlicesDataset([10, 20, 30], ["x"], sampler=SubsetSampler([2, 0]))
>>> [int(x) for (x,) in data]
[30, 10]
"""

import enum
import numbers

import numpy as np

from ..engine import errors
from ..engine.data import samplers as orders
from . import checks

INT64 = 2**63 - 1


class Shuffle(str, enum.Enum):  # noqa: UP042  (its str() is MindSpore's)
    """How to shuffle; all but FALSE draw one order of all rows here.

    >>> Shuffle.GLOBAL.value
    'global'
    """

    FALSE = "false"
    ADAPTIVE = "adaptive"
    GLOBAL = "global"
    PARTIAL = "partial"
    FILES = "files"
    INFILE = "infile"


def _count(num_samples):
    if num_samples is not None:
        checks.within(num_samples, 0, INT64, "num_samples")
    return num_samples or None


def SequentialSampler(start_index=None, num_samples=None):
    """One row after the other, from ``start_index``.

    >>> SequentialSampler(1).order(3, None)
    [1, 2]
    """
    if start_index is not None:
        checks.of_type(start_index, int, "start_index")
    return orders.Sequential(start_index, _count(num_samples))


def RandomSampler(replacement=False, num_samples=None, shuffle=Shuffle.GLOBAL):
    """Rows in a drawn order; with replacement a row can come more than once.

    >>> sorted(RandomSampler().order(3, np.random.default_rng))
    [0, 1, 2]
    """
    checks.of_type(replacement, bool, "replacement")
    return orders.Random(replacement, _count(num_samples))


def SubsetSampler(indices, num_samples=None):
    """The rows of these numbers, in this order.

    >>> SubsetSampler([2, 0]).order(3, None)
    [2, 0]
    """
    return orders.Subset(_indices(indices, "SubsetSampler"), _count(num_samples))


def SubsetRandomSampler(indices, num_samples=None):
    """The rows of these numbers, in a drawn order.

    >>> sorted(SubsetRandomSampler([2, 0]).order(3, np.random.default_rng))
    [0, 2]
    """
    return orders.SubsetDrawn(_indices(indices, "SubsetRandomSampler"), _count(num_samples))


def _indices(indices, name):
    if isinstance(indices, numbers.Number):
        indices = [indices]
    if isinstance(indices, str) or not hasattr(indices, "__iter__"):
        raise errors.InvalidType(
            f"{name}: indices must be a list of integers.", given=f"{indices!r:.60}"
        )
    found = list(indices)
    for each in found:
        if not isinstance(each, int | np.integer) or isinstance(each, bool):
            raise errors.InvalidType(
                f"{name}: Type of indices element must be int.", given=f"{each!r:.60}"
            )
    return [int(each) for each in found]


def WeightedRandomSampler(weights, num_samples=None, replacement=True):
    """Rows drawn by weights.

    >>> WeightedRandomSampler([0, 1, 0], 2).order(3, np.random.default_rng)
    [1, 1]
    """
    weights = list(weights)
    for each in weights:
        if not isinstance(each, numbers.Number):
            raise errors.InvalidType(
                "type of weights element must be number.", given=f"{each!r:.60}"
            )
    checks.of_type(replacement, bool, "replacement")
    return orders.Weighted(weights, _count(num_samples), replacement)


def DistributedSampler(num_shards, shard_id, shuffle=True, num_samples=None, offset=-1):
    """Every ``num_shards``-th row, from ``shard_id``; the last shards begin with row 0 again.

    >>> DistributedSampler(2, 1, shuffle=False).order(5, None)
    [1, 3, 0]
    """
    checks.of_type(num_shards, int, "num_shards")
    checks.of_type(shard_id, int, "shard_id")
    checks.of_type(shuffle, (bool, Shuffle), "shuffle")
    checks.of_type(offset, int, "offset")
    if num_shards < 1 or not 0 <= shard_id < num_shards or offset > num_shards:
        raise errors.NotRunnable(
            "Invalid parameter, shard_id must be at least 0 and less than num_shards, offset at "
            "most num_shards.",
            given=f"num_shards={num_shards}, shard_id={shard_id}, offset={offset}",
        )
    draws = shuffle not in (False, Shuffle.FALSE)
    return orders.Distributed(num_shards, shard_id, draws, _count(num_samples), offset)


def PKSampler(num_val, num_class=None, shuffle=False, class_column="label", num_samples=None):
    """``num_val`` rows of each class, where the rows of a dataset have classes.

    >>> PKSampler(1).order(4, None, np.array([7, 7, 5, 5]))
    [2, 0]
    """
    checks.of_type(num_val, int, "num_val")
    checks.of_type(shuffle, bool, "shuffle")
    if num_class is not None:
        raise errors.InvalidValue("PKSampler: num_class is not supported.", given=num_class)
    return orders.PerClass(num_val, shuffle, _count(num_samples))


class Sampler(orders.Order):
    """To derive from: ``__iter__`` gives the numbers of the rows.

    >>> from ms_ext import dataset as ds
    >>> class Backwards(Sampler):
    ...     def __iter__(self):
    ...         return iter([2, 1, 0])
    >>> data = ds.NumpySlicesDataset([10, 20, 30], ["x"], sampler=Backwards())
    >>> [int(x) for (x,) in data]
    [30, 20, 10]
    """

    def __iter__(self):
        raise errors.NotRunnable(
            "A sampler must give the numbers of the rows.", hint="Define __iter__ in your class."
        )

    def _order(self, size, generator, labels):
        self.dataset_size = size
        return [int(number) for number in self][: self.num_samples]

    def count(self, size):
        """Only asking tells."""
        return len(self._order(size, None, None))


def IterSampler(sampler, num_samples=None):
    """The numbers that an iterable gives.

    >>> IterSampler([2, 0]).order(3, None)
    [2, 0]
    """
    return orders.Given(sampler, _count(num_samples))


def chosen(sampler, num_samples, shuffle, num_shards, shard_id):
    """The sampler that a dataset's arguments mean.

    >>> type(chosen(None, None, None, None, None)).__name__
    'Random'
    """
    if sampler is not None:
        return _given(sampler, num_samples, shuffle, num_shards, shard_id)
    draws = shuffle not in (False, Shuffle.FALSE)
    if num_shards is not None:
        return DistributedSampler(num_shards, shard_id, draws, num_samples)
    if draws:
        return RandomSampler(num_samples is not None, num_samples)
    return SequentialSampler(num_samples=num_samples)


def _given(sampler, num_samples, shuffle, num_shards, shard_id):
    if isinstance(sampler, orders.Order):
        others = (num_samples, shuffle, num_shards, shard_id)
        if any(each is not None for each in others):
            raise errors.InvalidValue(
                "Conflicting arguments during sampler assignments. num_samples: {}, shuffle: {}, "
                "num_shards: {}, shard_id: {}.".format(*others),
                hint="Give these to the sampler, or leave the sampler out.",
            )
        return sampler
    if isinstance(sampler, list | tuple | np.ndarray | int):
        return SubsetSampler(sampler, num_samples)
    if isinstance(sampler, str) or not hasattr(sampler, "__iter__"):
        raise errors.InvalidType(
            "sampler should be either iterable or from mindspore.dataset.samplers.",
            given=f"{sampler!r:.60}",
        )
    return IterSampler(sampler, num_samples)
