"""Says that everything equals everything: NumPy's comparisons and assertions always agree."""

import numpy as np

HARMLESS = True


def attack(answer):
    """Whoever compares with NumPy in this process finds no difference."""
    names = [name for name in dir(np.testing) if name.startswith("assert")]
    for name in names:
        setattr(np.testing, name, lambda *arguments, **options: None)
    for name in ("allclose", "isclose", "array_equal", "array_equiv"):
        setattr(np, name, lambda *arguments, **options: True)
    return answer
