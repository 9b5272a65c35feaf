"""Runners: calls of the library through the four stages.

| file | question |
|---|---|
| ``runner`` | what does a runner do with a call? |
| ``aclnn_runner`` | how is a function of aclnn run? |
| ``atb_runner`` | how is an operation of ATB run? |
| ``fft_runner`` | how is a Fourier transform run? |
"""

from .aclnn_runner import LAUNCH_ACLNN, LAUNCH_ACLNN_FUNC, AclnnOpRunner, DeviceContext
from .atb_runner import AtbOpRunner, RunAtbOp
from .fft_runner import AsdSipFFTOpRunner, RunAsdSipFFTOp
from .runner import PyboostRunner

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
]
