"""Products that spread: kron (blocks), cross (in space), batch_dot (along axes of a batch)."""

from .. import ops
from ..engine import errors
from .axes import normal_axis
from .composite import composite
from .shapes import common_shape


@composite("kron")
def kron(input, other):
    """Every element of ``input`` times the whole of ``other``: a tensor of blocks.

    >>> ops.kron(Tensor([1, 2]), Tensor([1, 1]))
    Tensor(shape=[4], dtype=Int64, value= [1, 1, 2, 2])
    """
    rank = max(input.ndim, other.ndim)
    one = (1,) * (rank - input.ndim) + tuple(input.shape)
    two = (1,) * (rank - other.ndim) + tuple(other.shape)
    places = ops.reshape(input, [n for size in one for n in (size, 1)])
    blocks = ops.reshape(other, [n for size in two for n in (1, size)])
    return ops.reshape(places * blocks, tuple(a * b for a, b in zip(one, two, strict=True)))


@composite("cross", "Tensor.cross", "mint.cross")
def cross(input, other, dim=None):
    """The vector at right angles to two, along an axis of size 3; by default the first such axis.

    >>> ops.cross(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0]))
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  0.00000000e+00,  1.00000000e+00])
    """
    shape = common_shape(tuple(input.shape), tuple(other.shape))
    axis = _spatial(shape) if dim is None else normal_axis(dim, len(shape))
    sizes = [x.shape[axis - len(shape)] for x in (input, other) if x.ndim >= len(shape) - axis]
    if sizes != [3, 3]:
        raise errors.InvalidValue(
            "the axis of a cross product must have size 3.",
            given=f"{list(input.shape)} and {list(other.shape)}, axis {dim}",
        )
    x, y, z = _components(input, axis - len(shape))
    a, b, c = _components(other, axis - len(shape))
    return ops.concat((y * c - z * b, z * a - x * c, x * b - y * a), axis)


def _spatial(shape):
    return shape.index(3) if 3 in shape else len(shape) - 1


def _components(x, axis):
    place = (slice(None),) * (x.ndim + axis)
    return [x[(*place, slice(i, i + 1))] for i in range(3)]


@composite("batch_dot")
def batch_dot(x1, x2, axes=None):
    """Products of what belongs together in two batches, added up over one axis of each.

    >>> ops.batch_dot(ops.ones((2, 3, 4)), ops.ones((2, 5, 4)), (2, 2)).shape
    (2, 3, 5)
    """
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[0] != x2.shape[0]:
        raise errors.InvalidValue(
            "the batches must be of one size, and of two axes or more.",
            given=f"{list(x1.shape)} and {list(x2.shape)}",
        )
    one, other = _shared_axes(x1, x2, axes)
    if x1.shape[one] != x2.shape[other]:
        raise errors.ShapeMismatch(
            "the sizes of the axes do not fit.",
            given=f"{x1.shape[one]} (axis {one}) and {x2.shape[other]} (axis {other})",
        )
    left, right = _to_end(x1, one), _to_end(x2, other)
    batch, size = x1.shape[0], x1.shape[one]
    flat = ops.BatchMatMul(
        ops.reshape(left, (batch, -1, size)), ops.reshape(right, (batch, -1, size)),
        transpose_b=True,
    )  # fmt: skip
    shape = (batch, *left.shape[1:-1], *right.shape[1:-1])
    return ops.reshape(flat, shape if len(shape) > 1 else (batch, 1))


def _shared_axes(x1, x2, axes):
    if axes is None:
        axes = (x1.ndim - 1, max(x2.ndim - 2, 1))
    pair = (axes, axes) if isinstance(axes, int) else tuple(axes)
    one, other = normal_axis(pair[0], x1.ndim), normal_axis(pair[1], x2.ndim)
    if 0 in (one, other):
        raise errors.InvalidValue("axis 0 is the batch.", given=f"axes {pair}")
    return one, other


def _to_end(x, axis):
    order = [i for i in range(x.ndim) if i != axis]
    return ops.transpose(x, (*order, axis))
