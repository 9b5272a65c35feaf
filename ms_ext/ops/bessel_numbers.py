"""Bessel's functions of arrays, in float64: a series near 0, an expansion far from it.

DLMF is the Digital Library of Mathematical Functions, https://dlmf.nist.gov.

>>> float(modified(0, np.array(0.0))), float(ordinary(0, np.array(0.0)))
(1.0, 1.0)
"""

import math

import numpy as np

_NEAR = 25.0  # from here on the expansions for large x are exact to the last digit


@np.errstate(all="ignore")
def modified(order, x, scaled=False):
    """I0 or I1 (``order``) of x; ``scaled``: times exp(-|x|), which never overflows."""
    size = np.abs(x)
    near = size < _NEAR
    inner, outer = np.where(near, size, 1.0), np.where(near | ~np.isfinite(size), _NEAR, size)
    small, large = _series(order, inner, 1.0), _expansion(order, outer)
    small = small * np.exp(-inner) if scaled else small
    # in two factors: exp(x) overflows before I0 does
    large = large if scaled else large * np.exp(outer / 2) * np.exp(outer / 2)
    found = np.where(near, small, large)
    found = np.where(size == np.inf, 0.0 if scaled else np.inf, found)
    found = np.where(np.isnan(x), np.nan, found)
    return np.copysign(found, x) if order else found


@np.errstate(all="ignore")
def ordinary(order, x):
    """J0 or J1 (``order``) of x: Bessel's integral near 0, which sums have no digits to lose in."""
    size = np.abs(x)
    near = size < _NEAR
    inner, outer = np.where(near, size, 1.0), np.where(near | ~np.isfinite(size), _NEAR, size)
    found = np.where(near, _integral(order, inner), _wave(order, outer))
    found = np.where(size < 1, _series(order, np.where(size < 1, size, 0.5), -1.0), found)
    found = np.where(size == np.inf, 0.0, np.where(np.isnan(x), np.nan, found))
    return np.where(x < 0, -found, found) if order else found


def _series(order, x, sign):
    """DLMF 10.25.2 (sign 1: all terms positive) and 10.2.2 (sign -1)."""
    quarter = sign * x * x / 4
    term = (x / 2) ** order
    total = term.copy()
    for k in range(1, 75):
        term = term * quarter / (k * (k + order))
        total = total + term
    return total


def _expansion(order, x):
    """exp(-x) I(x) for large x: DLMF 10.40.1, until the terms grow."""
    term, total = np.ones_like(x), np.ones_like(x)
    for k in range(1, 40):
        term = -term * (4 * order * order - (2 * k - 1) ** 2) / (8 * k * x)
        total = total + term
    return total / np.sqrt(2 * math.pi * x)


def _wave(order, x):
    """J(x) for large x: DLMF 10.17.3."""
    term, even, odd = np.ones_like(x), np.ones_like(x), np.zeros_like(x)
    for k in range(1, 40):
        term = term * (4 * order * order - (2 * k - 1) ** 2) / (8 * k * x)
        sign = -1.0 if k % 4 in (2, 3) else 1.0
        even, odd = (even + sign * term, odd) if k % 2 == 0 else (even, odd + sign * term)
    # cos and sin of x - order * pi / 2 - pi / 4, of the sums that need no rounded angle
    cosine, sine = np.cos(x), np.sin(x)
    c, s = (cosine + sine, sine - cosine) if order == 0 else (sine - cosine, -sine - cosine)
    return (c * even - s * odd) / np.sqrt(math.pi * x)


def _integral(order, x, points=96):
    """DLMF 10.9.2 by the midpoint rule, exact for periodic functions of so few turns."""
    total = np.zeros_like(x)
    for k in range(points):
        angle = math.pi * (k + 0.5) / points
        total = total + np.cos(order * angle - x * math.sin(angle))
    return total / points
