"""``ms.common``: Tensor, Parameter and the dtypes under MindSpore's names."""

from .. import dtype
from ..dtype import *  # noqa: F403  (its __all__ says what)
from ..engine.tensor import Tensor
from .parameter import Parameter, ParameterTuple

__all__ = ["Parameter", "ParameterTuple", "Tensor", "dtype", *(t.public for t in dtype.DTYPES)]
