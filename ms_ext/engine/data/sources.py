"""Where do rows come from? An object that is asked by number, an iterable, or arrays.

A source gives rows that nobody else holds, so a function may change its row in place.

>>> from .node import Pass
>>> node = Arrays(["x", "y"], [[1, 2], [3.0, 4.0]])
>>> list(node.rows(Pass.over(node)))
[(array(1), array(3.)), (array(2), array(4.))]
"""

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from .. import errors
from . import failures, settings, workers
from .node import Node
from .rows import as_array, as_row


class Source(Node):
    """A node without children: its columns, and the sampler that says in which order."""

    def __init__(self, columns, sampler=None):
        self.columns, self.sampler = list(columns), sampler

    labels = None  # the classes of the rows, for samplers that want to know

    def order(self, run):
        """The numbers of the rows in this pass."""

        def generator(shared=False):
            return (run.shared() if shared else run).generator(self)

        return self.sampler.order(self.length(), generator, self.labels)

    def size(self):
        """As many as the sampler gives."""
        return self.sampler.count(self.length())


class Accessible(Source):
    """Rows of an object with ``__getitem__`` and ``__len__``."""

    def __init__(self, source, items, sampler, count=1, in_processes=False):
        super().__init__(items.names, sampler)
        self.source, self.items = source, items
        self.count, self.in_processes = count, in_processes

    def length(self):
        """All rows there are."""
        if not hasattr(self.source, "__len__"):
            raise errors.NotRunnable(
                "Attempt to construct a random access dataset, '__len__' method is required!",
                hint="Say how many rows there are: def __len__(self): return ...",
            )
        return len(self.source)

    def rows(self, run):
        """One row per number."""
        if not self.length():
            raise errors.NotRunnable(
                "GeneratorDataset: the number of rows of the source must not be 0, got: 0",
                hint="len(source) is 0.",
            )
        order = map(np.int64, self.order(run))
        read = functools.partial(_read, self.source, self.items)
        team = self.count, self.in_processes
        return workers.shared(read, order, *team, depth=settings.settings.prefetch_size)


def _read(source, items, number):
    """Row ``number``, as arrays of the pipeline's own."""
    try:
        return items.of(source[number])
    except Exception as error:
        where = f"{failures.named(type(source))}[{number}]"
        raise failures.failed(error, "GeneratorDataset", where) from error


@dataclass(frozen=True)
class Items:
    """What each row must be: one item per name, and of these types if any are given."""

    names: list
    types: list | None = None

    def of(self, value):
        """What a source gave, as a row of arrays that nobody else holds."""
        row = as_row(value)
        if len(row) != len(self.names):
            raise errors.NotRunnable(
                "The number of items of a row must be the number of column names.",
                given=f"{len(row)} items, {len(self.names)} column names",
                hint="A tuple gives one item per column; an array or a number is one item.",
            )
        for name, each, dtype in zip(self.names, row, self.types or (), strict=bool(self.types)):
            if each.dtype != dtype:
                raise errors.NotRunnable(
                    f"Column {name} is {each.dtype}, and column_types says {dtype}.",
                    hint="Leave column_types out, or change the source.",
                )
        return tuple(np.array(each) if isinstance(each, np.ndarray) else each for each in row)


class Streamed(Source):
    """Rows of an iterable, or of a function that gives one; from its start at each pass."""

    def __init__(self, source, items, limit=None):
        super().__init__(items.names)
        self.source, self.items, self.limit = source, items, limit

    def size(self):
        """Its length if it has one."""
        if not hasattr(self.source, "__len__"):
            return None
        return len(self.source) if self.limit is None else min(len(self.source), self.limit)

    def rows(self, run):
        """As they come."""
        given = self._given()
        for number in itertools.count() if self.limit is None else range(self.limit):
            try:
                row = self.items.of(next(given))
            except StopIteration:
                return
            except Exception as error:
                what = failures.named(self.source)
                raise failures.failed(
                    error, "GeneratorDataset", what, f" (row {number})"
                ) from error
            yield row

    def _given(self):
        try:
            return iter(self.source() if not hasattr(self.source, "__iter__") else self.source)
        except Exception as error:
            raise failures.failed(error, "GeneratorDataset", failures.named(self.source)) from error


class Again:
    """A generator that can be gone through again: what it gave is kept.

    >>> rows = Again(i for i in range(2))
    >>> list(rows), list(rows)
    ([0, 1], [0, 1])
    """

    def __init__(self, generator):
        (self._rows,) = itertools.tee(generator, 1)

    def __iter__(self):
        self._rows, rows = itertools.tee(self._rows)
        return rows


class Arrays(Source):
    """Rows of arrays, one array per column; a whole block is taken out at once."""

    def __init__(self, columns, arrays, sampler=None, labels=None):
        from .samplers import Sequential

        super().__init__(columns, sampler or Sequential())
        self.arrays, self.labels = [_array(each) for each in arrays], labels

    def length(self):
        """The rows of the first column."""
        return len(self.arrays[0])

    def rows(self, run):
        """One row per number."""
        for number in self.order(run):
            yield tuple(np.array(as_array(array[number])) for array in self.arrays)

    def blocks(self, run, count):
        """Each block by its numbers, where all columns are arrays."""
        if not all(isinstance(array, np.ndarray) for array in self.arrays):
            yield from super().blocks(run, count)
            return
        order = np.array(self.order(run), np.intp)
        for start in range(0, len(order), count):
            yield tuple(array[order[start : start + count]] for array in self.arrays)


def _array(column):
    try:
        array = np.asarray(column)
    except ValueError:  # rows of different lengths stay a list
        return column
    return array if array.dtype != object else column
