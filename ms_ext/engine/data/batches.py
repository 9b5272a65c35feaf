"""How do rows become batches? So many rows are put together along a new first axis.

>>> from .node import Pass
>>> from .sources import Arrays
>>> node = Batch(Arrays(["x"], [[1, 2, 3]]), 2)
>>> node.size(), [x.tolist() for x, in node.rows(Pass.over(node))]
(2, [[1, 2], [3]])
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .. import errors
from . import failures, workers
from .columns import Arrangement, places, replaced
from .node import Above
from .rows import as_array, gathered, misfit


class BatchInfo:
    """What a function of a batch is told: which batch of the epoch it is, and which epoch."""

    def __init__(self, batch, epoch):
        self._batch, self._epoch = batch, epoch

    def get_batch_num(self):
        """The number of the batch in this epoch, from 0."""
        return self._batch

    def get_epoch_num(self):
        """The number of the epoch, from 0."""
        return self._epoch


class Batch(Above):
    """``count`` rows as one; the last ones may be fewer, or are left out with ``drop``."""

    def __init__(self, child, count, drop=False):
        super().__init__(child)
        self.count, self.drop = count, drop

    @property
    def batch_size(self):
        """How many rows one has."""
        return self.count

    def size(self):
        """How many batches there are."""
        size = self.child.size()
        if size is None:
            return None
        return size // self.count if self.drop else -(-size // self.count)

    def rows(self, run):
        """Batch by batch."""
        for block in self.child.blocks(run, self.count):
            if self.drop and len(block[0]) < self.count:
                return
            yield whole(block)


def whole(block):
    """The block, if the rows of each column fit together."""
    for place, column in enumerate(block):
        if not isinstance(column, np.ndarray):
            raise _do_not_fit(column, place)
    return block


def _do_not_fit(column, place):
    first, other = column[0], misfit(column)
    if isinstance(first, dict):
        return errors.NotRunnable(
            f"Cannot batch dicts (column {place}).", hint="per_batch_map may make arrays of them."
        )
    if first.shape != other.shape:
        return errors.NotRunnable(
            f"Cannot batch tensors with different shapes in column {place}. First element had "
            f"shape {_angled(first)} and this element had shape {_angled(other)}",
            hint="Make them equal before (.map with Resize or PadEnd), or use .padded_batch.",
        )
    return errors.NotRunnable(
        f"Cannot batch tensors with different types in column {place}. First element had type "
        f"{first.dtype} and this element had type {other.dtype}",
        hint="Make them equal before: .map(transforms.TypeCast(...)).",
    )


def _angled(array):
    return f"<{','.join(map(str, array.shape))}>"


class BatchWith(Batch):
    """Batches whose size is asked of a function, or whose rows go through one first."""

    columns = None

    def __init__(self, child, count, drop, work, inputs, outputs, team=(1, False)):
        super().__init__(child, count, drop)
        taken = places(child.columns, inputs)
        self.columns, arrange = replaced(child.columns, inputs, outputs)
        self._work, self._team = BatchWork(work, taken, len(outputs), arrange), team

    @property
    def batch_size(self):
        """How many rows one has; unknown if a function says it."""
        return -1 if callable(self.count) else self.count

    def size(self):
        """How many batches there are; only a pass tells if a function says their sizes."""
        return None if callable(self.count) else super().size()

    def rows(self, run):
        """Batch by batch."""
        return workers.shared(self._work, self._gathered(run), *self._team)

    def _gathered(self, run):
        rows = self.child.rows(run)
        for number in itertools.count():
            info = BatchInfo(number, run.turn[0])
            count = self._count(info)
            held = list(itertools.islice(rows, count))
            if not held or (self.drop and len(held) < count):
                return
            yield held, info

    def _count(self, info):
        count = self.count(info) if callable(self.count) else self.count
        if not isinstance(count, int | np.integer) or count < 1:
            raise errors.NotRunnable(
                "Batch size function should return an integer greater than 0.", given=repr(count)
            )
        return count


@dataclass(frozen=True)
class BatchWork:
    """What is done with the rows of a batch, wherever that happens."""

    function: Callable | None
    taken: list  # places of the input columns
    outputs: int
    arrange: Arrangement

    def __call__(self, task):
        rows, info = task
        columns = [list(column) for column in zip(*rows, strict=True)]
        if self.function is not None:
            columns = self.arrange(columns, self._called(columns, info))
        return whole(gathered(list(zip(*columns, strict=True))))

    def _called(self, columns, info):
        try:
            made = self.function(*(columns[place] for place in self.taken), info)
            made = made if isinstance(made, tuple) else (made,)
            lists = [[as_array(each) for each in column] for column in made]
        except Exception as error:
            what, where = failures.named(self.function), f" (batch {info.get_batch_num()})"
            raise failures.failed(error, "batch", what, where) from error
        lengths = sorted({len(each) for each in lists})
        if len(lists) != self.outputs or len(lengths) > 1:
            raise errors.NotRunnable(
                "per_batch_map must return one list per output column, all equally long.",
                given=f"{len(lists)} lists of {lengths} rows",
                hint=f"Return a tuple of {self.outputs} lists, or name output_columns.",
            )
        return lists


class PaddedBatch(Batch):
    """Batches whose rows are first filled up to one shape.

    ``info`` says for a column up to which shape, None being the batch's largest, and with what.
    """

    def __init__(self, child, count, drop=False, info=None):
        super().__init__(child, count, drop)
        self.info = info or dict.fromkeys(child.columns, (None, None))
        places(child.columns, list(self.info))

    def rows(self, run):
        """Batch by batch."""
        for block in self.child.blocks(run, self.count):
            if self.drop and len(block[0]) < self.count:
                return
            named = zip(self.columns, block, strict=True)
            filled = [self._filled(column, *self.info.get(name, ())) for name, column in named]
            yield whole(tuple(_stacked(column) for column in filled))

    def _filled(self, column, shape=(), value=None):
        if shape == ():
            return column
        largest = np.max([each.shape for each in column], axis=0).astype(int)
        shape = [None] * len(largest) if shape is None else shape
        if len(shape) != len(largest):
            raise errors.NotRunnable(
                "The shape to pad to must have as many axes as the rows.",
                given=f"{list(shape)} for rows of {len(largest)} axes",
            )
        shape = [
            wide if asked in (None, -1) else asked
            for asked, wide in zip(shape, largest, strict=True)
        ]
        return [padded(each, shape, value) for each in column]


def padded(array, shape, value=None):
    """The array in the corner of a larger one; what does not fit is cut off.

    >>> import numpy as np
    >>> padded(np.array([1, 2]), [3], -1)
    array([ 1,  2, -1])
    """
    empty = "" if array.dtype.kind in "US" else 0
    out = np.full(shape, empty if value is None else value, array.dtype)
    kept = tuple(slice(0, min(a, b)) for a, b in zip(array.shape, shape, strict=True))
    out[kept] = array[kept]
    return out


def _stacked(column):
    return column if isinstance(column, np.ndarray) else gathered([(each,) for each in column])[0]
