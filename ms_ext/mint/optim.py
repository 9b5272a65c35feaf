"""``ms.mint.optim``: the optimizers with PyTorch's arguments, those of ``ms.experimental.optim``.

>>> import ms_ext as ms
>>> weight = ms.Parameter(ms.Tensor([1.0]), name="weight")
>>> AdamW([weight], lr=0.1)((ms.Tensor([5.0]),)), round(weight.item(), 3)
(True, 0.899)
"""

from ..experimental.optim import SGD, Adam, AdamW

FusedAdamW = AdamW  # every step is fused here

__all__ = ["SGD", "Adam", "AdamW", "FusedAdamW"]
