"""The device's libraries, in NumPy on the CPU, and the runners that call them through the stages.

| part | question |
|---|---|
| ``aclnn`` | one function, two phases: workspace and executor, then launch |
| ``atb`` | an Operation made from a Param, set up, executed, and kept |
| ``asdsip`` | Fourier transforms by plans |
| ``runners`` | how does a call of them go through the four stages? |
| ``bridged`` | what of them does C++ call? |

Shapes of calls, caches, counters and errors are those of the real libraries and of MindSpore's
runners; the numbers are NumPy's.
"""

from . import aclnn, asdsip, atb
from .runners import (
    LAUNCH_ACLNN,
    LAUNCH_ACLNN_FUNC,
    AclnnOpRunner,
    AsdSipFFTOpRunner,
    AtbOpRunner,
    DeviceContext,
    PyboostRunner,
    RunAsdSipFFTOp,
    RunAtbOp,
)

__all__ = [
    "LAUNCH_ACLNN",
    "LAUNCH_ACLNN_FUNC",
    "AclnnOpRunner",
    "AsdSipFFTOpRunner",
    "AtbOpRunner",
    "DeviceContext",
    "PyboostRunner",
    "RunAsdSipFFTOp",
    "RunAtbOp",
    "aclnn",
    "asdsip",
    "atb",
]
