"""Which operands is an op tried on? Small seeded arrays of every awkward kind.

Tests of every op on every backend, and the numeric check of its gradient, read these.

>>> import numpy as np
>>> [x.shape for (x,) in unary(-1, 1)(np.random.default_rng(0))]
[(2, 3), (), (0, 3), (3, 2), (2, 2)]
"""


def unary(low, high, **attributes):
    """One operand with values from ``low`` to ``high``: plain, 0-d, empty, transposed, strided."""

    def samples(rng):
        last = (attributes,) if attributes else ()
        yield (rng.uniform(low, high, (2, 3)), *last)
        yield (rng.uniform(low, high, ()), *last)
        yield (rng.uniform(low, high, (0, 3)), *last)
        yield (rng.uniform(low, high, (2, 3)).T, *last)
        yield (rng.uniform(low, high, (4, 2))[::2], *last)

    return samples


def binary(low, high, other_low=None, other_high=None):
    """Two operands: same shape, broadcast both ways, 0-d, a Python number, empty, strided."""
    low2 = low if other_low is None else other_low
    high2 = high if other_high is None else other_high

    def samples(rng):
        for one, other in (
            ((2, 3), (2, 3)),
            ((2, 3), (3,)),
            ((2, 1), (1, 3)),
            ((), (2,)),
            ((0, 3), (3,)),
        ):
            yield rng.uniform(low, high, one), rng.uniform(low2, high2, other)
        yield rng.uniform(low, high, (3,)), float(round(rng.uniform(low2, high2), 3))
        yield rng.uniform(low, high, (3, 2)).T, rng.uniform(low2, high2, (2, 6))[:, ::2]

    return samples


def rows(low=-2, high=2, **attributes):
    """One operand with two axes and attributes: plain, transposed."""

    def samples(rng):
        last = (attributes,) if attributes else ()
        yield (rng.uniform(low, high, (3, 4)), *last)
        yield (rng.uniform(low, high, (4, 3)).T, *last)

    return samples
