"""Special functions that NumPy lacks, of float64 arrays: gamma's family, and of the bell curve.

Every formula is a textbook one; DLMF is the Digital Library of Mathematical Functions,
https://dlmf.nist.gov.

>>> round(float(digamma(np.array(1.0))), 12), float(zeta(2.0, np.array(1.0)))
(-0.577215664902, 1.6449340668482264)
"""

import math

import numpy as np

_erf, _erfc = np.frompyfunc(math.erf, 1, 1), np.frompyfunc(math.erfc, 1, 1)
#: Bernoulli numbers B2, B4, ... B24: what the sums of Euler and Maclaurin go on with.
_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
    -174611 / 330, 854513 / 138, -236364091 / 2730,
)  # fmt: skip


def erfc(x):
    """1 - erf(x), exact also where it is tiny.

    >>> float(erfc(np.array(0.0)))
    1.0
    """
    return _double(_erfc(_double(x)))


@np.errstate(all="ignore")
def erfinv(y):
    """The x whose erf is y: Winitzki's formula, made exact by three steps of Halley's.

    Both are odd, so the size is found; beyond a half by erfc, which has more digits there.

    >>> float(erfinv(np.array(0.0))), float(erfinv(np.array(-1.0)))
    (0.0, -inf)
    """
    size = np.abs(y)
    inside = size < 1
    rest = np.where(inside, 1 - size, 0.5)
    logarithm = np.log(rest * (2 - rest))
    middle = 2 / (math.pi * 0.147) + logarithm / 2
    x = np.sqrt(np.maximum(np.sqrt(middle**2 - logarithm / 0.147) - middle, 0))
    for _ in range(3):
        short = np.where(size < 0.5, size - _double(_erf(x)), _double(_erfc(x)) - rest)
        step = short * (math.sqrt(math.pi) / 2) * np.exp(x * x)
        x = x + step / (1 - x * step)
    outside = np.where(size == 1, np.inf, np.nan)
    return np.copysign(np.where(inside, x, outside), y)


def _double(x):
    return np.asarray(x, np.float64)


def _log_gamma(x):
    if math.isinf(x) or x <= 0 and x == math.floor(x):
        return math.inf
    return math.lgamma(x)


_lgamma = np.frompyfunc(_log_gamma, 1, 1)


def lgamma(x):
    """log(|gamma(x)|), infinite at 0, -1, -2, ...

    >>> float(lgamma(np.array(0.0)))
    inf
    """
    return _double(_lgamma(_double(x)))


@np.errstate(all="ignore")
def digamma(x):
    """The slope of lgamma: reflected to x > 0 (DLMF 5.5.4), raised to x >= 10 (5.5.2), 5.11.2."""
    below = x < 0
    up = np.where(below, 1 - x, x)
    up, total = np.where(np.isfinite(up), up, 10.0), np.zeros_like(up)
    for _ in range(10):
        low = up < 10
        total = np.where(low, total - 1 / up, total)
        up = np.where(low, up + 1, up)
    square, tail = 1 / (up * up), np.zeros_like(up)
    for k in range(8, 0, -1):
        tail = (tail + _BERNOULLI[k - 1] / (2 * k)) * square
    found = total + np.log(up) - 0.5 / up - tail
    turned = np.where(
        x == np.floor(x), np.nan, found - math.pi / np.tan(math.pi * (x - np.round(x)))
    )
    found = np.where(below, turned, found)
    found = np.where(x == 0, np.copysign(np.inf, -x), found)
    return np.where(np.isfinite(x), found, np.where(x == np.inf, np.inf, np.nan))


@np.errstate(all="ignore")
def zeta(s, q):
    """The sum of 1 / (q + k) ** s over k = 0, 1, ...: ten terms, then Euler-Maclaurin (25.11.5).

    Defined for s > 1. Where q is 0 or below, s must be whole; at 0, -1, ... it is infinite.
    """
    s, q = np.broadcast_arrays(_double(s), _double(q))
    start = np.where(np.isfinite(q), q, 1.0)
    total, at = np.zeros_like(start), start.copy()
    steps = 10 + max(0, math.ceil(-np.min(start, initial=0)))
    for _ in range(steps):
        low = (at < 10) | (at < start + 1)
        total = np.where(low, total + _power(at, -s), total)
        at = np.where(low, at + 1, at)
    total = total + _power(at, 1 - s) / (s - 1) + 0.5 * _power(at, -s)
    factor, power = s, _power(at, -s - 1)
    for k, number in enumerate(_BERNOULLI, 1):
        total = total + number / math.factorial(2 * k) * factor * power
        factor, power = factor * (s + 2 * k - 1) * (s + 2 * k), power / (at * at)
    total = np.where((q <= 0) & (q == np.floor(q)), np.inf, total)
    total = np.where((q < 0) & (s != np.floor(s)), np.nan, total)
    total = np.where(s > 1, total, np.where(s == 1, np.inf, np.nan))
    return np.where(np.isnan(q) | np.isnan(s), np.nan, np.where(q == np.inf, 0.0, total))


def _power(x, y):
    """x ** y for whole y also where x is negative."""
    whole = y == np.floor(y)
    odd = np.where(whole & (y % 2 != 0) & (x < 0), -1.0, 1.0)
    return odd * np.abs(x) ** y


def polygamma(n, x):
    """The n-th slope of digamma (DLMF 25.11.12).

    >>> float(polygamma(1, np.array(1.0)))
    1.6449340668482264
    """
    if n == 0:
        return digamma(x)
    return (-1.0) ** (n + 1) * math.factorial(n) * zeta(n + 1.0, x)


def sinc(x):
    """sin(pi x) / (pi x), and 1 at 0; of a turn so small that nothing is lost far from 0.

    >>> float(sinc(np.array(0.0))), float(sinc(np.array(2.0)))
    (1.0, 0.0)
    """
    away = np.where(x == 0, 1.0, x)
    turn = np.fmod(away, 2.0)
    near = np.round(turn)
    sine = np.sin(math.pi * (turn - near)) * np.where(near % 2 == 0, 1.0, -1.0)
    return np.where(x == 0, 1.0, sine / (math.pi * away))
