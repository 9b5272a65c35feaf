"""Elements added around, as Cells: zeros, a number, a mirror image, the last ones again.

``padding`` is an int, or (before, after) of the last axis, then of the one before it, and so on.

>>> from ms_ext import Tensor
>>> ReflectionPad1d((2, 1))(Tensor([[[1.0, 2.0, 3.0]]])).asnumpy().tolist()
[[[3.0, 2.0, 1.0, 2.0, 3.0, 2.0]]]
"""

from .. import ops
from ..engine import errors
from ..ops.surrounding import continued, pairs_of, surrounded
from .cell import Cell


class ConstantPad(Cell):
    """What the layers that add a number have in common; a padding below 0 cuts."""

    axes = 2

    def __init__(self, padding, value):
        super().__init__()
        self.padding, self.value = self._checked(padding), value
        if not isinstance(value, int | float):
            raise errors.InvalidType(
                f"For '{self.cls_name}', the type of parameter 'value' must be in [int, float], "
                f"but got {type(value)}"
            )

    def _checked(self, padding):
        name = self.cls_name
        if type(padding) is int:
            return (padding,) * 2 * self.axes
        if not isinstance(padding, tuple):
            raise errors.InvalidType(
                f"For '{name}', the type of parameter 'padding' must be in [int, tuple], "
                f"but got {type(padding)}"
            )
        if len(padding) % 2 or len(padding) > 2 * self.axes or not padding:
            raise errors.InvalidValue(
                f"For '{name}', the length of parameter 'padding' with tuple type must be a "
                f"multiple of 2 and no more than {2 * self.axes}, but got {len(padding)}"
            )
        return padding

    def construct(self, x):
        """x with the number around it."""
        return ops.pad(x, self.padding, "constant", self.value)


class ConstantPad1d(ConstantPad):
    """A number added before and after the last axis.

    >>> from ms_ext import Tensor
    >>> ConstantPad1d(1, 9.0)(Tensor([[[1.0, 2.0]]])).asnumpy().tolist()
    [[[9.0, 1.0, 2.0, 9.0]]]
    """

    axes = 1


class ConstantPad2d(ConstantPad):
    """A number added around the last two axes.

    >>> from ms_ext import ops
    >>> ConstantPad2d((1, 2, 0, 0), 0.5)(ops.ones((1, 1, 3, 3))).shape
    (1, 1, 3, 6)
    """


class ConstantPad3d(ConstantPad):
    """A number added around the last three axes.

    >>> from ms_ext import ops
    >>> ConstantPad3d(1, 0.5)(ops.ones((1, 1, 3, 3, 3))).shape
    (1, 1, 5, 5, 5)
    """

    axes = 3


class ZeroPad2d(ConstantPad):
    """Zeros added around the last two axes.

    >>> from ms_ext import ops
    >>> ZeroPad2d((1, 0, 0, 1))(ops.ones((1, 1, 1, 1))).asnumpy().tolist()
    [[[[0.0, 1.0], [0.0, 0.0]]]]
    """

    def __init__(self, padding):
        super().__init__(padding, 0)


class ContinuedPad(Cell):
    """What the layers that go on with x's own elements have in common."""

    axes, mode, least = 1, "reflect", 0

    def __init__(self, padding):
        super().__init__()
        name = self.cls_name
        padding = (padding,) * 2 * self.axes if type(padding) is int else padding
        if not isinstance(padding, tuple):
            raise errors.InvalidType(
                f"For '{name}' the input 'padding' must be an integer or tuple, "
                f"but got {type(padding).__name__}"
            )
        if len(padding) % 2:
            raise errors.InvalidValue(
                f"For '{name}' the length of input 'padding' must be divisible by 2, "
                f"but got padding of length {len(padding)}."
            )
        if any(type(n) is not int for n in padding):
            raise errors.InvalidType(
                f"For '{name}' every element in 'padding' must be integer, but got {padding}."
            )
        if self.least is not None and any(n < self.least for n in padding):
            raise errors.InvalidValue(
                f"For '{name}' every element in 'padding' must be >= 0. but got {padding}."
            )
        self.padding = padding

    def construct(self, x):
        """x going on beyond its ends."""
        pairs = pairs_of(self.padding)
        if x.ndim < len(pairs):
            raise errors.InvalidValue(
                f"For padding with length {2 * len(pairs)}, the dimension of the tensor should be "
                f"at least {len(pairs)}, but got {x.ndim}"
            )
        return continued(x, pairs, self.mode)


class ReflectionPad1d(ContinuedPad):
    """The last axis mirrored at its first and last elements.

    >>> from ms_ext import Tensor
    >>> ReflectionPad1d(1)(Tensor([[[1.0, 2.0]]])).asnumpy().tolist()
    [[[2.0, 1.0, 2.0, 1.0]]]
    """


class ReflectionPad2d(ContinuedPad):
    """The last two axes mirrored at their first and last elements.

    >>> from ms_ext import ops
    >>> ReflectionPad2d(1)(ops.ones((1, 1, 3, 3))).shape
    (1, 1, 5, 5)
    """

    axes = 2


class ReflectionPad3d(ContinuedPad):
    """The last three axes mirrored at their first and last elements.

    >>> from ms_ext import ops
    >>> ReflectionPad3d(1)(ops.ones((1, 1, 3, 3, 3))).shape
    (1, 1, 5, 5, 5)
    """

    axes = 3


class ReplicationPad1d(ContinuedPad):
    """The first and last elements of the last axis again.

    >>> from ms_ext import Tensor
    >>> ReplicationPad1d((2, 0))(Tensor([[[1.0, 2.0]]])).asnumpy().tolist()
    [[[1.0, 1.0, 1.0, 2.0]]]
    """

    mode, least = "replicate", None


class ReplicationPad2d(ContinuedPad):
    """The first and last elements of the last two axes again.

    >>> from ms_ext import ops
    >>> ReplicationPad2d(1)(ops.ones((1, 1, 3, 3))).shape
    (1, 1, 5, 5)
    """

    axes, mode, least = 2, "replicate", None


class ReplicationPad3d(ContinuedPad):
    """The first and last elements of the last three axes again.

    >>> from ms_ext import ops
    >>> ReplicationPad3d(1)(ops.ones((1, 1, 3, 3, 3))).shape
    (1, 1, 5, 5, 5)
    """

    axes, mode, least = 3, "replicate", None


class Pad(Cell):
    """Zeros ("CONSTANT") or a mirror image ("REFLECT", "SYMMETRIC") around every axis.

    ``paddings`` is ((before, after), ...), one pair per axis, in order.

    >>> from ms_ext import Tensor
    >>> Pad(((0, 2),), "SYMMETRIC")(Tensor([1.0, 2.0])).asnumpy().tolist()
    [1.0, 2.0, 2.0, 1.0]
    """

    def __init__(self, paddings, mode="CONSTANT"):
        super().__init__()
        if not isinstance(paddings, tuple):
            raise errors.InvalidType(
                "For 'Pad', the type of 'paddings' must be tuple, "
                f"but got {type(paddings).__name__}."
            )
        if any(not isinstance(pair, tuple | list) for pair in paddings):
            raise errors.InvalidType(
                "For 'Pad', every item of 'paddings' must be (before, after).", given=f"{paddings}"
            )
        if any(len(pair) != 2 for pair in paddings):
            raise errors.InvalidValue(
                "For 'Pad', every item of 'paddings' must be (before, after).", given=f"{paddings}"
            )
        if mode not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
            raise errors.InvalidValue(
                "For 'Pad', the 'mode' must be str and must be in '['CONSTANT', 'REFLECT', "
                f"'SYMMETRIC']', but got '{mode}'."
            )
        self.paddings, self.mode = tuple(map(tuple, paddings)), mode

    def construct(self, x):
        """x with elements around it."""
        if x.ndim != len(self.paddings):
            raise errors.InvalidValue(
                "For 'Pad', there must be one pair per axis.",
                given=f"shape {list(x.shape)}, paddings {self.paddings}",
            )
        if self.mode == "CONSTANT":
            return surrounded(x, self.paddings, 0)
        return continued(x, self.paddings, self.mode.lower())
