"""Slices by their index along an axis: ``ops.gather``, also one line of indices per batch."""

import numpy as np

from .. import ops
from ..engine import errors
from ..engine.tensor import Tensor
from .axes import normal_axis
from .composite import composite


@composite("gather")
def gather(input_params, input_indices, axis, batch_dims=0):
    """Slices along an axis, by their index: a row per id, as an embedding looks them up.

    ``batch_dims``: the first axes of both go together, and each batch has indices of its own.

    >>> ops.gather(Tensor([[1, 2], [3, 4]]), Tensor([1, 1]), 0)
    Tensor(shape=[2, 2], dtype=Int64, value=
    [[3, 4],
     [3, 4]])
    """
    if batch_dims:
        return _in_batches(input_params, input_indices, axis, batch_dims)
    return ops.Gather(input_params, input_indices, axis=axis)


def _in_batches(x, indices, axis, batch_dims):
    axis, batch = normal_axis(axis, x.ndim), normal_axis(batch_dims, indices.ndim, extra=1)
    if x.shape[:batch] != indices.shape[:batch] or axis < batch:
        raise errors.ShapeMismatch(
            "the first axes of the input and of the indices must be equal, and before the axis.",
            given=f"{x.shape} and {indices.shape}, axis {axis}, batch_dims {batch_dims}",
        )
    grid = np.ogrid[tuple([slice(n) for n in indices.shape])][:batch]
    places = [Tensor(np.ascontiguousarray(g)) for g in grid]
    parts = tuple([f"#{i}" for i in range(batch + 1)])
    found = ops.ItemAt((ops.movedim(x, axis, batch), *places, indices), index=parts)
    many, between = indices.ndim - batch, axis - batch
    order = [*range(batch), *range(batch + many, batch + many + between)]
    order += [i for i in range(batch, found.ndim) if i not in order]
    return ops.transpose(found, tuple(order))


@composite("Tensor.gather")
def gathered(self, *args, **kwargs):
    """Slices by (input_indices, axis), or elements by (dim, index), as ``ops.gather_elements``.

    >>> Tensor([5, 6, 7]).gather(Tensor([2, 0]), 0), Tensor([5, 6, 7]).gather(0, Tensor([1]))
    (Tensor(shape=[2], dtype=Int64, value= [7, 5]), Tensor(shape=[1], dtype=Int64, value= [6]))
    """
    if isinstance(args[0] if args else None, int) or "index" in kwargs:
        return ops.gather_elements(self, *args, **kwargs)
    return gather(self, *args, **kwargs)
