"""How do the losses of many elements become one? The reductions, as types, arrays and gradients.

>>> import numpy as np
>>> gathered(np.float32([1, 3]), "mean", np.float32([0]))
array(2., dtype=float32)
"""

import math

import numpy as np

from .. import dtype as dtypes
from ..engine import errors
from ..engine.infer import AbstractTensor
from .precision import like
from .shapes import common_dtype, common_shape, float_dtype, settled

REDUCTIONS = ("mean", "sum", "none")


def known_reduction(reduction, known=REDUCTIONS):
    """Refuse an unknown reduction."""
    if reduction not in known:
        raise errors.InvalidValue(
            f"the reduction must be one of {', '.join(known)}.", given=repr(reduction)
        )


def loss_type(*operands, reduction):
    """The type of a loss: that of its elements, or one number."""
    dtype = float_dtype(settled(*common_dtype(*operands)))
    shape = common_shape(*(x.shape for x in operands))
    return AbstractTensor(dtype, shape if reduction == "none" else ())


def gathered(losses, reduction, x):
    """The losses of all elements, reduced, in the dtype of x."""
    if reduction == "none":
        return like(losses, x)
    total = np.sum(losses)
    return like(total if reduction == "sum" else total / losses.size if losses.size else np.nan, x)


def spread(dout, shape, reduction):
    """The part of ``dout`` that belongs to each of the losses."""
    return dout / max(math.prod(shape), 1) if reduction == "mean" else dout


def same_shapes(x, y):
    """Refuse operands of different shapes."""
    if x.shape != y.shape:
        raise errors.InvalidValue(
            "the shapes must be equal.", given=f"{list(x.shape)} and {list(y.shape)}"
        )


def alike(*operands, reduction):
    """The type of a loss of operands, the first two of which have one shape."""
    known_reduction(reduction)
    same_shapes(*operands[:2])
    return loss_type(*operands, reduction=reduction)


def checked(rule, *arrays, **attributes):
    """Refuse in ``compute`` what the rule refuses of shapes and attributes."""
    rule(*(AbstractTensor(dtypes.float32, x.shape) for x in arrays), **attributes)


def softplus(wide):
    """log(1 + exp(x)) of an array."""
    return np.maximum(wide, 0) + np.log1p(np.exp(-np.abs(wide)))
