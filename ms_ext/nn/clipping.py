"""Clipping as a Cell."""

from ..ops.clipping import clipped_along
from .arguments import check_type
from .cell import Cell


class ClipByNorm(Cell):
    """x, made shorter where it is longer than ``clip_norm``: as a whole, or along axes.

    >>> from ms_ext import Tensor
    >>> ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0))
    Tensor(shape=[2], dtype=Float32, value= [ 6.00000024e-01,  8.00000012e-01])
    """

    def __init__(self, axis=None):
        super().__init__()
        if axis is not None:
            check_type("ClipByNorm", "axis", axis, int, tuple, list)
        self.axis = tuple(axis) if isinstance(axis, list) else axis

    def construct(self, x, clip_norm):
        """The clipped tensor."""
        return clipped_along(x, clip_norm, self.axis)
