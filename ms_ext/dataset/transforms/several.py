"""How do several transforms work as one? One after the other, or as the dice say."""

from ...engine import errors
from ...engine.data import draws
from ...engine.data.mapping import as_columns
from .. import checks


def _listed(transforms):
    checks.of_type(transforms, list, "transforms list")
    if not transforms:
        raise errors.InvalidValue("transforms list can not be empty.")
    for place, each in enumerate(transforms):
        if not callable(each):
            raise errors.InvalidType(
                f"transforms[{place}] is neither a transform nor a function.", given=f"{each!r:.60}"
            )
    return list(transforms)


def _through(transforms, columns):
    """The columns after all the transforms; one alone without its tuple."""
    columns = as_columns(columns)
    for each in transforms:
        columns = as_columns(each(*columns))
    return columns[0] if len(columns) == 1 else columns


class Compose:
    """All of them, one after the other.

    >>> import numpy as np
    >>> Compose([lambda x: x + 1, lambda x: x * 2])(np.array([1, 2]))
    array([4, 6])
    """

    def __init__(self, transforms):
        self.transforms = _listed(transforms)
        stacked = [getattr(each, "over_rows", None) for each in self.transforms]
        if None not in stacked:
            self.over_rows = self._over_rows

    def __call__(self, *columns):
        return _through(self.transforms, columns)

    def _over_rows(self, stack):
        for each in self.transforms:
            stack = each.over_rows(stack)
        return stack


class RandomApply:
    """All of them with a probability, or none.

    >>> import numpy as np
    >>> RandomApply([lambda x: x + 1], prob=1.0)(np.array([1]))
    array([2])
    """

    def __init__(self, transforms, prob=0.5):
        self.transforms, self.prob = _listed(transforms), checks.fraction(prob, "prob")

    def __call__(self, *columns):
        drawn = draws.here().random() < self.prob
        return _through(self.transforms if drawn else [], columns)


class RandomChoice:
    """One of them, drawn anew for each row.

    >>> import numpy as np
    >>> RandomChoice([lambda x: x + 1])(np.array([1]))
    array([2])
    """

    def __init__(self, transforms):
        self.transforms = _listed(transforms)

    def __call__(self, *columns):
        drawn = draws.here().integers(len(self.transforms))
        return _through([self.transforms[drawn]], columns)


class RandomOrder:
    """All of them, in an order that is drawn anew for each row.

    >>> import numpy as np
    >>> RandomOrder([lambda x: x + 1, lambda x: x + 2])(np.array([1]))
    array([4])
    """

    def __init__(self, transforms):
        self.transforms = _listed(transforms)

    def __call__(self, *columns):
        order = draws.here().permutation(len(self.transforms))
        return _through([self.transforms[place] for place in order], columns)
