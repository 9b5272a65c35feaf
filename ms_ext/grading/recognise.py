"""Which typical mistake is this? Questions about a failed case, for the mistakes of an exercise.

Each recogniser is a function of a Failure, or makes one; it is asked only about cases that failed.
"""

import numpy as np

from .layers import values


def on(*codes, check=None):
    """The failure has one of these codes (in this check)."""

    def sees(failure):
        return failure.code in codes and check in (None, failure.check.name)

    return sees


def both(*questions):
    """All of several recognisers."""
    return lambda failure: all(question(failure) for question in questions)


def equals(formula):
    """What came back is ``formula(*operands)``, the wrong one that this mistake computes.

    For an answer of several arrays, the formula gives the one that is concerned, or a tuple of
    which the concerned one is taken by its place.
    """

    def sees(failure):
        got, wanted = failure.got, failure.expected
        if not isinstance(got, np.ndarray) or not isinstance(wanted, np.ndarray):
            return False
        wrong, reach = values.reaching(formula, failure.operands)
        if isinstance(wrong, tuple):
            place = [at for at, word in enumerate(values.ORDINALS) if word in failure.name.split()]
            wrong, reach = (each and each[place[0] if place else 0] for each in (wrong, reach))
        wrong = np.asarray(wrong)
        return wrong.shape == got.shape and not values.differs(wrong, got, reach=reach).any()

    return sees


def negated(failure):
    """The answer is right but for its sign."""
    return _related(failure, lambda wanted: -wanted)


def scaled(failure):
    """The answer is a constant (not 1 or -1) times what it should be."""
    if not _comparable(failure):
        return False
    wanted, got = (np.asarray(a, np.float64) for a in (failure.expected, failure.got))
    return _one_ratio(wanted, got, lambda ratio: abs(abs(ratio) - 1) > 1e-3)


def _one_ratio(wanted, got, suits):
    used = wanted != 0
    if not used.any():
        return False
    ratio = float(np.median(got[used] / wanted[used]))
    near = np.abs(got - ratio * wanted) <= 1e-2 * np.abs(wanted).max()
    return ratio != 0 and suits(ratio) and bool(near.all())


def transposed(failure):
    """The answer is the transpose of what it should be."""
    got, wanted = failure.got, failure.expected
    if not isinstance(got, np.ndarray) or not isinstance(wanted, np.ndarray) or wanted.ndim < 2:
        return False
    return got.shape == wanted.T.shape and not values.differs(wanted.T, got).any()


def _related(failure, change):
    if not _comparable(failure):
        return False
    return not values.differs(change(failure.expected), failure.got).any()


def _comparable(failure):
    got, wanted = failure.got, failure.expected
    arrays = isinstance(got, np.ndarray) and isinstance(wanted, np.ndarray)
    return arrays and got.shape == wanted.shape and got.dtype == wanted.dtype


def case_of(*families):
    """The case is of one of these families or graphs."""

    def sees(failure):
        made = getattr(failure.case, "family", None) or getattr(failure.case, "build", None)
        return made in families

    return sees


def mixed_dtypes(failure):
    """The operands of the graph have different dtypes."""
    graph = failure.question.graph
    return graph is not None and len({p.abstract.dtype for p in graph.parameters}) > 1


def needs_numbers(failure):
    """Something that needs numbers was given a symbol, in a check that builds a graph."""
    words = ("not known while a graph is built", "inside a bprop", "of type Symbol")
    in_a_graph = failure.code == "raises" and failure.check.name == "compiled"
    return in_a_graph and any(each in failure.words for each in words)


def gradient_is(formula):
    """The values of a gradient are those of this wrong formula, not only its shape or dtype."""
    return both(on("gradient-values"), equals(formula))


def not_finite(failure):
    """A gradient is not a number somewhere: divided by an input that is 0."""
    wrong = failure.code == "gradient-values" and isinstance(failure.got, np.ndarray)
    return wrong and not np.isfinite(failure.got).all()
