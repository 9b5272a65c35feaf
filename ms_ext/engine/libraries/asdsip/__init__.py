"""asdsip: Fourier transforms by plans, which are kept; the function is looked up by its name.

| file | question |
|---|---|
| ``plan`` | what is a plan, and which are kept? |
| ``symbols`` | which functions does the library have? |

>>> import numpy as np
>>> plan = PlanCache().plan(FFTParam(4, 0, FftType.ASCEND_FFT_R2C, batchSize=1))
>>> made = np.empty((1, 3), np.complex64)
>>> symbol("asdFftExecR2C")(plan, np.float32([[1, 2, 3, 4]]), made, np.empty(plan.workspace, "u1"))
0
>>> made.tolist()
[[(10+0j), (-2+2j), (-2+0j)]]
"""

from .plan import (
    FftDimType,
    FftDirection,
    FFTParam,
    FftType,
    Plan,
    PlanCache,
    as_complex,
    as_pairs,
)
from .symbols import SYMBOLS, symbol, why

CACHE = PlanCache()

ASCEND_FFT_C2C, ASCEND_FFT_C2R, ASCEND_FFT_R2C = FftType
ASCEND_FFT_FORWARD, ASCEND_FFT_BACKWARD = FftDirection
ASCEND_FFT_HORIZONTAL, ASCEND_FFT_VERTICAL = FftDimType

__all__ = [
    "ASCEND_FFT_BACKWARD",
    "ASCEND_FFT_C2C",
    "ASCEND_FFT_C2R",
    "ASCEND_FFT_FORWARD",
    "ASCEND_FFT_HORIZONTAL",
    "ASCEND_FFT_R2C",
    "ASCEND_FFT_VERTICAL",
    "CACHE",
    "SYMBOLS",
    "FFTParam",
    "FftDimType",
    "FftDirection",
    "FftType",
    "Plan",
    "PlanCache",
    "as_complex",
    "as_pairs",
    "symbol",
    "why",
]
