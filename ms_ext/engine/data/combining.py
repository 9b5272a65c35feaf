"""How do several datasets become one? Zip puts rows side by side, Concat one after the other."""

from .. import errors
from .node import Node


class Zip(Node):
    """Row by row the columns of all; it ends with the shortest."""

    def __init__(self, children):
        self.children = tuple(children)
        self.columns = [name for child in children for name in child.columns]
        if len(set(self.columns)) != len(self.columns):
            raise errors.NotRunnable(
                "Invalid columns, the datasets that are zipped have columns of the same name.",
                given=", ".join(map(str, self.columns)),
                hint="Give one of them another name before: .rename('x', 'other').",
            )

    def size(self):
        """The smallest."""
        sizes = [child.size() for child in self.children]
        return None if None in sizes else min(sizes)

    def rows(self, run):
        """One row of each, as one."""
        for parts in zip(*(child.rows(run) for child in self.children), strict=False):
            yield tuple(each for part in parts for each in part)


class Concat(Node):
    """All rows of the first, then those of the second, and so on."""

    def __init__(self, children):
        self.children = tuple(children)
        self.columns = list(children[0].columns)
        for child in children[1:]:
            if child.columns != self.columns:
                raise errors.NotRunnable(
                    "Invalid columns, 'column name' or 'column order' of concat datasets should be "
                    "the same.",
                    given=f"{self.columns} and {child.columns}",
                    hint="Use .rename and .project to make them equal.",
                )

    @property
    def batch_size(self):
        """The first one's."""
        return self.children[0].batch_size

    def size(self):
        """The sum."""
        sizes = [child.size() for child in self.children]
        return None if None in sizes else sum(sizes)

    def rows(self, run):
        """One dataset after the other; each must be of the first one's kind."""
        first = None
        for child in self.children:
            for number, row in enumerate(child.rows(run)):
                if number == 0:
                    first = first or row
                    _alike(first, row)
                yield row


def _alike(first, row):
    for one, other in zip(first, row, strict=True):
        if isinstance(one, dict) or isinstance(other, dict):
            continue
        same_kind = one.dtype == other.dtype or one.dtype.kind == other.dtype.kind in "US"
        if not same_kind or one.ndim != other.ndim:
            what = "types" if not same_kind else "tensor rank"
            given = (one.dtype, other.dtype) if not same_kind else (one.ndim, other.ndim)
            raise errors.NotRunnable(
                f"Concat: the data {what} of the two datasets to be concatenated should be the "
                f"same, but got: {given[0]} and {given[1]}.",
                hint="Change one of them before: .map(transforms.TypeCast(...)).",
            )
