"""Which axes are meant: axis, shape and size arguments, checked and made canonical.

>>> normal_axes(-1, 3), normal_axes(None, 2), normal_axes((0, -1), 3)
((2,), (0, 1), (0, 2))
"""

import math

from ..engine import errors


def normal_axis(axis, rank, extra=0):
    """``axis`` counted from the front. ``extra``: one more place, for ops that add an axis.

    >>> normal_axis(-1, 2), normal_axis(2, 2, extra=1)
    (1, 2)
    """
    places = max(rank + extra, 1)
    if isinstance(axis, bool) or not hasattr(axis, "__index__"):
        raise errors.InvalidType("the axis must be an integer.", given=repr(axis))
    axis = axis.__index__()
    if not -places <= axis < places:
        raise errors.InvalidValue(
            f"the axis {axis} is out of range.",
            given=f"a tensor with {rank} axes" if rank != 1 else "a tensor with 1 axis",
            hint=f"Use an axis from {-places} to {places - 1}.",
        )
    return axis % places


def normal_axes(axis, rank):
    """The sorted axes meant by None or () (all), an integer, or several integers."""
    if axis is None or axis == () or axis == []:
        return tuple(range(rank))
    several = axis if isinstance(axis, tuple | list) else (axis,)
    axes = sorted(normal_axis(a, rank) for a in several)
    if len(set(axes)) < len(axes):
        raise errors.InvalidValue(
            "an axis is named twice.", given=f"axis {axis}", hint="Name each axis once."
        )
    return tuple(axes) if rank else ()


def reduced_shape(shape, axis, keep_dims):
    """The shape that is left when ``axis`` is reduced.

    >>> reduced_shape((2, 3, 4), 1, False), reduced_shape((2, 3, 4), (0, 2), True)
    ((2, 4), (1, 3, 1))
    """
    gone = normal_axes(axis, len(shape))
    if keep_dims:
        return tuple(1 if i in gone else size for i, size in enumerate(shape))
    return tuple(size for i, size in enumerate(shape) if i not in gone)


def as_shape(shape):
    """A tuple of sizes from a tuple, a list, one integer or a tensor of integers.

    >>> as_shape(3), as_shape([2, -1]), as_shape(Tensor([2, 3]))
    ((3,), (2, -1), (2, 3))
    """
    if hasattr(shape, "tolist"):
        shape = shape.tolist()
    sizes = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    if not all(hasattr(size, "__index__") and not isinstance(size, bool) for size in sizes):
        raise errors.InvalidType(
            "a shape must be made of integers.",
            given=repr(shape),
            hint="Sizes are known when a graph is built; take them from x.shape.",
        )
    return tuple(size.__index__() for size in sizes)


def sized(shape):
    """``shape`` as a tuple, refused if a size is negative."""
    sizes = as_shape(shape)
    if any(size < 0 for size in sizes):
        raise errors.InvalidValue(
            "a size is negative.", given=f"shape {list(sizes)}", hint="Sizes must be 0 or more."
        )
    return sizes


def filled_shape(shape, size):
    """``shape`` with its one -1 replaced so that it holds ``size`` elements.

    >>> filled_shape((2, -1), 6)
    (2, 3)
    """
    sizes = as_shape(shape)
    known = math.prod(s for s in sizes if s != -1)
    holes = sizes.count(-1)
    if holes == 1 and known > 0 and size % known == 0:
        return tuple(size // known if s == -1 else s for s in sizes)
    if holes == 0 and known == size and min(sizes, default=0) >= 0:
        return sizes
    raise errors.InvalidValue(
        f"{size} elements do not fit into the shape {list(sizes)}.",
        given=f"{size} elements, shape {list(sizes)}",
        hint="The sizes must multiply to the number of elements; one of them may be -1.",
    )


def normal_permutation(perm, rank):
    """A permutation of the axes, counted from the front; None reverses them.

    >>> normal_permutation(None, 3), normal_permutation((-1, 0), 2)
    ((2, 1, 0), (1, 0))
    """
    if perm is None:
        return tuple(reversed(range(rank)))
    axes = tuple(normal_axis(a, rank) for a in as_shape(perm))
    if sorted(axes) != list(range(rank)):
        raise errors.InvalidValue(
            "the permutation must name each axis once.",
            given=f"{tuple(perm)} for a tensor with {rank} axes",
            hint=f"Reorder {tuple(range(rank))}.",
        )
    return axes


def stretched_shape(shape, target):
    """``target`` with each -1 replaced by the size that ``shape`` has there.

    >>> stretched_shape((2, 1), (4, -1, 3))
    (4, 2, 3)
    """
    wanted = as_shape(target)
    lead = len(wanted) - len(shape)
    padded = (1,) * lead + tuple(shape)
    sizes = tuple(p if w == -1 else w for p, w in zip(padded, wanted, strict=lead >= 0))
    kept = wanted[:lead].count(-1) == 0 if lead >= 0 else False
    if not kept or any(p not in (1, s) for p, s in zip(padded, sizes, strict=True)):
        raise errors.InvalidValue(
            f"the shape {list(shape)} cannot be broadcast to {list(wanted)}.",
            given=f"{list(shape)} to {list(wanted)}",
            hint="Counted from the last axis, a size must stay, or be 1; new axes come in front.",
        )
    return sizes
