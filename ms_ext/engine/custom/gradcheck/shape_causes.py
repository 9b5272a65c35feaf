"""Which mistake gives a gradient another shape than its input's, or no gradient at all?

A recogniser is a function of an Evidence; it gives a sentence, or None.
"""

from itertools import combinations, permutations

import numpy as np

from .evidence import alike

SHAPES = {}


def recogniser(name):
    """Enter a recogniser that looks at gradients of another shape only."""

    def enter(sees):
        SHAPES[name] = lambda evidence: (
            None if evidence.fits or evidence.analytic is None else sees(evidence)
        )
        return sees

    return enter


def _none(evidence):
    if evidence.analytic is not None or not evidence.numeric.any():
        return None
    return f"`None` stands for zeros, but the result moves with `{evidence.name}`."


SHAPES["none"] = _none


@recogniser("missing-reduction")
def _missing_reduction(evidence):
    wanted, got = evidence.numeric.shape, evidence.analytic
    added = got.ndim - len(wanted)
    if added < 0:
        return None
    kept = [
        axis + added
        for axis, size in enumerate(wanted)
        if size == 1 and got.shape[axis + added] != 1
    ]
    axes = (*range(added), *kept)
    total = got.sum(axes).reshape(wanted) if axes and _suits(got, axes, wanted) else None
    if not alike(total, evidence.numeric, evidence.tolerance):
        return None
    return (
        f"`{evidence.name}` was broadcast, so its gradient is a sum: add "
        f"`.sum({axes[0] if len(axes) == 1 else axes}"
        f"{', keepdims=True' if kept else ''})`."
    )


def _suits(got, axes, wanted):
    return int(np.prod(got.shape)) // _size(got, axes) == int(np.prod(wanted))


def _missing_transpose(evidence):
    numeric = evidence.numeric
    for order in permutations(range(numeric.ndim)) if 1 < numeric.ndim <= 4 else ():
        if list(order) != sorted(order) and evidence.like(numeric.transpose(order)):
            return _transposed(order)
    return None


SHAPES["missing-transpose"] = _missing_transpose  # of a square one the shape is right


def _transposed(order):
    back = tuple(int(axis) for axis in np.argsort(order))
    how = ".T" if len(order) == 2 else f".transpose{back}"
    return f"It is the transpose of what it should be: add `{how}`."


@recogniser("missing-reshape")
def _missing_reshape(evidence):
    got, numeric = evidence.analytic, evidence.numeric
    if got.size != numeric.size:
        return None
    shape = tuple(numeric.shape)
    if alike(got.reshape(shape), numeric, evidence.tolerance):
        return f"Its elements are right but in another shape: add `.reshape({shape})`."
    return None


@recogniser("over-reduced")
def _over_reduced(evidence):
    for axes in axes_of_sums(evidence.numeric):
        for keep in (True, False):
            if evidence.like(evidence.numeric.sum(axes, keepdims=keep)):
                listed = " and ".join(map(str, axes))
                return f"It is summed over axis {listed}, where each element has its own gradient."
    return None


@recogniser("shape")
def _shape(evidence):
    got, wanted = list(evidence.analytic.shape), list(evidence.numeric.shape)
    return f"Its shape is {got}; that of `{evidence.name}` is {wanted}, and so must its gradient's."


def axes_of_sums(array):
    """Every choice of axes that a sum may run over, of sizes beyond 1.

    >>> list(axes_of_sums(np.ones((2, 3))))
    [(0,), (1,), (0, 1)]
    """
    axes = [axis for axis, size in enumerate(array.shape) if size > 1]
    for count in range(1, len(axes) + 1):
        yield from combinations(axes, count)


def _size(array, axes):
    return int(np.prod([array.shape[axis] for axis in axes]))
