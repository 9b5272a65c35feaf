"""How many rows does each part of a split get?

>>> absolute_sizes([7, 3], 10), absolute_sizes([0.5, 0.25, 0.25], 10)
([7, 3], [6, 2, 2])
"""

from ..engine import errors
from . import checks

CLOSE = 1e-5


def absolute_sizes(sizes, total):
    """Numbers of rows, from numbers that sum up to ``total`` or fractions that sum up to 1."""
    checks.of_type(sizes, list, "sizes")
    if not sizes:
        raise errors.InvalidValue("sizes cannot be empty.")
    if not total:
        raise errors.NotRunnable("The dataset has no rows, unable to split.")
    if all(isinstance(each, int) for each in sizes):
        return _of_numbers(sizes, total)
    if all(isinstance(each, float) for each in sizes):
        return _of_fractions(sizes, total)
    raise errors.InvalidValue("sizes should be list of int or list of float.", given=sizes)


def _of_numbers(sizes, total):
    if min(sizes) <= 0:
        raise errors.InvalidValue(
            "sizes is a list of int, but there should be no negative or zero numbers.", given=sizes
        )
    if sum(sizes) != total:
        raise errors.NotRunnable(
            f"Sum of split sizes {sum(sizes)} is not equal to dataset size {total}.", given=sizes
        )
    return sizes


def _of_fractions(sizes, total):
    """Rounded; what is missing or too much is the first part's that can take it."""
    if not all(0 < each <= 1 for each in sizes):
        raise errors.InvalidValue(
            "sizes is a list of float, but there should be no numbers outside the range (0, 1].",
            given=sizes,
        )
    if abs(sum(sizes) - 1) >= CLOSE:
        raise errors.InvalidValue(
            "sizes is a list of float, but the percentages do not sum up to 1.", given=sizes
        )
    counts = [round(each * total) for each in sizes]
    if 0 in counts:
        small = sizes[counts.index(0)]
        raise errors.NotRunnable(
            f"Split percentage {small} is too small.", given=f"{sizes} of {total} rows"
        )
    missing = total - sum(counts)
    taker = next(place for place, count in enumerate(counts) if count + missing > 0)
    counts[taker] += missing
    return counts
