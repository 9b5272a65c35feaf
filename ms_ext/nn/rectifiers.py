"""Relatives of ReLU as Cells: x where it is large enough, something small elsewhere.

>>> from ms_ext import Tensor
>>> LeakyReLU()(Tensor([-1.0, 2.0]))
Tensor(shape=[2], dtype=Float32, value= [-2.00000003e-01,  2.00000000e+00])
"""

import numpy as np

from .. import dtype as dtypes
from .. import ops
from ..common.initializer import initializer
from ..common.parameter import Parameter
from ..engine import errors
from ..engine.tensor import Tensor
from .arguments import check_type
from .cell import Cell


class ReLU6(Cell):
    """x between 0 and 6, else the nearer of the two.

    >>> from ms_ext import Tensor
    >>> ReLU6()(Tensor([-1.0, 7.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  6.00000000e+00])
    """

    def construct(self, x):
        """relu6(x)"""
        return ops.relu6(x)


class LeakyReLU(Cell):
    """x where it is positive, alpha * x elsewhere.

    >>> from ms_ext import Tensor
    >>> LeakyReLU(0.5)(Tensor([-1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [-5.00000000e-01,  2.00000000e+00])
    """

    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """leaky_relu(x)"""
        return ops.leaky_relu(x, self.alpha)


class PReLU(Cell):
    """x where it is positive, elsewhere x times a trained weight: one, or one per channel (axis 1).

    >>> layer = PReLU(2)
    >>> [p.name for p in layer.get_parameters()], layer.w.shape
    (['a'], (2,))
    """

    def __init__(self, channel=1, w=0.25):
        super().__init__()
        if type(channel) is not int:
            raise errors.InvalidType(
                f"For 'PReLU', the 'channel' must be int, but got '{type(channel).__name__}'"
            )
        if channel <= 0:
            raise errors.InvalidValue(
                f"For 'PReLU', the 'channel' must be int and must > 0, but got '{channel}' "
                "with type 'int'."
            )
        self.w = Parameter(_slopes(channel, w), name="a")

    def construct(self, x):
        """prelu(x, w)"""
        return ops.prelu(x, ops.cast(self.w, x.dtype))


def _slopes(channel, w):
    if isinstance(w, int | float) and not isinstance(w, bool):
        return initializer(w, (channel,), dtypes.float32)
    if isinstance(w, list):
        w = Tensor(np.asarray(w, np.float32))
    if not hasattr(w, "dtype"):
        raise errors.InvalidType(
            "For 'PReLU', the 'w' only supported float, list and tensor, "
            f"but got {type(w).__name__}."
        )
    if w.dtype not in (dtypes.float16, dtypes.float32):
        raise errors.InvalidValue(
            "For 'PReLU', the dtype of 'w' must be float16 or float32 when the 'w' is a tensor, "
            f"but got {w.dtype}."
        )
    if w.shape != (channel,):
        raise errors.InvalidValue(
            "For 'PReLU', the dimension of 'w' must be 1, and the elements number should be equal "
            f"to the 'channel' when the 'w' is a tensor, but got 'w' shape {w.shape}, "
            f"the 'channel' {channel}."
        )
    return w


class RReLU(Cell):
    """x where it is positive, elsewhere x times a number drawn between lower and upper.

    >>> from ms_ext import Tensor
    >>> RReLU(0.5, 0.5)(Tensor([-1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [-5.00000000e-01,  2.00000000e+00])
    """

    def __init__(self, lower=1 / 8, upper=1 / 3):
        super().__init__()
        self.lower = check_type("RReLU", "lower", lower, float, int)
        self.upper = check_type("RReLU", "upper", upper, float, int)
        if upper < lower:
            raise errors.InvalidValue(
                "For RReLU, the value of 'upper' must be greater than or equal to 'lower', "
                f"but got upper: {upper}, lower: {lower}."
            )

    def construct(self, x):
        """rrelu(x)"""
        return ops.rrelu(x, self.lower, self.upper)


class ELU(Cell):
    """alpha * (exp(x) - 1) where x is negative, x above; as in MindSpore alpha must be 1.

    >>> from ms_ext import Tensor
    >>> ELU()(Tensor([0.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """elu(x)"""
        return ops.elu(x, self.alpha)


class CELU(Cell):
    """alpha * (exp(x / alpha) - 1) where x is negative, x above.

    >>> from ms_ext import Tensor
    >>> CELU(2.0)(Tensor([0.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """celu(x)"""
        return ops.celu(x, self.alpha)


class SeLU(Cell):
    """1.0507 * (x above 0, 1.6733 * (exp(x) - 1) below).

    >>> from ms_ext import Tensor
    >>> SeLU()(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def construct(self, input_x):
        """selu(x)"""
        return ops.selu(input_x)


class HSigmoid(Cell):
    """x / 6 + 1 / 2, but no less than 0 and no more than 1.

    >>> from ms_ext import Tensor
    >>> HSigmoid()(Tensor([-4.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  5.00000000e-01])
    """

    def construct(self, input_x):
        """hardsigmoid(x)"""
        return ops.hardsigmoid(input_x)


class Hardtanh(Cell):
    """x between min_val and max_val, else the nearer of the two.

    >>> from ms_ext import Tensor
    >>> Hardtanh()(Tensor([-3.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  5.00000000e-01])
    """

    def __init__(self, min_val=-1.0, max_val=1.0):
        super().__init__()
        self.min_val = check_type("Hardtanh", "min_val", min_val, float, int)
        self.max_val = check_type("Hardtanh", "max_val", max_val, float, int)
        if min_val >= max_val:
            raise errors.InvalidValue(
                f"For Hardtanh, min_val should be less than max_val,but got {min_val} and {max_val}"
            )

    def construct(self, x):
        """hardtanh(x)"""
        return ops.hardtanh(x, self.min_val, self.max_val)


class HShrink(Cell):
    """x where it is further than lambd from 0, else 0.

    >>> from ms_ext import Tensor
    >>> HShrink()(Tensor([-1.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  0.00000000e+00])
    """

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = check_type("HShrink", "lambd", lambd, bool, int, float)

    def construct(self, input_x):
        """hardshrink(x)"""
        return ops.hardshrink(input_x, self.lambd)


class SoftShrink(Cell):
    """x, moved towards 0 by lambd, and 0 where it gets there.

    >>> from ms_ext import Tensor
    >>> SoftShrink()(Tensor([-1.5, 0.25]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  0.00000000e+00])
    """

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = check_type("SoftShrink", "lambd", lambd, bool, int, float)

    def construct(self, input_x):
        """softshrink(x)"""
        return ops.softshrink(input_x, self.lambd)


class Threshold(Cell):
    """x where it is above the threshold, else value.

    >>> from ms_ext import Tensor
    >>> Threshold(1.0, 9.0)(Tensor([0.5, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 9.00000000e+00,  2.00000000e+00])
    """

    def __init__(self, threshold, value):
        super().__init__()
        self.threshold, self.value = threshold, value

    def construct(self, input_x):
        """threshold(x)"""
        return ops.threshold(input_x, self.threshold, self.value)
