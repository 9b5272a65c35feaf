"""Pooling as Cells: the largest or the mean of windows. The stride is 1 unless another is given.

>>> from ms_ext import ops
>>> x = ops.arange(16.0).reshape(1, 1, 4, 4)
>>> MaxPool2d(2, 2)(x).asnumpy().tolist(), AvgPool2d(2, 2)(x).asnumpy().tolist()
([[[[5.0, 7.0], [13.0, 15.0]]]], [[[[2.5, 4.5], [10.5, 12.5]]]])
"""

from .. import ops
from ..engine import errors
from ..ops.pooling import largest, lifted, mean
from .arguments import check_positive, check_type
from .cell import Cell
from .convolutions import check_format

_MODES = ("VALID", "SAME", "PAD")


class Pool(Cell):
    """What all layers of windows have in common."""

    axes = 2
    format = "NCHW"  # the only layout there is on CPU

    def set_up(self, kernel_size, stride, pad_mode):
        """Check the arguments and keep them."""
        name = self.cls_name
        check_type(name, "pad_mode", pad_mode, str)
        self.pad_mode = pad_mode.upper()
        if self.pad_mode not in _MODES:
            raise errors.InvalidValue(
                f"For '{name}', the 'pad_mode' must be str and must be in '{list(_MODES)}', "
                f"but got '{self.pad_mode}'."
            )
        if self.axes == 1:
            check_positive(name, "kernel_size", kernel_size)
            check_positive(name, "stride", stride)
        self.kernel_size = self._checked("kernel_size", kernel_size)
        self.stride = self._checked("stride", stride)

    def _checked(self, name, value):
        check_type(self.cls_name, name, value, int, tuple)
        several = value if isinstance(value, tuple) else (value,)
        if any(type(each) is not int or each < 1 for each in several):
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the '{name}' must be an positive int number or a tuple, "
                f"but got {value}"
            )
        if len(several) not in (1, self.axes):
            raise errors.InvalidValue(
                f"For {self.cls_name}, the length of '{name}' must be {self.axes}, but got {value}."
            )
        return several[0] if len(several) == 1 else value

    def check_padding(self, padding):
        """An int or one per axis, 0 or more."""
        check_type(self.cls_name, "padding", padding, int, tuple, list)
        several = tuple(padding) if isinstance(padding, tuple | list) else (padding,) * self.axes
        several = several * self.axes if len(several) == 1 else several
        if len(several) != self.axes:
            raise errors.InvalidValue(
                f"For {self.cls_name}, the length of padding must equal to {self.axes}, "
                f"but got {len(several)}."
            )
        if any(type(n) is not int or n < 0 for n in several):
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'padding' must be ints of 0 or more, "
                f"but got {padding}."
            )
        return several

    def check_input(self, x):
        """A line has a batch and channels."""
        if x.ndim not in (self.axes + 1, self.axes + 2):
            wanted = self.axes + 2
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the input must has {wanted} dim, but got {x.ndim}"
            )

    def extend_repr(self):
        """The windows."""
        kernel, stride = self.kernel_size, self.stride
        if self.axes == 1:
            lead = (1, 1) if self.shown_deep else (1,)
            kernel, stride = (*lead, kernel), (*lead, stride)
        return f"kernel_size={kernel}, stride={stride}, pad_mode={self.pad_mode}"

    @property
    def shown_deep(self):
        """Whether MindSpore shows the windows of a line as those of a volume."""
        return self.pad_mode == "PAD"


class _MaxPool(Pool):
    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1,
        return_indices=False, ceil_mode=False,
    ):  # fmt: skip
        super().__init__()
        self.set_up(kernel_size, stride, pad_mode)
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode
        if self.pad_mode == "PAD":
            self.padding = self.check_padding(padding)
            self._check_dilation()
        elif padding != 0 or dilation != 1 or return_indices or ceil_mode:
            raise errors.InvalidValue(
                f"For {self.cls_name}, the parameter 'padding', 'dilation', 'return_indices', "
                "'ceil_mode' can not be set to non-default value when pad_mode is not 'pad', "
                f"but got pad_mode:{pad_mode}."
            )

    def _check_dilation(self):
        several = self.dilation if isinstance(self.dilation, tuple) else (self.dilation,)
        if any(type(n) is not int or n < 1 for n in several) or len(several) not in (1, self.axes):
            raise errors.InvalidValue(
                f"For {self.cls_name}, the 'dilation' must be int or tuple, but got "
                f"{self.dilation!r}."
            )

    def construct(self, x):
        """The largest of each window, and with ``return_indices`` where it is."""
        self.check_input(x)
        if self.pad_mode == "PAD":
            return largest(
                x, self.axes, self.kernel_size, self.stride, self.padding, self.dilation,
                self.return_indices, self.ceil_mode,
            )  # fmt: skip
        primitive = ops.MaxPool3D if self.axes == 3 else ops.MaxPool
        return lifted(_windows(primitive, self), x, self.axes, max(self.axes, 2))


def _windows(primitive, cell):
    """The primitive with a Cell's windows."""
    kernel, stride = cell.kernel_size, cell.stride
    if cell.axes == 1:
        kernel, stride = (1, kernel), (1, stride)
    how = {"kernel_size": kernel, "strides": stride, "pad_mode": cell.pad_mode}
    return lambda x: primitive(x, **how)


class MaxPool2d(_MaxPool):
    """The largest of each window of x (N, C, H, W) or (C, H, W).

    ``pad_mode`` "pad" alone takes ``padding``, ``dilation``, ``return_indices``, ``ceil_mode``.

    >>> from ms_ext import ops
    >>> MaxPool2d(2)(ops.ones((1, 1, 4, 4))).shape, MaxPool2d(2, 2)(ops.ones((1, 4, 4))).shape
    ((1, 1, 3, 3), (1, 2, 2))
    """

    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1,
        return_indices=False, ceil_mode=False, data_format="NCHW",
    ):  # fmt: skip
        how = (padding, dilation, return_indices, ceil_mode)
        super().__init__(kernel_size, stride, pad_mode, *how)
        check_format("MaxPool2d", data_format)


class MaxPool1d(_MaxPool):
    """The largest of each window of x (N, C, L) or (C, L).

    >>> from ms_ext import ops
    >>> MaxPool1d(3, 2)(ops.ones((1, 2, 7))).shape
    (1, 2, 3)
    """

    axes = 1


class MaxPool3d(_MaxPool):
    """The largest of each window of x (N, C, D, H, W) or (C, D, H, W).

    >>> from ms_ext import ops
    >>> MaxPool3d(2, 2)(ops.ones((1, 2, 4, 4, 4))).shape
    (1, 2, 2, 2, 2)
    """

    axes = 3


class _AvgPool(Pool):
    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False,
        count_include_pad=True, divisor_override=None,
    ):  # fmt: skip
        super().__init__()
        self.set_up(kernel_size, stride, pad_mode)
        self.padding, self.ceil_mode = self.check_padding(padding), ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override
        if divisor_override is not None and divisor_override <= 0:
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'divisor_override' must be > 0, "
                f"but got {divisor_override}."
            )
        if self.pad_mode != "PAD" and any(self.padding):
            raise errors.InvalidValue(
                f"For '{self.cls_name}', the 'padding' must be zero when 'pad_mode' is not 'pad', "
                f"but got {padding} and {pad_mode}."
            )

    def construct(self, x):
        """The mean of each window."""
        self.check_input(x)
        if self.pad_mode == "SAME":
            primitive = ops.AvgPool3D if self.axes == 3 else ops.AvgPool
            return lifted(_windows(primitive, self), x, self.axes, max(self.axes, 2))
        return mean(
            x, self.axes, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad, self.divisor_override,
        )  # fmt: skip


class AvgPool2d(_AvgPool):
    """The mean of each window of x (N, C, H, W) or (C, H, W).

    >>> from ms_ext import ops
    >>> AvgPool2d(2)(ops.ones((1, 1, 4, 4))).shape, AvgPool2d(2, 2)(ops.ones((1, 4, 4))).shape
    ((1, 1, 3, 3), (1, 2, 2))
    """

    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False,
        count_include_pad=True, divisor_override=None, data_format="NCHW",
    ):  # fmt: skip
        how = (padding, ceil_mode, count_include_pad, divisor_override)
        super().__init__(kernel_size, stride, pad_mode, *how)
        check_format("AvgPool2d", data_format)


class AvgPool1d(_AvgPool):
    """The mean of each window of x (N, C, L) or (C, L).

    >>> from ms_ext import ops
    >>> AvgPool1d(3, 2)(ops.ones((1, 2, 7))).shape
    (1, 2, 3)
    """

    axes = 1

    def __init__(
        self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False,
        count_include_pad=True,
    ):  # fmt: skip
        super().__init__(kernel_size, stride, pad_mode, padding, ceil_mode, count_include_pad)


class AvgPool3d(_AvgPool):
    """The mean of each window of x (N, C, D, H, W) or (C, D, H, W).

    >>> from ms_ext import ops
    >>> AvgPool3d(2, 2)(ops.ones((1, 2, 4, 4, 4))).shape
    (1, 2, 2, 2, 2)
    """

    axes = 3
