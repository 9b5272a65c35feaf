"""Results whose size depends on elements: masked_select, nonzero, unique and its family.

In graph mode they are calculated by Python when the graph runs (``of_elements``): their shape is
not known before. The elements that are chosen keep their gradient.

>>> ops.masked_select(Tensor([1.0, 2.0, 3.0]), Tensor([True, False, True]))
Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00])
"""

import math

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .axes import normal_axis
from .composite import composite
from .shapes import common_shape, needs_bool
from .sorting import needs_tensor


def _always(args, kwargs):
    return True


def _chosen(function):
    """Mark a function whose result's shape depends on elements."""
    function.of_elements = _always
    return function


@_chosen
@composite("masked_select", "Tensor.masked_select", "mint.masked_select")
def masked_select(input, mask):
    """The elements where the mask is true, on one line; both broadcast.

    >>> ops.masked_select(Tensor([1, 2, 3]), Tensor([True, False, True]))
    Tensor(shape=[2], dtype=Int64, value= [1, 3])
    """
    needs_bool(needs_tensor(mask), "mask")
    shape = common_shape(input.shape, mask.shape)
    x = ops.broadcast_to(needs_tensor(input), shape)
    return ops.GetItem(x, index=(np.broadcast_to(mask.asnumpy(), shape),))


@_chosen
@composite("nonzero", "Tensor.nonzero", "mint.nonzero")
def nonzero(input, *, as_tuple=False):
    """Where the elements are not 0 (Int64): a row per place; ``as_tuple``: a line per axis.

    >>> ops.nonzero(Tensor([0, 5, 7]))
    Tensor(shape=[2, 1], dtype=Int64, value=
    [[1],
     [2]])
    """
    found = np.argwhere(needs_tensor(input).asnumpy()).astype(np.int64)
    if not as_tuple:
        return Tensor(found)
    return tuple([Tensor(np.ascontiguousarray(line)) for line in found.T])


@_chosen
@composite("argwhere", "Tensor.argwhere")
def argwhere(input):
    """Where the elements are not 0 (Int64): a row per place.

    >>> ops.argwhere(Tensor([[0, 5]]))
    Tensor(shape=[1, 2], dtype=Int64, value=
    [[0, 1]])
    """
    return nonzero(input)


@composite("mint.where")
def where_ext(condition, input=None, other=None):
    """x where the condition is true, else y; of a condition alone, where it is true.

    >>> mint.where(Tensor([False, True]))
    (Tensor(shape=[1], dtype=Int64, value= [1]),)
    """
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    return ops.Select(condition, input, other)


where_ext.of_elements = lambda args, kwargs: len(args) + len(kwargs) == 1


@composite("NonZero")
class NonZero:
    """The primitive of ``ops.nonzero``.

    >>> ops.NonZero()(Tensor([0, 5]))
    Tensor(shape=[1, 1], dtype=Int64, value=
    [[1]])
    """

    def __new__(cls):
        return nonzero


@composite("MaskedSelect")
class MaskedSelect:
    """The primitive of ``ops.masked_select``.

    >>> ops.MaskedSelect()(Tensor([1, 2]), Tensor([True, False]))
    Tensor(shape=[1], dtype=Int64, value= [1])
    """

    def __new__(cls):
        return masked_select


@_chosen
@composite("unique")
def unique(input):
    """The distinct elements, in the order in which they come, and which each one is (Int32).

    >>> values, which = ops.unique(Tensor([4, 4, 1]))
    >>> values, which.tolist()
    (Tensor(shape=[2], dtype=Int64, value= [4, 1]), [0, 0, 1])
    """
    array = needs_tensor(input).asnumpy()
    _, first, inverse = np.unique(array.ravel(), return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    chosen = ops.gather(ops.reshape(input, (-1,)), Tensor(np.sort(first)), 0)
    return chosen, Tensor(rank[inverse].reshape(array.shape).astype(np.int32))


@composite("Unique")
class Unique:
    """The primitive of ``ops.unique``.

    >>> ops.Unique()(Tensor([4, 4, 1]))[0]
    Tensor(shape=[2], dtype=Int64, value= [4, 1])
    """

    def __new__(cls):
        return unique


@_chosen
@composite("mint.unique", "Tensor.unique")
def unique_ext(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements (or slices along a dimension), in order.

    ``return_inverse``: also which of them each one is; ``return_counts``: also how often each is.

    >>> mint.unique(Tensor([4, 4, 1]))
    Tensor(shape=[2], dtype=Int64, value= [1, 4])
    """
    array = needs_tensor(input).asnumpy()
    values, first, inverse, counts = np.unique(array, True, True, True, axis=dim)
    inverse = inverse.reshape(array.shape if dim is None else (array.shape[dim],))
    line, axis = (ops.reshape(input, (-1,)), 0) if dim is None else (input, dim)
    found = [ops.gather(line, Tensor(first), axis)]
    found += [Tensor(inverse.astype(np.int64))] * return_inverse
    found += [Tensor(counts.astype(np.int64))] * return_counts
    return found[0] if len(found) == 1 else tuple(found)


@_chosen
@composite("unique_consecutive", "Tensor.unique_consecutive", "mint.unique_consecutive")
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """One of each run of equal elements (or slices along a dimension).

    ``return_inverse``: also which run each one is in; ``return_counts``: also how long each run is.

    >>> ops.unique_consecutive(Tensor([1, 1, 2, 1]))
    Tensor(shape=[3], dtype=Int64, value= [1, 2, 1])
    """
    line = ops.reshape(needs_tensor(input), (-1,)) if dim is None else input
    axis = 0 if dim is None else normal_axis(dim, input.ndim)
    rows = np.moveaxis(line.asnumpy(), axis, 0)
    rows = rows.reshape(len(rows), math.prod(rows.shape[1:]))
    begins = np.ones(len(rows), bool)
    begins[1:] = (rows[1:] != rows[:-1]).any(1)
    first = np.flatnonzero(begins)
    found = [ops.gather(line, Tensor(first), axis)]
    inverse = np.cumsum(begins) - 1
    shape = input.shape if dim is None else inverse.shape
    found += [Tensor(inverse.reshape(shape).astype(np.int64))] * return_inverse
    found += [Tensor(np.diff(first, append=len(rows)).astype(np.int64))] * return_counts
    return found[0] if len(found) == 1 else tuple(found)


@composite("unique_with_pad", "Tensor.unique_with_pad")
def unique_with_pad(x, pad_num):
    """As ``ops.unique`` of a line, with ``pad_num`` behind the distinct elements: of known size.

    >>> ops.unique_with_pad(Tensor([4, 4, 1]), 0)[0]
    Tensor(shape=[3], dtype=Int64, value= [4, 1, 0])
    """
    if x.ndim != 1:
        raise errors.InvalidValue("the input must have one axis.", given=str(x.shape))
    places = ops.arange(x.shape[0])
    same = ops.expand_dims(x, 1) == ops.expand_dims(x, 0)
    first = ops.amin(ops.where(same, ops.expand_dims(places, 0), x.shape[0]), 1)
    is_first = first == places
    rank = ops.CumSum(ops.cast(is_first, "int64"), axis=0) - 1
    where = ops.where(is_first, rank, x.shape[0])
    padded = ops.full((x.shape[0] + 1,), pad_num, dtype=x.dtype)
    values = ops.TensorSetAt((padded, x, where), index=("#0",))[: x.shape[0]]
    return values, ops.cast(ops.gather(rank, first, 0), "int32")


@composite("UniqueWithPad")
class UniqueWithPad:
    """The primitive of ``ops.unique_with_pad``.

    >>> ops.UniqueWithPad()(Tensor([4, 4, 1]), 0)[1]
    Tensor(shape=[3], dtype=Int32, value= [0, 0, 1])
    """

    def __new__(cls):
        return unique_with_pad
