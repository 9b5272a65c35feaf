"""Smooth activations and gates as Cells: each calls the function of its name.

>>> from ms_ext import Tensor
>>> Softsign()(Tensor([1.0]))
Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
"""

from .. import ops
from ..engine import errors
from .cell import Cell


class Mish(Cell):
    """x * tanh(softplus(x)).

    >>> from ms_ext import Tensor
    >>> Mish()(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def construct(self, input_x):
        """mish(x)"""
        return ops.mish(input_x)


class Softsign(Cell):
    """x / (1 + |x|).

    >>> from ms_ext import Tensor
    >>> Softsign()(Tensor([-3.0]))
    Tensor(shape=[1], dtype=Float32, value= [-7.50000000e-01])
    """

    def construct(self, x):
        """softsign(x)"""
        return ops.softsign(x)


class LogSigmoid(Cell):
    """log(sigmoid(x)).

    >>> from ms_ext import Tensor
    >>> LogSigmoid()(Tensor([-100.0]))
    Tensor(shape=[1], dtype=Float32, value= [-1.00000000e+02])
    """

    def construct(self, input_x):
        """logsigmoid(x)"""
        return ops.logsigmoid(input_x)


class Tanhshrink(Cell):
    """x - tanh(x).

    >>> from ms_ext import Tensor
    >>> Tanhshrink()(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def construct(self, x):
        """tanhshrink(x)"""
        return ops.tanhshrink(x)


class FastGelu(Cell):
    """x * sigmoid(1.702 x).

    >>> from ms_ext import Tensor
    >>> FastGelu()(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def construct(self, x):
        """FastGeLU(x)"""
        return ops.FastGeLU(x)


class GLU(Cell):
    """The first half along an axis, times the sigmoid of the second half.

    >>> from ms_ext import Tensor
    >>> GLU()(Tensor([3.0, 0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.50000000e+00])
    """

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """glu(x)"""
        return ops.glu(x, self.axis)


class Softmin(Cell):
    """softmax(-x): the smallest gets the largest share.

    >>> from ms_ext import Tensor
    >>> Softmin()(Tensor([0.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  5.00000000e-01])
    """

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """softmin(x)"""
        return ops.softmin(x, self.axis)


class Softmax2d(Cell):
    """The shares of the channels at each place of an image: softmax along the third axis from last.

    >>> from ms_ext import ops
    >>> Softmax2d()(ops.zeros((1, 2, 1, 1))).shape
    (1, 2, 1, 1)
    """

    def construct(self, x):
        """softmax(x, -3)"""
        if x.ndim not in (3, 4):
            raise errors.InvalidValue(
                f"For 'Softmax2d', the in_shape must have 3 or 4 dims, but got {x.ndim}."
            )
        return ops.softmax(x, -3)
