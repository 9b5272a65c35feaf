"""What can be done with one array, whatever it means?

A transform that treats every number alike has ``over_rows``: the same for rows stacked by a batch.
"""

import enum

import numpy as np

from ...dtype import DType
from ...engine import errors
from ...engine.data.batches import padded
from .. import checks


def given(value, name):
    """What a transform was called with, as an array.

    >>> given([1, 2], "Fill")
    array([1, 2])
    """
    if value is None or isinstance(value, dict):
        raise errors.InvalidType(
            f"{name}: this cannot be converted into an array.", given=f"{value!r:.60}"
        )
    return value if isinstance(value, np.ndarray) else np.asarray(value)


def numpy_type(dtype, name):
    """NumPy's type for one of MindSpore's or NumPy's own.

    >>> numpy_type(np.uint8, "data_type")
    dtype('uint8')
    """
    if isinstance(dtype, DType):
        return dtype.numpy
    if isinstance(dtype, type | np.dtype | str) and dtype not in (str, bytes, object):
        try:
            return np.dtype(dtype)
        except TypeError:
            pass
    raise errors.InvalidType(
        f"Argument {name} must be a type of MindSpore or NumPy.",
        given=f"{dtype!r:.60}",
        hint="For instance ms.float32 or np.int32.",
    )


class TypeCast:
    """The same numbers in another type; fractions are cut off.

    >>> import ms_ext as ms
    >>> TypeCast(ms.int32)(np.array([1.7, -2.0]))
    array([ 1, -2], dtype=int32)
    """

    def __init__(self, data_type):
        self.data_type = numpy_type(data_type, "data_type")

    def __call__(self, value):
        return self.over_rows(given(value, "TypeCast"))

    def over_rows(self, stack):
        """The same for stacked rows."""
        with np.errstate(invalid="ignore"):
            if self.data_type.kind == "u" and stack.dtype.kind == "f":  # -2.0 is 254, as in C
                return stack.astype(np.int64).astype(self.data_type)
            return stack.astype(self.data_type)


class OneHot:
    """A class' number as zeros and a one; with ``smoothing_rate`` a bit less than one.

    >>> OneHot(4)(np.array(2))
    array([0, 0, 1, 0])
    """

    def __init__(self, num_classes, smoothing_rate=0.0):
        checks.of_type(num_classes, int, "num_classes")
        if num_classes < 1:
            raise errors.InvalidValue(
                "Input num_classes must be greater than 0.", given=num_classes
            )
        self.num_classes = num_classes
        self.smoothing_rate = checks.fraction(smoothing_rate, "smoothing_rate")

    def __call__(self, value):
        return self.over_rows(given(value, "OneHot")[None])[0]

    def over_rows(self, stack):
        """The same for stacked rows; a row of one number is that number."""
        stack = stack[:, 0] if stack.shape[1:] == (1,) else stack
        if stack.dtype.kind not in "iu":
            raise errors.NotRunnable(
                f"OneHot: Only support input of int type, but got: {stack.dtype}",
                hint="TypeCast before it.",
            )
        if stack.size and not 0 <= stack.min() <= stack.max() < self.num_classes:
            raise errors.NotRunnable(
                "OneHot: index values should be at least 0 and not bigger than num classes: "
                f"{self.num_classes}, but got: {stack.min()} to {stack.max()}",
                hint="Count the classes from 0.",
            )
        if not self.smoothing_rate:
            return np.eye(self.num_classes, dtype=stack.dtype)[stack]
        rest = self.smoothing_rate / self.num_classes
        return (np.eye(self.num_classes) * (1 - self.smoothing_rate) + rest)[stack]


class Fill:
    """One number everywhere.

    >>> Fill(7)(np.zeros(2, np.int32))
    array([7, 7], dtype=int32)
    """

    def __init__(self, fill_value):
        self.fill_value = checks.of_type(fill_value, (str, float, bool, int, bytes), "fill_value")

    def __call__(self, value):
        return self.over_rows(given(value, "Fill"))

    def over_rows(self, stack):
        """The same for stacked rows."""
        return np.full(stack.shape, np.asarray(self.fill_value).astype(stack.dtype))


class Relational(enum.IntEnum):
    """How ``Mask`` compares.

    >>> Relational.GT.name
    'GT'
    """

    EQ, NE, GT, GE, LT, LE = range(6)


class Mask:
    """Where the comparison with a constant holds.

    >>> Mask(Relational.GT, 1)(np.array([1, 2]))
    array([False,  True])
    """

    def __init__(self, operator, constant, dtype=bool):
        self.operator = checks.of_type(operator, Relational, "operator")
        self.constant = checks.of_type(constant, (str, float, bool, int, bytes), "constant")
        self.dtype = numpy_type(dtype, "dtype")

    def __call__(self, value):
        return self.over_rows(given(value, "Mask"))

    def over_rows(self, stack):
        """The same for stacked rows."""
        compare = (np.equal, np.not_equal, np.greater, np.greater_equal, np.less, np.less_equal)
        return compare[self.operator](stack, self.constant).astype(self.dtype)


class PadEnd:
    """Filled up at the ends of the axes, or cut off there; None leaves an axis.

    >>> PadEnd([3], -1)(np.array([1, 2]))
    array([ 1,  2, -1])
    """

    def __init__(self, pad_shape, pad_value=None):
        self.pad_shape = list(checks.of_type(pad_shape, list, "pad_shape"))
        self.pad_value = pad_value

    def __call__(self, value):
        array = given(value, "PadEnd")
        if array.ndim != len(self.pad_shape):
            raise errors.NotRunnable(
                "PadEnd: invalid pad shape, as rank of input data should be equal to the rank of "
                f"pad_shape, but got: {array.ndim} and {len(self.pad_shape)}"
            )
        sizes = zip(self.pad_shape, array.shape, strict=True)
        return padded(array, [own if n is None else n for n, own in sizes], self.pad_value)


class Concatenate:
    """Arrays before and after the value.

    >>> Concatenate(0, np.array([9]), np.array([8]))(np.array([1, 2]))
    array([9, 1, 2, 8])
    """

    def __init__(self, axis=0, prepend=None, append=None):
        self.axis, self.prepend, self.append = checks.of_type(axis, int, "axis"), prepend, append

    def __call__(self, *values):
        parts = [self.prepend, *values, self.append]
        arrays = [given(part, "Concatenate") for part in parts if part is not None]
        return np.concatenate(arrays, self.axis)


class Duplicate:
    """The value twice, as two columns.

    >>> Duplicate()(np.array(3))
    (array(3), array(3))
    """

    def __call__(self, value):
        array = given(value, "Duplicate")
        return array, array.copy()


class Slice:
    """Part of the value: for each axis a slice, a number, a list of numbers, None or ... for all.

    >>> Slice(slice(1, 3))(np.arange(5))
    array([1, 2])
    """

    def __init__(self, *slices):
        for each in slices:
            kinds = (slice, int, list, type(None), type(...))
            checks.of_type(each, kinds, "slice")
        self.slices = slices

    def __call__(self, value):
        array = given(value, "Slice")
        if self.slices == (...,):
            return array
        for axis, asked in enumerate(self.slices):
            if asked is not None:
                places = np.arange(array.shape[axis])[asked]
                array = np.take(array, np.atleast_1d(places), axis)
        return array
