"""Which mistake is it? Recognisers of the usual ones, asked in order about a wrong gradient.

Each gives a sentence, or None where it sees nothing of its own. ``shape_causes`` has those that
show in the shape.

>>> from .evidence import Evidence
>>> cause(Evidence(np.array([-2.0, -4.0]), np.array([2.0, 4.0])))[0]
'sign'
"""

from fractions import Fraction
from itertools import permutations

import numpy as np

from .evidence import constant_ratio, spread
from .shape_causes import SHAPES, axes_of_sums

VALUES = {}  # in order: the surest first
UNKNOWN = "No usual mistake is like this: derive the formula for `{}` once more."


def cause(evidence):
    """(name, sentence) of the first mistake that the gradient is like; ("", ...) for none."""
    for name, sees in RECOGNISERS:
        if sentence := sees(evidence):
            return name, sentence
    return "", _place(evidence) or UNKNOWN.format(evidence.name)


def all_causes(evidence):
    """The names of every recogniser that sees its mistake."""
    return tuple(name for name, sees in RECOGNISERS if sees(evidence))


def recogniser(name):
    """Enter a recogniser that looks at gradients of the right shape only."""

    def enter(sees):
        def asked(evidence):
            finite = evidence.fits and bool(np.isfinite(evidence.analytic).all())
            looks = evidence.fits and (finite or name == "not-finite")
            return sees(evidence) if looks else None

        VALUES[name] = asked
        return sees

    return enter


@recogniser("not-finite")
def _not_finite(evidence):
    wrong = ~np.isfinite(evidence.analytic)
    if not wrong.any():
        return None
    at = [int(i) for i in np.argwhere(wrong)[0]]
    return f"At {at} it is no number: 0 is divided by, or its root or logarithm taken."


@recogniser("zero")
def _zero(evidence):
    if evidence.analytic.any():
        return None
    return f"It is zero everywhere, but the result moves with `{evidence.name}`."


@recogniser("sign")
def _sign(evidence):
    return evidence.like(-evidence.numeric) and "The sign is wrong: it is minus what it should be."


@recogniser("forgot-dout")
def _forgot_dout(evidence):
    ones = tuple(np.ones_like(dout) for dout in evidence.douts)
    if evidence.like(evidence.with_douts("ones", ones)):
        return "`dout` is forgotten: it is right only where the gradient that comes back is 1."
    return None


@recogniser("dout-twice")
def _dout_twice(evidence):
    squares = tuple(dout * dout for dout in evidence.douts)
    if evidence.like(evidence.with_douts("squares", squares)):
        return "It is multiplied by `dout` twice."
    return None


@recogniser("swapped")
def _swapped(evidence):
    for number, other in enumerate(evidence.numerics):
        if number != evidence.at and evidence.like(other):
            return (
                f"It is the gradient of `{evidence.names[number]}`: return the gradients in the "
                "order of the inputs."
            )
    return None


@recogniser("other-output")
def _other_output(evidence):
    douts = evidence.douts
    for order in permutations(range(len(douts))) if 1 < len(douts) <= 4 else ():
        other = tuple(douts[number] for number in order)
        plain = order == tuple(range(len(douts)))
        if plain or [d.shape for d in other] != [d.shape for d in douts]:
            continue
        if evidence.like(evidence.with_douts(order, other)):
            return "The `dout` of one output is used for another: they come in the outputs' order."
    return None


@recogniser("lost-output")
def _lost_output(evidence):
    douts = evidence.douts
    for lost in range(len(douts)) if len(douts) > 1 else ():
        rest = tuple(d * (number != lost) for number, d in enumerate(douts))
        if evidence.like(evidence.with_douts(("lost", lost), rest)):
            return f"What comes back to output {lost} is left out: add the part of `dout[{lost}]`."
    return None


@recogniser("reordered")
def _reordered(evidence):
    numeric = evidence.numeric
    for axis in range(numeric.ndim):
        if evidence.like(np.flip(numeric, axis)):
            return f"Its elements stand in reverse order along axis {axis}."
    for order in permutations(range(numeric.ndim)) if numeric.ndim <= 4 else ():
        turned = numeric.transpose(order)
        if turned.shape != numeric.shape and evidence.like(turned.reshape(numeric.shape)):
            return "Its elements are right but in another order: transpose it, a reshape is not it."
    return None


@recogniser("scale")
def _scale(evidence):
    ratio = constant_ratio(evidence.analytic, evidence.numeric, evidence.tolerance)
    if ratio is None or abs(abs(ratio) - 1) <= 2 * evidence.tolerance:
        return None
    said = f"It is {_number(ratio)} times what it should be"
    counts = {"the input has": evidence.numeric.size}
    counts |= {f"axis {axis} has": n for axis, n in enumerate(evidence.numeric.shape)}
    for what, count in counts.items():
        if count > 2 and abs(ratio / count - 1) <= evidence.tolerance:
            return f"{said}, and {what} {count} elements: a sum where a mean is meant?"
        if count > 2 and abs(ratio * count - 1) <= evidence.tolerance:
            return f"{said}, and {what} {count} elements: a mean where a sum is meant?"
    return f"{said}."


@recogniser("missing-factor")
def _missing_factor(evidence):
    for name, factor in _useful_factors(evidence):
        with np.errstate(all="ignore"):
            product = evidence.analytic * factor
        ratio = constant_ratio(evidence.numeric, product, evidence.tolerance)
        if ratio is not None:
            times = "" if abs(ratio - 1) <= 2 * evidence.tolerance else f"{_number(ratio)} * "
            return f"A factor is missing: multiply by `{times}{name}`."
    return None


@recogniser("extra-factor")
def _extra_factor(evidence):
    for name, factor in _useful_factors(evidence):
        with np.errstate(all="ignore"):
            product = evidence.numeric * factor
        ratio = constant_ratio(evidence.analytic, product, evidence.tolerance)
        if ratio is not None:
            times = "" if abs(ratio - 1) <= 2 * evidence.tolerance else f"{_number(ratio)} * "
            return f"A factor is too many: divide by `{times}{name}`."
    return None


@recogniser("squared")
def _squared(evidence):
    for dout in evidence.douts:
        weights = spread(dout, evidence.numeric.shape)
        if weights is None or dout.size < 2:
            continue
        with np.errstate(all="ignore"):
            if evidence.like(evidence.numeric * evidence.numeric / weights):
                return "The derivative that `dout` is multiplied by is squared."
    return None


@recogniser("over-reduced")
def _over_reduced(evidence):
    for axes in axes_of_sums(evidence.numeric):
        total = evidence.numeric.sum(axes, keepdims=True)
        for word, value in (("summed", total), ("averaged", total / _count(evidence, axes))):
            if evidence.like(np.array(spread(value, evidence.numeric.shape))):
                return f"It is {word} over axis {_listed(axes)}, where each element has its own."
    return None


@recogniser("offset")
def _offset(evidence):
    apart = evidence.analytic - evidence.numeric
    first = float(np.median(apart))
    room = evidence.tolerance * max(np.abs(evidence.numeric).max(), abs(first))
    if apart.size < 2 or abs(first) <= room or (np.abs(apart - first) > room).any():
        return None
    return f"A constant is added everywhere: {_number(first)}."


@recogniser("narrow")
def _narrow(evidence):
    apart = np.abs(evidence.analytic - evidence.numeric)
    if evidence.like(evidence.numeric):
        return None
    for kind, rounding in (("Float16", 2.0**-10), ("BFloat16", 2.0**-7)):
        if evidence.tolerance < rounding and (apart <= rounding * np.abs(evidence.numeric)).all():
            return f"It has the rounding of {kind}: part of it is calculated in that dtype."
    return None


#: (name, function of an Evidence): those of a wrong shape first.
RECOGNISERS = (*SHAPES.items(), *VALUES.items())


def _useful_factors(evidence):
    """Factors that vary; a constant one would be a scale."""
    for name, value in evidence.factors():
        factor = spread(value, evidence.numeric.shape)
        if factor is not None and value.size > 1 and np.ptp(value) > 0:
            yield name, factor


def _count(evidence, axes):
    return int(np.prod([evidence.numeric.shape[axis] for axis in axes]))


def _listed(axes):
    return " and ".join(map(str, axes))


def _number(value):
    """A ratio as one would write it.

    >>> _number(0.3333333), _number(-2.00001), _number(1.2345)
    ('1/3', '-2', '1.234')
    """
    near = Fraction(value).limit_denominator(12)
    if near and abs(value / float(near) - 1) < 1e-3:
        return str(near)
    return f"{value:.4g}"


def _place(evidence):
    """Where all that is wrong lies, if that is one row of one axis."""
    if not evidence.fits or evidence.numeric.ndim == 0:
        return ""
    room = evidence.tolerance * np.abs(evidence.numeric).max(initial=0.0)
    wrong = np.argwhere(np.abs(evidence.analytic - evidence.numeric) > room)
    for axis, size in enumerate(evidence.numeric.shape):
        rows = set(wrong[:, axis].tolist())
        if len(rows) == 1 and size > 2 and len(wrong) > 1:
            return f"It is right but at {rows.pop()} of axis {axis}: what is special there?"
    return ""
