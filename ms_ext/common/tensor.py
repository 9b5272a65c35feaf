"""``mindspore.common.tensor``: where Tensor is found, whichever core it comes from.

>>> Tensor
<class 'ms_ext.common.tensor.Tensor'>
"""

import numpy as np

from ..engine import errors, hooks  # noqa: F401  (hooks are methods of Tensor)
from ..engine.tensor import Tensor

__all__ = ["Tensor", "from_numpy", "is_tensor", "tensor"]


def tensor(input_data=None, dtype=None, shape=None, init=None):
    """The same as ``Tensor(...)``.

    >>> tensor([1, 2])
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return Tensor(input_data, dtype, shape, init)


def is_tensor(obj):
    """Whether something is a Tensor.

    >>> is_tensor(Tensor(1.0)), is_tensor(1.0)
    (True, False)
    """
    return isinstance(obj, Tensor)


def from_numpy(array):
    """A Tensor over an array's own memory: what one writes, the other shows.

    >>> from_numpy(np.zeros(2, np.float32))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  0.00000000e+00])
    """
    if not isinstance(array, np.ndarray):
        raise errors.InvalidType("Expected a NumPy array.", given=repr(array))
    return Tensor.from_numpy(array)
