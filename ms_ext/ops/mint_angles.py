"""Angles in mint: primitives of their own in MindSpore, with the rules of those in ops.

A pass that rewrites Asin leaves AsinExt alone: patterns match by name.
"""

from ..engine.primitive import op
from .arithmetic import Atan2
from .hyperbolic import Acosh, Asinh
from .trigonometry import ACos, Asin, Atan


@op(names=("mint.acos", "mint.arccos"), same_as=ACos)
class AcosExt:
    """The angle whose cosine is x, in mint.

    >>> mint.acos(Tensor([1.0])), mint.acos.name
    (Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00]), 'AcosExt')
    """


@op(names=("mint.asin", "mint.arcsin"), same_as=Asin)
class AsinExt:
    """The angle whose sine is x, in mint.

    >>> mint.asin(Tensor([0.0])), mint.asin.name
    (Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00]), 'AsinExt')
    """


@op(names=("mint.atan", "mint.arctan"), same_as=Atan)
class AtanExt:
    """The angle whose tangent is x, in mint.

    >>> mint.atan(Tensor([0.0])), mint.atan.name
    (Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00]), 'AtanExt')
    """


@op(names=("mint.atan2", "mint.arctan2"), same_as=Atan2)
class Atan2Ext:
    """The angle of the point (y, x), given y first, in mint.

    >>> mint.atan2(Tensor([0.0]), Tensor([1.0])), mint.atan2.name
    (Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00]), 'Atan2Ext')
    """


@op(names=("mint.acosh", "mint.arccosh"), same_as=Acosh)
class AcoshExt:
    """The number of 1 or more whose hyperbolic cosine is x, in mint.

    >>> mint.acosh(Tensor([1.0])), mint.acosh.name
    (Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00]), 'AcoshExt')
    """


@op(names=("mint.asinh", "mint.arcsinh"), same_as=Asinh)
class AsinhExt:
    """The number whose hyperbolic sine is x, in mint.

    >>> mint.asinh(Tensor([0.0])), mint.asinh.name
    (Tensor(shape=[1], dtype=Float32, value= [ 0.00000000e+00]), 'AsinhExt')
    """
