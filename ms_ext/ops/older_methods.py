"""Methods of Tensor in NumPy's and in older words: ptp, itemset, resize, fill_diagonal, ..."""

import math

import numpy as np

from .. import ops
from ..engine import errors
from .axes import as_shape
from .composite import composite
from .writing import writes


@composite("Tensor.argmax_with_value")
def argmax_with_value(self, axis=0, keep_dims=False):
    """The largest elements along an axis, and their indices (Int64).

    >>> Tensor([1.0, 3.0]).argmax_with_value()[1]
    Tensor(shape=[], dtype=Int64, value= 1)
    """
    return ops.max(self, axis, keep_dims)


@composite("Tensor.argmin_with_value")
def argmin_with_value(self, axis=0, keep_dims=False):
    """The smallest elements along an axis, and their indices (Int64).

    >>> Tensor([1.0, 3.0]).argmin_with_value()[1]
    Tensor(shape=[], dtype=Int64, value= 0)
    """
    return ops.min(self, axis, keep_dims)


@composite("Tensor.byte")
def byte(self):
    """The same numbers as UInt8.

    >>> Tensor([1.0]).byte()
    Tensor(shape=[1], dtype=UInt8, value= [1])
    """
    return ops.cast(self, "uint8")


@composite("Tensor.short")
def short(self):
    """The same numbers as Int16.

    >>> Tensor([1.0]).short()
    Tensor(shape=[1], dtype=Int16, value= [1])
    """
    return ops.cast(self, "int16")


@composite("Tensor.bfloat16")
def bfloat16(self):
    """The same numbers as BFloat16.

    >>> Tensor([1.0]).bfloat16().dtype
    mindspore.bfloat16
    """
    return ops.cast(self, "bfloat16")


@composite("Tensor.ptp")
def ptp(self, axis=None, keepdims=False):
    """How far the largest element along axes is from the smallest.

    >>> Tensor([1.0, 3.0]).ptp()
    Tensor(shape=[], dtype=Float32, value= 2)
    """
    return ops.amax(self, axis, keepdims) - ops.amin(self, axis, keepdims)


@composite("Tensor.itemset")
def itemset(self, *args):
    """A copy with one element replaced: (index, value), or (value) of a tensor with one element.

    >>> Tensor([1.0, 2.0]).itemset(1, 5.0)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  5.00000000e+00])
    """
    if len(args) not in (1, 2) or len(args) == 1 and math.prod(self.shape) != 1:
        raise errors.InvalidIndex(
            "the index may be left out only where there is one element.",
            given=f"{len(args)} arguments for the shape {list(self.shape)}",
        )
    index, value = args if len(args) == 2 else (0, args[0])
    place = np.unravel_index(index, self.shape) if isinstance(index, int) else index
    return ops.TensorSet(self, value, index=tuple([int(i) for i in place]))


@composite("Tensor.resize")
def resize(self, *new_shape):
    """The elements in another shape, which may hold fewer, or more: then zeros follow.

    >>> Tensor([1, 2, 3]).resize(2, 2).tolist()
    [[1, 2], [3, 0]]
    """
    shape = as_shape(new_shape[0] if len(new_shape) == 1 else new_shape)
    line, wanted = ops.reshape(self, (-1,)), math.prod(shape)
    more = max(wanted - line.shape[0], 0)
    return ops.reshape(ops.PadV3(line, paddings=((0, more),))[:wanted], shape)


@composite("Tensor.sum_to_size")
def sum_to_size(self, *size):
    """The sum over the axes along which a shape would have to be broadcast to this tensor's.

    >>> ops.ones((2, 3)).sum_to_size(1, 3).tolist()
    [[2.0, 2.0, 2.0]]
    """
    shape = as_shape(size[0] if len(size) == 1 else size)
    lead = self.ndim - len(shape)
    if lead < 0 or any(n not in (1, m) for n, m in zip(shape, self.shape[lead:], strict=True)):
        raise errors.InvalidValue(
            "the shape does not broadcast to the tensor's.", given=f"{shape}, {self.shape}"
        )
    return ops.SumTo(self, shape=shape)


@composite("Tensor.fill_diagonal")
def fill_diagonal(self, fill_value, wrap=False):
    """A copy with one value on the diagonal; ``wrap``: of a tall matrix, again and again.

    >>> ops.zeros((2, 2)).fill_diagonal(5.0).tolist()
    [[5.0, 0.0], [0.0, 5.0]]
    """
    if self.ndim < 2 or self.ndim > 2 and len(set(self.shape)) > 1:
        raise errors.InvalidValue("the tensor must be a matrix or a cube.", given=str(self.shape))
    step = sum(math.prod(self.shape[i + 1 :]) for i in range(self.ndim))
    end = None if wrap or self.ndim > 2 else min(self.shape) * step
    line = ops.reshape(self, (-1,))
    return ops.reshape(ops.TensorSet(line, fill_value, index=(slice(0, end, step),)), self.shape)


def _filled(self, fill_value, wrap=False):
    """Write one value to the diagonal; gives the tensor.

    >>> ops.zeros((2, 2)).fill_diagonal_(5.0).tolist()
    [[5.0, 0.0], [0.0, 5.0]]
    """
    return self.fill_diagonal(fill_value, wrap)


def _put(self, index, source, accumulate=False):
    """Write (or add) numbers at places counted along the flattened tensor; gives the tensor.

    >>> Tensor([1, 2, 3]).put_(Tensor([0, 2]), Tensor([8, 9]))
    Tensor(shape=[3], dtype=Int64, value= [8, 2, 9])
    """
    line = ops.reshape(self, (-1,))
    return ops.reshape(line.index_put((index,), source, accumulate), self.shape)


writes("Tensor.fill_diagonal_", new=_filled)
writes("Tensor.put_", "put_", new=_put, reads=True)


@composite("Tensor.type")
def type_of(self, dtype=None):
    """The name of the dtype; with a dtype, the same numbers in it.

    >>> Tensor([1.0]).type(), Tensor([1.0]).type(ms.int32)
    ('Float32', Tensor(shape=[1], dtype=Int32, value= [1]))
    """
    return self.dtype.name if dtype is None else ops.cast(self, dtype)


@composite("Tensor.is_signed")
def is_signed(self):
    """Whether the dtype has negative numbers.

    >>> Tensor([1.0]).is_signed(), Tensor([True]).is_signed()
    (True, False)
    """
    return self.dtype.kind == "float" or self.dtype.name.startswith("Int")


@composite("Tensor.numpy")
def numpy(self):
    """The elements as a NumPy array: ``asnumpy``.

    >>> Tensor([1, 2]).numpy()
    array([1, 2])
    """
    return self.asnumpy()


numpy.of_elements = lambda args, kwargs: True
