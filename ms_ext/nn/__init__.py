"""``ms.nn``: Cells, the building blocks of networks.

>>> net = SequentialCell(Dense(2, 3), ReLU(), Dense(3, 1))
>>> [p.name for p in net.get_parameters()]
['0.weight', '0.bias', '2.weight', '2.bias']
"""

from ..engine import errors
from .activations import GELU, HSwish, Identity, LogSoftmax, ReLU, Sigmoid, SiLU, Softmax, Tanh
from .cell import Cell
from .containers import CellList, SequentialCell
from .dropout import Dropout
from .layers import Dense, Embedding, Flatten, LayerNorm
from .losses import CrossEntropyLoss, MSELoss

__all__ = [
    "Cell", "CellList", "CrossEntropyLoss", "Dense", "Dropout", "Embedding", "Flatten", "GELU",
    "HSwish", "Identity", "LayerNorm", "LogSoftmax", "MSELoss", "ReLU", "SequentialCell", "SiLU",
    "Sigmoid", "Softmax", "Tanh",
]  # fmt: skip


def __getattr__(name):
    raise errors.UnknownAttribute(f"nn has no {name!r}.", hint=errors.did_you_mean(name, __all__))
