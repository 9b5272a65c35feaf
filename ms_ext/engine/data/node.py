"""What does every part of a pipeline answer? Its columns, how many rows, and the rows of a pass.

>>> import numpy as np
>>> class Three(Node):
...     columns = ["x"]
...     def size(self):
...         return 3
...     def rows(self, run):
...         yield from ((np.array(i),) for i in range(3))
>>> [int(x) for x, in Three().rows(Pass.over(Three()))]
[0, 1, 2]
>>> [x.tolist() for x, in Three().blocks(Pass.over(Three()), 2)]
[[0, 1], [2]]
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from .. import errors
from . import draws, settings
from .rows import gathered


@dataclass(frozen=True)
class Pass:
    """One pass over a pipeline: its seed, and which turn it is: (epoch, repetition, ...).

    >>> Pass(seed=1, turn=(0,)).repetition(4).turn
    (0, 4)
    """

    seed: int
    turn: tuple = (0,)
    places: dict = field(default_factory=dict, repr=False)  # node -> its number in the pipeline

    @staticmethod
    def over(node, seed=0, epoch=0):
        """The pass number ``epoch`` over the pipeline that ends in ``node``."""
        return Pass(seed, (epoch,), {id(n): place for place, n in enumerate(node.walk())})

    def repetition(self, number):
        """The same pass, where a repeat reads what is below it once more."""
        return replace(self, turn=(*self.turn, number))

    def shared(self):
        """The same pass for draws that must agree in several processes, seed or no seed."""
        return replace(self, seed=settings.shared_seed())

    def key(self, node, *more):
        """What a random draw depends on: the seed, the node's place, the turn; not the workers."""
        return (self.seed, self.places.get(id(node), 0), *self.turn, *more)

    def generator(self, node, *more) -> np.random.Generator:
        """Random numbers for one node in this pass."""
        return draws.generator(self.key(node, *more))


class Node:
    """A part of a pipeline; the nodes below it are its children."""

    children: tuple = ()
    batch_size, repeat_count = 1, 1  # what get_batch_size and get_repeat_count tell
    columns: list

    def size(self) -> int | None:
        """How many rows a pass gives; None if only a pass can tell."""
        raise errors.NotOffered(f"A {type(self).__name__} has no size(self).", hint="Write one.")

    def rows(self, run) -> Iterator[tuple]:
        """The rows of one pass, in order."""
        raise errors.NotOffered(
            f"A {type(self).__name__} has no rows(self, run).", hint="Write one."
        )

    def blocks(self, run, count) -> Iterator[tuple]:
        """The same rows, ``count`` at a time: one array per column, or a list if they differ."""
        rows = self.rows(run)
        while block := list(itertools.islice(rows, count)):
            yield gathered(block)

    def walk(self) -> Iterator["Node"]:
        """This node and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()


class Above(Node):
    """A node with one child, which has the same columns and as many rows unless it says other."""

    def __init__(self, child):
        self.child, self.children = child, (child,)

    @property
    def columns(self):
        """The child's."""
        return self.child.columns

    @property
    def batch_size(self):
        """The child's."""
        return self.child.batch_size

    @property
    def repeat_count(self):
        """The child's."""
        return self.child.repeat_count

    def size(self):
        """The child's."""
        return self.child.size()
