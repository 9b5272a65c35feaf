"""How far apart? Distances, and vectors brought to one length."""

import numpy as np

from .. import ops
from ..engine import errors
from .axes import normal_axis
from .composite import composite


@composite("dist")
def dist(input, other, p=2):
    """The p-norm of the difference.

    >>> ops.dist(Tensor([3.0, 0.0]), Tensor([0.0, 4.0]))
    Tensor(shape=[], dtype=Float32, value= 5)
    """
    for x in (input, other):
        if not hasattr(x, "shape"):
            raise errors.InvalidType("both must be tensors.", given=repr(x))
    return ops.LpNormV2(input - other, p=float(p))


def _between(x1, x2, p):
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-1]:
        raise errors.InvalidValue(
            "the points must be rows of one length.", given=f"{list(x1.shape)}, {list(x2.shape)}"
        )
    if p < 0:
        raise errors.InvalidValue("p must be 0 or above.", given=repr(p))
    return ops.LpNormV2(x1[..., :, None, :] - x2[..., None, :, :], p=float(p), axis=-1)


@composite("cdist")
def cdist(x1, x2, p=2.0):
    """The distance of each row of x1 from each row of x2.

    >>> ops.cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0], [0.0, 1.0]]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 5.00000000e+00,  1.00000000e+00]])
    """
    return _between(x1, x2, p)


_MODES = (
    "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist",
    "donot_use_mm_for_euclid_dist",
)  # fmt: skip


@composite("mint.cdist")
def cdist_in(x1, x2, p=2.0, compute_mode=_MODES[0]):
    """The distance of each row of x1 from each row of x2; always by differences here.

    >>> mint.cdist(Tensor([[0.0, 0.0]]), Tensor([[3.0, 4.0]]))
    Tensor(shape=[1, 1], dtype=Float32, value=
    [[ 5.00000000e+00]])
    """
    if compute_mode not in _MODES:
        raise errors.InvalidValue(
            f"compute_mode must be one of {', '.join(map(repr, _MODES))}.", given=compute_mode
        )
    return _between(x1, x2, p)


@composite("pdist")
def pdist(input, p=2.0):
    """The distance of each row from each later one.

    >>> ops.pdist(Tensor([[0.0], [1.0], [3.0]]))
    Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00,  2.00000000e+00])
    """
    if input.ndim < 2:
        raise errors.InvalidValue("the points must be rows.", given=f"{list(input.shape)}")
    one, other = np.triu_indices(input.shape[-2], 1)
    return ops.LpNormV2(input[..., one, :] - input[..., other, :], p=float(p), axis=-1)


@composite("mint.nn.functional.normalize")
def normalize(input, p=2.0, dim=1, eps=1e-12):
    """Vectors along an axis, brought to the length 1; those shorter than ``eps`` divided by it.

    >>> mint.nn.functional.normalize(Tensor([[3.0, 4.0]]))
    Tensor(shape=[1, 2], dtype=Float32, value=
    [[ 6.00000024e-01,  8.00000012e-01]])
    """
    length = ops.LpNormV2(input, p=float(p), axis=dim, keep_dims=True)
    return input / ops.maximum(length, eps)


@composite("renorm", "Tensor.renorm")
def renorm(input, p, axis, maxnorm):
    """The parts along an axis, brought to the p-norm ``maxnorm`` if theirs is larger.

    >>> ops.renorm(Tensor([[3.0, 4.0], [0.0, 0.5]]), 2, 0, 1.0)[1]
    Tensor(shape=[2], dtype=Float32, value= [ 0.00000000e+00,  5.00000000e-01])
    """
    if p <= 0 or maxnorm < 0:
        raise errors.InvalidValue(
            "p must be above 0, and maxnorm not below it.", given=f"{p}, {maxnorm}"
        )
    place = normal_axis(axis, input.ndim)
    rest = tuple(i for i in range(input.ndim) if i != place)
    size = ops.LpNormV2(input, p=float(p), axis=rest, keep_dims=True)
    return input * ops.where(size > maxnorm, maxnorm / (size + 1e-7), 1)
