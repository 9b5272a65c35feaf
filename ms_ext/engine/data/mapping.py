"""How do functions work on rows? One row after the other; or a whole block at once, where they can.

Most transforms of images treat every number alike. They say so with a method ``over_rows``, which
takes the stacked rows of a batch and must give, number by number, what the rows one by one would
have given. A map below a batch uses it: one call of NumPy in place of thirty-two.

>>> from .node import Pass
>>> from .sources import Arrays
>>> node = Map(Arrays(["x"], [[1, 2, 3]]), [lambda x: x * 10], ["x"], ["y"])
>>> node.columns, [int(y) for y, in node.rows(Pass.over(node))]
(['y'], [10, 20, 30])
"""

import functools
import warnings
from dataclasses import dataclass

import numpy as np

from .. import errors
from . import draws, failures, workers
from .columns import Arrangement, replaced
from .node import Above
from .rows import as_array, gathered, scattered
from .settings import settings

BLOCKS_AHEAD = 2  # blocks of rows are large: each worker has one at hand and one to come


class Map(Above):
    """Functions over some columns; ``count`` threads or processes share the rows."""

    columns = None

    def __init__(self, child, operations, inputs, outputs, count=1, in_processes=False):
        super().__init__(child)
        self.operations, self.count, self.in_processes = list(operations), count, in_processes
        self.columns, arrange = replaced(child.columns, inputs, outputs)
        taken = [child.columns.index(name) for name in inputs]
        self._work = Work(self.operations, taken, len(outputs), arrange)

    def rows(self, run):
        """Each row, changed."""
        work, rows = OneRow(self._work_of(run)), enumerate(self.child.rows(run))
        team = self.count, self.in_processes
        return workers.shared(work, rows, *team, depth=settings.prefetch_size)

    def blocks(self, run, count):
        """Each block, changed at once if the functions can, or else row by row."""
        work, blocks = OneBlock(self._work_of(run)), self._numbered(run, count)
        return workers.shared(work, blocks, self.count, self.in_processes, depth=BLOCKS_AHEAD)

    def _work_of(self, run):
        if not self.operations:
            raise errors.NotRunnable("Map: No 'operations' are specified.", hint=".map(double)")
        return self._work.keyed(run.key(self))

    def _numbered(self, run, count):
        start = 0
        for block in self.child.blocks(run, count):
            yield start, block
            start += len(block[0])


@dataclass(frozen=True)
class Work:
    """What a map does with a row, wherever that happens."""

    operations: list
    taken: list  # places of the input columns
    outputs: int
    arrange: Arrangement
    key: tuple = ()

    def keyed(self, key):
        """The same work with the key that random transforms draw from."""
        return Work(self.operations, self.taken, self.outputs, self.arrange, key)

    def row(self, number, row):
        """One row through all the functions."""
        values = tuple(row[place] for place in self.taken)
        with draws.keyed((*self.key, number)):
            for operation in self.operations:
                try:
                    values = as_columns(operation(*values))
                except Exception as error:
                    what = failures.named(operation)
                    raise failures.failed(error, "map", what, f" (row {number})") from error
        if len(values) != self.outputs:
            raise self._wrong_number(values)
        return self.arrange(row, values)

    def _wrong_number(self, values):
        return errors.NotRunnable(
            "Invalid columns, the number of columns returned in 'map' operations should match the "
            "number of 'output_columns', but got the number of columns returned in 'map' "
            f"operations: {len(values)}, the number of 'output_columns': {self.outputs}.",
            hint="Name what the function gives: output_columns=[...]; a tuple gives several.",
        )

    def block(self, start, block):
        """A block through all the functions."""
        at_once, failed = self._at_once(block)
        if at_once is not None:
            return at_once
        rows = [self.row(start + i, row) for i, row in enumerate(scattered(block))]
        if failed is not None:  # no row failed by itself
            warnings.warn(_slower(*failed), errors.MsExtWarning, stacklevel=2)
        return gathered(rows)

    def _at_once(self, block):
        """The block if every function takes it whole, else None; and (function, error) if one of
        them says that it does, but failed.
        """
        stacked = [getattr(operation, "over_rows", None) for operation in self.operations]
        column = block[self.taken[0]]
        one = len(self.taken) == self.outputs == 1
        if None in stacked or not one or not isinstance(column, np.ndarray):
            return None, None
        for over_rows in stacked:
            try:
                column = over_rows(column)
            except Exception as error:  # row by row it is raised again, with its row
                return None, (over_rows, error)
        return self.arrange(block, (column,)), None


def _slower(over_rows, error):
    return (
        f"On the rows of a batch together {failures.named(over_rows)} failed "
        f"({type(error).__name__}: {error}), on each row alone the transform did not. The map goes "
        "on row by row, which is slower."
    )


@dataclass(frozen=True)
class OneRow:
    """The work as a worker does it: a task is a number and its row."""

    work: Work

    def __call__(self, task):
        return self.work.row(*task)


@dataclass(frozen=True)
class OneBlock:
    """The work as a worker does it: a task is the number of a block's first row, and the block."""

    work: Work

    def __call__(self, task):
        return self.work.block(*task)


def as_columns(result):
    """What a function gave, as columns: a tuple is several."""
    if isinstance(result, tuple):
        return tuple(_column(each) for each in result)
    return (_column(result),)


_column = functools.partial(as_array, what="what the function returned")
