"""Activations with PyTorch's names and options, as Cells."""

from ... import dtype as dtypes
from ... import nn
from ...common.initializer import initializer
from ...common.parameter import Parameter
from . import functional


class ELU(nn.Cell):
    """alpha * (exp(x) - 1) where x is negative, x above.

    >>> from ms_ext import Tensor
    >>> ELU(0.5)(Tensor([0.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def construct(self, input):
        """elu(x)"""
        return functional.elu(input, self.alpha, self.inplace)


class GELU(nn.Cell):
    """x times the share of a bell curve below x: exactly ("none"), or by a formula with tanh.

    >>> from ms_ext import Tensor
    >>> GELU("tanh")(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def construct(self, input):
        """gelu(x)"""
        return functional.gelu(input, approximate=self.approximate)


class GLU(nn.Cell):
    """The first half along a dim, times the sigmoid of the second half.

    >>> from ms_ext import Tensor
    >>> GLU()(Tensor([3.0, 0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 1.50000000e+00])
    """

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        """glu(x)"""
        return functional.glu(input, self.dim)


class Hardshrink(nn.Cell):
    """x where it is further than lambd from 0, else 0.

    >>> from ms_ext import Tensor
    >>> Hardshrink()(Tensor([-1.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  0.00000000e+00])
    """

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input):
        """hardshrink(x)"""
        return functional.hardshrink(input, self.lambd)


class Softshrink(nn.Cell):
    """x, moved towards 0 by lambd, and 0 where it gets there.

    >>> from ms_ext import Tensor
    >>> Softshrink()(Tensor([-1.5, 0.25]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  0.00000000e+00])
    """

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input):
        """softshrink(x)"""
        return functional.softshrink(input, self.lambd)


class Hardtanh(nn.Cell):
    """x between min_val and max_val, else the nearer of the two.

    >>> from ms_ext import Tensor
    >>> Hardtanh()(Tensor([-3.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  5.00000000e-01])
    """

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False):
        super().__init__()
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def construct(self, input):
        """hardtanh(x)"""
        return functional.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(nn.Cell):
    """x between 0 and 6, else the nearer of the two.

    >>> from ms_ext import Tensor
    >>> ReLU6()(Tensor([-1.0, 7.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  6.00000000e+00])
    """

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def construct(self, input):
        """relu6(x)"""
        return functional.relu6(input, self.inplace)


class SiLU(nn.Cell):
    """x * sigmoid(x).

    >>> from ms_ext import Tensor
    >>> SiLU()(Tensor([0.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def construct(self, input):
        """silu(x)"""
        return functional.silu(input)


class Threshold(nn.Cell):
    """x where it is above the threshold, else value.

    >>> from ms_ext import Tensor
    >>> Threshold(1.0, 9.0)(Tensor([0.5, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 9.00000000e+00,  2.00000000e+00])
    """

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def construct(self, input):
        """threshold(x)"""
        return functional.threshold(input, self.threshold, self.value, self.inplace)


class Softmax(nn.Cell):
    """exp(x), scaled to add up to 1 along a dim: without one, 0 for 0, 1 or 3 axes, else 1.

    >>> from ms_ext import Tensor
    >>> Softmax(0)(Tensor([0.0, 0.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 5.00000000e-01,  5.00000000e-01])
    """

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        """softmax(x)"""
        return functional.softmax(input, self.dim)


class LogSoftmax(nn.Cell):
    """log(softmax(x)) along a dim: without one, 0 for 0, 1 or 3 axes, else 1.

    >>> from ms_ext import Tensor
    >>> LogSoftmax(0)(Tensor([5.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def construct(self, input):
        """log_softmax(x)"""
        return functional.log_softmax(input, self.dim)


class PReLU(nn.Cell):
    """x where it is positive, elsewhere x times a trained weight: one, or one per channel (axis 1).

    >>> layer = PReLU(2)
    >>> [p.name for p in layer.get_parameters()], layer.weight.shape
    (['weight'], (2,))
    """

    def __init__(self, num_parameters=1, init=0.25, dtype=None):
        super().__init__()
        first = initializer(init, (num_parameters,), dtype or dtypes.float32)
        self.weight = Parameter(first, name="weight")

    def construct(self, input):
        """prelu(x, weight)"""
        return functional.prelu(input, self.weight)
