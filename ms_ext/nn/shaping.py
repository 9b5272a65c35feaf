"""Layers without Parameters that arrange elements, or sum them up: Flatten, OneHot, Norm, ..."""

import math

from .. import dtype as dtypes
from .. import ops
from ..engine import errors
from .arguments import check_flag, check_int, check_type
from .cell import Cell


class Flatten(Cell):
    """The axes from ``start_dim`` to ``end_dim`` made one; by default all but the first.

    >>> from ms_ext import ops
    >>> Flatten()(ops.ones((2, 3, 4))).shape
    (2, 12)
    """

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x):
        """The flattened x."""
        axes = max(x.ndim, 1)
        if not (-axes <= self.start_dim < axes and -axes <= self.end_dim < axes):
            raise errors.InvalidValue("'start_dim' or 'end_dim' out of range.")
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    """One axis made several, of the sizes ``unflattened_size``.

    >>> from ms_ext import ops
    >>> Unflatten(1, (2, 3))(ops.ones((4, 6))).shape
    (4, 2, 3)
    """

    def __init__(self, axis, unflattened_size):
        super().__init__()
        self.axis = check_int("Unflatten", "axis", axis)
        check_type("Unflatten", "unflattened_size", unflattened_size, list, tuple)
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, x):
        """x in its new shape."""
        behind = x.shape[self.axis + 1 :] if self.axis != -1 else ()
        return ops.reshape(x, (*x.shape[: self.axis], *self.unflattened_size, *behind))


class Tril(Cell):
    """x with zeros above its diagonal number ``k``.

    >>> from ms_ext import ops
    >>> Tril()(ops.ones((2, 2)))
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 1.00000000e+00,  0.00000000e+00],
     [ 1.00000000e+00,  1.00000000e+00]])
    """

    def construct(self, x, k=0):
        """The lower part."""
        return ops.tril(x, k)


class Triu(Cell):
    """x with zeros below its diagonal number ``k``.

    >>> from ms_ext import ops
    >>> Triu()(ops.ones((2, 2)), 1)
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 0.00000000e+00,  1.00000000e+00],
     [ 0.00000000e+00,  0.00000000e+00]])
    """

    def construct(self, x, k=0):
        """The upper part."""
        return ops.triu(x, k)


class Roll(Cell):
    """The elements moved on by ``shift`` places along an axis; the last come first.

    >>> from ms_ext import Tensor
    >>> Roll(1, 0)(Tensor([1, 2, 3]))
    Tensor(shape=[3], dtype=Int64, value= [3, 1, 2])
    """

    def __init__(self, shift, axis):
        super().__init__()
        check_type("Roll", "shift", shift, int, tuple, list)
        check_type("Roll", "axis", axis, int, tuple, list)
        self.shift = (shift,) if isinstance(shift, int) else tuple(shift)
        self.axis = (axis,) if isinstance(axis, int) else tuple(axis)
        if len(self.shift) != len(self.axis):
            raise errors.InvalidValue(
                "For 'Roll', the shape of 'shift' and the shape of 'axis' must be the same, "
                f"but got the length of 'shift' {len(self.shift)} and the length of 'axis' "
                f"{len(self.axis)}."
            )

    def construct(self, x):
        """x, rolled along each axis in turn."""
        for shift, axis in zip(self.shift, self.axis, strict=True):
            x = _rolled(x, shift, axis)
        return x


def _rolled(x, shift, axis):
    if not -x.ndim <= axis < x.ndim:
        raise errors.InvalidValue(
            f"For 'Roll', the 'axis' must be in range of [{-x.ndim}, {x.ndim}), "
            f"but got {axis} with type 'int'."
        )
    size = x.shape[axis]
    cut = (size - shift) % size if size else 0
    front = ops.narrow(x, axis, cut, size - cut)
    return ops.concat((front, ops.narrow(x, axis, 0, cut)), axis=axis)


class OneHot(Cell):
    """``on_value`` at the place that each index names, else ``off_value``; on a new axis.

    >>> from ms_ext import Tensor
    >>> OneHot(depth=3)(Tensor([2]))
    Tensor(shape=[1, 3], dtype=Float32, value=
    [[ 0.00000000e+00,  0.00000000e+00,  1.00000000e+00]])
    """

    def __init__(self, axis=-1, depth=1, on_value=1.0, off_value=0.0, dtype=dtypes.float32):
        super().__init__()
        self.axis, self.depth, self.dtype = axis, depth, dtype
        self.on_value, self.off_value = on_value, off_value

    def construct(self, indices):
        """The vectors."""
        chosen = ops.one_hot(indices, self.depth, self.on_value, self.off_value, self.axis)
        return ops.cast(chosen, self.dtype)


class Norm(Cell):
    """The root of the sum of squares, along an axis or of all elements.

    >>> from ms_ext import Tensor
    >>> Norm()(Tensor([3.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 5)
    """

    def __init__(self, axis=(), keep_dims=False):
        super().__init__()
        self.axis, self.keep_dims = axis, check_flag("Norm", "keep_dims", keep_dims)

    def construct(self, x):
        """The length."""
        return ops.sqrt(ops.ReduceSum(ops.square(x), axis=self.axis, keep_dims=self.keep_dims))

    def extend_repr(self):
        """The options."""
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class L1Regularizer(Cell):
    """``scale`` times the sum of all sizes: what is added to a loss so that weights become 0.

    >>> from ms_ext import Tensor
    >>> L1Regularizer(0.5)(Tensor([1.0, -2.0]))
    Tensor(shape=[], dtype=Float32, value= 1.5)
    """

    def __init__(self, scale):
        super().__init__()
        check_type("L1Regularizer", "scale", scale, int, float)
        if scale <= 0:
            raise errors.InvalidValue(
                f"For 'L1Regularizer', the 'scale' must be greater than 0, but got {scale}."
            )
        if not math.isfinite(scale):
            raise errors.InvalidValue(
                f"For 'L1Regularizer', the 'scale' can not be INF or NAN, but got {scale}."
            )
        self.scale = scale

    def construct(self, weights):
        """The penalty."""
        return ops.sum(ops.abs(weights)) * self.scale
