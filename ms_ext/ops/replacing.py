"""Rows and masked elements in place of others: inplace_update and its family, masked_scatter.

Each gives a new tensor, as in MindSpore, though some are called "inplace".
"""

import numpy as np

from .. import ops
from ..engine import errors
from .composite import composite
from .shapes import needs_bool


@composite("Tensor.masked_scatter")
def masked_scatter(self, mask, source):
    """A copy in which the elements of ``source``, in order, stand where the mask is true.

    >>> Tensor([1, 2, 3]).masked_scatter(Tensor([True, False, True]), Tensor([8, 9]))
    Tensor(shape=[3], dtype=Int64, value= [8, 2, 9])
    """
    needs_bool(mask, "mask")
    flags = ops.reshape(ops.broadcast_to(mask, self.shape), (-1,))
    count = ops.CumSum(ops.cast(flags, "int64"), axis=0) - 1
    line = ops.reshape(source, (-1,))
    found = ops.gather(line, ops.where(flags, count, 0), 0)
    return ops.reshape(ops.where(flags, found, ops.reshape(self, (-1,))), self.shape)


def _rows(x, v, indices):
    several = tuple(indices) if isinstance(indices, tuple | list) else (indices,)
    if v.shape != (len(several), *x.shape[1:]):
        raise errors.InvalidValue(
            "there must be one row per index.", given=f"{v.shape} for indices {several}"
        )
    return np.array(several)


@composite("inplace_add")
def inplace_add(x, v, indices):
    """A copy of x with the rows of v added to the rows that the indices name.

    >>> ops.inplace_add(Tensor([1, 2, 3]), Tensor([10]), 1)
    Tensor(shape=[3], dtype=Int64, value= [ 1, 12,  3])
    """
    return x + ops.GetItemGrad(v, shape=x.shape, index=(_rows(x, v, indices),))


@composite("inplace_sub")
def inplace_sub(x, v, indices):
    """A copy of x with the rows of v taken from the rows that the indices name.

    >>> ops.inplace_sub(Tensor([1, 2, 3]), Tensor([1]), 1)
    Tensor(shape=[3], dtype=Int64, value= [1, 1, 3])
    """
    return x - ops.GetItemGrad(v, shape=x.shape, index=(_rows(x, v, indices),))


@composite("inplace_update", "Tensor.inplace_update")
def inplace_update(x, v, indices):
    """A copy of x with the rows of v in place of the rows that the indices name.

    >>> ops.inplace_update(Tensor([1, 2, 3]), Tensor([9]), 1)
    Tensor(shape=[3], dtype=Int64, value= [1, 9, 3])
    """
    return ops.TensorSet(x, v, index=(_rows(x, v, indices),))
