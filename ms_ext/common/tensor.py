"""``mindspore.common.tensor``: where Tensor is found, whichever core it comes from.

>>> Tensor
<class 'ms_ext.common.tensor.Tensor'>
"""

from ..engine import hooks  # noqa: F401  (they are methods of Tensor)
from ..engine.tensor import Tensor

__all__ = ["Tensor", "tensor"]


def tensor(input_data=None, dtype=None, shape=None, init=None):
    """The same as ``Tensor(...)``.

    >>> tensor([1, 2])
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return Tensor(input_data, dtype, shape, init)
