"""A tensor in short, as a picture shows it: type, a few figures, and a small grid of its values.

A grid is at most a few rows and columns: of a batch its first rows, of anything longer the means of
neighbouring elements; of images a few, each made smaller.
"""

from typing import NamedTuple

import numpy as np

ROWS, SAMPLES, COLUMNS = 3, 6, 16
IMAGES, PIXELS = 3, 14
LABELS = 8  # of a row of whole numbers that are written
FEW = 3  # numbers that are all written


class Seen(NamedTuple):
    """What is known of a tensor; ``grids`` are drawn side by side."""

    name: str
    kind: str  # "float32[8, 2]"
    mean: float
    low: float
    high: float
    norm: float
    grids: tuple
    numbers: tuple = ()  # the first of a row of whole numbers: labels
    few: tuple = ()  # all of them, where there are but a few
    owner: str = ""  # what made it: the class of a layer

    @property
    def scale(self):
        """The largest finite value of its grids, by size."""
        finite = [np.abs(grid[np.isfinite(grid)]).max(initial=0.0) for grid in self.grids]
        return float(max(finite, default=0.0))


def batched(name, array):
    """A part of a batch: its first axis are samples."""
    array = np.asarray(array)
    return _seen(name, array, _samples(array, SAMPLES))


def layer(name, array, owner):
    """What a layer of the class ``owner`` gave."""
    array = np.asarray(array)
    return _seen(name, array, _samples(array, ROWS), owner)


def parameter(name, array):
    """A Parameter, its gradient or its change: no axis is special; a tall one lies on its side."""
    array = np.asarray(array)
    return _seen(name, array, (flat(array),))


def flat(array, rows=ROWS):
    """Any array as one small grid.

    >>> flat(np.ones((3, 40, 2))).shape, flat(np.ones(5)).shape, flat(np.float32(2)).shape
    ((3, 16), (1, 5), (1, 1))
    """
    wide = np.asarray(array, np.float64)
    wide = wide.reshape(1, -1) if wide.ndim < 2 else wide.reshape(len(wide), -1)
    return averaged(wide.T if wide.shape[0] > wide.shape[1] > 0 else wide, rows, COLUMNS)


def _samples(array, rows):
    wide = array.astype(np.float64)
    if wide.ndim >= 3 and min(wide.shape[-2:]) >= 4 and wide.size:
        images = wide.reshape(-1, *wide.shape[-2:])[:IMAGES]
        return tuple(averaged(image, PIXELS, PIXELS) for image in images)
    if wide.ndim < 2:
        return (averaged(wide.reshape(1, -1), 1, COLUMNS),)
    wide = wide[:rows]
    return (averaged(wide.reshape(len(wide), -1) if wide.size else wide.reshape(0, 0), rows),)


def averaged(grid, rows=ROWS, columns=COLUMNS):
    """A grid of at most ``rows`` and ``columns``: the means of neighbours.

    >>> averaged(np.array([[1.0, 3.0, 5.0, 7.0]]), 1, 2)
    array([[2., 6.]])
    """
    if grid.size == 0:
        return np.zeros((0, 0))
    with np.errstate(all="ignore"):
        return _means(_means(grid, rows, 0), columns, 1)


def _means(grid, most, axis):
    if grid.shape[axis] <= most:
        return grid
    parts = np.array_split(grid, most, axis=axis)
    return np.stack([part.mean(axis=axis) for part in parts], axis=axis)


def _seen(name, array, grids, owner=""):
    wide = array.astype(np.float64)
    figures = (0.0,) * 4
    with np.errstate(all="ignore"):
        if wide.size:
            figures = (wide.mean(), wide.min(), wide.max(), np.sqrt(np.square(wide).sum()))
    whole = array.ndim == 1 and array.dtype.kind in "iub"
    numbers = tuple(int(each) for each in array[:LABELS]) if whole else ()
    few = tuple(wide.ravel().tolist()) if 0 < wide.size <= FEW else ()
    return Seen(name, kind(array), *map(float, figures), grids, numbers, few, owner)


def kind(array):
    """An array's type.

    >>> kind(np.zeros((8, 2), np.float32))
    'float32[8, 2]'
    """
    return f"{array.dtype.name}{list(array.shape)}"
