"""``ms_ext.libraries``: the libraries of a device, on this CPU, and the runners that call them.

MindSpore's runners are C++ (``ms_extension/aclnn.h``, ``atb.h``, ``asdsip.h``, for what
``ops.CustomOpBuilder`` builds). These do the same from Python, with the same names.

>>> from ms_ext import ops, Tensor
>>> x, out = Tensor([1.0, 4.0]), ops.zeros((2,))
>>> runner = AclnnOpRunner("Sqrt")
>>> runner.SetLaunchFunc(LAUNCH_ACLNN_FUNC("aclnnSqrt", x, out))
>>> runner.Run([x], [out])
>>> out
Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
"""

from .engine.libraries import (
    LAUNCH_ACLNN,
    LAUNCH_ACLNN_FUNC,
    AclnnOpRunner,
    AsdSipFFTOpRunner,
    AtbOpRunner,
    DeviceContext,
    PyboostRunner,
    RunAsdSipFFTOp,
    RunAtbOp,
    aclnn,
    asdsip,
    atb,
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
