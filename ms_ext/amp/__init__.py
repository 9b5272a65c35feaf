"""``ms.amp``: mixed precision. Half floats where they are quick, Float32 where they are needed.

>>> from ms_ext import Tensor, amp, nn
>>> net = amp.auto_mixed_precision(nn.Dense(2, 1), "O3")
>>> amp.DynamicLossScaler(1024, 2, 1000).scale(Tensor(2.0))
Tensor(shape=[], dtype=Float32, value= 2048)

Each file of this folder is imported at the first use of one of its names.
"""

from ..engine.later import showing

_FILES = {
    "levels": (
        "auto_mixed_precision", "custom_mixed_precision", "get_black_list", "get_white_list",
    ),
    "managers": ("DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager"),
    "network": ("build_train_network",),
    "scalers": ("DynamicLossScaler", "LossScaler", "StaticLossScaler", "all_finite"),
}  # fmt: skip

__all__, __getattr__, __dir__ = showing(globals(), _FILES)
