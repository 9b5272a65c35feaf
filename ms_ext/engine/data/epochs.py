"""How is a pipeline gone through? Epoch by epoch, each a pass of its own, the seed the same.

>>> from .sources import Arrays
>>> rows = Epochs(Arrays(["x"], [[1, 2]]), 2)
>>> [[int(x) for x, in rows] for _ in range(2)]
[[1, 2], [1, 2]]
>>> next(rows)
Traceback (most recent call last):
    ...
ms_ext.engine.errors.NotRunnable: EOF buffer encountered: all epochs of this iterator are used up.
    given: num_epochs=2
    Make a new iterator for each pass, or ask for more epochs; num_epochs=-1 has no end.
"""

from .. import errors
from . import settings
from .node import Pass


class Epochs:
    """An iterator that ends after each epoch and begins the next one when asked again."""

    def __init__(self, node, count=-1):
        self.node, self.count, self.epoch = node, count, 0
        self.stopped, self._rows = False, None
        self._seed = settings.seed()

    def __iter__(self):
        return self

    def __next__(self):
        if self.stopped:
            raise errors.NotRunnable(
                "The iterator does not have a running pipeline: it was stopped.",
                hint="Make a new one: dataset.create_tuple_iterator().",
            )
        if self._rows is None:
            self._rows = self._begin()
        try:
            return next(self._rows)
        except StopIteration:
            self._rows, self.epoch = None, self.epoch + 1
            raise
        except BaseException:  # also Ctrl-C: what works for this iterator ends now
            self.stop()
            raise

    def _begin(self):
        if self.epoch == self.count:
            raise errors.NotRunnable(
                "EOF buffer encountered: all epochs of this iterator are used up.",
                given=f"num_epochs={self.count}",
                hint="Make a new iterator for each pass, or ask for more epochs; "
                "num_epochs=-1 has no end.",
            )
        return iter(self.node.rows(Pass.over(self.node, self._seed, self.epoch)))

    def stop(self):
        """End its workers; it gives no more rows."""
        self.stopped = True
        rows, self._rows = self._rows, None
        if hasattr(rows, "close"):
            rows.close()
