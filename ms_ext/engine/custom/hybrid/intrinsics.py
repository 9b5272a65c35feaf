"""Which words may a function of the DSL use, and what do they mean? One row per word.

``run`` is the meaning, on NumPy values. ``c`` says the same in C for floats: ``{0}`` is an operand
already of the result's type, ``{f}`` the ending of C's functions of float ("f") or double ("").
"""

import itertools
import math
from typing import NamedTuple

import numpy as np


class Intrinsic(NamedTuple):
    """A word of the DSL: ``arity`` is checked if it is a number; ``general``: not on Ascend."""

    group: str
    run: object
    arity: int | None = None
    c: str = ""
    general: bool = False


class _Scope:
    """What ``with attr(...)`` and ``with block_realize(...)`` enter: nothing happens on a CPU."""

    def __call__(self, *_given):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return None


def allocated(shape, dtype="float32", scope="global"):
    """A buffer of zeros.

    >>> allocated((2,), "int32")
    array([0, 0], dtype=int32)
    """
    return np.zeros(shape, dtype)


def grid(extents):
    """All positions below the extents, the last one running fastest.

    >>> list(grid((2, 2)))
    [(0, 0), (0, 1), (1, 0), (1, 1)]
    """
    return itertools.product(*[range(extent) for extent in extents])


def rsqrt(x):
    """1 / sqrt(x).

    >>> float(rsqrt(np.float32(4)))
    0.5
    """
    return np.ones_like(x)[()] / np.sqrt(x)


_erf = np.frompyfunc(math.erf, 1, 1)


def erf(x):
    """The error function, in the type that a square root of ``x`` has.

    >>> round(float(erf(1.0)), 4)
    0.8427
    """
    return np.asarray(_erf(x), np.sqrt(np.zeros_like(x)).dtype)[()]


def ceil_div(a, b):
    """a / b, rounded up.

    >>> ceil_div(7, 2)
    4
    """
    return (a + b - 1) // b


def _float(name, run, c=None, general=False):
    return name, Intrinsic("float", run, 1, c or name + "{f}({0})", general)


def _cast(name, general=False):
    return name, Intrinsic("cast", getattr(np, name), 1, "", general)


_SCOPE = _Scope()
_LOOPS = ("range", "serial", "vectorize", "parallel", "reduce")

INTRINSICS = dict(
    [
        ("allocate", Intrinsic("buffer", allocated, 2)),
        ("output_tensor", Intrinsic("buffer", allocated, 2)),
        *[(name, Intrinsic("loop", range)) for name in _LOOPS],
        ("grid", Intrinsic("loop", grid)),
        ("attr", Intrinsic("scope", _SCOPE)),
        ("block_realize", Intrinsic("scope", _SCOPE)),
        _float("sqrt", np.sqrt),
        ("sign", Intrinsic("same", np.sign, 1, "sign_of({0})")),
        _float("log", np.log),
        _float("tanh", np.tanh),
        _float("exp", np.exp),
        ("abs", Intrinsic("same", np.abs, 1, "fabs{f}({0})")),
        _cast("int32"),
        _cast("float16"),
        _cast("float32"),
        ("power", Intrinsic("power", np.power, 2)),
        _float("rsqrt", rsqrt, "(1 / sqrt{f}({0}))", True),
        _float("erf", erf, None, True),
        ("isnan", Intrinsic("question", np.isnan, 1, "(isnan({0}) != 0)", True)),
        _cast("int8", True),
        _cast("int16", True),
        _cast("int64", True),
        _cast("float64", True),
        _float("sin", np.sin, None, True),
        _float("cos", np.cos, None, True),
        ("isinf", Intrinsic("question", np.isinf, 1, "(isinf({0}) != 0)", True)),
        ("isfinite", Intrinsic("question", np.isfinite, 1, "(isfinite({0}) != 0)", True)),
        _float("atan", np.arctan, None, True),
        ("atan2", Intrinsic("float", np.arctan2, 2, "atan2{f}({0}, {1})", True)),
        _float("expm1", np.expm1, None, True),
        ("floor", Intrinsic("same", np.floor, 1, "floor{f}({0})", True)),
        ("ceil", Intrinsic("same", np.ceil, 1, "ceil{f}({0})", True)),
        ("trunc", Intrinsic("same", np.trunc, 1, "trunc{f}({0})", True)),
        ("round", Intrinsic("same", np.round, 1, "rint{f}({0})", True)),
        ("ceil_div", Intrinsic("ceil_div", ceil_div, 2, "", True)),
    ]
)
#: What a function of the DSL finds under these names while it runs as Python.
RUN = {name: intrinsic.run for name, intrinsic in INTRINSICS.items()}
#: Python's own, which mean what they always mean.
BUILTINS = ("max", "min", "len")
#: MindSpore's check allows a call of these, too.
DECORATORS = ("kernel", "ms_kernel")
#: What MindSpore refuses on a CPU; here it works, except under strict.
NOT_ON_MINDSPORES_CPU = ("atan2", "expm1", "float16")


def words():
    """All that may be called.

    >>> "grid" in words(), "sinh" in words()
    (True, False)
    """
    return [*INTRINSICS, *BUILTINS]
