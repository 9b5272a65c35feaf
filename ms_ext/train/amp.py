"""``ms.train.amp``: what ``ms.amp`` has, under MindSpore's older path.

>>> from ms_ext.train import amp
>>> amp.get_white_list()[0].__name__ in ("Conv1d", "Dense")
True
"""

from ..amp.levels import (
    auto_mixed_precision,
    custom_mixed_precision,
    get_black_list,
    get_white_list,
)
from ..amp.managers import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from ..amp.network import build_train_network

__all__ = [
    "DynamicLossScaleManager", "FixedLossScaleManager", "LossScaleManager", "auto_mixed_precision",
    "build_train_network", "custom_mixed_precision", "get_black_list", "get_white_list",
]  # fmt: skip
