"""First numbers that are not drawn, and those that are mostly zeros: ones, an identity, ...

>>> Identity().make((2, 2), dtypes.float32)
array([[1., 0.],
       [0., 1.]], dtype=float32)
"""

import math

import numpy as np

from .. import dtype as dtypes  # noqa: F401  (for the examples)
from ..engine import errors
from . import philox
from .initializer_rule import Initializer, check_axes, named


@named("zeros")
class Zero(Initializer):
    """0 everywhere: "zeros".

    >>> Zero().make((2,), dtypes.float32)
    array([0., 0.], dtype=float32)
    """

    def _initialize(self, arr):
        arr.fill(0)


@named("ones")
class One(Initializer):
    """1 everywhere: "ones".

    >>> One().make((2,), dtypes.int32)
    array([1, 1], dtype=int32)
    """

    def _initialize(self, arr):
        arr.fill(1)


class Constant(Initializer):
    """One number everywhere.

    >>> Constant(3).make((2,), dtypes.float32)
    array([3., 3.], dtype=float32)
    """

    def __init__(self, value):
        super().__init__(value=value)
        self.value = value

    def _initialize(self, arr):
        arr.fill(self.value)


@named()
class Identity(Initializer):
    """1 where row and column are the same, else 0; of two axes.

    >>> Identity().make((1, 2), dtypes.float32)
    array([[1., 0.]], dtype=float32)
    """

    def _initialize(self, arr):
        check_axes("Identity", arr.shape, (2,), "2")
        arr[...] = np.eye(*arr.shape)


@named()
class Dirac(Initializer):
    """The kernel of a convolution that passes its channels on: 1 in the middle, else 0.

    Of 3 to 5 axes: outputs, inputs, and one to three of the kernel. The outputs lie in ``groups``.

    >>> Dirac().make((2, 2, 3), dtypes.float32)[0]
    array([[0., 1., 0.],
           [0., 0., 0.]], dtype=float32)
    """

    def __init__(self, groups=1):
        super().__init__(groups=groups)
        self.groups = groups

    def _initialize(self, arr):
        check_axes("Dirac", arr.shape, (3, 4, 5), "3, 4 or 5")
        if arr.shape[0] % self.groups:
            raise errors.InvalidValue(
                "For Dirac initializer, the first dimension of the initialized tensor must be "
                f"divisible by groups, but got first dimension {arr.shape[0]}, "
                f"groups {self.groups}."
            )
        arr.fill(0)
        size, middle = arr.shape[0] // self.groups, tuple(n // 2 for n in arr.shape[2:])
        for group in range(self.groups):
            for channel in range(min(size, arr.shape[1])):
                arr[(group * size + channel, channel, *middle)] = 1


@named()
class Sparse(Initializer):
    """From a bell curve, with a share of each column 0; of two axes.

    >>> int((Sparse(0.5).make((4, 3), dtypes.float32) == 0).sum())
    6
    """

    def __init__(self, sparsity, sigma=0.01):
        super().__init__(sparsity=sparsity, sigma=sigma)
        self.sparsity, self.sigma = sparsity, sigma

    def _initialize(self, arr):
        check_axes("Sparse", arr.shape, (2,), "2")
        rows, columns = arr.shape
        drawn = philox.normal(philox.next_seed(), 0, self.sigma, arr.size).reshape(arr.shape)
        for column in range(columns):
            zeros = np.random.permutation(list(range(rows)))[: math.ceil(self.sparsity * rows)]
            drawn[zeros, column] = 0
        arr[...] = drawn


@named()
class Orthogonal(Initializer):
    """Rows (or columns, the shorter ones) at right angles, each of length ``gain``.

    >>> w = Orthogonal().make((2, 3), dtypes.float64)
    >>> bool(np.allclose(w @ w.T, np.eye(2), atol=1e-6))
    True
    """

    def __init__(self, gain=1.0):
        super().__init__(gain=gain)
        self.gain = gain

    def _initialize(self, arr):
        check_axes("Orthogonal", arr.shape, range(2, 64), "no less than 2")
        rows = arr.shape[0]
        drawn = philox.normal(philox.next_seed(), 0, 1, arr.size).reshape(rows, -1)
        wide = drawn.shape[1] > rows
        q, r = np.linalg.qr(drawn.T if wide else drawn)
        q = q * np.sign(np.diag(r))  # one answer, evenly spread, whatever signs the QR chose
        arr[...] = self.gain * (q.T if wide else q).reshape(arr.shape)
