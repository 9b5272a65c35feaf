"""What are the columns called, and which stand where? Project chooses them, Rename names them.

>>> names, order = replaced(["a", "b", "c"], ["b"], ["p", "q"])
>>> names
['p', 'q', 'a', 'c']
"""

from .. import errors
from .node import Above


def places(columns, wanted, word="column"):
    """Where each wanted column stands."""
    for name in wanted:
        if name not in columns:
            raise errors.NotRunnable(
                f"Invalid parameter, {word} name: {name} doesn't exist in the dataset columns.",
                hint=errors.did_you_mean(name, columns),
            )
    return [columns.index(name) for name in wanted]


def replaced(columns, inputs, outputs):
    """The names when a function's outputs take the place of its inputs, and how to make the row.

    As many outputs as inputs stand where the inputs stood; otherwise they come first.
    """
    taken = places(columns, inputs, "input column")
    if len(inputs) == len(outputs):
        names = list(columns)
        for place, name in zip(taken, outputs, strict=True):
            names[place] = name
        return _different(names), Arrangement(taken, True)
    left = [name for place, name in enumerate(columns) if place not in taken]
    return _different([*outputs, *left]), Arrangement(taken, False)


def _different(names):
    double = {name for name in names if names.count(name) > 1}
    if double:
        raise errors.NotRunnable(
            f"Invalid columns, two columns would have the name: {', '.join(sorted(double))}.",
            hint="Give the outputs other names, or rename the column that is there.",
        )
    return names


class Arrangement:
    """Puts what a function made into a row.

    >>> Arrangement([1], True)(("a", "b"), ["B"]), Arrangement([1], False)(("a", "b"), ["p", "q"])
    (('a', 'B'), ('p', 'q', 'a'))
    """

    def __init__(self, taken, in_place):
        self.taken, self.in_place = taken, in_place

    def __call__(self, row, made):
        """The new row."""
        if not self.in_place:
            left = (each for place, each in enumerate(row) if place not in self.taken)
            return (*made, *left)
        new = list(row)
        for place, each in zip(self.taken, made, strict=True):
            new[place] = each
        return tuple(new)


class Project(Above):
    """Only some columns, in the order given."""

    columns = None

    def __init__(self, child, columns):
        super().__init__(child)
        self.columns, self._taken = list(columns), places(child.columns, columns)

    def rows(self, run):
        """Each row's chosen columns."""
        for row in self.child.rows(run):
            yield tuple(row[place] for place in self._taken)

    def blocks(self, run, count):
        """The chosen columns of each block."""
        for block in self.child.blocks(run, count):
            yield tuple(block[place] for place in self._taken)


class Rename(Above):
    """Other names for some columns."""

    columns = None

    def __init__(self, child, old, new):
        super().__init__(child)
        self.columns, _ = replaced(child.columns, old, new)

    def rows(self, run):
        """The child's."""
        return self.child.rows(run)

    def blocks(self, run, count):
        """The child's."""
        return self.child.blocks(run, count)
