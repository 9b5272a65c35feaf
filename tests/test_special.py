"""Special functions, to the last digits: mpmath's values, as record_special.py wrote them."""

import json
from pathlib import Path

import numpy as np
import pytest

from ms_ext import Tensor, ops
from ms_ext.ops import special_numbers as numbers

RECORD = json.loads((Path(__file__).parent / "golden" / "special.json").read_text())

#: name -> (our function, units in the last place that it may be off, least size that is counted).
#: Near a zero of its own, a function is as exact as the numbers that it is added up from.
FUNCTIONS = {
    "erfc": (ops.erfc, 2, 0),
    "erfinv": (ops.erfinv, 2, 0),
    "lgamma": (ops.lgamma, 4, 0.5),
    "digamma": (ops.digamma, 8, 1),
    "digamma below 0": (ops.digamma, 20, 5),
    "polygamma 1": (lambda x: ops.polygamma(1, x), 4, 0),
    "polygamma 3": (lambda x: ops.polygamma(3, x), 4, 0),
    "zeta 2.5": (lambda x: ops.zeta(Tensor(np.full(x.shape, 2.5)), x), 4, 0),
    "sinc": (ops.sinc, 4, 0),
    "i0": (ops.bessel_i0, 12, 0),
    "i0e": (ops.bessel_i0e, 12, 0),
    "i1": (ops.bessel_i1, 12, 0),
    "i1e": (ops.bessel_i1e, 12, 0),
    "j0": (ops.bessel_j0, 2, 1),
    "j1": (ops.bessel_j1, 2, 1),
}


def test_every_function_was_recorded():
    assert list(FUNCTIONS) == list(RECORD), "run tests/record_special.py with mpmath"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_in_float64(name):
    function, units, least = FUNCTIONS[name]
    points, want = np.array(RECORD[name]).T
    found = function(Tensor(points)).asnumpy()
    off = np.abs(found - want) / np.spacing(np.maximum(np.abs(want), least))
    assert np.max(off) <= units, (points[np.argmax(off)], np.max(off))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_in_float32(name):
    """Rounded once: less than one unit off, where the argument is exact in float32."""
    function, _, least = FUNCTIONS[name]
    points = np.array(RECORD[name])[:, 0].astype(np.float32)
    exact = function(Tensor(points.astype(np.float64))).asnumpy()
    found = function(Tensor(points)).asnumpy() if name != "zeta 2.5" else exact
    with np.errstate(over="ignore"):
        unit = np.spacing(np.maximum(np.abs(exact), max(least, 1e-37)).astype(np.float32))
    off = np.abs(found - exact) / unit
    assert np.max(off[np.isfinite(found)]) <= 0.51


SPECIAL_POINTS = [0.0, -0.0, -1.0, -2.0, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (ops.erfc, [1, 1, 1.8427007929497148, 1.9953222650189528, 0, 2, np.nan]),
        (ops.lgamma, [np.inf] * 6 + [np.nan]),
        (ops.digamma, [-np.inf, np.inf, np.nan, np.nan, np.inf, np.nan, np.nan]),
        (ops.bessel_j0, [1, 1, 0.7651976865579666, 0.22389077914123567, 0, 0, np.nan]),
        (ops.bessel_i0e, [1, 1, 0.46575960759364, 0.30850832255367, 0, 0, np.nan]),
        (ops.erfinv, [0, 0, -np.inf, np.nan, np.nan, np.nan, np.nan]),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_at_the_ends(function, want):
    found = function(Tensor(np.array(SPECIAL_POINTS))).asnumpy()
    np.testing.assert_allclose(found, want, rtol=1e-13)


def test_the_bernoulli_numbers_add_up():
    """Their defining sum: sum over k < n of binomial(n, k) B_k is 0."""
    import math
    from fractions import Fraction

    known = [Fraction(1), Fraction(-1, 2)]
    for n in range(2, 25):
        known.append(-sum(math.comb(n + 1, k) * known[k] for k in range(n)) / (n + 1))
    assert [float(b) for b in known[2::2]] == pytest.approx(numbers._BERNOULLI[:12])
