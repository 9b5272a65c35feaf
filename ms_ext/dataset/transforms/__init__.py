"""``ms.dataset.transforms``: changes of one value; each is called with NumPy arrays.

>>> import numpy as np
>>> import ms_ext as ms
>>> from ms_ext.dataset import transforms
>>> transforms.TypeCast(ms.float32)(np.array([1, 2]))
array([1., 2.], dtype=float32)
"""

from .arrays import (
    Concatenate,
    Duplicate,
    Fill,
    Mask,
    OneHot,
    PadEnd,
    Relational,
    Slice,
    TypeCast,
)
from .several import Compose, RandomApply, RandomChoice, RandomOrder

__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "Mask",
    "OneHot",
    "PadEnd",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Relational",
    "Slice",
    "TypeCast",
]
