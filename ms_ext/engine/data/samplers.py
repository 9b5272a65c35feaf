"""In which order is a source asked? A sampler gives the numbers of the rows for one pass.

>>> import numpy as np
>>> Sequential(start_index=1, num_samples=2).order(5, np.random.default_rng)
[1, 2]
>>> [Distributed(2, shard, shuffle=False).order(5, np.random.default_rng) for shard in (0, 1)]
[[0, 2, 4], [1, 3, 0]]
"""

import numpy as np

from .. import errors


class Order:
    """What every sampler can do: draw from what a child sampler gives, and say how many."""

    shuffled = sharded = False

    def __init__(self, num_samples=None):
        self.num_samples, self.child = num_samples, None

    def add_child(self, sampler):
        """Draw from what ``sampler`` gives instead of from all rows."""
        if self.child is not None:
            raise errors.NotRunnable("Cannot add child sampler, this sampler already has a child.")
        self.child = sampler

    def get_child(self):
        """The sampler below, or None."""
        return self.child

    def get_num_samples(self):
        """How many rows it was told to give, or None."""
        return self.num_samples

    def is_shuffled(self):
        """Whether the order is drawn, here or below."""
        return self.shuffled or bool(self.child and self.child.is_shuffled())

    def is_sharded(self):
        """Whether it gives one part of several."""
        return self.sharded or bool(self.child and self.child.is_sharded())

    def order(self, size, generator, labels=None):
        """The numbers of the rows; ``generator()`` is called by those who draw."""
        if self.child is None:
            return self._checked(self._order(size, generator, labels), size)
        below = self.child.order(size, generator, labels)
        places = self._checked(self._order(len(below), generator, labels), len(below))
        return [below[place] for place in places]

    def count(self, size):
        """How many rows of ``size`` it gives."""
        size = size if self.child is None else self.child.count(size)
        return size if self.num_samples is None else min(self.num_samples, size)

    def _checked(self, order, size):
        for number in order:
            if not 0 <= number < size:
                raise errors.NotRunnable(
                    f"Sample ID ({number}) is out of bound, expected range [0, {size - 1}]",
                    given=f"{type(self).__name__} over {size} rows",
                    hint="A sampler gives whole numbers from 0 to one less than the rows.",
                )
        return order


class Sequential(Order):
    """One after the other, from a start."""

    def __init__(self, start_index=None, num_samples=None):
        super().__init__(num_samples or None)
        self.start = start_index or 0

    def _order(self, size, generator, labels):
        if not 0 <= self.start < max(size, 1):
            raise errors.NotRunnable(
                "Invalid parameter, start_index must be less than num_rows, but got start_index: "
                f"{self.start}, num_rows: {size}.",
                hint=f"Use 0 to {size - 1}.",
            )
        return list(range(self.start, self.start + self.count(size)))

    def count(self, size):
        """What is left after the start, or fewer."""
        size = size if self.child is None else self.child.count(size)
        left = max(size - self.start, 0)
        return left if self.num_samples is None else min(self.num_samples, left)


class Random(Order):
    """A drawn order; with replacement a row can come more than once."""

    shuffled = True

    def __init__(self, replacement=False, num_samples=None):
        super().__init__(num_samples)
        self.replacement = replacement

    def _order(self, size, generator, labels):
        if self.replacement:
            return generator().integers(0, max(size, 1), self.count(size)).tolist()
        return generator().permutation(size)[: self.count(size)].tolist()


class Subset(Order):
    """The rows whose numbers are given."""

    def __init__(self, indices, num_samples=None):
        super().__init__(num_samples)
        self.indices = indices

    def _order(self, size, generator, labels):
        return self.indices[: self.num_samples]

    def count(self, size):
        """As many as were given."""
        return len(self.indices[: self.num_samples])


class SubsetDrawn(Subset):
    """The same rows in a drawn order."""

    shuffled = True

    def _order(self, size, generator, labels):
        return generator().permutation(self.indices)[: self.num_samples].tolist()


class Weighted(Order):
    """Rows drawn by weights: one with twice the weight comes twice as often."""

    shuffled = True

    def __init__(self, weights, num_samples=None, replacement=True):
        super().__init__(num_samples)
        self.weights, self.replacement = weights, replacement

    def _order(self, size, generator, labels):
        weights, count = np.asarray(self.weights, float), self.count(size)
        usable = len(weights) <= size and weights.sum() > 0 and weights.min() >= 0
        if not usable or (not self.replacement and count > np.count_nonzero(weights)):
            raise errors.NotRunnable(
                "WeightedRandomSampler: the weights cannot be drawn from.",
                given=f"{len(weights)} weights for {size} rows, {count} to draw, "
                f"{np.count_nonzero(weights)} not 0, the smallest {weights.min():g}",
                hint="At most one weight per row, none below 0, one above 0; without replacement "
                "as many above 0 as are to be drawn.",
            )
        return generator().choice(
            len(weights), count, self.replacement, weights / weights.sum()
        ).tolist()  # fmt: skip


class Distributed(Order):
    """Every ``shards``-th row, for one of several learners that share the data."""

    sharded = True

    def __init__(self, shards, shard, shuffle=True, num_samples=None, offset=-1):
        super().__init__(num_samples)
        self.shards, self.shard, self.offset = shards, shard, offset
        self.shuffled = shuffle

    def _order(self, size, generator, labels):
        order = generator(shared=True).permutation(size).tolist() if self.shuffled else None
        first = self.shard - max(self.offset, 0)
        first = first + self.shards if first < 0 else first
        places = [(first + k * self.shards) % size for k in range(self.count(size))]
        return [order[place] for place in places] if order else places

    def count(self, size):
        """Equally many for every shard, so the last ones begin again; with an offset not so."""
        if self.offset < 0:
            share = -(-size // self.shards)
        else:
            share, rest = divmod(size + self.offset, self.shards)
            share += (self.shard < rest) - (self.shard < self.offset)
        return share if self.num_samples is None else min(self.num_samples, share)


class PerClass(Order):
    """So many rows of each class."""

    def __init__(self, num_val, shuffle=False, num_samples=None):
        super().__init__(num_samples)
        self.num_val, self.shuffled = num_val, shuffle

    def _order(self, size, generator, labels):
        if labels is None:
            raise errors.NotRunnable(
                "PKSampler needs a dataset whose rows have classes.", hint="MnistDataset has them."
            )
        order = generator().permutation(size) if self.shuffled else np.arange(size)
        found = [order[labels[order] == label][: self.num_val] for label in np.unique(labels)]
        return np.concatenate(found)[: self.num_samples].tolist()


class Given(Order):
    """What somebody's own iterable gives."""

    def __init__(self, numbers, num_samples=None):
        super().__init__(num_samples)
        self.numbers = numbers

    def _order(self, size, generator, labels):
        return [int(number) for number in self.numbers][: self.num_samples]

    def count(self, size):
        """Only asking tells."""
        return len(self._order(size, None, None))
