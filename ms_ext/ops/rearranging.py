"""Flatten, swap axes, pad, chunk, pick by index: composites of the layout and indexing ops."""

import math

from .. import ops
from ..engine import errors
from .axes import normal_axis
from .composite import composite


@composite("flatten")
def flatten(input, order="C", *, start_dim=1, end_dim=-1):
    """The axes from ``start_dim`` to ``end_dim`` made one; by default all but the first.

    >>> ops.flatten(ops.ones((2, 3, 4))).shape
    (2, 12)
    """
    if order not in ("C", "F"):
        raise errors.InvalidValue("the order must be 'C' or 'F'.", given=repr(order))
    x = input if order == "C" else ops.transpose(input)
    rank = x.ndim
    if rank < 2:
        return ops.reshape(x, (-1,))
    first, last = normal_axis(start_dim, rank), normal_axis(end_dim, rank)
    if first > last:
        raise errors.InvalidValue(
            "start_dim comes after end_dim.",
            given=f"start_dim={start_dim}, end_dim={end_dim}",
        )
    return ops.reshape(
        x, (*x.shape[:first], math.prod(x.shape[first : last + 1]), *x.shape[last + 1 :])
    )


@composite("Tensor.flatten")
def flattened(self, order="C", *, start_dim=0, end_dim=-1):
    """The axes from ``start_dim`` to ``end_dim`` made one; by default all.

    >>> ops.ones((2, 3)).flatten().shape
    (6,)
    """
    return flatten(self, order, start_dim=start_dim, end_dim=end_dim)


@composite("mint.flatten", "mint.nn.functional.flatten")
def flatten_all(input, start_dim=0, end_dim=-1):
    """The axes from ``start_dim`` to ``end_dim`` made one; by default all.

    >>> mint.flatten(ops.ones((2, 3))).shape
    (6,)
    """
    return flatten(input, start_dim=start_dim, end_dim=end_dim)


@composite("swapaxes", "Tensor.swapaxes")
def swapaxes(input, axis0, axis1):
    """Two axes change places.

    >>> ops.swapaxes(ops.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    order = list(range(input.ndim))
    one, other = normal_axis(axis0, input.ndim), normal_axis(axis1, input.ndim)
    if order:
        order[one], order[other] = order[other], order[one]
    return ops.transpose(input, tuple(order))


@composite("chunk", "Tensor.chunk", "mint.chunk")
def chunk(input, chunks, axis=0):
    """At most ``chunks`` parts of equal size along an axis; the last may be smaller.

    >>> [part.shape for part in ops.chunk(ops.ones((5, 2)), 2)]
    [(3, 2), (2, 2)]
    """
    size = input.shape[normal_axis(axis, input.ndim)]
    return ops.split(input, max(1, math.ceil(size / chunks)), axis)


@composite("index_select", "Tensor.index_select", "mint.index_select")
def index_select(input, axis, index):
    """The slices along an axis that ``index`` names.

    >>> ops.index_select(Tensor([5, 6, 7]), 0, Tensor([2, 0]))
    Tensor(shape=[2], dtype=Int64, value= [7, 5])
    """
    return ops.gather(input, index, axis)


@composite("narrow", "Tensor.narrow")
def narrow(input, axis, start, length):
    """``length`` slices along an axis, from ``start`` on.

    >>> ops.narrow(Tensor([5, 6, 7, 8]), 0, 1, 2)
    Tensor(shape=[2], dtype=Int64, value= [6, 7])
    """
    return input[(*[slice(None)] * normal_axis(axis, input.ndim), slice(start, start + length))]


@composite("Tensor.select")
def select(input, dim, index):
    """One slice along an axis, which is gone from the result.

    >>> Tensor([[1, 2], [3, 4]]).select(1, 0)
    Tensor(shape=[2], dtype=Int64, value= [1, 3])
    """
    return input[(*[slice(None)] * normal_axis(dim, input.ndim), index)]


@composite("TransposeView")
class TransposeView:
    """The primitive Transpose, in the words of MindSpore's views.

    >>> ops.TransposeView()(Tensor([[1, 2]]), (1, 0)).shape
    (2, 1)
    """

    def __new__(cls):
        return ops.Transpose()


@composite("gather_elements", "gather_d", "Tensor.gather_elements", "mint.gather")
def gather_elements(input, dim, index):
    """The elements that ``index`` names along one axis; everything else keeps its place.

    >>> ops.gather_elements(Tensor([[1, 2], [3, 4]]), 1, Tensor([[0], [1]]))
    Tensor(shape=[2, 1], dtype=Int64, value=
    [[1],
     [4]])
    """
    return ops.GatherD(input, index, dim=dim)


@composite("Tensor.where")
def where(self, condition, y):
    """This tensor where the condition is true, else ``y``.

    >>> Tensor([1.0, 2.0]).where(Tensor([True, False]), 0.0)
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  0.00000000e+00])
    """
    return ops.where(condition, self, y)


@composite("clamp", "clip", "Tensor.clamp", "Tensor.clip", "mint.clamp", "mint.clip")
def clamp(input, min=None, max=None):
    """x, but not below ``min`` and not above ``max``.

    >>> ops.clamp(Tensor([1.0, 5.0]), 2, 3)
    Tensor(shape=[2], dtype=Float32, value= [ 2.00000000e+00,  3.00000000e+00])
    """
    if min is None and max is None:
        raise errors.InvalidValue("give min, max or both.", given="neither")
    x = input if min is None else ops.where(input < min, min, input)
    return x if max is None else ops.where(x > max, max, x)


@composite("clip_by_value")
def clip_by_value(x, clip_value_min=None, clip_value_max=None):
    """x, or every tensor of a list, not below one value and not above another, in its own dtype.

    At a bound x and the bound share the gradient, as in ``ops.maximum``; ``ops.clamp`` gives it
    to x.

    >>> ops.clip_by_value(Tensor([1, 5]), 2.5, 4)
    Tensor(shape=[2], dtype=Int64, value= [2, 4])
    """
    if clip_value_min is None and clip_value_max is None:
        raise errors.InvalidValue("give clip_value_min, clip_value_max or both.", given="neither")
    if isinstance(x, tuple | list):
        return tuple(clip_by_value(each, clip_value_min, clip_value_max) for each in x)
    if clip_value_min is not None:
        x = ops.maximum(x, ops.cast(clip_value_min, x.dtype))
    return x if clip_value_max is None else ops.minimum(x, ops.cast(clip_value_max, x.dtype))


def _converter(name, dtype):
    @composite(f"Tensor.{name}")
    def convert(self):
        return ops.cast(self, dtype)

    convert.__doc__ = f"""The same numbers as {dtype}.

    >>> str(Tensor([1, 0]).{name}().dtype).lower().rstrip("_")
    {dtype.rstrip("_")!r}
    """
    return convert


for _name, _dtype in (
    ("bool", "bool_"),
    ("int", "int32"),
    ("long", "int64"),
    ("half", "float16"),
    ("float", "float32"),
    ("double", "float64"),
):
    _converter(_name, _dtype)
