"""Functions of x that are written to x: the methods ``exp_``, ``clamp_``, ``addmm_`` and others."""

from .. import ops
from .gates import hardtanh_ext
from .writing import writes


def _exponential(x):
    """Write exp(x) to x; gives x.

    >>> Tensor([0.0]).exp_()
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    return ops.exp(x)


def _logarithm(x):
    """Write log(x) to x; gives x.

    >>> Tensor([1.0]).log_()
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    return ops.log(x)


def _floor(x):
    """Write x rounded down to x; gives x.

    >>> Tensor([1.5]).floor_()
    Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    """
    return ops.floor(x)


def _sign(x):
    """Write the sign of x to x; gives x.

    >>> Tensor([-1.5]).sign_()
    Tensor(shape=[1], dtype=Float32, value= [-1.00000000e+00])
    """
    return ops.sign(x)


def _sigmoid(x):
    """Write sigmoid(x) to x; gives x.

    >>> Tensor([0.0]).sigmoid_()
    Tensor(shape=[1], dtype=Float32, value= [ 5.00000000e-01])
    """
    return ops.sigmoid(x)


def _tanh(x):
    """Write tanh(x) to x; gives x.

    >>> Tensor([0.0]).tanh_()
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    return ops.tanh(x)


def _erfinv(x):
    """Write erfinv(x) to x; gives x.

    >>> Tensor([0.0]).erfinv_()
    Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00])
    """
    return ops.erfinv(x)


def _clamped(x, min=None, max=None):
    """Write x, kept between ``min`` and ``max``, to x; gives x.

    >>> Tensor([-1.0, 0.5, 2.0]).clamp_(0.0, 1.0)
    Tensor(shape=[3], dtype=Float32, value= [ 0.00000000e+00,  5.00000000e-01,  1.00000000e+00])
    """
    return ops.clamp(x, min, max)


def _remainder(x, other):
    """Write the remainder of x by ``other`` to x; gives x.

    >>> Tensor([7, -7]).remainder_(4)
    Tensor(shape=[2], dtype=Int64, value= [3, 1])
    """
    return ops.remainder(x, other)


def _floor_divided(x, other):
    """Write x / other, rounded down, to x; gives x.

    >>> Tensor([7, -7]).floor_divide_(4)
    Tensor(shape=[2], dtype=Int64, value= [ 1, -2])
    """
    return ops.floor_divide(x, other)


def _product_added(x, mat1, mat2, *, beta=1, alpha=1):
    """Write beta * x + alpha * (mat1 @ mat2) to x; gives x.

    >>> Tensor([[1.0]]).addmm_(Tensor([[2.0]]), Tensor([[3.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 7.00000000e+00]])
    """
    return ops.addmm(x, mat1, mat2, beta=beta, alpha=alpha)


def _outer_added(x, vec1, vec2, *, beta=1, alpha=1):
    """Write beta * x + alpha * (the outer product of two vectors) to x; gives x.

    >>> mint.addr_(Tensor([[1.0]]), Tensor([2.0]), Tensor([3.0]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 7.00000000e+00]])
    """
    return ops.addr(x, vec1, vec2, beta=beta, alpha=alpha)


def _rectified(input):
    """Write relu(x) to x; gives x.

    >>> mint.nn.functional.relu_(Tensor([-1.0, 2.0]))
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  2.00000000e+00])
    """
    return ops.relu(input)


def _exponential_below(input, alpha=1.0):
    """Write elu(x) to x; gives x.

    >>> mint.nn.functional.elu_(Tensor([2.0]))
    Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])
    """
    return ops.EluExt(input, alpha=alpha)


def _hard_tanh(input, min_val=-1, max_val=1):
    """Write x, kept between two numbers, to x; gives x.

    >>> mint.nn.functional.hardtanh_(Tensor([-3.0, 0.5]))
    Tensor(shape=[2], dtype=Float32, value= [-1.00000000e+00,  5.00000000e-01])
    """
    return hardtanh_ext(input, min_val, max_val)


def _over_threshold(input, threshold, value):
    """Write ``value`` where x is at most ``threshold``; gives x.

    >>> mint.nn.functional.threshold_(Tensor([-3.0, 0.5]), 0.0, 9.0)
    Tensor(shape=[2], dtype=Float32, value= [ 9.00000000e+00,  5.00000000e-01])
    """
    return ops.threshold(input, threshold, value)


writes("Tensor.exp_", new=_exponential)
writes("Tensor.log_", new=_logarithm, reads=True)
writes("Tensor.floor_", new=_floor)
writes("Tensor.sign_", new=_sign)
writes("Tensor.sigmoid_", "mint.nn.functional.sigmoid_", new=_sigmoid)
writes("Tensor.tanh_", "tanh_", new=_tanh)
writes("Tensor.erfinv_", "erfinv_", new=_erfinv)
writes("Tensor.clamp_", "clamp_", new=_clamped, reads=True)
writes("Tensor.remainder_", new=_remainder, reads=True)
writes("Tensor.floor_divide_", new=_floor_divided)
writes("Tensor.addmm_", new=_product_added, reads=True)
writes("mint.addr_", new=_outer_added, reads=True)
writes("mint.nn.functional.relu_", new=_rectified)
writes("mint.nn.functional.elu_", new=_exponential_below, reads=True)
writes("mint.nn.functional.hardtanh_", new=_hard_tanh, reads=True)
writes("mint.nn.functional.threshold_", new=_over_threshold, reads=True)
