"""Record special functions to 17 digits, as mpmath gives them.

    python tests/record_special.py        # with a Python that has mpmath and NumPy

Writes tests/golden/special.json, which test_special.py compares with.
"""

import json
from pathlib import Path

import mpmath
import numpy as np

GOLDEN = Path(__file__).parent / "golden" / "special.json"

#: name -> (the function of mpmath, lowest and highest argument).
FUNCTIONS = {
    "erfc": (mpmath.erfc, -5, 25),
    "erfinv": (mpmath.erfinv, -0.999999, 0.999999),
    "lgamma": (mpmath.loggamma, 0.01, 100),
    "digamma": (mpmath.digamma, 0.01, 100),
    "digamma below 0": (mpmath.digamma, -20, 0),
    "polygamma 1": (lambda x: mpmath.polygamma(1, x), 0.01, 50),
    "polygamma 3": (lambda x: mpmath.polygamma(3, x), 0.01, 50),
    "zeta 2.5": (lambda x: mpmath.zeta(2.5, x), 0.01, 50),
    "sinc": (mpmath.sincpi, -40, 40),
    "i0": (lambda x: mpmath.besseli(0, x), -100, 100),
    "i0e": (lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)), -200, 200),
    "i1": (lambda x: mpmath.besseli(1, x), -100, 100),
    "i1e": (lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), -200, 200),
    "j0": (lambda x: mpmath.besselj(0, x), -100, 100),
    "j1": (lambda x: mpmath.besselj(1, x), -100, 100),
}


def main():
    """Ask, write the answers."""
    mpmath.mp.dps = 40
    rng, found = np.random.default_rng(0), {}
    for name, (function, low, high) in FUNCTIONS.items():
        points = rng.uniform(low, high, 40).tolist()
        near = [x for x in (rng.uniform(-1, 1, 20) * 10.0 ** rng.uniform(-8, 0, 20)).tolist()
                if low < x < high]  # fmt: skip
        found[name] = [[x, float(function(mpmath.mpf(x)))] for x in points + near]
    rows = [f"  {json.dumps(name)}: {json.dumps(pairs)}" for name, pairs in found.items()]
    GOLDEN.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
