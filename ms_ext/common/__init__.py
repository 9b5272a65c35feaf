"""``ms.common``: Tensor, Parameter and the dtypes under MindSpore's names."""

from .. import dtype
from ..dtype import *  # noqa: F403  (its __all__ says what)
from ..engine.mutable import mutable
from .graph_classes import jit_class, lazy_inline
from .parameter import Parameter, ParameterTuple
from .tensor import Tensor, from_numpy, is_tensor, tensor

__all__ = [
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "dtype",
    "from_numpy",
    "is_tensor",
    "jit_class",
    "lazy_inline",
    "mutable",
    "tensor",
    *(t.public for t in dtype.DTYPES),
]
