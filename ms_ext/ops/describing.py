"""What a tensor is like: shape, rank, size, dtype, and whether it is one."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.symbol import Symbol
from ..engine.tensor import Tensor
from .composite import composite
from .sorting import needs_tensor


@composite("shape")
def shape(input_x):
    """The sizes of a tensor's axes.

    >>> ops.shape(ops.ones((2, 3)))
    (2, 3)
    """
    return needs_tensor(input_x).shape


@composite("rank")
def rank(input_x):
    """The number of axes of a tensor.

    >>> ops.rank(ops.ones((2, 3)))
    2
    """
    return len(needs_tensor(input_x).shape)


@composite("size", "numel", "Tensor.numel", "Tensor.nelement", "mint.numel")
def size(input_x):
    """The number of elements of a tensor.

    >>> ops.size(ops.ones((2, 3)))
    6
    """
    return needs_tensor(input_x).size


@composite("Tensor.dim", "Tensor.ndimension")
def dim(self):
    """The number of axes of a tensor.

    >>> ops.ones((2, 3)).dim()
    2
    """
    return len(self.shape)


@composite("dtype")
def dtype(x):
    """The dtype of a tensor's elements.

    >>> ops.dtype(Tensor([1.0]))
    mindspore.float32
    """
    return needs_tensor(x).dtype


@composite("dyn_shape")
def dyn_shape(input_x):
    """The sizes of a tensor's axes, as a tensor (Int64).

    >>> ops.dyn_shape(ops.ones((2, 3)))
    Tensor(shape=[2], dtype=Int64, value= [2, 3])
    """
    return Tensor(np.array(needs_tensor(input_x).shape, np.int64))


@composite("is_tensor")
def is_tensor(obj):
    """Whether an object is a Tensor.

    >>> ops.is_tensor(Tensor(1)), ops.is_tensor(1)
    (True, False)
    """
    return isinstance(obj, Tensor | Symbol)


@composite("is_floating_point", "Tensor.is_floating_point")
def is_floating_point(input):
    """Whether the elements are floating numbers.

    >>> ops.is_floating_point(Tensor([1.0]))
    True
    """
    return needs_tensor(input).dtype.kind == "float"


@composite("is_complex", "Tensor.is_complex")
def is_complex(input):
    """Whether the elements are complex numbers: there are none here.

    >>> ops.is_complex(Tensor([1.0]))
    False
    """
    return needs_tensor(input) is None


@composite("is_nonzero")
def is_nonzero(input):
    """Whether the only element is not 0.

    >>> ops.is_nonzero(Tensor([2.0]))
    True
    """
    if needs_tensor(input).size != 1:
        raise errors.InvalidValue("there must be one element.", given=f"{input.size} elements")
    return bool(input.asnumpy().reshape(()) != 0)


is_nonzero.of_elements = lambda args, kwargs: True


def _primitive(name, function, example):
    """Enter the primitive of a function that takes no settings."""

    class Form:
        def __new__(cls):
            return function

    Form.__name__ = Form.__qualname__ = name
    Form.__doc__ = f"""The primitive of ``ops.{function.__name__}``.

    >>> ops.{name}()(ops.ones((2, 3)))
    {example}
    """
    composite(name)(Form)


_primitive("Shape", shape, "(2, 3)")
_primitive("Rank", rank, "2")
_primitive("Size", size, "6")
_primitive("DType", dtype, "mindspore.float32")
_primitive("TensorShape", dyn_shape, "Tensor(shape=[2], dtype=Int64, value= [2, 3])")


@composite("Tensor.contiguous")
def contiguous(self):
    """The tensor with its elements in order in memory: here it always has its own.

    >>> Tensor([1, 2]).contiguous()
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return ops.identity(self)


@composite("Tensor.clone", "mint.clone")
def clone(input):
    """A tensor of its own memory with the same elements; its gradient goes on to the input.

    >>> mint.clone(Tensor([1, 2]))
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return ops.identity(input) if isinstance(input, Symbol) else input.copy()
