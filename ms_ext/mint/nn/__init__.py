"""``ms.mint.nn``: the layers with PyTorch's names, and ``functional``."""

from ... import nn as _nn
from . import functional

Linear = _nn.Dense
ReLU, Sigmoid, Tanh, SiLU, Identity = _nn.ReLU, _nn.Sigmoid, _nn.Tanh, _nn.SiLU, _nn.Identity
Hardswish = _nn.HSwish

__all__ = ["Hardswish", "Identity", "Linear", "ReLU", "SiLU", "Sigmoid", "Tanh", "functional"]
