"""Optimizers with PyTorch's arguments, whose groups are dicts, and schedules that step.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> optimizer = AdamW([weight], lr=0.1)
>>> optimizer((ms.Tensor([5.0]),)), weight.asnumpy().round(4)
(True, array([0.899], dtype=float32))
"""

from . import lr_scheduler
from .adam import Adam, AdamW
from .optimizer import Optimizer
from .sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "lr_scheduler"]
