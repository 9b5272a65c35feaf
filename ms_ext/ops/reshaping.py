"""The same elements seen in another shape: moveaxis, ravel, expand, slices, blocks of space."""

import functools
import math

from .. import ops
from ..engine import errors
from .axes import as_shape, normal_axis
from .composite import composite


@composite("movedim", "moveaxis", "Tensor.movedim", "Tensor.moveaxis", "mint.movedim")
def movedim(x, source, destination):
    """Some axes moved to other places; the rest keep their order.

    >>> ops.movedim(ops.ones((2, 3, 4)), 0, 2).shape
    (3, 4, 2)
    """
    sources, places = [_axes(a, x.ndim) for a in (source, destination)]
    if (
        len(sources) != len(places)
        or len(set(sources)) < len(sources)
        or len(set(places)) < len(places)
    ):
        raise errors.InvalidValue(
            "source and destination must name as many axes, each once.",
            given=f"{source} and {destination}",
        )
    order = [i for i in range(x.ndim) if i not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return ops.transpose(x, tuple(order))


def _axes(axes, rank):
    several = axes if isinstance(axes, tuple | list) else (axes,)
    return [normal_axis(a, rank) for a in several]


@composite("ravel", "Tensor.ravel", "mint.ravel")
def ravel(input):
    """All elements on one line.

    >>> ops.ravel(ops.ones((2, 3))).shape
    (6,)
    """
    return ops.reshape(input, (-1,))


@composite("t", "Tensor.t", "mint.t")
def t(input):
    """Rows become columns; a line, a number or a tensor with more axes stays.

    >>> ops.t(ops.ones((2, 3))).shape
    (3, 2)
    """
    return ops.transpose(input, (1, 0)) if input.ndim == 2 else input


@composite("swapdims", "Tensor.swapdims")
def swapdims(input, dim0, dim1):
    """Two dimensions change places.

    >>> ops.swapdims(ops.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return ops.swapaxes(input, dim0, dim1)


@composite("expand")
def expand(input_x, size):
    """Repeated along new axes and along axes of size 1; -1 keeps a size.

    >>> ops.expand(Tensor([1, 2]), (2, -1)).shape
    (2, 2)
    """
    return ops.broadcast_to(input_x, as_shape(size))


@composite("Tensor.expand")
def expanded(self, *size):
    """Repeated along new axes and along axes of size 1; -1 keeps a size.

    >>> Tensor([1, 2]).expand(2, -1).shape
    (2, 2)
    """
    one = len(size) == 1 and not hasattr(size[0], "__index__")
    return ops.broadcast_to(self, as_shape(size[0] if one else size))


@composite("expand_as", "Tensor.expand_as")
def expand_as(input, other):
    """Broadcast to the shape of another tensor.

    >>> ops.expand_as(Tensor([1, 2]), ops.ones((3, 2))).shape
    (3, 2)
    """
    return ops.broadcast_to(input, other.shape)


@composite("view_as", "Tensor.view_as")
def view_as(input, other):
    """The same elements in the shape of another tensor.

    >>> ops.view_as(ops.ones(6), ops.ones((2, 3))).shape
    (2, 3)
    """
    return ops.reshape(input, other.shape)


@composite("Tensor.reshape_as")
def reshape_as(self, other):
    """The same elements in the shape of another tensor.

    >>> ops.ones(6).reshape_as(ops.ones((2, 3))).shape
    (2, 3)
    """
    return ops.reshape(self, other.shape)


@composite("type_as", "Tensor.type_as")
def type_as(input, other):
    """The same numbers in the dtype of another tensor.

    >>> ops.type_as(Tensor([1, 2]), Tensor(1.0))
    Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    return ops.cast(input, other.dtype)


@composite("slice")
def slice_of(input_x, begin, size):
    """``size`` elements along each axis, from ``begin`` on; a size of -1 means all that follow.

    >>> ops.slice(Tensor([5, 6, 7]), (1,), (2,))
    Tensor(shape=[2], dtype=Int64, value= [6, 7])
    """
    begin, size, shape = as_shape(begin), as_shape(size), input_x.shape
    if not len(begin) == len(size) == len(shape):
        raise errors.InvalidValue(
            "begin and size must have a number per axis.", given=f"{begin}, {size} for {shape}"
        )
    ends = [n if s == -1 else b + s for b, s, n in zip(begin, size, shape, strict=True)]
    fits = [0 <= b <= e <= n for b, e, n in zip(begin, ends, shape, strict=True)]
    if not all(fits):
        raise errors.InvalidValue(
            "the slice leaves the tensor.", given=f"begin {begin}, size {size}, shape {shape}"
        )
    return input_x[tuple([slice(b, e) for b, e in zip(begin, ends, strict=True)])]


@composite("Slice")
class Slice:
    """The primitive of ``ops.slice``.

    >>> ops.Slice()(Tensor([5, 6, 7]), (0,), (2,))
    Tensor(shape=[2], dtype=Int64, value= [5, 6])
    """

    def __new__(cls):
        return slice_of


@composite("strided_slice")
def strided_slice(
    input_x, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0,
    shrink_axis_mask=0,
):  # fmt: skip
    """Elements from ``begin`` to ``end`` in steps of ``strides``, each axis by its numbers.

    Bit i of a mask changes what number i means: no begin, no end, ``...``, a new axis, one element.

    >>> ops.strided_slice(Tensor([5, 6, 7]), (0,), (3,), (2,))
    Tensor(shape=[2], dtype=Int64, value= [5, 7])
    """
    numbers = [as_shape(v) for v in (begin, end, strides)]
    if len({len(n) for n in numbers}) > 1 or 0 in numbers[2]:
        raise errors.InvalidValue(
            "begin, end and strides must have as many numbers, and no stride may be 0.",
            given=f"{begin}, {end}, {strides}",
        )
    index = []
    for i, (low, high, step) in enumerate(zip(*numbers, strict=True)):
        if ellipsis_mask >> i & 1:
            index.append(Ellipsis)
        elif new_axis_mask >> i & 1:
            index.append(None)
        elif shrink_axis_mask >> i & 1:
            index.append(low)
        else:
            low = None if begin_mask >> i & 1 else low
            index.append(slice(low, None if end_mask >> i & 1 else high, step))
    return input_x[tuple(index)]


@composite("StridedSlice")
class StridedSlice:
    """The primitive of ``ops.strided_slice``, made with the masks.

    >>> ops.StridedSlice(shrink_axis_mask=1)(Tensor([5, 6]), (1,), (2,), (1,))
    Tensor(shape=[], dtype=Int64, value= 6)
    """

    def __new__(
        cls, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0, shrink_axis_mask=0
    ):
        masks = {"begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask}
        masks |= {"new_axis_mask": new_axis_mask, "shrink_axis_mask": shrink_axis_mask}
        return functools.partial(strided_slice, **masks)


@composite("space_to_batch_nd")
def space_to_batch_nd(input_x, block_size, paddings):
    """Each place within a block of space becomes a batch of its own; NC before the axes of space.

    >>> ops.space_to_batch_nd(ops.ones((1, 1, 2, 2)), [2, 2], [[0, 0], [0, 0]]).shape
    (4, 1, 1, 1)
    """
    blocks, rank = _blocks(block_size, input_x), input_x.ndim
    lead = rank - len(blocks)
    x = ops.PadV3(input_x, paddings=((0, 0),) * lead + tuple(map(tuple, paddings)))
    pairs = []
    for size, block in zip(x.shape[lead:], blocks, strict=True):
        if size % block:
            raise errors.InvalidValue(
                "a size is no multiple of its block.", given=f"{size}, {block}"
            )
        pairs += [size // block, block]
    wide = ops.reshape(x, (*x.shape[:lead], *pairs))
    inner = tuple(range(lead + 1, wide.ndim, 2))
    order = (*inner, *range(lead), *range(lead, wide.ndim, 2))
    batch = x.shape[0] * math.prod(blocks)
    return ops.reshape(ops.transpose(wide, order), (batch, *x.shape[1:lead], *pairs[::2]))


def _blocks(block_size, x):
    several = isinstance(block_size, tuple | list)
    return tuple(block_size) if several else (block_size,) * (x.ndim - 2)


@composite("batch_to_space_nd")
def batch_to_space_nd(input_x, block_shape, crops):
    """The reverse of ``space_to_batch_nd``; then ``crops`` are cut off.

    >>> ops.batch_to_space_nd(ops.ones((4, 1, 1, 1)), [2, 2], [[0, 0], [0, 0]]).shape
    (1, 1, 2, 2)
    """
    x, blocks = input_x, _blocks(block_shape, input_x)
    count, lead = len(blocks), x.ndim - len(blocks)
    if x.shape[0] % math.prod(blocks):
        raise errors.InvalidValue(
            "the number of batches is no multiple of the block.", given=f"{x.shape[0]}, {blocks}"
        )
    batch = x.shape[0] // math.prod(blocks)
    wide = ops.reshape(x, (*blocks, batch, *x.shape[1:]))
    space = [place for i in range(count) for place in (count + lead + i, i)]
    order = (*range(count, count + lead), *space)
    shape = [n * b for n, b in zip(x.shape[lead:], blocks, strict=True)]
    full = ops.reshape(ops.transpose(wide, order), (batch, *x.shape[1:lead], *shape))
    cut = [slice(a, n - b) for n, (a, b) in zip(shape, crops, strict=True)]
    return full[(*[slice(None)] * lead, *cut)]


@composite("SpaceToDepth")
class SpaceToDepth:
    """Blocks of space become channels: (N, C, H, W) to (N, C * b * b, H / b, W / b).

    >>> ops.SpaceToDepth(2)(ops.ones((1, 1, 2, 4))).shape
    (1, 4, 1, 2)
    """

    def __new__(cls, block_size):
        return functools.partial(_to_depth, block_size)


def _to_depth(block, x):
    n, c, h, w = x.shape
    wide = ops.reshape(x, (n, c, h // block, block, w // block, block))
    moved = ops.transpose(wide, (0, 3, 5, 1, 2, 4))
    return ops.reshape(moved, (n, c * block * block, h // block, w // block))


@composite("DepthToSpace")
class DepthToSpace:
    """Channels become blocks of space: the reverse of ``SpaceToDepth``.

    >>> ops.DepthToSpace(2)(ops.ones((1, 4, 1, 2))).shape
    (1, 1, 2, 4)
    """

    def __new__(cls, block_size):
        return functools.partial(_to_space, block_size)


def _to_space(block, x):
    n, c, h, w = x.shape
    wide = ops.reshape(x, (n, block, block, c // block // block, h, w))
    moved = ops.transpose(wide, (0, 3, 4, 1, 5, 2))
    return ops.reshape(moved, (n, c // block // block, h * block, w * block))
