"""Elements in order: sort, the largest or smallest few, and where they were.

The order is stable: elements that are equal stay in the order in which they stood, so the first of
them comes first. NaN counts as larger than every number.

>>> ops.sort(Tensor([3, 1, 3]), descending=True)[1]
Tensor(shape=[3], dtype=Int32, value= [0, 2, 1])
"""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from ..engine.infer import AbstractTensor
from ..engine.primitive import op
from .axes import normal_axis
from .composite import composite
from .precision import widened
from .shapes import needs_number, shaped


def ordered(x, axis, descending):
    """The indices that put ``x`` in order along an axis.

    >>> import numpy as np
    >>> ordered(np.float32([1, 3, 3]), 0, True)
    array([1, 2, 0])
    """
    wide = widened(x)
    if not descending or x.ndim == 0:
        return np.argsort(wide, axis, kind="stable")
    turned = np.argsort(np.flip(wide, axis), axis, kind="stable")
    return wide.shape[axis] - 1 - np.flip(turned, axis)


def _sorted(x, axis, descending, kind):
    if x.ndim == 0:
        return x.copy(), np.zeros((), kind)
    index = ordered(x, axis, descending)
    return np.take_along_axis(x, index, axis), index.astype(kind)


def _to_places(x, out, dout, axis):
    """What arrives at the sorted elements, at the places where they were."""
    if not x.shape:
        return dout[0]
    return ops.GatherDGrad(dout[0], out[1], shape=x.shape, dim=axis)


@op()
class Sort:
    """The elements in order along an axis, and where each was (Int32).

    >>> ops.Sort(axis=0, descending=True)(Tensor([1, 3, 2]))[0]
    Tensor(shape=[3], dtype=Int64, value= [3, 2, 1])
    """

    outputs = 2

    def infer(x, *, axis, descending):
        _can_be_sorted(x, axis)
        return shaped(x, x.shape), AbstractTensor(dtypes.int32, x.shape)

    def compute(x, *, axis=-1, descending=False):
        _can_be_sorted(x, axis)
        return _sorted(x, axis, descending, np.int32)

    def bprop(x_, out, dout, *, axis):
        return (_to_places(x_, out, dout, axis),)

    def samples(rng):
        yield (rng.uniform(-2, 2, (3, 4)),)
        yield rng.uniform(-2, 2, (3, 4)).T, {"axis": 0, "descending": True}
        yield rng.uniform(-2, 2, (2, 0)), {"axis": 1}


@op()
class SortExt:
    """The elements in order along a dimension, and where each was (Int64).

    >>> mint.sort(Tensor([2.0, 1.0]))[1]
    Tensor(shape=[2], dtype=Int64, value= [1, 0])
    """

    outputs = 2

    def infer(x, *, dim, descending, stable):
        normal_axis(dim, x.ndim)
        return shaped(x, x.shape), AbstractTensor(dtypes.int64, x.shape)

    def compute(x, *, dim=-1, descending=False, stable=False):
        return _sorted(x, dim, descending, np.int64)

    def bprop(x_, out, dout, *, dim):
        return (_to_places(x_, out, dout, dim),)

    def samples(rng):
        yield (rng.uniform(-2, 2, (3, 4)),)
        yield rng.uniform(-2, 2, (3, 4)).T, {"dim": 0, "descending": True}
        yield (rng.uniform(-2, 2, ()),)


def _can_be_sorted(x, axis):
    needs_number(x)
    if x.ndim == 0:
        raise errors.InvalidValue("a 0-d tensor has no order.", given=str(x))
    normal_axis(axis, x.ndim)


def _check_few(x, k, axis, least):
    """The axis, if there are k elements along it."""
    if isinstance(k, bool) or not hasattr(k, "__index__"):
        raise errors.InvalidType("k must be an integer.", given=repr(k))
    if x.ndim == 0:
        raise errors.ShapeMismatch("a 0-d tensor has no largest few.", given=str(x))
    place = normal_axis(axis, x.ndim)
    size = x.shape[place]
    if not least <= k <= size:
        raise errors.InvalidValue(
            f"k must be from {least} to {size}, but it is {k}.", given=f"{x.shape}, axis {axis}"
        )
    return place


def _few(x, k, axis, kind, least):
    place = _check_few(x, k, axis, least)
    shape = (*x.shape[:place], k.__index__(), *x.shape[place + 1 :])
    return shaped(x, shape), AbstractTensor(kind, shape)


def _first(x, k, axis, largest, kind):
    index = np.take(ordered(x, axis, largest), np.arange(k), axis)
    return np.take_along_axis(x, index, axis), index.astype(kind)


@op()
class TopK:
    """The k largest elements of each row, largest first, and where they were (Int32).

    >>> ops.TopK(sorted=True)(Tensor([1.0, 3.0, 2.0]), 2)[1]
    Tensor(shape=[2], dtype=Int32, value= [1, 2])
    """

    outputs = 2
    constructor = ("sorted",)

    def infer(x, *, k, sorted):
        return _few(x, k, -1, dtypes.int32, 1)

    def compute(x, *, k, sorted=True):
        _check_few(x, k, -1, 1)
        return _first(x, k, -1, True, np.int32)

    def bprop(x_, out, dout):
        return (_to_places(x_, out, dout, -1),)

    def samples(rng):
        yield rng.uniform(-2, 2, (3, 4)), {"k": 2}
        yield rng.uniform(-2, 2, (4, 3)).T, {"k": 4, "sorted": False}


@op()
class TopkExt:
    """The k largest (or smallest) elements along a dimension, and where they were (Int64).

    >>> mint.topk(Tensor([1.0, 3.0, 2.0]), 1, largest=False)[0]
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """

    outputs = 2

    def infer(x, *, k, dim, largest, sorted):
        return _few(x, k, dim, dtypes.int64, 0)

    def compute(x, *, k, dim=-1, largest=True, sorted=True):
        _check_few(x, k, dim, 0)
        return _first(x, k, dim, largest, np.int64)

    def bprop(x_, out, dout, *, dim):
        return (_to_places(x_, out, dout, dim),)

    def samples(rng):
        yield rng.uniform(-2, 2, (3, 4)), {"k": 2}
        yield rng.uniform(-2, 2, (4, 3)).T, {"k": 2, "dim": 0, "largest": False}
        yield rng.uniform(-2, 2, (2, 3)), {"k": 0}


@composite("sort", "Tensor.sort")
def sort(input_x, axis=-1, descending=False):
    """The elements in order along an axis, and where each was (Int32).

    >>> ops.sort(Tensor([2.0, 1.0]))
    (Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00]), \
Tensor(shape=[2], dtype=Int32, value= [1, 0]))
    """
    return ops.Sort(needs_tensor(input_x), axis=axis, descending=descending)


@composite("mint.sort")
def sort_ext(input, *, dim=-1, descending=False, stable=False):
    """The elements in order along a dimension, and where each was (Int64).

    >>> mint.sort(Tensor([2, 1]), descending=True)[0]
    Tensor(shape=[2], dtype=Int64, value= [2, 1])
    """
    return ops.SortExt(needs_tensor(input), dim=dim, descending=descending, stable=stable)


@composite("argsort", "Tensor.argsort")
def argsort(input, axis=-1, descending=False):
    """The indices (Int32) that put the elements in order along an axis.

    >>> ops.argsort(Tensor([2.0, 1.0]))
    Tensor(shape=[2], dtype=Int32, value= [1, 0])
    """
    return ops.Sort(needs_tensor(input), axis=axis, descending=descending)[1]


@composite("mint.argsort")
def argsort_ext(input, dim=-1, descending=False, stable=False):
    """The indices (Int64) that put the elements in order along a dimension.

    >>> mint.argsort(Tensor([2.0, 1.0]))
    Tensor(shape=[2], dtype=Int64, value= [1, 0])
    """
    return ops.SortExt(needs_tensor(input), dim=dim, descending=descending, stable=stable)[1]


@composite("msort", "Tensor.msort")
def msort(input):
    """The elements in order along the first axis.

    >>> ops.msort(Tensor([[2, 1], [1, 2]]))
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[1, 1],
     [2, 2]])
    """
    return sort(input, 0)[0]


@composite("topk", "Tensor.topk")
def topk(input, k, dim=None, largest=True, sorted=True):
    """The k largest (or smallest) elements along an axis, and where they were (Int32).

    >>> ops.topk(Tensor([1.0, 3.0, 2.0]), 2)[0]
    Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  2.00000000e+00])
    """
    x = needs_tensor(input)
    last = -1 if dim is None else dim
    if largest and normal_axis(last, x.ndim) == max(x.ndim - 1, 0):
        return ops.TopK(x, k=k, sorted=sorted)
    values, index = ops.TopkExt(x, k=k, dim=last, largest=largest, sorted=sorted)
    return values, ops.cast(index, "int32")


@composite("top_k", "Tensor.top_k")
def top_k(input_x, k, sorted=True):
    """The k largest elements of each row, largest first, and where they were (Int32).

    >>> ops.top_k(Tensor([1.0, 3.0, 2.0]), 1)[1]
    Tensor(shape=[1], dtype=Int32, value= [1])
    """
    return ops.TopK(needs_tensor(input_x), k=k, sorted=sorted)


@composite("mint.topk")
def topk_ext(input, k, dim=-1, largest=True, sorted=True):
    """The k largest (or smallest) elements along a dimension, and where they were (Int64).

    >>> mint.topk(Tensor([1.0, 3.0, 2.0]), 2)[1]
    Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return ops.TopkExt(needs_tensor(input), k=k, dim=dim, largest=largest, sorted=sorted)


def needs_tensor(x):
    """``x``, refused if it is not a tensor.

    >>> needs_tensor(Tensor(1))
    Tensor(shape=[], dtype=Int64, value= 1)
    """
    if not (hasattr(x, "dtype") and hasattr(x, "shape")):
        raise errors.InvalidType(
            "the input must be a Tensor.",
            given=f"{x!r:.60} of type {type(x).__name__}",
            hint="Wrap it: Tensor(...).",
        )
    return x
