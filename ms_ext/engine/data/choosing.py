"""Which rows come on, how often and in which order: take, skip, filter, repeat, shuffle.

>>> from .sources import Arrays
>>> numbers = Arrays(["x"], [[0, 1, 2, 3]])
>>> from .node import Pass
>>> def firsts(node):
...     return [int(row[0]) for row in node.rows(Pass.over(node))]
>>> firsts(Take(Skip(numbers, 1), 2)), firsts(Repeat(Take(numbers, 2), 2))
([1, 2], [0, 1, 0, 1])
"""

import itertools

import numpy as np

from .. import errors
from . import failures
from .columns import places
from .node import Above, Pass


class Take(Above):
    """At most the first ``count`` rows."""

    def __init__(self, child, count):
        super().__init__(child)
        self.count = count

    def size(self):
        """The smaller number."""
        size = self.child.size()
        return None if size is None else min(size, self.count)

    def rows(self, run):
        """The first ones."""
        return itertools.islice(self.child.rows(run), self.count)


class Skip(Above):
    """All but the first ``count`` rows."""

    def __init__(self, child, count):
        super().__init__(child)
        self.count = count

    def size(self):
        """What is left."""
        size = self.child.size()
        return None if size is None else max(size - self.count, 0)

    def rows(self, run):
        """The later ones."""
        return itertools.islice(self.child.rows(run), self.count, None)


class Repeat(Above):
    """The rows ``count`` times over; None is without end."""

    def __init__(self, child, count):
        super().__init__(child)
        self.count = count

    @property
    def repeat_count(self):
        """How often."""
        return -1 if self.count is None else self.count

    def size(self):
        """So many times the rows; without end, those of one time."""
        size = self.child.size()
        return size if size is None or self.count is None else size * self.count

    def rows(self, run):
        """One repetition after the other; a shuffle below shuffles anew each time."""
        numbers = itertools.count() if self.count is None else range(self.count)
        for number in numbers:
            empty = True
            for row in self.child.rows(run.repetition(number)):
                empty = False
                yield row
            if empty:
                return  # of nothing there is no more the second time


class Filter(Above):
    """The rows for which ``predicate`` answers True."""

    def __init__(self, child, predicate, inputs=None):
        super().__init__(child)
        self.predicate = predicate
        self._taken = places(child.columns, inputs or child.columns)

    def size(self):
        """Only a pass tells."""
        return None

    def rows(self, run):
        """Those that it keeps."""
        for number, row in enumerate(self.child.rows(run)):
            if self._keeps([row[place] for place in self._taken], number):
                yield row

    def _keeps(self, columns, number):
        try:
            answer = self.predicate(*columns)
            answer = answer.asnumpy() if hasattr(answer, "asnumpy") else answer
            return bool(np.all(answer)) if np.size(answer) == 1 else _unclear(answer)
        except Exception as error:
            what = failures.named(self.predicate)
            raise failures.failed(error, "filter", what, f" (row {number})") from error


def _unclear(answer):
    raise errors.InvalidValue(
        "The predicate must answer True or False for a row.",
        given=f"{answer!r:.60}",
        hint="For arrays say which: .any() or .all().",
    )


class Shuffle(Above):
    """The rows in an order that is drawn, from a buffer of ``size`` rows.

    From a full buffer one row is drawn, and the next one takes its place: no row comes more than
    ``size`` places too early. With a buffer as large as the dataset every order is possible.
    """

    def __init__(self, child, size):
        super().__init__(child)
        self.buffer = size

    def rows(self, run):
        """One drawn row for each one that comes in, then those that are left."""
        rows, generator = self.child.rows(run), run.generator(self)
        held = list(itertools.islice(rows, self.buffer))
        draws = _draws(generator, len(held))
        for row in rows:
            place = next(draws)
            drawn, held[place] = held[place], row
            yield drawn
        generator.shuffle(places := list(range(len(held))))
        for place in places:
            yield held[place]


def _draws(generator, below):
    """Whole numbers below a bound, drawn many at once."""
    while True:
        yield from generator.integers(0, max(below, 1), 1024).tolist()


class Frozen(Above):
    """The rows of one and the same pass, each time: what the parts of a split are cut from."""

    def __init__(self, child, seed):
        super().__init__(child)
        self.seed = seed

    def rows(self, run):
        """Those of the pass that belongs to the seed, whichever pass this one is."""
        return self.child.rows(Pass.over(self.child, self.seed))
